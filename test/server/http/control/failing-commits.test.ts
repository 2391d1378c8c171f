/**
 * Every write of the control plane on a full disk: a 5xx response means that nothing changed. The test compares the
 * visible state and the rows before and after, and again in a copy of the files, as after a kill. The table follows
 * the list of operations, so a new operation needs a row here.
 */
import { cpSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Files, NODE_FILES } from '../../../../src/sandboxes/sandbox/disk.ts';
import { sqliteError, watchSqlite } from '../../../support/failing-sqlite.ts';
import { makeFolder } from '../../../support/folder.ts';
import { digestOf } from '../../../support/tables.ts';
import { openServer, pull, type Server } from './server.ts';
import {
  BOTH,
  createWorld,
  type Place,
  READS,
  ROWS,
  read,
  SPARE,
  urlOf,
  type World,
  WRITES,
} from './writes.ts';

/** A disk that accepts no writes while it is full. */
function createFullDisk(place: Place): { files: Files; isFull: boolean } {
  const disk = { isFull: false, files: NODE_FILES };
  const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  disk.files = {
    ...NODE_FILES,
    writeFileSync(...args: Parameters<typeof NODE_FILES.writeFileSync>) {
      if (disk.isFull) throw full();
      NODE_FILES.writeFileSync(...args);
    },
    async copyFile(...args: Parameters<typeof NODE_FILES.copyFile>) {
      if (disk.isFull) throw full();
      await NODE_FILES.copyFile(...args);
    },
  };
  const end = watchSqlite(({ isCommit, database }) => {
    if (disk.isFull && isCommit && (place === 'memory' || !database.memory)) throw sqliteError('SQLITE_FULL');
  });
  onTestFinished(end);
  return disk;
}

const open = (data: string | null, disk: { files: Files }, failures: unknown[]): Promise<Server> =>
  openServer({ data, files: disk.files, rails: 'calendar' }, failures);

/** The whole state in the control plane, and a digest of the rows. */
async function look({ call, registry }: Server, world: World): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const operation of READS) {
    // It contains the call itself, even a failed one: that is not state of the bank.
    if (operation.id === 'sandbox_list_activity') continue;
    const { status, body } = await call('GET', urlOf(operation, world));
    seen[operation.id] = [status, body];
  }
  // A resting one is opened for it.
  seen.rows = registry.list().map(({ name }) => {
    const sandbox = registry.byName(name);
    return [name, sandbox && digestOf(sandbox)];
  });
  return seen;
}

async function prepare(server: Server): Promise<{ world: World; look: Record<string, unknown> }> {
  const world = await createWorld(server);
  return { world, look: await look(server, world) };
}

/** State of the process only. */
const OF_THE_PROCESS = ['requests', 'coverage', 'sandboxes', 'summary'];
const withoutProcess = (seen: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(seen).filter(([id]) => !OF_THE_PROCESS.some((word) => id.includes(word))),
  );

// Both in `npm run test:long`.
const PLACES = process.env.SANDBANK_PROPERTY_RUNS === undefined ? BOTH.slice(0, 1) : BOTH;

describe.each(PLACES)('a bank in %s with a full disk', (place) => {
  it.each(WRITES)('has a correct response of $id', async (operation) => {
    const { id, method, example, status: success } = operation;
    const row = ROWS[id];
    if (row === undefined) throw new Error(`${id} writes and has no row in this file`);
    const disk = createFullDisk(place);
    const failures: unknown[] = [];
    const data = place === 'memory' ? null : makeFolder();
    const server = await open(data, disk, failures);
    const { world } = await prepare(server);
    if (row.first !== undefined) {
      const [firstMethod, url, body] = row.first;
      expect((await server.call(firstMethod, url, body)).status).toBeLessThan(300);
    }
    await server.registry.default().courier?.idle();
    const before = await look(server, world);

    disk.isFull = true;
    const body = row.body === undefined ? read(example?.body, world) : row.body(world);
    const answer = await server.call(method, urlOf(operation, world, row.params), body);
    await server.registry.default().courier?.idle();
    const after = data === null ? null : makeFolder();
    if (data !== null && after !== null) cpSync(data, after, { recursive: true });
    disk.isFull = false;

    const expected = row.succeeds?.includes(place) === true ? success : 503;
    expect([answer.status, expected === 503 ? answer.body.error.code : '']).toEqual([
      expected,
      expected === 503 ? 'data_not_written' : '',
    ]);
    if (expected !== 503) {
      failures.length = 0;
      return;
    }
    expect(answer.body.error.message).toContain('nothing was changed');
    expect(await look(server, world)).toEqual(before);
    if (after !== null) {
      const restarted = await open(after, disk, failures);
      expect(withoutProcess(await look(restarted, world))).toEqual(withoutProcess(before));
    }
    failures.length = 0;
    // The same call then succeeds.
    expect((await server.call(method, urlOf(operation, world, row.params), body)).status).toBe(success);
    failures.length = 0;
  });
});

describe('a disk that fails during an operation', () => {
  it('keeps a sandbox whose file cannot be removed', async () => {
    const data = makeFolder();
    const failures: unknown[] = [];
    const disk = { fails: false };
    const files: Files = {
      ...NODE_FILES,
      rmSync(...args: Parameters<typeof NODE_FILES.rmSync>) {
        if (disk.fails) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
        NODE_FILES.rmSync(...args);
      },
    };
    const server = await open(data, { files }, failures);
    const { world, look: seen } = await prepare(server);
    disk.fails = true;
    const url = `/_sandbox/sandboxes/${SPARE}`;
    expect((await server.call('DELETE', url)).status).toBe(503);
    failures.length = 0;
    disk.fails = false;
    expect((await look(server, world)).rows).toEqual(seen.rows);
    expect((await server.call('DELETE', url)).status).toBe(204);
    expect(server.registry.byName(SPARE)).toBeUndefined();
  });

  it('deletes a sandbox permanently, even if the file of the keys cannot be written', async () => {
    const data = makeFolder();
    const disk = createFullDisk('a file');
    const failures: unknown[] = [];
    const closed = { randomText: () => 'guess-me' };
    const server = await openServer({ data, files: disk.files, closed }, failures);
    const { body } = await server.call('POST', '/_sandbox/sandboxes', { name: 'a' });
    disk.isFull = true;
    expect((await server.call('DELETE', '/_sandbox/sandboxes/a')).status).toBe(204);
    disk.isFull = false;
    failures.length = 0;
    await server.end();
    const restarted = await openServer({ data, files: disk.files, closed });
    expect(restarted.registry.list().map(({ name }) => name)).toEqual(['default']);
    expect((await restarted.call('GET', '/v2/webhook', undefined, body.key)).status).toBe(401);
  });

  it('stops an advance of the clock, and the response has the reached time', async () => {
    const disk = createFullDisk('memory');
    const failures: unknown[] = [];
    const server = await open(null, disk, failures);
    await pull(server, '12.00');
    const from = (await server.call('GET', '/_sandbox/clock')).body.now;
    const sandbox = server.registry.default();
    const { setClock } = sandbox;
    const fillAfterwards: typeof setClock = async (set) => {
      await setClock(set);
      disk.isFull = true;
    };
    Object.defineProperty(sandbox, 'setClock', { value: fillAfterwards, configurable: true });
    const { status, body } = await server.call('POST', '/_sandbox/clock/advance', { by: 'P30D' });
    disk.isFull = false;
    failures.length = 0;
    expect([status, body.quiescent, body.from]).toEqual([200, false, from]);
    const { now } = (await server.call('GET', '/_sandbox/clock')).body;
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(from));
    expect(body.clock.now).toBe(now);
    Reflect.deleteProperty(sandbox, 'setClock');
    expect((await server.call('POST', '/_sandbox/clock/settle', {})).body.quiescent).toBe(true);
  });

  it('keeps a bank working that could not be reset: its payments settle', async () => {
    const data = makeFolder();
    const disk = createFullDisk('a file');
    const failures: unknown[] = [];
    // The new file is written, and the last commit of the old one fails.
    const server = await open(data, { files: NODE_FILES }, failures);
    const { id } = await pull(server, '12.00');
    // An id is used without a commit.
    await server.call('GET', '/v2/webhook');
    disk.isFull = true;
    expect((await server.call('POST', '/_sandbox/reset')).status).toBe(503);
    disk.isFull = false;
    failures.length = 0;
    const { body } = await server.call('POST', '/_sandbox/clock/advance', { by: 'P10D' });
    const settled = { transaction_id: id, to: 'settled' };
    expect([body.quiescent, body.transitions]).toEqual([
      true,
      expect.arrayContaining([expect.objectContaining(settled)]),
    ]);
  });
});
