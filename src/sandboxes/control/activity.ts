/**
 * The activity of a sandbox, newest last: requests of both versions and of the control plane, the records that they
 * changed, and the attempts to deliver their events. The items are those of the stream, so a client shows these first
 * and then continues with the stream.
 */
import { Type } from '@sinclair/typebox';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Fact } from '../../bank/model/facts.ts';
import type { JournalEntry } from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { controlOperation } from './operation.ts';
import { type ActivityItem, ActivityView, attemptItem, factItem, requestItem } from './stream-items.ts';

const DEFAULT_LIMIT = 200;

interface Placed {
  readonly item: ActivityItem;
  /** Among the facts: after this one. */
  readonly after: number;
  readonly order: number;
}

/** Requests come before the facts that they wrote, attempts after the facts that existed at that time. */
const ORDER = { fact: 0, attempt: 1, request: 2 } as const;

/** The facts with the highest numbers, and the attempts to deliver them. */
function factsAndAttempts(sandbox: Sandbox, limit: number): Placed[] {
  const latest = sandbox.outbox.latestSeq();
  const placed: Placed[] = [];
  const instants: [seq: number, at: Instant][] = [];
  const facts = new Map<number, Fact>();
  const attempts: { at: Instant; seq: number; item: ActivityItem }[] = [];
  for (let seq = Math.max(1, latest - limit + 1); seq <= latest; seq += 1) {
    const fact = sandbox.outbox.fact(seq);
    if (fact === undefined) continue;
    instants.push([seq, fact.at]);
    placed.push({ item: factItem(fact), after: seq, order: ORDER.fact });
    facts.set(seq, fact);
  }
  const deliveries = new Map(sandbox.queue.deliveriesOf([...facts.keys()]).map((one) => [one.seq, one]));
  for (const seq of new Set([...deliveries.values()].map(({ factSeq }) => factSeq))) {
    for (const attempt of sandbox.queue.attempts(seq)) {
      const [fact, delivery] = [facts.get(seq), deliveries.get(attempt.deliverySeq)];
      if (fact === undefined || delivery === undefined) continue;
      attempts.push({ at: attempt.at, seq, item: attemptItem(fact, attempt, delivery) });
    }
  }
  for (const { at, seq, item } of attempts) {
    const [after] = instants.findLast(([of, instant]) => of >= seq && instant <= at) ?? [seq];
    placed.push({ item, after, order: ORDER.attempt });
  }
  return placed;
}

export const ACTIVITY_OPERATIONS = [
  /**
   * Lists the activity, newest last: the last requests of both API versions and of the control plane, the last facts,
   * and the attempts to deliver their events. The items are those of `GET /_sandbox/stream`.
   */
  controlOperation({
    id: 'sandbox_list_activity',
    method: 'GET',
    path: '/_sandbox/activity',
    group: 'Inspect',
    summary: 'List the activity',
    description:
      'Lists the activity of the sandbox, newest last: the last requests to both API versions, the last control-plane requests other than GET, the facts that they wrote, and the delivery attempts. The items are those of GET /_sandbox/stream, so a client can show them first and then follow the stream. After a reset, restore or import the list is empty.',
    answer: 'Requests, facts and attempts, newest last.',
    status: 200,
    query: Type.Object({
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `A whole number from 1 to 1000, for requests and for facts; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
    }),
    example: { query: { limit: '5' } },
    response: Type.Object({ items: Type.Array(ActivityView, { description: 'Oldest first.' }) }),
    run: ({ sandbox }, { query: { limit = String(DEFAULT_LIMIT) } }) => {
      const max = Number(limit);
      const isOfThisBank = ({ bank }: JournalEntry): boolean => bank === sandbox.bankNumber;
      const entries = [...sandbox.journal.entries(), ...sandbox.journal.controlCalls()]
        .filter(isOfThisBank)
        // The journal has the newest first; requests of the same millisecond keep their order.
        .toReversed()
        .toSorted((a, b) => a.wallAt - b.wallAt);
      // No request wrote the facts of the seed.
      const first = entries.find(({ factsBefore, factsAfter }) => factsAfter > factsBefore);
      let latest = first?.factsBefore ?? sandbox.outbox.latestSeq();
      const requests = entries
        .map((entry): Placed => {
          // A request that wrote nothing comes after the facts that were written before it.
          const after = entry.factsAfter > entry.factsBefore ? entry.factsBefore : latest;
          latest = Math.max(latest, entry.factsAfter);
          return { item: requestItem(entry), after, order: ORDER.request };
        })
        .slice(-max);
      const items = [...factsAndAttempts(sandbox, max), ...requests]
        .toSorted((a, b) => a.after - b.after || a.order - b.order)
        .map(({ item }) => item);
      return { items };
    },
  }),
] as const;
