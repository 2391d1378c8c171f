/**
 * Banks of a fleet over HTTP: a request for a slot of another bank is refused in the format of its interface and
 * opens nothing, and a slot moves with all data of its sandboxes while requests wait.
 * Decisions `fleet-slots` and `slot-moves` in docs/fidelity.md.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatSlots, parseSlots, slotOf } from '../../../src/kernel/slots.ts';
import { makeFolder } from '../../support/folder.ts';
import { digestOf } from '../../support/tables.ts';
import { openServer, pull, type Server } from './server.ts';

/** Slot 55 is the default sandbox's; these two are of others. */
const HERE = 'ci-1';
const THERE = 'ci-2';
const slotHere = slotOf(HERE);
const slotThere = slotOf(THERE);

const change = ({ call }: Server, slot: number, state: string) =>
  call('PUT', `/_sandbox/slots/${slot}`, { state });
const stateIn = async ({ call }: Server, slot: number) =>
  (await call('GET', `/_sandbox/slots/${slot}`)).body.state;

/** Carries everything of a leaving slot over. */
async function carry(from: Server, to: Server, slot: number): Promise<void> {
  const { sandboxes } = (await from.call('GET', `/_sandbox/slots/${slot}`)).body;
  for (const { name, key_digest: digest, snapshots } of sandboxes) {
    const url = `/_sandbox/slots/${slot}/sandboxes/${name}`;
    for (const query of ['', ...snapshots.map((snapshot: string) => `snapshot=${snapshot}`)]) {
      const { status, bytes } = await from.call('GET', `${url}?${query}`);
      expect(status).toBe(200);
      const key = query === '' && digest !== null ? `key_digest=${digest}` : '';
      const put = await to.call('PUT', `${url}?${query}${key}`, bytes);
      expect([put.status, put.body]).toEqual([204, undefined]);
    }
  }
}

async function move(from: Server, to: Server, slot: number): Promise<void> {
  expect((await change(to, slot, 'arriving')).status).toBe(200);
  expect((await change(from, slot, 'leaving')).status).toBe(200);
  await carry(from, to, slot);
  expect((await change(to, slot, 'served')).status).toBe(200);
  expect((await change(from, slot, 'elsewhere')).status).toBe(200);
}

const slotsWithout = (...without: number[]) =>
  formatSlots(Array.from({ length: 256 }, (_, slot) => slot).filter((slot) => !without.includes(slot)));

describe('a slot', () => {
  test.each([
    ['', []],
    ['none', []],
    ['3', [3]],
    ['0-2,255', [0, 1, 2, 255]],
    ['4, 2-3', [2, 3, 4]],
  ])('list %j is read and written back', (text, slots) => {
    expect(parseSlots(text)).toEqual(slots);
    expect(parseSlots(formatSlots(slots))).toEqual(slots);
  });

  test.each(['256', '-1', '1-', '3-2', 'a', '1,,2', '0x1', '1.5'])('list %j is none', (text) => {
    expect(parseSlots(text)).toBeUndefined();
  });

  test('is the first byte of the SHA-256 of the name', () => {
    for (const name of ['default', HERE, 'x'.repeat(64)]) {
      expect(slotOf(name)).toBe(createHash('sha256').update(name).digest()[0]);
    }
  });
});

describe('a bank of a fleet', () => {
  test('refuses what another serves, in the words of each interface, and opens nothing', async () => {
    const server = await openServer({ slots: slotsWithout(slotThere) });
    const key = `test_${THERE}`;
    const v2 = await server.call('GET', '/v2/webhook', undefined, key);
    expect([v2.status, v2.body.error.code]).toEqual([421, 'ERROR_CODE_MISDIRECTED_REQUEST']);
    expect(v2.body.error.message).toContain(`the sandbox ${THERE} belongs to slot ${slotThere}`);
    const v1 = await server.call('GET', '/v1/webhook', undefined, key);
    expect([v1.status, v1.body.code]).toEqual([421, 'EC_MISDIRECTED']);
    const control = await server.call('GET', '/_sandbox', undefined, key);
    expect([control.status, control.body.error.code]).toEqual([421, 'slot_elsewhere']);
    const made = await server.call('POST', '/_sandbox/sandboxes', { name: THERE });
    expect([made.status, made.body.error.code]).toEqual([421, 'slot_elsewhere']);
    const ended = await server.call('DELETE', `/_sandbox/sandboxes/${THERE}`);
    expect([ended.status, ended.body.error.code]).toEqual([421, 'slot_elsewhere']);
    const file = await server.call('GET', `/_sandbox/files/${THERE}/att-1?expires=1&signature=2`);
    expect(file.status).toBe(421);
    expect(server.registry.list().map(({ name }) => name)).toEqual(['default']);
    expect((await server.call('GET', '/v2/webhook', undefined, `test_${HERE}`)).status).toBe(200);
  });

  test('knows from a token alone which slot it is of', async () => {
    const all = await openServer();
    const { seeded } = (await all.call('GET', '/_sandbox', undefined, `test_${THERE}`)).body;
    const { body } = await all.call(
      'POST',
      `/v2/issuing/card/${seeded.virtual_card_id}/show_token`,
      {},
      `test_${THERE}`,
    );
    const token: string = body.show_token ?? body.token;
    expect(Number.parseInt(token.slice(-8, -6), 16)).toBe(slotThere);
    const server = await openServer({ slots: slotsWithout(slotThere) });
    const shown = await server.app.server.inject({
      url: `/v2/issuing/card/${seeded.virtual_card_id}/show`,
      headers: { 'show-token': token },
    });
    expect(shown.statusCode).toBe(421);
    const unknown = await server.app.server.inject({
      url: `/v2/issuing/card/${seeded.virtual_card_id}/show`,
      headers: { 'show-token': 'no-token-of-ours' },
    });
    expect(unknown.statusCode).toBe(401);
  });

  test('without the slot of the default sandbox has none, and still speaks of all others', async () => {
    const server = await openServer({ slots: slotsWithout(slotOf('default')) });
    expect(server.registry.list()).toEqual([]);
    const { status, body } = await server.call('GET', '/_sandbox', undefined, '');
    expect([status, body.error.code]).toEqual([421, 'slot_elsewhere']);
    expect((await server.call('GET', '/_sandbox/sandboxes', undefined, '')).body).toEqual({ sandboxes: [] });
    expect((await server.call('GET', '/openapi/v2.json')).status).toBe(200);
    const slots = await server.call('GET', '/_sandbox/slots');
    expect(slots.body).toMatchObject({ shared: true, served: '0-54,56-255', sandboxes: 0 });
  });

  test('finds only what it serves in its data directory, and says what else is there', async () => {
    const data = makeFolder();
    const first = await openServer({ data });
    for (const name of [HERE, THERE]) await pull(first, '1.00', `test_${name}`);
    await first.end();
    const seen: string[][] = [];
    const second = await openServer({
      data,
      slots: slotsWithout(slotThere),
      onNotServed: (names) => seen.push(names),
    });
    expect(seen).toEqual([[THERE]]);
    expect(second.registry.list().map(({ name }) => name)).toEqual(['default', HERE]);
    expect(existsSync(join(data, `${THERE}.sqlite`))).toBe(true);
    const refused = await change(second, slotThere, 'arriving');
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining(THERE)]);
  });
});

describe('a bank in no fleet', () => {
  test('serves every slot and gives none away', async () => {
    const server = await openServer();
    expect((await server.call('GET', '/_sandbox/slots')).body).toMatchObject({
      shared: false,
      served: '0-255',
      arriving: 'none',
      leaving: 'none',
    });
    const { status, body } = await change(server, 3, 'leaving');
    expect([status, body.error.code]).toEqual([409, 'illegal_step']);
    expect(body.error.message).toContain('SANDBANK_SLOTS');
  });
});

describe.each([
  ['in memory', () => ({})],
  ['in files', () => ({ data: makeFolder() })],
])('a slot of banks %s', (_, place) => {
  const pair = async () => {
    const from = await openServer({ ...place(), slots: '0-255' });
    const to = await openServer({ ...place(), slots: 'none' });
    return { from, to };
  };

  test('moves with its books, its clock, its snapshots and what is planned', async () => {
    const { from, to } = await pair();
    const key = `test_${HERE}`;
    await from.call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-12-01T09:00:00Z' }, key);
    const { id } = await pull(from, '7.00', key);
    await from.call('PUT', '/_sandbox/snapshots/before', undefined, key);
    await pull(from, '8.00', key);
    const path = `/v2/payments/transaction/${id}`;
    const before = (await from.call('GET', '/_sandbox', undefined, key)).body;
    const sandbox = from.registry.byName(HERE);
    const digest = sandbox && digestOf(sandbox);

    await move(from, to, slotHere);

    const after = (await to.call('GET', '/_sandbox', undefined, key)).body;
    expect({ ...after, seeded: {} }).toEqual({ ...before, seeded: {} });
    const moved = to.registry.byName(HERE);
    expect(moved && digestOf(moved)).toBe(digest);
    expect((await to.call('GET', path, undefined, key)).status).toBe(200);
    expect((await from.call('GET', path, undefined, key)).status).toBe(421);
    expect((await to.call('POST', '/_sandbox/snapshots/before/restore', undefined, key)).status).toBe(200);
    expect((await to.call('GET', '/_sandbox', undefined, key)).body.counts.transactions).toBe(
      before.counts.transactions - 1,
    );
    expect([await stateIn(from, slotHere), await stateIn(to, slotHere)]).toEqual(['elsewhere', 'served']);
    expect(from.registry.list().map(({ name }) => name)).toEqual(['default']);
    expect(from.registry.snapshots.list(HERE)).toEqual([]);
    // And what is due happens in its new bank.
    await to.call('POST', '/_sandbox/clock/advance', { by: 'P10D' }, key);
    expect((await to.call('GET', path, undefined, key)).body.status).toBe('settled');
  });

  test('moves back and forth, and is the same each time', async () => {
    const { from, to } = await pair();
    const key = `test_${HERE}`;
    await pull(from, '1.00', key);
    await move(from, to, slotHere);
    await pull(to, '2.00', key);
    await move(to, from, slotHere);
    await pull(from, '3.00', key);
    const { seeded } = (await from.call('GET', '/_sandbox', undefined, key)).body;
    const account = await from.call(
      'GET',
      `/v2/accounts/sub_account/${seeded.sub_account_id}`,
      undefined,
      key,
    );
    expect(account.body.pending_credits).toBe('6.00');
  });

  test('keeps its default sandbox, links and random keys', async () => {
    let drawn = 0;
    const common = {
      randomText: (length: number, alphabet: string) => {
        drawn += 1;
        return alphabet[drawn % alphabet.length]?.repeat(length) ?? '';
      },
      secretRoot: 'r'.repeat(44),
      closed: { randomText: () => 'a-random-text' },
    };
    const from = await openServer({ ...place(), ...common, slots: '0-255' });
    const to = await openServer({ ...place(), ...common, slots: 'none' });
    const { key } = (await from.call('POST', '/_sandbox/sandboxes', { name: HERE })).body;
    expect(key).toBe(`test_${HERE}.a-random-text`);
    const { seeded } = (await from.call('GET', '/_sandbox')).body;
    const link = async (server: Server) =>
      (await server.call('GET', `/v2/attachment/${seeded.attachment_id}`)).body;
    const before = await link(from);
    const { secrets } = (await from.call('GET', '/_sandbox/slots')).body;
    expect((await to.call('GET', '/_sandbox/slots')).body.secrets).toBe(secrets);
    for (const slot of [slotHere, slotOf('default')]) await move(from, to, slot);
    expect((await to.call('GET', '/v2/webhook', undefined, key)).status).toBe(200);
    expect((await to.call('GET', '/v2/webhook', undefined, `test_${HERE}`)).status).toBe(401);
    expect((await to.call('GET', '/_sandbox')).body.seeded).toEqual(seeded);
    expect(await link(to)).toEqual(before);
    expect((await from.call('GET', '/_sandbox')).status).toBe(421);
  });

  test('lets requests wait while it arrives, and carries them out once', async () => {
    const { from, to } = await pair();
    const key = `test_${HERE}`;
    await pull(from, '1.00', key);
    await change(to, slotHere, 'arriving');
    const waiting = pull(to, '2.00', key);
    const aside = await to.call('GET', '/_sandbox/slots');
    expect(aside.body.arriving).toBe(String(slotHere));
    const made = await to.call('POST', '/_sandbox/sandboxes', { name: HERE });
    expect([made.status, made.body.error.code]).toEqual([503, 'slot_moving']);
    await change(from, slotHere, 'leaving');
    await carry(from, to, slotHere);
    await change(to, slotHere, 'served');
    expect((await waiting).amount).toBe('2.00');
    expect((await to.call('GET', '/_sandbox', undefined, key)).body.counts.transactions).toBeGreaterThan(1);
    await change(from, slotHere, 'elsewhere');
  });

  test('stays where it was when a move is given up', async () => {
    const { from, to } = await pair();
    const key = `test_${HERE}`;
    await pull(from, '1.00', key);
    const sandbox = from.registry.byName(HERE);
    const digest = sandbox && digestOf(sandbox);
    await change(to, slotHere, 'arriving');
    await change(from, slotHere, 'leaving');
    await carry(from, to, slotHere);
    expect((await from.call('GET', '/v2/webhook', undefined, key)).status).toBe(421);
    await change(to, slotHere, 'elsewhere');
    await change(from, slotHere, 'served');
    const again = from.registry.byName(HERE);
    expect(again && digestOf(again)).toBe(digest);
    expect(to.registry.list()).toEqual([]);
    expect((await to.call('GET', '/v2/webhook', undefined, key)).status).toBe(421);
  });

  test('stays where it is when the books of a sandbox are wrong', async () => {
    const { from } = await pair();
    await pull(from, '1.00', `test_${HERE}`);
    const sandbox = from.registry.byName(HERE);
    const id = sandbox?.seeded.ids.account;
    const sqlite = sandbox?.connection.sqlite;
    const add = (cents: number) =>
      sqlite
        ?.prepare('UPDATE ledger_accounts SET credits_posted = credits_posted + ? WHERE id = ?')
        .run(cents, id);
    add(1);
    const { status, body } = await change(from, slotHere, 'leaving');
    expect([status, body.error.code]).toEqual([409, 'illegal_step']);
    expect(body.error.message).toContain(`the sandbox ${HERE} cannot be moved: its books are wrong`);
    expect(await stateIn(from, slotHere)).toBe('served');
    expect((await from.call('GET', '/v2/webhook', undefined, `test_${HERE}`)).status).toBe(200);
    add(-1);
  });

  test('takes only what belongs to it, in its turn, and is whole', async () => {
    const { from, to } = await pair();
    await pull(from, '1.00', `test_${HERE}`);
    const url = `/_sandbox/slots/${slotHere}/sandboxes/${HERE}`;
    const image = (await from.call('GET', '/_sandbox/export', undefined, `test_${HERE}`)).bytes;
    const codeOf = async (reply: ReturnType<Server['call']>) => (await reply).body.error.code;
    expect(await codeOf(to.call('PUT', url, image))).toBe('illegal_step');
    expect(await codeOf(from.call('GET', url))).toBe('illegal_step');
    expect(await codeOf(change(to, slotHere, 'served'))).toBe('illegal_step');
    expect(await codeOf(change(to, 256, 'arriving'))).toBe('field_invalid');
    expect(await codeOf(change(to, slotHere, 'gone'))).toBe('field_invalid');
    await change(to, slotHere, 'arriving');
    expect(await codeOf(to.call('PUT', url, Buffer.from('no database')))).toBe('image_invalid');
    expect(await codeOf(to.call('PUT', url, Buffer.alloc(0)))).toBe('image_invalid');
    const other = `/_sandbox/slots/${slotHere}/sandboxes/${THERE}`;
    expect(await codeOf(to.call('PUT', other, image))).toBe('field_invalid');
    expect((await to.call('PUT', url, image)).status).toBe(204);
    expect((await to.call('PUT', url, image)).status).toBe(204);
    await change(from, slotHere, 'leaving');
    expect(await codeOf(from.call('GET', `${url}?snapshot=none`))).toBe('snapshot_not_found');
    expect(await codeOf(from.call('GET', other))).toBe('field_invalid');
    await change(to, slotHere, 'served');
    await change(from, slotHere, 'elsewhere');
    expect(to.registry.byName(HERE)?.audit().problems).toEqual([]);
  });
});

describe('with a data directory', () => {
  test('a move that broke off goes on after a restart of both banks', async () => {
    const [a, b] = [makeFolder(), makeFolder()];
    const key = `test_${HERE}`;
    const from = await openServer({ data: a, slots: '0-255' });
    const to = await openServer({ data: b, slots: 'none' });
    await pull(from, '5.00', key);
    await change(to, slotHere, 'arriving');
    await change(from, slotHere, 'leaving');
    await Promise.all([from.end(), to.end()]);
    const again = await openServer({ data: a, slots: '0-255' });
    const other = await openServer({ data: b, slots: 'none' });
    expect([await stateIn(again, slotHere), await stateIn(other, slotHere)]).toEqual(['leaving', 'arriving']);
    expect((await again.call('GET', '/v2/webhook', undefined, key)).status).toBe(421);
    await carry(again, other, slotHere);
    await change(other, slotHere, 'served');
    await change(again, slotHere, 'elsewhere');
    expect(readdirSync(a).filter((file) => file.startsWith(HERE))).toEqual([]);
    await Promise.all([again.end(), other.end()]);
    // The setting is older than the move.
    const last = await openServer({ data: b, slots: 'none' });
    expect((await last.call('GET', '/_sandbox/slots')).body.served).toBe(String(slotHere));
    expect((await last.call('GET', '/_sandbox', undefined, key)).body.counts.transactions).toBeGreaterThan(0);
    const old = await openServer({ data: a, slots: '0-255' });
    expect((await old.call('GET', '/_sandbox', undefined, key)).status).toBe(421);
  });

  test('slots of an earlier version have no epochs, and a change gives them one', async () => {
    const data = makeFolder();
    writeFileSync(join(data, 'slots.json'), '{"served":"0-9","arriving":"10","leaving":"none"}\n');
    const first = await openServer({ data, slots: '0-255' });
    expect((await first.call('GET', '/_sandbox/slots/3')).body).toMatchObject({ state: 'served', epoch: 0 });
    const body = { state: 'leaving', after: 0, epoch: 7 };
    expect((await first.call('PUT', '/_sandbox/slots/3', body)).body.epoch).toBe(7);
    const again = await first.call('PUT', '/_sandbox/slots/3', { state: 'served', after: 0, epoch: 8 });
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining('slot 3 is leaving with epoch 7 in this bank, and this change follows epoch 0'),
    ]);
    const older = await first.call('PUT', '/_sandbox/slots/3', { state: 'served', epoch: 7 });
    expect([older.status, older.body.error.message]).toEqual([409, expect.stringContaining('has epoch 7')]);
    await first.end();
    const next = await openServer({ data, slots: '0-255' });
    expect((await next.call('GET', '/_sandbox/slots/3')).body).toMatchObject({ state: 'leaving', epoch: 7 });
    expect(await stateIn(next, 10)).toBe('arriving');
  });

  test('slots that cannot be read keep the bank from starting', async () => {
    const data = makeFolder();
    const first = await openServer({ data, slots: '0-255' });
    await first.end();
    writeFileSync(join(data, 'slots.json'), '{"served":"all of them"}');
    await expect(openServer({ data, slots: '0-255' })).rejects.toThrow(
      /slots\.json.*restore it or delete it/,
    );
    expect(readFileSync(join(data, 'slots.json'), 'utf8')).toContain('all of them');
  });
});
