/**
 * What a trace holds: the answers of the reads that the inspector makes, by path and query. Lists are read whole, up to
 * a limit, and from their records follow the reads of each record that say more than its row. A read that fails is left out, because a trace is made when
 * something has already failed.
 */

/** Reads a path of this server as the caller of the trace would; `undefined` unless it answered with JSON. */
export type ReadPath = (path: string) => Promise<unknown>;

export type Answers = Readonly<Record<string, unknown>>;

type Json = Record<string, unknown>;

/** Read once, whatever is in the sandbox. */
const FIRST: readonly string[] = [
  '/_sandbox',
  '/_sandbox/clock',
  '/_sandbox/timers?limit=1000',
  '/_sandbox/calendar',
  '/_sandbox/activity?limit=1000',
  '/_sandbox/requests?limit=1000',
  '/_sandbox/events?limit=1000',
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

/** What is read of each record of a list, newest first and at most so many. `{id}` is the id of the record. */
const FOLLOWING: readonly { list: string; most: number; paths: readonly string[] }[] = [
  {
    list: '/v2/payments/transaction?limit=100',
    most: 100,
    paths: ['/_sandbox/explain/{id}', '/_sandbox/events?resource={id}&limit=50'],
  },
  {
    list: '/v2/accounts/sub_account?limit=100',
    most: 20,
    paths: ['/_sandbox/explain/{id}', '/_sandbox/ledger/{id}', '/_sandbox/ledger/{id}/balances?points=400'],
  },
  { list: '/v2/issuing/card?limit=100', most: 20, paths: ['/_sandbox/explain/{id}'] },
  {
    list: '/v2/accounts/sub_account_holder?limit=100',
    most: 20,
    paths: ['/_sandbox/explain/{id}'],
  },
  {
    list: '/_sandbox/webhooks',
    most: 20,
    paths: ['/_sandbox/webhooks/{id}/attempts?limit=1000', '/_sandbox/webhooks/{id}/chaos'],
  },
];

/** The events whose attempts are read. */
const EVENTS_AT_MOST = 300;

/** Collects the answers of a sandbox. */
export async function collectAnswers(read: ReadPath): Promise<Answers> {
  const answers: Record<string, unknown> = {};
  const take = async (path: string): Promise<void> => {
    if (Object.hasOwn(answers, path)) return;
    const answer = await read(path);
    if (answer !== undefined) answers[path] = answer;
  };
  for (const path of FIRST) await take(path);
  for (const { list, most, paths } of FOLLOWING) {
    for (const id of idsIn(answers[list]).slice(0, most)) {
      for (const path of paths) await take(path.replace('{id}', encodeURIComponent(id)));
    }
  }
  const events = recordsIn(answers['/_sandbox/events?limit=1000']).filter(isDelivered);
  for (const { id } of events.slice(0, EVENTS_AT_MOST)) await take(`/_sandbox/events/${id}/attempts`);
  return answers;
}

/** The records of a list: what is in its first array. */
function recordsIn(answer: unknown): Json[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const list = Object.values(answer).find(Array.isArray);
  return (list ?? []) as Json[];
}

function idsIn(answer: unknown): string[] {
  return recordsIn(answer).flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
}

/** Whether a webhook got the event, or is to get it. */
function isDelivered({ deliveries }: Json): boolean {
  return Object.values((deliveries ?? {}) as Record<string, number>).some((count) => count > 0);
}
