/**
 * The text on the terminal when the bank is open: its URL, the key, the first ids, and a command that works
 * unchanged.
 */
import type { Config } from './settings.ts';

export interface Welcome {
  url: string;
  apiKey: string;
  seeded: Record<string, string>;
  /** The ids by the names in the user's seed document. */
  names?: Record<string, string> | undefined;
  config: Pick<Config, 'control' | 'data' | 'rails' | 'secrets'>;
  version: string;
  /** The token of the control plane, if the server created one. */
  madeToken?: string | null;
}

const RAILS = {
  fast: 'most steps of a payment take a second',
  calendar: 'payments take hours or days, as at a real bank',
  manual: 'payments move only when you simulate their steps',
};

const SECRETS = {
  random: 'created for this bank only',
  seeded: 'anybody who knows the random seed can sign as this bank',
};

/** The records to show; the others are for the examples of the reference. */
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

/**
 * The welcome text with a final line break. The next step is at the end, where a terminal shows it. Lines have at
 * most 80 columns, unless an address or an id is longer.
 */
export function welcome(welcomed: Welcome): string {
  const { url, apiKey, seeded, names, config, version, madeToken = null } = welcomed;
  const first = FIRST.flatMap((name) => (seeded[name] === undefined ? [] : [[name, seeded[name]] as const]));
  const shown = names === undefined ? first : Object.entries(names).slice(0, FIRST.length);
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  const ids = shown.map(([name, id]) => `    ${name.padEnd(width)}  ${id}\n`);
  const rest = Object.keys(names ?? seeded).length - shown.length;
  const more = rest > 0 ? `    and ${rest} more: "sandbank env" prints them all\n` : '';
  const records = shown.length === 0 ? '' : `\n  Records to try with\n\n${ids.join('')}${more}`;
  const token = madeToken === null ? '' : `    Control    x-control-token: ${madeToken}\n`;
  return `
  Sandbank ${version} is running at ${url}
  A local bank that imitates Solid's v2 and v1 API. No real money moves.

    Docs       ${url}/docs
    API key    ${apiKey} (any other test_<name> is a separate bank)
    Data       ${config.data ?? 'in memory, lost when the bank stops'}
    Rails      ${config.rails}: ${RAILS[config.rails]}
    Secrets    ${config.secrets}: ${SECRETS[config.secrets]}
${token}${records}
  Try this in another terminal

    curl -s -H 'api-key: ${apiKey}' \\
      ${url}${firstPath(seeded)}

  Then open ${url} in a browser: ${
    config.control ? 'the inspector shows every\n  request and its effects, and links' : 'the page links'
  } to the guides and the reference.
  Ctrl+C stops the bank.

`;
}

/** A command to paste, which shows the balance of the seeded account. */
export function firstCall(url: string, apiKey: string, seeded: Record<string, string>): string {
  return `curl -s ${url}${firstPath(seeded)} -H 'api-key: ${apiKey}'`;
}

/** A bank with another seed document may have no account of that name. */
function firstPath({ sub_account_id: account }: Record<string, string>): string {
  return account === undefined ? '/v2/accounts/sub_account' : `/v2/accounts/sub_account/${account}`;
}
