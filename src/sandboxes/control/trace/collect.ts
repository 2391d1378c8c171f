/**
 * The content of a trace: the answers to the reads of the inspector, by path and query. Lists are read completely, up
 * to a limit, and their records determine the reads of single records with more detail than a row. A read that fails
 * is left out, because a trace is created when something has already failed.
 */
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { readStories, type TakeAnswer } from './stories.ts';

/** Reads a path of this server as the caller of the trace would; `undefined` unless the response is JSON. */
export type ReadPath = (path: string) => Promise<unknown>;

type Json = Record<string, unknown>;

const EVENTS = '/_sandbox/events?limit=1000';

/** The paths that are read once for every sandbox. */
const FIRST: readonly string[] = [
  '/_sandbox',
  '/_sandbox/clock',
  '/_sandbox/timers?limit=1000',
  '/_sandbox/calendar',
  '/_sandbox/activity?limit=1000',
  '/_sandbox/requests?limit=1000',
  EVENTS,
  '/_sandbox/webhooks',
  '/_sandbox/receiver?limit=1000',
  '/_sandbox/faults',
  '/_sandbox/rules',
  '/_sandbox/settings',
  '/_sandbox/rta',
  '/_sandbox/rta/decisions?limit=100',
  '/_sandbox/coverage',
  '/_sandbox/rails',
  '/_sandbox/return_codes',
  '/_sandbox/snapshots',
  '/_sandbox/ledger/verify',
  '/_sandbox/transactions?limit=100',
  '/v2/accounts/master_account',
  '/v2/accounts/sub_account?limit=100',
  '/v2/accounts/sub_account_holder?limit=100',
  '/v2/issuing/card?limit=100',
  '/v2/issuing/card_holder?limit=100',
  '/v2/payments/counterparty?limit=100',
  '/v2/payments/transaction?limit=100',
  '/v1/family?limit=100',
];

/** The lists whose records have stories, and the number of stories, newest first. */
const STORIES: readonly { list: string; max: number }[] = [
  { list: '/v2/payments/transaction?limit=100', max: 100 },
  { list: '/v2/accounts/sub_account?limit=100', max: 20 },
  { list: '/v2/issuing/card?limit=100', max: 20 },
  { list: '/v2/accounts/sub_account_holder?limit=100', max: 20 },
];

/** The other reads of each record of a list, newest first, up to a number of records. `{id}` is the id of the record. */
const FOLLOWING: readonly { list: string; max: number; paths: readonly string[] }[] = [
  {
    list: '/v2/accounts/sub_account?limit=100',
    max: 20,
    paths: ['/_sandbox/ledger/{id}', '/_sandbox/ledger/{id}/balances?points=400'],
  },
  {
    list: '/_sandbox/webhooks',
    max: 20,
    paths: ['/_sandbox/webhooks/{id}/attempts?limit=1000', '/_sandbox/webhooks/{id}/chaos'],
  },
];

/** The events whose attempts are read. */
const MAX_EVENTS = 300;

/** Collects the answers of a sandbox and passes them on one by one, because together they take much memory. */
export async function collectAnswers(sandbox: Sandbox, read: ReadPath, take: TakeAnswer): Promise<void> {
  /** The ids in the lists that determine other reads. */
  const ids = new Map([...STORIES, ...FOLLOWING].map(({ list }) => [list, [] as string[]]));
  let events: string[] = [];
  const idsOf = ({ list, max }: { list: string; max: number }) => (ids.get(list) ?? []).slice(0, max);
  const readOne = async (path: string): Promise<void> => {
    const answer = await read(path);
    if (answer === undefined) return;
    if (ids.has(path)) ids.set(path, idsIn(recordsIn(answer)));
    if (path === EVENTS) events = idsIn(recordsIn(answer).filter(isDelivered)).slice(0, MAX_EVENTS);
    take(path, answer);
  };
  for (const path of FIRST) await readOne(path);
  await readStories(sandbox, STORIES.flatMap(idsOf), take);
  for (const following of FOLLOWING) {
    for (const id of idsOf(following)) {
      for (const path of following.paths) await readOne(path.replace('{id}', encodeURIComponent(id)));
    }
  }
  for (const id of events) await readOne(`/_sandbox/events/${id}/attempts`);
}

/** The records of a list: the items of its first array. */
function recordsIn(answer: unknown): Json[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const list = Object.values(answer).find(Array.isArray);
  return (list ?? []) as Json[];
}

function idsIn(records: readonly Json[]): string[] {
  return records.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** Whether the event has a delivery, sent or queued. */
function isDelivered({ deliveries }: Json): boolean {
  return Object.values((deliveries ?? {}) as Record<string, number>).some((count) => count > 0);
}
