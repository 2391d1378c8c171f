/**
 * The changes in a bank since a mark, in order: transactions that changed status, ledger entries, events and their
 * deliveries. Everything is read from the bank's records, so two banks with the same history return the same changes.
 */
import { formatEventId } from '../../bank/api/events.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Transfer } from '../../bank/ledger/ledger.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { RailName } from '../../bank/model/rails/index.ts';
import type { Transaction } from '../../bank/model/records.ts';
import type { TransactionStatus } from '../../bank/model/vocabulary.ts';
import type { History, Moment, PastAttempt } from '../../bank/store/history.ts';
import type { Sandbox } from './sandbox.ts';

interface Transition {
  transactionId: Id;
  rail: RailName;
  /** `null` for a transaction that was created. */
  from: TransactionStatus | null;
  to: TransactionStatus;
  at: Instant;
}

/** One event: one kind of one fact, as a webhook of its version would receive it. */
interface EventRow {
  /** As in `webhook-id`. */
  id: string;
  version: 'v1' | 'v2';
  kind: string;
  at: Instant;
}

interface Attempted extends PastAttempt {
  /** As in `webhook-id`; `null` if the webhook was deleted. */
  eventId: string | null;
  version: 'v1' | 'v2' | null;
}

export interface Changes {
  transitions: Transition[];
  postings: Transfer[];
  events: EventRow[];
  deliveries: Attempted[];
}

/** The state of a transaction after a fact, as a caller saw it. */
export interface ChangeMark {
  status: TransactionStatus;
  after: number;
}

/** All changes since `moment`; `noted` has the earlier state of each transaction. */
export function readChanges(
  sandbox: Sandbox,
  history: History,
  moment: Moment,
  noted: ReadonlyMap<Id, ChangeMark>,
): Changes {
  const { outbox, queue } = sandbox;
  const facts: Fact[] = [];
  for (let seq = moment.lastFact + 1; seq <= outbox.latestSeq(); seq += 1) {
    const fact = outbox.fact(seq);
    if (fact !== undefined) facts.push(fact);
  }
  return {
    transitions: transitionsOf(facts, history, moment, noted),
    postings: history.transfersAfter(moment.lastTransfer),
    events: facts.flatMap((fact) => [...eventsOf(fact, 'v2'), ...eventsOf(fact, 'v1')]),
    deliveries: history.attemptsSince(moment).map((attempt) => {
      const fact = outbox.fact(attempt.factSeq);
      const version = queue.webhook(attempt.webhookId)?.apiVersion ?? null;
      const isKnown = fact !== undefined && version !== null;
      return {
        ...attempt,
        version,
        eventId: isKnown ? formatEventId(version, fact, attempt.ordinal) : null,
      };
    }),
  };
}

function eventsOf(fact: Fact, version: 'v1' | 'v2'): EventRow[] {
  const kinds = version === 'v2' ? fact.kindsV2 : fact.kindsV1;
  return kinds.map((kind, ordinal) => ({
    id: formatEventId(version, fact, ordinal),
    version,
    kind,
    at: fact.at,
  }));
}

function transitionsOf(
  facts: readonly Fact[],
  history: History,
  { lastFact }: Moment,
  noted: ReadonlyMap<Id, ChangeMark>,
): Transition[] {
  const moved = facts.filter(
    ({ resource, change }) => resource === 'transaction' && (change === 'created' || change === 'status'),
  );
  const present = new Map<Id, TransactionStatus | null>();
  const unknown: Id[] = [];
  for (const { resourceId, change, seq } of moved) {
    if (present.has(resourceId)) continue;
    const seen = noted.get(resourceId);
    const known =
      change === 'created' ? null : seen !== undefined && seen.after < seq ? seen.status : undefined;
    present.set(resourceId, known ?? null);
    if (known === undefined) unknown.push(resourceId);
  }
  // Another command changed it in the meantime; the facts before show its earlier state.
  if (unknown.length > 0) {
    for (const [id, status] of history.statusesAt(lastFact, unknown)) present.set(id, status);
  }
  return moved.map(({ resourceId, record, at }) => {
    const { rail, status } = record as Transaction;
    const from = present.get(resourceId) ?? null;
    present.set(resourceId, status);
    return { transactionId: resourceId, rail, from, to: status, at };
  });
}
