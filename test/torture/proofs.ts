/**
 * The checks after each phase, from the outside: over HTTP in both API versions, and at the receivers. Everything that was
 * acknowledged exists once, nothing that was refused exists, all sums agree, and every event was delivered, in order.
 */
import { parseEventId } from '../../src/bank/api/events.ts';
import { type Client, find, request } from './client.ts';
import { readBalance } from './clients.ts';
import { proveEvents, type Wired } from './events.ts';
import { describeAnomaly } from './history.ts';
import type { Item, World } from './model.ts';
import type { Observers } from './observers.ts';
import type { Reply } from './server.ts';

export const OPENING = { first: 500_000, second: 250_000 };
const OPENING_WORDS = 'Opening deposit';
const DEADLINE_MS = 60_000;
const AT_ONCE = 4;
/** Longer than all retries take. If a clock was set back, they may be due days later. */
const ALL_RETRIES = 'PT9H';
const ALL_RETRIES_AND_DAYS = 'P9D';

interface Row {
  id: string;
  cents: number;
  isDebit: boolean;
  status: string;
  type: string;
  description: string;
  parent: string;
}

const centsOf = (text: unknown): number => Math.round(Number(text) * 100);

/** Runs all checks. With `final`, the clock passes all retries first, so that deliveries to failing receivers are checked too. */
export async function prove(
  client: Client,
  wired: readonly Wired[],
  observers: readonly Observers[],
  final: boolean,
): Promise<number> {
  const { model } = client;
  const lost = [...model.items.values()].filter(
    ({ state, again, sandbox }) =>
      state === 'broken' &&
      again !== null &&
      !model.sandbox(sandbox).hasMoved &&
      !model.sandbox(sandbox).isDamaged,
  );
  await each(lost, async (item) => item.again?.());
  let events = 0;
  await each(model.names(), async (name) => {
    if (model.sandbox(name).isDamaged) await proveDamaged(client, name);
    else events += await proveSandbox(client, name, wired, final);
    const observing = observers.filter(({ sandbox }) => sandbox === name);
    if (observing.length > 0 && !model.sandbox(name).isDamaged) await proveObservers(client, name, observing);
  });
  for (const { receiver } of wired) {
    const [problem] = receiver.problems;
    if (problem !== undefined) find(client, 'a delivery is wrong', problem);
  }
  return events;
}

async function each<T>(of: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...of];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export type Read = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown> | null>;

/** Reads as JSON; anything but a 2xx is a finding. */
function reader(client: Client, sandbox: string): Read {
  return async (method, path, body) => {
    const reply: Reply | null = await request(client, { method, path, sandbox, body });
    if (reply === null) {
      find(client, 'a proof got no answer', `${method} ${path} in ${sandbox}`);
      return null;
    }
    if (reply.status >= 300) {
      find(client, 'a proof was refused', `${method} ${path} in ${sandbox}: ${reply.status} ${reply.text}`);
      return null;
    }
    return JSON.parse(reply.text) as Record<string, unknown>;
  };
}

async function proveSandbox(
  client: Client,
  name: string,
  wired: readonly Wired[],
  final: boolean,
): Promise<number> {
  const read = reader(client, name);
  if (client.explained.has(name)) await explainBalances(client, name);
  const { hasMoved } = client.model.sandbox(name);
  const isOneOfMany = name.startsWith('m-');
  if (!isOneOfMany) {
    if (final) {
      const by = hasMoved ? ALL_RETRIES_AND_DAYS : ALL_RETRIES;
      // Idempotency keys expire meanwhile.
      client.model.sandbox(name).hasMoved = true;
      await quiet(
        client,
        name,
        await read('POST', '/_sandbox/clock/advance', { by, deadline_ms: DEADLINE_MS }),
      );
    }
    await quiet(client, name, await read('POST', '/_sandbox/clock/settle', { deadline_ms: DEADLINE_MS }));
    await quiet(client, name, await read('POST', '/_sandbox/drain', { deadline_ms: DEADLINE_MS }));
  }
  const audit = await read('GET', '/_sandbox/ledger/verify');
  if (audit !== null && audit.balanced !== true)
    find(client, 'the books do not balance', `${name}: ${JSON.stringify(audit)}`);
  await proveItems(client, name, read);
  return isOneOfMany ? 0 : proveEvents(client, name, read, wired, final);
}

/** Checks that some order of the requests since the last check explains every balance in the responses. */
async function explainBalances(client: Client, name: string): Promise<void> {
  for (const account of ['first', 'second'] as const) await readBalance(client, name, account, 'v2');
  const { anomalies, operations, cut } = client.history.check(name);
  client.counts.explained += operations;
  client.counts.cut += cut;
  for (const anomaly of anomalies) {
    find(client, 'no order of the requests explains a balance', `${name}: ${describeAnomaly(anomaly)}`);
  }
}

/** Checks that every observer has received every fact. */
async function proveObservers(client: Client, name: string, observing: readonly Observers[]): Promise<void> {
  const answer = await reader(client, name)('GET', '/_sandbox/events?limit=1');
  const latest = parseEventId(String(answer?.cursor));
  if (latest !== undefined) for (const one of observing) await one.prove(latest.seq);
}

async function quiet(client: Client, name: string, answer: Record<string, unknown> | null): Promise<void> {
  if (answer === null || answer.quiescent === true) return;
  const { transitions: _, postings: __, events: ___, deliveries: ____, ...rest } = answer;
  find(client, 'the bank does not come to rest', `${name}: ${JSON.stringify(rest)}`);
}

async function walkV2(read: Read, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let after = '';
  for (;;) {
    const page = await read('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    if (page === null) return all;
    all.push(...(page.data as Record<string, unknown>[]));
    if (page.has_more !== 'true') {
      if (page.total !== undefined && page.total !== all.length)
        throw new Unequal(`${path}: total ${page.total}, rows ${all.length}`);
      return all;
    }
    after = `&starting_after=${page.starting_after}`;
  }
}

async function walkV1(read: Read, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (;;) {
    const page = await read('GET', `${path}?limit=100&offset=${all.length}`);
    if (page === null) return all;
    const rows = (page.data ?? []) as Record<string, unknown>[];
    all.push(...rows);
    if (rows.length === 0) {
      if (page.total !== all.length) throw new Unequal(`${path}: total ${page.total}, rows ${all.length}`);
      return all;
    }
  }
}

class Unequal extends Error {}

async function proveItems(client: Client, name: string, read: Read): Promise<void> {
  try {
    await proveItemsOf(client, name, read);
  } catch (error) {
    if (!(error instanceof Unequal)) throw error;
    find(client, 'a list and its total differ', `${name}: ${error.message}`);
  }
}

async function proveItemsOf(client: Client, name: string, read: Read): Promise<void> {
  const { model } = client;
  const { seeded } = client;
  const own = model.sandbox(name);
  const output = (what: string, detail: string): void => find(client, what, `${name}: ${detail}`);
  const first = await readAccount(read, seeded.sub_account_id, seeded.account_id, output);
  const second = await readAccount(read, seeded.other_sub_account_id, seeded.other_account_id, output);
  if (first === null || second === null) return;

  // How often each item exists, by its tag.
  const seen = new Map<string, number>();
  const count = (tag: string): void => void seen.set(tag, (seen.get(tag) ?? 0) + 1);
  const sum = { ...OPENING };
  let open = 0;
  for (const row of first.rows) {
    const item = model.items.get(row.description);
    if (row.parent !== '') {
      const reversal = [...model.items.values()].find(
        ({ kind, of }) => kind === 'reversal' && of === row.description,
      );
      // If the clock was moved, the hold may also have expired.
      const isRequested = reversal !== undefined && own.worlds.some((world) => world.has(reversal.tag));
      if (isRequested) count(reversal.tag);
      else if (!own.hasMoved) output('a row that nobody asked for', JSON.stringify(row));
      sum.first += row.isDebit ? -row.cents : row.cents;
      continue;
    }
    if (item === undefined) {
      if (row.description !== OPENING_WORDS) output('a row that nobody asked for', JSON.stringify(row));
      continue;
    }
    count(item.tag);
    if (item.kind === 'declined') {
      if (row.status !== 'declined') output('a payment without funds was not declined', JSON.stringify(row));
      continue;
    }
    if (row.cents !== item.cents || row.isDebit !== item.first < 0 || row.status === 'declined') {
      output('a payment is not what was ordered', `${JSON.stringify(row)}, ordered ${JSON.stringify(item)}`);
    }
    sum.first += item.first * item.cents;
    if (item.kind === 'authorization') {
      const capture = [...model.items.values()].find(({ kind, of }) => kind === 'capture' && of === item.tag);
      if (row.status === 'settled' && capture === undefined)
        output('a capture that nobody asked for', JSON.stringify(row));
      if (row.status === 'settled' && capture !== undefined) count(capture.tag);
      if (row.status === 'pending') open += item.cents;
    }
  }
  const across = new Map<string, number>();
  for (const row of second.rows) {
    const item = model.items.get(row.description);
    if (item === undefined || item.second === 0) {
      if (row.description !== OPENING_WORDS) output('a row that nobody asked for', JSON.stringify(row));
      continue;
    }
    across.set(item.tag, (across.get(item.tag) ?? 0) + 1);
    if (item.kind !== 'declined') sum.second += item.second * item.cents;
  }
  for (const tag of new Set([...seen.keys(), ...across.keys()])) {
    const item = model.items.get(tag);
    if (item === undefined || item.second === 0 || item.kind === 'declined') continue;
    if (seen.get(tag) !== across.get(tag)) {
      output(
        'a payment is on one of two accounts',
        `${tag}: ${seen.get(tag) ?? 0} and ${across.get(tag) ?? 0} rows`,
      );
    }
  }
  await countRecords(client, name, read, count);

  const shown = [
    first.available,
    first.pendingDebits,
    second.available,
    first.pendingCredits,
    second.pendingCredits,
  ];
  const right = [sum.first, open, sum.second, 0, 0];
  if (shown.join() !== right.join()) {
    output('a balance is not the sum of what was paid', `shown ${shown}, by the payments ${right}`);
  }
  if (client.explained.has(name)) {
    client.history.begin(name, { first: first.available, second: second.available });
  }
  matchWorlds(client, name, seen);
}

interface Account {
  rows: Row[];
  available: number;
  pendingCredits: number;
  pendingDebits: number;
}

/** Reads an account and its rows in both API versions, which must agree. */
async function readAccount(
  read: Read,
  v2Id = '',
  v1Id = '',
  output: (what: string, detail: string) => void,
): Promise<Account | null> {
  const v2 = await read('GET', `/v2/accounts/sub_account/${v2Id}`);
  const v1 = await read('GET', `/v1/account/${v1Id}`);
  if (v2 === null || v1 === null) return null;
  const figures = [v2.available_balance, v2.pending_credits, v2.pending_debits];
  const older = [v1.availableBalance, v1.pendingCredit, v1.pendingDebit];
  if (figures.join() !== older.join())
    output('the generations show other balances', `v2 ${figures}, v1 ${older}`);
  const rows = (await walkV2(read, `/v2/payments/transaction?sub_account_id=${v2Id}`)).map(
    (row): Row => ({
      id: String(row.id),
      cents: centsOf(row.amount),
      isDebit: row.direction === 'debit',
      status: String(row.status),
      type: String(row.type),
      description: String(row.description),
      parent: String(row.parent_transaction_id),
    }),
  );
  const olderRows = await walkV1(read, `/v1/account/${v1Id}/transaction`);
  const keyOf = (id: string, cents: number): string => `${id.replaceAll(/[-_]/g, '')} ${cents}`;
  const asOlder = olderRows.map((row) => keyOf(String(row.id), centsOf(row.amount))).sort();
  const asNewer = rows.map((row) => keyOf(row.id, row.isDebit ? -row.cents : row.cents)).sort();
  const odd = asNewer
    .filter((key) => !asOlder.includes(key))
    .concat(asOlder.filter((key) => !asNewer.includes(key)));
  if (odd.length > 0 || asOlder.length !== asNewer.length)
    output('the generations list other rows', odd.slice(0, 5).join(', '));
  if (new Set(rows.map(({ id }) => id)).size !== rows.length) output('a list shows a row twice', v2Id);
  const [available, pendingCredits, pendingDebits] = figures.map(centsOf) as [number, number, number];
  const added = rows.reduce((total, { status, cents, isDebit }) => {
    if (status === 'declined') return total;
    return total + (isDebit ? -cents : cents);
  }, 0);
  if (added !== available + pendingCredits) {
    output(
      'the rows do not add up to the balance',
      `rows ${added}, available ${available}, on its way ${pendingCredits}`,
    );
  }
  return { rows, available, pendingCredits, pendingDebits };
}

async function countRecords(
  client: Client,
  name: string,
  read: Read,
  count: (tag: string) => void,
): Promise<void> {
  if (name.startsWith('m-')) return;
  const { items } = client.model;
  const holders = await walkV2(read, '/v2/accounts/sub_account_holder');
  const accounts = await walkV2(read, '/v2/accounts/sub_account');
  const contacts = await walkV1(read, '/v1/contact');
  const tags = [
    ...holders.map(({ person }) =>
      String((person as { email?: string } | null)?.email ?? '').replace(/@.*/, ''),
    ),
    ...accounts.map(({ label }) => String(label)),
    ...contacts.map((contact) => String(contact.name)),
  ];
  for (const tag of tags) if (items.has(tag)) count(tag);
}

/** Checks that the items match one of the worlds; only this one remains. */
function matchWorlds(client: Client, name: string, seen: ReadonlyMap<string, number>): void {
  const { model } = client;
  const own = model.sandbox(name);
  const faults = own.worlds.map((world) => faultsOf(world, seen, model.items));
  const best = faults.sort((a, b) => a.length - b.length)[0] ?? [];
  const count = (word: string): number => best.filter((fault) => fault.startsWith(word)).length;
  client.counts.lost += count('lost');
  client.counts.doubled += count('twice');
  if (best.length > 0) {
    const sort = best.some((fault) => fault.startsWith('lost'))
      ? 'something acknowledged is lost'
      : best.some((fault) => fault.startsWith('twice'))
        ? 'something is there more than once'
        : 'something is there that should not be';
    find(client, sort, `${name}, of ${own.worlds.length} worlds the best: ${best.slice(0, 8).join('; ')}`);
  }
  own.worlds = [new Map([...seen.keys()].map((tag) => [tag, 'yes'] as const))];
  for (const item of model.items.values()) if (item.sandbox === name) item.overlapped = false;
}

function faultsOf(
  world: World,
  seen: ReadonlyMap<string, number>,
  items: ReadonlyMap<string, Item>,
): string[] {
  const faults: string[] = [];
  for (const tag of new Set([...world.keys(), ...seen.keys()])) {
    const times = seen.get(tag) ?? 0;
    const presence = world.get(tag);
    const item = items.get(tag);
    const output = `${tag} (${item?.kind} ${item?.state} ${item?.id})`;
    if (times > 1) faults.push(`twice ${output}: ${times} times`);
    else if (presence === 'yes' && times === 0) faults.push(`lost ${output}`);
    else if (presence === undefined && times === 1) faults.push(`there ${output}`);
  }
  return faults;
}

/** Checks that a damaged sandbox responds normally, or with 503 and the reason. */
async function proveDamaged(client: Client, name: string): Promise<void> {
  const { server } = client;
  for (const path of ['/v2/accounts/sub_account', '/v1/account', '/_sandbox']) {
    const header = path.startsWith('/v1') ? 'sd-api-key' : 'api-key';
    const reply = await server.fetchReply({ method: 'GET', path, headers: { [header]: `test_${name}` } });
    const output = `${path} of ${name}: ${reply?.status} ${reply?.text.slice(0, 300)}`;
    if (reply === null) find(client, 'a damaged sandbox breaks the connection', output);
    else if (reply.status === 503 && !/damaged|file|image|database/i.test(reply.text)) {
      find(client, 'a damaged sandbox does not say why', output);
    } else if (reply.status >= 500 && reply.status !== 503)
      find(client, 'a damaged sandbox answers with a failure', output);
  }
}
