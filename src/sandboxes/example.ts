/**
 * Example events: an event of the kind that somebody wants to see, made from the newest record of the sandbox that had
 * one, or else from the newest record of the sort that it tells of. It has an id of its own, so that a receiver that
 * remembers ids takes it for new, and it is in no log, because it never happened.
 */
import { type Generation, writeExampleFor } from '../dialects/events.ts';
import { spellV2 } from '../dialects/identifiers.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Fact, FactRecords, Resource } from '../model/facts.ts';
import { V1_KINDS, V2_KINDS } from '../model/facts.ts';
import type { Transaction } from '../model/records.ts';
import { findEvents, type LoggedEvent } from './event-log.ts';
import type { Sandbox } from './sandbox.ts';

/** An example, ready to be sent. */
export interface Example {
  readonly id: string;
  readonly body: string;
  /** The event whose record it carries. */
  readonly from: LoggedEvent;
}

/** The facts that an event could be of. */
interface Sort {
  resource: Resource;
  fits?: (fact: Fact) => boolean;
}

const V2_SORTS: Readonly<Record<string, Sort>> = {
  sub_account_holder: { resource: 'holder' },
  sub_account: { resource: 'account' },
  card_holder: { resource: 'card_holder' },
  counterparty: { resource: 'counterparty' },
  card: { resource: 'card' },
  transaction: { resource: 'transaction' },
};

const payment = (...methods: Transaction['method'][]): Sort => ({
  resource: 'transaction',
  fits: ({ record }) => methods.includes((record as Transaction).method),
});
const holder = (type: 'person' | 'business'): Sort => ({
  resource: 'holder',
  fits: ({ record }) => (record as FactRecords['holder']).holder.type === type,
});

/** By the beginning of the kind; the first that fits. What v1 tells of its own wallets is not emulated. */
const V1_SORTS: readonly (readonly [beginning: string, sort: Sort])[] = [
  ['person.', holder('person')],
  ['business.', holder('business')],
  ['family.', { resource: 'family' }],
  ['member.', { resource: 'member' }],
  ['contact.', { resource: 'counterparty' }],
  ['account.created', { resource: 'account' }],
  ['account.updated', { resource: 'account' }],
  ['account.', { resource: 'transaction' }],
  ['card.updated', { resource: 'card' }],
  ['card.canceled', { resource: 'card' }],
  ['card.replaced', { resource: 'card' }],
  ['card.wallet.', { resource: 'card' }],
  ['card.', payment('card_issuing')],
  ['ach.', payment('ach')],
  ['wire.', payment('domestic_wire', 'international_wire')],
  ['check.', payment('check')],
  ['intrabank.', payment('intra_account')],
  [
    'transfer.',
    { resource: 'transaction', fits: ({ record }) => (record as Transaction).method !== 'card_issuing' },
  ],
];

/** How far back a similar record is looked for. */
const EVENTS_LOOKED_AT = 1_000;

/** Makes an example. Refuses: `event_unknown`, `example_missing`. */
export async function makeExample(sandbox: Sandbox, generation: Generation, kind: string): Promise<Example> {
  if (!(generation === 'v1' ? V1_KINDS : V2_KINDS).includes(kind)) {
    throw refuse('event_unknown', { field: 'type', message: `${kind} is no event kind of ${generation}` });
  }
  const from = (await newestOf(sandbox, generation, kind)) ?? (await newestLike(sandbox, generation, kind));
  if (from === undefined) {
    throw refuse('example_missing', {
      message: `this sandbox has no record of which an example of ${kind} could be made`,
    });
  }
  const id = await sandbox.commit(() => sandbox.nextId());
  const { clock, program } = sandbox;
  return {
    id: spellV2('event', id),
    body: writeExampleFor(generation, { id, at: clock.now(), kind, fact: from.fact, program }),
    from,
  };
}

async function newestOf(
  sandbox: Sandbox,
  generation: Generation,
  kind: string,
): Promise<LoggedEvent | undefined> {
  const { events } = await findEvents(sandbox, { filter: { generation, kind }, limit: 1 });
  return events[0];
}

async function newestLike(
  sandbox: Sandbox,
  generation: Generation,
  kind: string,
): Promise<LoggedEvent | undefined> {
  const sort =
    generation === 'v2'
      ? V2_SORTS[kind.split('.')[0] ?? '']
      : V1_SORTS.find(([beginning]) => kind.startsWith(beginning))?.[1];
  if (sort === undefined) return undefined;
  const { resource, fits } = sort;
  const { events } = await findEvents(sandbox, { filter: { resource }, limit: EVENTS_LOOKED_AT });
  return events.find(({ fact }) => fits === undefined || fits(fact));
}
