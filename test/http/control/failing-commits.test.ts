/**
 * Every write of the control plane on a disk that takes nothing: an answer of 5xx changed nothing. What can be seen before and
 * after is compared, and the rows; and once more with a copy of the files, which another process opens as after a kill. The
 * table is made from the list of operations, so a new one needs its line here.
 */
import { cpSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CONTROL_OPERATIONS } from '../../../src/api/control/index.ts';
import type { AnyControlOperation } from '../../../src/api/control/operation.ts';
import { formatSlots, slotOf } from '../../../src/kernel/slots.ts';
import { type Files, NODE_FILES } from '../../../src/sandboxes/disk.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { digestOf } from '../../support/tables.ts';
import { openServer, pull, type Server } from './server.ts';

/** What a call needs that only other calls make. */
interface World {
  seed(name: string): string;
  readonly event: string;
  readonly fault: string;
  readonly payment: string;
  readonly authorization: string;
  readonly image: Buffer;
}

type Place = 'a file' | 'memory';

interface Row {
  readonly params?: (world: World) => Record<string, string>;
  readonly body?: (world: World) => unknown;
  /** A call that comes before the disk is full. */
  readonly first?: readonly [method: 'PUT' | 'POST', url: string, body: unknown];
  /** Where it succeeds although nothing can be written: what it changes is in memory alone, or it only removes. */
  readonly succeeds?: readonly Place[];
}

const BOTH: readonly Place[] = ['a file', 'memory'];
const IN_MEMORY: Row = { succeeds: BOTH };
const PLAIN: Row = {};
const ARRIVING = 'ci-2';
const SPARE = 'ci-1';
const slotUrl = (name: string) => `/_sandbox/slots/${slotOf(name)}`;
const payday = () => ({ name: 'payday' });

/** Every operation that writes. */
const ROWS: Readonly<Record<string, Row>> = {
  sandbox_create_sandbox: { succeeds: ['memory'] },
  sandbox_delete_sandbox: { params: () => ({ name: SPARE }), succeeds: BOTH },
  sandbox_reset: { succeeds: ['memory'] },
  sandbox_seed: { first: ['PUT', '/_sandbox/clock', { mode: 'frozen' }] },
  sandbox_import: { body: ({ image }) => image, succeeds: ['memory'] },
  sandbox_take_snapshot: { params: () => ({ name: 'other' }), succeeds: ['memory'] },
  sandbox_delete_snapshot: { params: payday, succeeds: BOTH },
  sandbox_restore_snapshot: { succeeds: ['memory'] },
  sandbox_set_clock: PLAIN,
  sandbox_advance_clock: PLAIN,
  sandbox_settle_clock: PLAIN,
  sandbox_resend_event: {
    params: ({ event }) => ({ id: event }),
    first: ['POST', '/_sandbox/webhooks', { dialect: 'v2', receiver: true, events: ['*'] }],
  },
  sandbox_drain: PLAIN,
  sandbox_create_webhook: PLAIN,
  sandbox_delete_webhook: PLAIN,
  sandbox_send_example: { params: ({ seed }) => ({ id: seed('webhook_id') }) },
  sandbox_replay_events: {
    params: ({ seed }) => ({ id: seed('webhook_id') }),
    body: () => ({ since: '2020-01-01T00:00:00Z' }),
  },
  sandbox_rotate_secret: PLAIN,
  sandbox_set_chaos: IN_MEMORY,
  sandbox_delete_chaos: IN_MEMORY,
  sandbox_set_receiver: IN_MEMORY,
  sandbox_clear_receiver: IN_MEMORY,
  sandbox_create_fault: IN_MEMORY,
  sandbox_delete_faults: IN_MEMORY,
  sandbox_delete_fault: { params: ({ fault }) => ({ id: fault }), succeeds: BOTH },
  sandbox_clear_coverage: IN_MEMORY,
  sandbox_simulate_transaction: { params: ({ payment }) => ({ id: payment, event: 'settle' }) },
  sandbox_simulate_incoming: PLAIN,
  sandbox_simulate_card_authorization: PLAIN,
  sandbox_simulate_card_refund: PLAIN,
  sandbox_simulate_authorization: {
    params: ({ authorization }) => ({ transaction_id: authorization, event: 'capture' }),
    body: () => ({}),
  },
  sandbox_simulate_holder: PLAIN,
  sandbox_simulate_card: PLAIN,
  sandbox_simulate_account: PLAIN,
  sandbox_replace_rules: PLAIN,
  sandbox_change_settings: PLAIN,
  sandbox_configure_rta: PLAIN,
  sandbox_remove_rta: {
    first: ['PUT', '/_sandbox/rta', { url: 'http://hooks.example/rta' }],
  },
  sandbox_change_slot: {
    params: () => ({ slot: String(slotOf(SPARE)) }),
    body: () => ({ state: 'leaving' }),
    succeeds: ['memory'],
  },
  sandbox_put_slot_image: {
    params: () => ({ slot: String(slotOf(ARRIVING)), name: ARRIVING }),
    body: ({ image }) => image,
    first: ['PUT', slotUrl(ARRIVING), { state: 'arriving' }],
    succeeds: ['memory'],
  },
};

/** The parts of a path that the list of operations does not give for what only reads. */
const READ_PARAMS: Readonly<Record<string, (world: World) => Record<string, string>>> = {
  sandbox_retrieve_event: ({ event }) => ({ id: event }),
  sandbox_render_event: ({ event }) => ({ id: event }),
  sandbox_list_event_attempts: ({ event }) => ({ id: event }),
  sandbox_retrieve_slot: () => ({ slot: String(slotOf(SPARE)) }),
  sandbox_retrieve_request: () => ({ id: 'req_0' }),
};
/** An image is compared by its rows, and a stream has no end. */
const NOT_LOOKED_AT = ['/_sandbox/export', '/_sandbox/stream', '/_sandbox/slots/:slot/sandboxes/:name'];
/** What goes with the process, or says what is open. */
const OF_THE_PROCESS = ['requests', 'faults', 'receiver', 'chaos', 'coverage', 'sandboxes', 'summary'];

const writes = CONTROL_OPERATIONS.filter(({ method }) => method !== 'GET');
const reads = CONTROL_OPERATIONS.filter(
  ({ method, path }) => method === 'GET' && !NOT_LOOKED_AT.includes(path),
);

/** A disk that takes nothing while it is full. */
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

const slots = formatSlots(
  Array.from({ length: 256 }, (_, slot) => slot).filter((slot) => slot !== slotOf(ARRIVING)),
);

const open = (data: string | null, disk: { files: Files }, failures: unknown[]): Promise<Server> =>
  openServer({ data, slots, files: disk.files, rails: 'calendar' }, failures);

async function createWorld(server: Server): Promise<World> {
  const { call } = server;
  const { seeded } = (await call('GET', '/_sandbox')).body;
  await call('POST', '/_sandbox/sandboxes', { name: SPARE });
  await call('PUT', '/_sandbox/snapshots/payday');
  const fault = await call('POST', '/_sandbox/faults', {
    match: { route: '/v2/card' },
    error: { status: 503 },
  });
  const payment = await pull(server, '12.00');
  const held = await call('POST', `/_sandbox/simulate/cards/${seeded.virtual_card_id}/authorize`, {
    amount: '1.00',
  });
  const { events } = (await call('GET', '/_sandbox/events')).body;
  return {
    seed: (name) => String(seeded[name]),
    event: events[0].id,
    fault: fault.body.id,
    payment: payment.id,
    authorization: held.body.transaction.id,
    image: (await call('GET', '/_sandbox/export')).bytes,
  };
}

const read = (part: unknown, world: World): unknown => (typeof part === 'function' ? part(world) : part);

/** The address of a call; a part that nothing gives fails the test. */
function urlOf({ id, path, example }: AnyControlOperation, world: World, params = READ_PARAMS[id]): string {
  const parts = {
    ...(read(example?.params, world) as object),
    ...params?.(world),
  } as Record<string, string>;
  const query = new URLSearchParams(read(example?.query, world) as Record<string, string>);
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    expect(parts[name], `${id} needs its ${name} in this file`).toBeTypeOf('string');
    return String(parts[name]);
  });
  return query.size === 0 ? url : `${url}?${query}`;
}

/** Everything that the control plane shows, and a digest of the rows. */
async function look({ call, registry }: Server, world: World): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const operation of reads) {
    const { status, body } = await call('GET', urlOf(operation, world));
    seen[operation.id] = [status, body];
  }
  // One that rests is opened for it.
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

const withoutProcess = (seen: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(seen).filter(([id]) => !OF_THE_PROCESS.some((word) => id.includes(word))),
  );

// Both in `npm run test:long`.
const PLACES = process.env.SANDBANK_PROPERTY_RUNS === undefined ? BOTH.slice(0, 1) : BOTH;

describe.each(PLACES)('a bank in %s whose disk is full', (place) => {
  it.each(writes)('answers $id truthfully', async (operation) => {
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

describe('a disk that fails in the middle', () => {
  it('leaves a sandbox where it is whose file cannot be removed', async () => {
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

  it('removes a sandbox for good although the file of the keys cannot be written', async () => {
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

  it('ends a way through time where it is, and the answer says how far it went', async () => {
    const disk = createFullDisk('memory');
    const failures: unknown[] = [];
    const server = await open(null, disk, failures);
    await pull(server, '12.00');
    const from = (await server.call('GET', '/_sandbox/clock')).body.now;
    const { setClock } = server.registry.default();
    server.registry.default().setClock = async (set) => {
      await setClock(set);
      disk.isFull = true;
    };
    const { status, body } = await server.call('POST', '/_sandbox/clock/advance', { by: 'P30D' });
    disk.isFull = false;
    failures.length = 0;
    expect([status, body.quiescent, body.from]).toEqual([200, false, from]);
    const { now } = (await server.call('GET', '/_sandbox/clock')).body;
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(from));
    expect(body.clock.now).toBe(now);
    server.registry.default().setClock = setClock;
    expect((await server.call('POST', '/_sandbox/clock/settle', {})).body.quiescent).toBe(true);
  });

  it('lets a bank go on that could not be reset: its payments settle', async () => {
    const data = makeFolder();
    const disk = createFullDisk('a file');
    const failures: unknown[] = [];
    // The new file is written, and the last commit of the old one fails.
    const server = await open(data, { files: NODE_FILES }, failures);
    const { id } = await pull(server, '12.00');
    // An id is drawn that no commit has kept.
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
