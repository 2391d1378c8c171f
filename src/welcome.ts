/**
 * What the terminal shows when the bank is open: its URL, the key, the ids to try with, and a command that works as
 * it stands.
 */
import type { Config } from './config.ts';

export interface Welcome {
  url: string;
  apiKey: string;
  seeded: Record<string, string>;
  config: Pick<Config, 'data' | 'rails' | 'secrets'>;
  version: string;
  /** The token of the control plane, where the server made one. */
  madeToken?: string | null;
}

const RAILS = {
  fast: 'every step of a payment takes a second',
  calendar: 'payments keep the banking calendar',
  manual: 'payments move only when told',
};

const SECRETS = {
  random: 'nobody else has those of this bank',
  seeded: 'whoever knows the seed can sign as this bank, and open what its tokens and links open',
};

/** The records to try first; the others are for the examples of the reference. */
const FIRST = [
  'client_id',
  'program_id',
  'master_account_id',
  'person_holder_id',
  'business_holder_id',
  'sub_account_id',
  'other_sub_account_id',
  'card_holder_id',
  'virtual_card_id',
  'physical_card_id',
  'ach_counterparty_id',
  'intra_counterparty_id',
  'person_id',
  'account_id',
  'contact_id',
  'card_id',
  'webhook_id',
  'webhook_secret',
];

/** The welcome text, with its last line break. */
export function welcome({ url, apiKey, seeded, config, version, madeToken = null }: Welcome): string {
  const shown = FIRST.flatMap((name) => (seeded[name] === undefined ? [] : [[name, seeded[name]] as const]));
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  const ids = shown.map(([name, id]) => `    ${name.padEnd(width)}  ${id}`);
  const rest = Object.keys(seeded).length - shown.length;
  const token = madeToken === null ? '' : `    Control   x-control-token: ${madeToken}\n`;
  return `
  Sandbank ${version} is open at ${url}

    API key   ${apiKey}      (any test_<name> opens a bank of its own)
    Data      ${config.data ?? 'in memory'}
    Rails     ${config.rails}: ${RAILS[config.rails]}
    Secrets   ${config.secrets}: ${SECRETS[config.secrets]}
${token}
  The bank was seeded with

${ids.join('\n')}
    and ${rest} more, all in GET /_sandbox

  Try

    ${firstCall(url, apiKey, seeded)}

`;
}

/** A command to paste: it shows the balance of the seeded account. */
export function firstCall(url: string, apiKey: string, seeded: Record<string, string>): string {
  const { sub_account_id: account } = seeded;
  // A bank of another seed document may have no account of that name.
  const path = account === undefined ? '/_sandbox' : `/v2/accounts/sub_account/${account}`;
  return `curl -s ${url}${path} -H 'api-key: ${apiKey}'`;
}
