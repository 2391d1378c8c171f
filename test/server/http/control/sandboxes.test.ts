// Creating, listing and deleting sandboxes over HTTP: the bank of each key, the contents of a copy, and the maximum
// number.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../support/folder.ts';
import { START } from '../../../support/sandbox.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Bank, openBank, openServer, pull } from './server.ts';

const names = async (server: Bank) => (await server.list()).map(({ name }) => name);
const make = ({ call }: Bank, name: string, from?: string) =>
  call('POST', '/_sandbox/sandboxes', { name, ...(from !== undefined && { from }) });
const balance = async ({ call }: Bank, key?: string) => {
  const { seeded } = (await call('GET', '/_sandbox', undefined, key)).body;
  return (await call('GET', `/v2/accounts/sub_account/${seeded.sub_account_id}`, undefined, key)).body
    .pending_credits;
};

describe('with open keys', () => {
  test('a sandbox is created by the first use of its key, and listed', async () => {
    const server = await openBank();
    expect(await names(server)).toEqual([server.name]);
    await server.call('GET', '/_sandbox', undefined, 'test_ci-1');
    const common = {
      kept: IS_WORKERD ? 'file' : 'memory',
      open: true,
      problem: '',
      bytes: expect.any(Number),
      used_at: IS_WORKERD ? expect.any(String) : new Date(START).toISOString(),
      clock: { mode: 'live', now: IS_WORKERD ? expect.any(String) : new Date(START).toISOString() },
    };
    const { mode, now } = (await server.call('GET', '/_sandbox/clock')).body;
    expect(await server.list()).toEqual([
      { name: server.name, key: `test_${server.name}`, ...common, clock: { mode, now } },
      { name: 'ci-1', key: 'test_ci-1', ...common },
    ]);
  });

  test('the list shows size, clock and last use of a sandbox, and is not a use', async () => {
    const server = await openBank();
    const key = 'test_watched';
    const row = async () => (await server.list()).find(({ name }) => name === 'watched');
    await server.call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-12-01T09:00:00Z' }, key);
    const before = await row();
    expect(before.clock).toEqual({ mode: 'frozen', now: '2026-12-01T09:00:00.000Z' });
    expect(before.bytes).toBe((await server.call('GET', '/_sandbox/export', undefined, key)).bytes.length);
    await server.advance(5000);
    expect((await row()).used_at).toBe(new Date(START).toISOString());
    await server.call('GET', '/v2/webhook', undefined, key);
    expect((await row()).used_at).toBe(new Date(START + 5000).toISOString());
  });

  test('the list does not open resting sandboxes: the size is that of the file, last use and clock are unknown', async () => {
    const data = makeFolder();
    const first = await openServer({ data });
    await make(first, 'resting');
    await first.end();
    const { call, registry } = await openServer({ data });
    const { body } = await call('GET', '/_sandbox/sandboxes');
    expect(body.sandboxes.find(({ name }: { name: string }) => name === 'resting')).toEqual({
      name: 'resting',
      key: 'test_resting',
      kept: 'file',
      open: false,
      problem: '',
      bytes: statSync(join(data, 'resting.sqlite')).size,
      used_at: null,
      clock: null,
    });
    expect([...registry.open()].map(({ name }) => name)).toEqual(['default']);
  });

  test('a sandbox can be created, with the public key', async () => {
    const server = await openBank();
    const { status, body } = await make(server, 'a');
    expect([status, body]).toEqual([201, { name: 'a', key: 'test_a' }]);
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_a')).status).toBe(200);
    expect((await make(server, 'a')).body.error).toEqual({
      code: 'sandbox_exists',
      message: 'the sandbox a exists already: choose another name, or DELETE /_sandbox/sandboxes/a first',
      hint: 'name',
    });
  });

  test.each(['', '-a', 'a b', 'a/b', '../a', 'x'.repeat(65), 'é'])('%j is not a valid name', async (name) => {
    const server = await openBank();
    const { status, body } = await make(server, name);
    expect([status, body.error.hint]).toEqual([400, 'name']);
    expect(body.error.message).toContain('expected 1 to 64 letters, digits, _ and -');
    expect(await names(server)).toEqual([server.name]);
  });

  test('one sandbox above the limit is refused by every operation, with the name of the setting', async () => {
    const server = await openBank({ maxSandboxes: 2 });
    await make(server, 'a');
    for (const refused of [
      await make(server, 'b'),
      await server.call('GET', '/_sandbox', undefined, 'test_b'),
      await server.call('GET', '/v2/webhook', undefined, 'test_b'),
      await server.call('PATCH', '/v1/webhook/wbh-1', {}, 'test_b'),
    ]) {
      expect(refused.status).toBe(429);
      expect(refused.bytes.toString()).toContain('the maximum of SANDBANK_MAX_SANDBOXES');
    }
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_a')).status).toBe(200);
    await server.call('DELETE', '/_sandbox/sandboxes/a');
    expect((await make(server, 'b')).status).toBe(201);
  });
});

describe('a copy', () => {
  test('of a sandbox is the same bank, and independent afterwards', async () => {
    const server = await openBank();
    await pull(server, '7.00');
    expect((await make(server, 'copy', server.name)).status).toBe(201);
    expect(await server.digest('test_copy')).toBe(await server.digest());
    expect(await balance(server, 'test_copy')).toBe('7.00');
    await pull(server, '1.00', 'test_copy');
    expect(await balance(server, 'test_copy')).toBe('8.00');
    expect(await balance(server)).toBe('7.00');
  });

  test('of a snapshot is the bank of the snapshot', async () => {
    const server = await openBank();
    await pull(server, '7.00');
    await server.call('PUT', '/_sandbox/snapshots/seven');
    await pull(server, '1.00');
    await make(server, 'own', 'seven');
    expect(await balance(server, 'test_own')).toBe('7.00');
    // Another sandbox uses it with the name of its owner.
    expect(
      (await server.call('POST', '/_sandbox/sandboxes', { name: 'x', from: 'seven' }, 'test_own')).status,
    ).toBe(404);
    await server.call(
      'POST',
      '/_sandbox/sandboxes',
      { name: 'other', from: `${server.name}/seven` },
      'test_own',
    );
    expect(await balance(server, 'test_other')).toBe('7.00');
  });

  test.each([
    ['nobody', 'sandbox_not_found'],
    ['nobody/a', 'sandbox_not_found'],
    ['OWN/nothing', 'snapshot_not_found'],
    ['OWN/a/b', 'sandbox_not_found'],
  ])('of %s is refused, and creates nothing', async (from, code) => {
    const server = await openBank();
    const { status, body } = await make(server, 'copy', from.replace('OWN', server.name));
    expect([status, body.error.code]).toEqual([404, code]);
    expect(await names(server)).toEqual([server.name]);
  });
});

describe('a deleted sandbox', () => {
  test('does not exist any more, like its snapshots, and its name is available', async () => {
    const server = await openBank();
    await make(server, 'a');
    await pull(server, '7.00', 'test_a');
    await server.call('PUT', '/_sandbox/snapshots/one', undefined, 'test_a');
    const answer = await server.call('DELETE', '/_sandbox/sandboxes/a');
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(await names(server)).toEqual([server.name]);
    expect((await server.call('DELETE', '/_sandbox/sandboxes/a')).body.error).toMatchObject({
      code: 'sandbox_not_found',
      message: 'there is no sandbox a; GET /_sandbox/sandboxes lists the sandboxes',
    });
    expect(await balance(server, 'test_a')).toBe('0.00');
    expect((await server.call('GET', '/_sandbox/snapshots', undefined, 'test_a')).body.snapshots).toEqual([]);
  });

  test('is never the default one', async () => {
    const server = await openBank();
    const { status, body } = await server.call('DELETE', '/_sandbox/sandboxes/default');
    expect(status).toBe(409);
    expect(body.error.message).toContain('POST /_sandbox/reset');
    expect(await names(server)).toEqual([server.name]);
  });

  test('is deleted with its files', async () => {
    const data = makeFolder();
    const server = await openServer({ data });
    await make(server, 'a');
    await pull(server, '7.00', 'test_a');
    await server.call('PUT', '/_sandbox/snapshots/one', undefined, 'test_a');
    expect(readdirSync(data).filter((file) => file.startsWith('a.'))).toContain('a.sqlite');
    await server.call('DELETE', '/_sandbox/sandboxes/a');
    expect(readdirSync(data).filter((file) => file.startsWith('a.'))).toEqual([]);
    expect(existsSync(join(data, 'snapshots', 'a'))).toBe(false);
    expect((await make(server, 'a')).status).toBe(201);
    expect(await balance(server, 'test_a')).toBe('0.00');
  });
});

describe('with closed keys', () => {
  test('only created sandboxes exist, each with a key that is shown once', async () => {
    const server = await openBank({ isClosed: true });
    expect((await server.call('GET', '/v2/webhook')).status).toBe(200);
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_default')).status).toBe(200);
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_a')).status).toBe(401);
    const { body } = await make(server, 'a');
    expect(body).toEqual({ name: 'a', key: expect.stringMatching(/^test_a\../) });
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_a')).status).toBe(401);
    expect((await server.call('GET', '/v2/webhook', undefined, body.key)).status).toBe(200);
    expect((await server.call('GET', '/_sandbox', undefined, body.key)).body.sandbox).toBe('a');
    expect((await server.list()).find(({ name }) => name === 'a')).toMatchObject({
      key: null,
      open: true,
      problem: '',
    });
    const all = (await server.call('GET', '/_sandbox/sandboxes')).body.sandboxes;
    expect(all).toContainEqual(expect.objectContaining({ name: 'default', key: 'test_default' }));
  });

  test('a key ends with its sandbox, and a new sandbox of that name has another', async () => {
    const server = await openBank({ isClosed: true });
    const { key } = (await make(server, 'a')).body;
    await server.call('DELETE', '/_sandbox/sandboxes/a');
    expect((await server.call('GET', '/v2/webhook', undefined, key)).status).toBe(401);
    const again = (await make(server, 'a')).body.key;
    expect(again).not.toBe(key);
    expect((await server.call('GET', '/v2/webhook', undefined, again)).status).toBe(200);
  });

  test('a key survives a restart, a reset and an import, and is never returned again', async () => {
    const data = makeFolder();
    const first = await openBank({ data, isClosed: true });
    const { key } = (await make(first, 'a')).body;
    const image = (await first.call('GET', '/_sandbox/export', undefined, 'test_default')).bytes;
    await first.call('POST', '/_sandbox/reset', undefined, key);
    await first.call('POST', '/_sandbox/import', image, key);
    await first.end();
    for (const file of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
      const path = join(data, file);
      if (statSync(path).isFile()) expect(readFileSync(path).includes(key), file).toBe(false);
    }
    for (const mode of [{ isClosed: true }, {}]) {
      const server = await openBank({ data, ...mode });
      expect((await server.call('GET', '/_sandbox', undefined, key)).body.sandbox).toBe('a');
      await server.end();
    }
  });

  test('the file of the keys is for its owner alone', async () => {
    const data = makeFolder();
    await make(await openServer({ data, closed: { randomText: () => 'r1' } }), 'a');
    expect(statSync(join(data, 'keys.json')).mode & 0o077).toBe(0);
  });
});
