/**
 * The summary of a sandbox, and the ids of its seeded records, each in the format of the API version that uses it.
 */
import { Type } from '@sinclair/typebox';
import { formatV1, formatV2, type IdKind } from '../../bank/api/ids.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import type { Account, Card } from '../../bank/model/records.ts';
import { markToken } from '../registry/token-marks.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ClockMode, SandboxClock } from '../sandbox/sandbox-clock.ts';
import { defaultSeedDocument, openingTransactionOf } from '../sandbox/seed-document.ts';
import { seedOf } from '../sandbox/seed-images.ts';
import { ClockView } from './clock.ts';
import { Counts, enumOf, Instant, text } from './fields.ts';
import { type ControlContext, controlOperation } from './operation.ts';
import { idsOf } from './state.ts';

type FormatId = (kind: IdKind, id: Id) => string;

/** The records of the default seed document by the names that tests use. */
const SEEDED_RECORDS: readonly (readonly [string, FormatId, IdKind, string])[] = [
  ['person_holder_id', formatV2, 'holder', 'person'],
  ['business_holder_id', formatV2, 'holder', 'business'],
  ['sub_account_id', formatV2, 'account', 'account'],
  ['other_sub_account_id', formatV2, 'account', 'other_account'],
  ['card_holder_id', formatV2, 'card_holder', 'card_holder'],
  ['virtual_card_id', formatV2, 'card', 'virtual_card'],
  ['physical_card_id', formatV2, 'card', 'physical_card'],
  ['ach_counterparty_id', formatV2, 'counterparty', 'ach_counterparty'],
  ['intra_counterparty_id', formatV2, 'counterparty', 'intra_counterparty'],
  ['vendor_counterparty_id', formatV2, 'counterparty', 'vendor'],
  ['transaction_id', formatV2, 'transaction', openingTransactionOf('account')],
  ['unallocated_transaction_id', formatV2, 'transaction', 'unallocated'],
  ['business_member_id', formatV2, 'member', 'business_member'],
  ['attachment_id', formatV2, 'attachment', 'attachment'],
  ['person_id', formatV1, 'person', 'person'],
  ['account_id', formatV1, 'account', 'account'],
  ['other_account_id', formatV1, 'account', 'other_account'],
  ['contact_id', formatV1, 'counterparty', 'ach_counterparty'],
  ['vendor_contact_id', formatV1, 'counterparty', 'vendor'],
  ['card_id', formatV1, 'card', 'virtual_card'],
  ['inactive_card_id', formatV1, 'card', 'physical_card'],
  ['txn_id', formatV1, 'transaction', openingTransactionOf('account')],
  ['new_person_id', formatV1, 'person', 'new_person'],
  ['business_id', formatV1, 'business', 'business'],
  ['new_business_id', formatV1, 'business', 'new_business'],
  ['member_id', formatV1, 'member', 'member'],
  ['family_id', formatV1, 'family', 'family'],
  ['person_document_id', formatV1, 'document', 'person_document'],
  ['business_document_id', formatV1, 'document', 'business_document'],
  ['send_intrabank_id', formatV1, 'transfer', 'send_intrabank'],
  ['send_ach_id', formatV1, 'transfer', 'send_ach'],
  ['send_wire_id', formatV1, 'transfer', 'send_wire'],
  ['send_check_id', formatV1, 'transfer', 'send_check'],
  ['send_card_id', formatV1, 'transfer', 'send_card'],
  ['send_debitpush_id', formatV1, 'transfer', 'send_debitpush'],
  ['receive_intrabank_id', formatV1, 'transfer', 'receive_intrabank'],
  ['receive_ach_id', formatV1, 'transfer', 'receive_ach'],
  ['receive_check_id', formatV1, 'transfer', 'receive_check'],
  ['receive_debitpull_id', formatV1, 'transfer', 'receive_debitpull'],
  ['wallet_id', formatV1, 'wallet', 'wallet'],
];

/**
 * The ids of the seeded records, and the other values that calls about them need; another seed document may lack some
 * records of the default one.
 */
export function seededIds({ name, seeded, program, store, bank }: Sandbox): Record<string, string> {
  const records = SEEDED_RECORDS.flatMap(([name, formatId, kind, record]) => {
    const id = seeded.ids[record];
    return id === undefined ? [] : [[name, formatId(kind, id)]];
  });
  const tokens = Object.entries(seeded.tokens ?? {}).map(([of, token]) => [of, markToken(name, token)]);
  return {
    client_id: formatV2('client', program.clientId),
    program_id: formatV1('program', program.programId),
    master_account_holder_id: formatV2('master_account_holder', program.masterAccountHolderId),
    master_account_id: formatV2('master_account', program.masterAccountId),
    ...Object.fromEntries(records),
    ...ofInactiveCard(store.cards.byId(seeded.ids.physical_card ?? '')),
    ...firstStatementOf(store.accounts.byId(seeded.ids.account ?? '')),
    ...Object.fromEntries(tokens),
    processor_token: bank.plaid.processorToken,
    webhook_id: formatV1('webhook', seeded.webhookId),
    // The current secret: it may have been rotated.
    webhook_secret: store.webhooks.byId(seeded.webhookId)?.secret ?? seeded.webhookSecret,
  };
}

/** The ids of the seed's records by their names in its document; a bank of an older version may lack some. */
export function namedIds(sandbox: Sandbox): Record<string, string> {
  const { ids, tokens = {} } = sandbox.seeded;
  const named = idsOf(sandbox.name, sandbox, seedOf(sandbox)?.document ?? defaultSeedDocument());
  return Object.fromEntries(Object.entries(named).filter(([as]) => (ids[as] ?? tokens[as]) !== undefined));
}

/** The month of the account's first statement. */
function firstStatementOf(account: Account | undefined): Record<string, string> {
  if (account === undefined) return {};
  const [year = '', month = ''] = formatInstant(account.createdAt).split('-');
  return { statement_year: year, statement_month: month };
}

/** The data on the card that its activation needs. */
function ofInactiveCard(card: Card | undefined): Record<string, string> {
  if (card === undefined) return {};
  const { last4, expiryMonth, expiryYear } = card;
  return {
    inactive_card_last4: last4,
    inactive_card_expiry_month: expiryMonth,
    inactive_card_expiry_year: expiryYear,
  };
}

/** The answer of `GET /_sandbox`. */
function summarize(sandbox: Sandbox, { version, registry }: Pick<ControlContext, 'version' | 'registry'>) {
  return {
    version,
    sandbox: sandbox.name,
    clock: formatClock(sandbox.clock),
    rails: sandbox.rails,
    counts: sandbox.store.counts(),
    seeded: seededIds(sandbox),
    names: namedIds(sandbox),
    unavailable: registry.unavailable.map(({ what, why }) => ({ what, why })),
  };
}

/** Formats the clock. */
function formatClock(clock: SandboxClock): { mode: ClockMode; now: string; rate: number } {
  const { mode, rate } = clock.setting();
  return { mode, now: formatInstant(clock.now()), rate };
}

const Summary = Type.Object({
  version: text('Version of the server.'),
  sandbox: text('The name of the sandbox.'),
  clock: Type.Object({ ...ClockView.properties, now: Instant }),
  rails: enumOf(
    ['fast', 'calendar', 'manual'],
    'The rails profile: fast, by the banking calendar, or manual.',
  ),
  counts: Counts,
  seeded: Type.Record(Type.String(), Type.String(), {
    description: 'The ids of the seeded records, and the secret of the seeded webhook.',
  }),
  names: Type.Record(Type.String(), Type.String(), {
    description: 'The ids of the same records by their names in the seed document, in the format of v2.',
  }),
  unavailable: Type.Array(
    Type.Object({
      what: text('The function of the control plane.'),
      why: text('The reason, in a sentence.'),
    }),
    {
      description:
        'The functions that this server does not have, and refuses with 501. Empty for a bank that `sandbank start` runs; docs/guides/cluster.md has the list of one whose sandboxes are Durable Objects.',
    },
  ),
});

export const SUMMARY_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_summary',
    method: 'GET',
    path: '/_sandbox',
    group: 'Summary',
    summary: 'Show the sandbox',
    description:
      'Shows the sandbox: version, clock, rails, counts, the ids of the seeded records, and what the server cannot do. Tests use these ids in their requests.',
    answer: 'The sandbox with the ids of its seed.',
    status: 200,
    response: Summary,
    run: ({ sandbox, ...context }) => summarize(sandbox, context),
  }),
] as const;
