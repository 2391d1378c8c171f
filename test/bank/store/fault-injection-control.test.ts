/**
 * Every statement of every writing operation of the control plane fails once: with a full disk, with a disk error
 * that ends the transaction, and with a locked file. A response with 5xx changed nothing, in memory or in the rows; a
 * response with 2xx has its effect; the process continues, the caches equal the rows, the books balance; and the same
 * call then succeeds once. `npm test` tries a sample.
 */
import { expect, it } from 'vitest';
import type { AnyControlOperation } from '../../../src/sandboxes/control/operation.ts';
import { bytesOf } from '../../../src/sandboxes/sandbox/bank-replacement.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { openServer, type Reply, type Server } from '../../server/http/control/server.ts';
import {
  createWorld,
  type Place,
  ROWS,
  read,
  SPARE,
  urlOf,
  type World,
  WRITES,
} from '../../server/http/control/writes.ts';
import { makeFolder } from '../../support/folder.ts';
import { START } from '../../support/sandbox.ts';
import { digestOf, type HasImage, readBank } from '../../support/tables.ts';
import {
  type Choice,
  casesOf,
  FAILURES,
  type Failure,
  failNth,
  IS_LONG,
  requireWhole,
  watchProcess,
} from './faults.ts';

const PLACES: readonly Place[] = IS_LONG ? ['memory', 'a file'] : ['memory'];
/** Values that always differ, whatever fails: durations, and the sizes of files. */
const VARIES = /"(duration_ms|bytes)":\d+/g;
/** Longer than the pause after a result that could not be recorded. */
const RETRY_MS = 6_000;
/** Each of these runs hundreds of statements of a few kinds, so one failure per statement is sufficient. */
const LARGE = /sandbox_(make_trace|import)$/;
/** The effects of these are not only in the bank that they address. */
const OF_THE_REGISTRY = /sandbox_(create|delete)_sandbox|snapshot/;

/** A server with the records that the calls need; `begin` restores its state before each case. */
interface Bench {
  readonly server: Server;
  readonly world: World;
  readonly failures: unknown[];
  begin(operation: AnyControlOperation): Promise<void>;
  /** Calls the operation with its n-th statement failing. */
  call(
    operation: AnyControlOperation,
    nth: number,
    failure: Failure,
  ): Promise<{ value: Reply; statements: number }>;
}

async function createBench(place: Place): Promise<Bench> {
  const failures: unknown[] = [];
  const data = place === 'memory' ? null : makeFolder();
  // Nothing is closed automatically, so that the same statements run each time.
  const server = await openServer({ data, rails: 'calendar', lookEveryMs: 1e9 }, failures);
  const { registry, clock, call } = server;
  const world = await createWorld(server);
  const sandbox = registry.default();
  await sandbox.courier?.idle();
  const image = sandbox.image();
  const spare = registry.byName(SPARE)?.image();

  const restoreRegistry = async (): Promise<void> => {
    const { snapshots } = registry;
    for (const { name } of registry.list())
      if (name !== 'default' && name !== SPARE) await registry.remove(name);
    if (registry.byName(SPARE) === undefined) registry.create(SPARE, spare);
    registry.byName(SPARE)?.open();
    for (const { name } of snapshots.list('default'))
      if (name !== 'payday') snapshots.remove('default', name);
    if (snapshots.find('default', 'payday') !== undefined) return;
    sandbox.replaceWith(registry.seedImages.image());
    await snapshots.take(sandbox, 'payday');
  };

  return {
    server,
    world,
    failures,
    async begin({ id }) {
      clock.set(START);
      await restoreRegistry();
      sandbox.replaceWith(image);
      await call('POST', '/_sandbox/faults', { match: { route: '/v2/card' }, error: { status: 503 } });
      const first = ROWS[id]?.first;
      if (first !== undefined) expect((await call(...first)).status).toBeLessThan(300);
      await sandbox.courier?.idle();
    },
    async call(operation, nth, failure) {
      const { id, method, example } = operation;
      const row = ROWS[id] ?? {};
      const body = row.body === undefined ? read(example?.body, world) : row.body(world);
      const url = urlOf(operation, world, row.params);
      return failNth(nth, failure, async () => {
        const reply = await call(method, url, body);
        await registry.default().courier?.idle();
        return reply;
      });
    },
  };
}

const seenOf = ({ clock, bank, courier, faults, receiver, seeded }: Sandbox) => ({
  clock: clock.setting(),
  settings: bank.outcomes.settings(),
  rules: bank.outcomes.rules(),
  rta: bank.realTime.settings(),
  webhooks: bank.webhooks.list(),
  chaos: courier?.chaosOf(seeded.webhookId)?.setting,
  failing: courier?.failingSince(seeded.webhookId),
  faults: faults.list(),
  answers: receiver.answering(),
});

/**
 * The snapshots as banks, by name. The size of their files depends on the time: the journal is written some seconds
 * after a request, and the file of a snapshot contains what was written by then.
 */
function snapshotsOf<T>({ registry }: Server, { id }: AnyControlOperation, read: (bank: HasImage) => T) {
  const { snapshots } = registry;
  const rows = snapshots.list('default');
  // No other operation writes them.
  if (!/snapshot/.test(id)) return rows;
  return rows.map(({ name }) => {
    const found = snapshots.find('default', name);
    return [name, found && read({ image: () => bytesOf(found.image) })];
  });
}

/** The state of the registry. */
function look(server: Server, operation: AnyControlOperation): Record<string, unknown> {
  const { registry } = server;
  const { id } = operation;
  const sandbox = registry.default();
  const spare = OF_THE_REGISTRY.test(id) ? registry.byName(SPARE) : undefined;
  return {
    ...seenOf(sandbox),
    rows: digestOf(sandbox),
    sandboxes: registry.list().map(({ name, open }) => [name, open]),
    spare: spare && digestOf(spare),
    snapshots: snapshotsOf(server, operation, (bank) => digestOf(bank)),
  };
}

const countRows = (bank: HasImage): [table: string, rows: number][] =>
  Object.entries(readBank(bank)).map(([name, rows]) => [name, rows.length]);

/** The number of records; ids differ after a failed call has used some. */
function count(server: Server, operation: AnyControlOperation): unknown {
  const { rows: _, spare: __, faults: ___, rta: ____, webhooks, ...seen } = look(server, operation);
  return {
    ...seen,
    webhooks: (webhooks as unknown[]).length,
    rows: countRows(server.registry.default()),
    snapshots: snapshotsOf(server, operation, countRows),
  };
}

const textOf = ({ body }: Reply): string => JSON.stringify(body ?? null).replaceAll(VARIES, '');

let tried = 0;

async function tryOperation(bench: Bench, operation: AnyControlOperation, choice: Choice): Promise<void> {
  const { server } = bench;
  // Once, for values that the process stores at the first time.
  await bench.begin(operation);
  await bench.call(operation, 0, FAILURES[0]);
  await bench.begin(operation);
  const { value: whole, statements } = await bench.call(operation, 0, FAILURES[0]);
  expect([operation.id, whole.status]).toEqual([operation.id, operation.status]);
  const after = {
    seen: look(server, operation),
    counts: count(server, operation),
    text: textOf(whole),
  };
  for (const [nth, failure] of casesOf(statements, choice)) {
    tried += 1;
    await bench.begin(operation);
    const before = look(server, operation);
    const process = watchProcess();
    const { value: answer } = await bench.call(operation, nth, failure);
    const said = `answered ${answer.status} ${textOf(answer).slice(0, 300)}`;
    const at = `${operation.id}: ${failure.code} at statement ${nth} of ${statements}, ${said}`;
    expect(await process.end(), at).toEqual([]);
    bench.failures.length = 0;
    if (answer.status >= 500) {
      expect(look(server, operation), at).toEqual(before);
      requireWhole(server.registry.default(), seenOf, at);
      expect((await bench.call(operation, 0, failure)).value.status, at).toBe(operation.status);
      expect(count(server, operation), at).toEqual(after.counts);
      continue;
    }
    expect(answer.status, at).toBe(operation.status);
    if (isPartial(answer)) {
      expect(look(server, operation), at).not.toEqual(before);
      await requirePartial(server, answer, at);
    } else {
      expect(textOf(answer), at).toBe(after.text);
      const isLate = server.registry.jobs.failing().length > 0;
      if (isLate) await recover(server);
      if (isLate) expect(count(server, operation), at).toEqual(after.counts);
      else expect(look(server, operation), at).toEqual(after.seen);
    }
    requireWhole(server.registry.default(), seenOf, at);
  }
}

/** Work that failed after the commit is repeated later; here the test advances the time. */
async function recover({ registry, clock }: Server): Promise<void> {
  clock.advance(RETRY_MS);
  for (const { agenda, courier, commit } of registry.open()) {
    await agenda.runDue();
    await commit(() => undefined);
    await courier?.idle();
  }
  // The journal is written by real time: seconds after the call, and again after a failure.
  expect(registry.jobs.failing().filter(({ job }) => job !== 'journal')).toEqual([]);
  clock.set(START);
}

/** A response that says why it is incomplete. */
const isPartial = ({ body }: Reply): boolean => body?.problem !== undefined && body.problem !== '';

/** It contains the time of the clock, and the bank then continues as usual. */
async function requirePartial({ call }: Server, { body }: Reply, at: string): Promise<void> {
  expect(body.quiescent, at).toBe(false);
  expect(body.clock.now, at).toBe((await call('GET', '/_sandbox/clock')).body.now);
  const settled = await call('POST', '/_sandbox/clock/settle', {});
  expect([settled.status, settled.body.quiescent, settled.body.problem], at).toEqual([200, true, '']);
}

if (IS_LONG) {
  const all = PLACES.flatMap((place) => WRITES.map((operation) => ({ place, operation, id: operation.id })));
  it.each(all)(
    '$id of a bank in $place has a correct response, whichever statement fails',
    async ({ place, operation }) => {
      const choice = place === 'memory' && !LARGE.test(operation.id) ? 'all' : 'in turn';
      await tryOperation(await createBench(place), operation, choice);
    },
    600_000,
  );
} else {
  it('a sample of the writes of the control plane has correct responses, whichever statement fails', async () => {
    const bench = await createBench('memory');
    for (const [number, operation] of WRITES.entries()) await tryOperation(bench, operation, number);
  }, 120_000);
}

it('there are as many cases as statements', () => {
  expect(tried).toBeGreaterThan(IS_LONG ? 2_000 : 30);
  if (IS_LONG) console.info(`${tried} failures injected into the control plane`);
});
