/**
 * The stories of records in a trace: the explanation of each record, and the events of a transaction. The log has no
 * index by resource, so it is read once for all records, in several turns of the event loop; a request for each
 * record would read the whole log each time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../../../bank/kernel/sequence.ts';
import type { Fact } from '../../../bank/model/facts.ts';
import { eventsOf } from '../../sandbox/event-log.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { formatEvents } from '../events.ts';
import { explainRecord, findExplained } from '../explain.ts';

/** Receives an answer, which no other code uses afterwards. */
export type TakeAnswer = (path: string, answer: unknown) => void;

/** How many facts are read in one turn. */
const STRETCH = 5000;
/** The events of a transaction that its page shows. */
const EVENTS = 50;

/**
 * Returns the same answers as `GET /_sandbox/explain/{id}` and `GET /_sandbox/events?resource={id}&limit=50`, without
 * a cursor. A record that no longer exists is left out.
 */
export async function readStories(sandbox: Sandbox, ids: readonly string[], take: TakeAnswer): Promise<void> {
  const records = ids.flatMap((text) => {
    const record = unlessFailed(() => findExplained(sandbox, text));
    return record === undefined ? [] : { text, ...record };
  });
  const facts = new Map<Id, Fact[]>(records.map(({ id }) => [id, []]));
  for (let upTo = 0; upTo < (unlessFailed(() => sandbox.outbox.latestSeq()) ?? 0); upTo += STRETCH) {
    const found = unlessFailed(() => sandbox.outbox.factsAbout([...facts.keys()], upTo, upTo + STRETCH));
    for (const fact of found ?? []) facts.get(fact.resourceId)?.push(fact);
    await nextTurn();
  }
  for (const { text, ...record } of records) {
    const own = facts.get(record.id) ?? [];
    const explanation = unlessFailed(() => explainRecord(sandbox, record, own));
    if (explanation !== undefined) take(`/_sandbox/explain/${text}`, explanation);
    if (record.kind !== 'transaction') continue;
    const newest = own.toReversed().flatMap((fact) => eventsOf(fact).reverse());
    const events = unlessFailed(() => formatEvents(sandbox, newest.slice(0, EVENTS)));
    if (events !== undefined)
      take(`/_sandbox/events?resource=${text}&limit=${EVENTS}`, { events, cursor: '', older: '' });
    await nextTurn();
  }
}

/** A trace is created when something has already failed, so a read that fails is left out. */
function unlessFailed<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
