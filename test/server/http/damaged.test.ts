// The errors of a sandbox whose file cannot be used, in each interface, and its repair; and the readiness of a server
// that cannot write.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatV2 } from '../../../src/bank/api/ids.ts';
import { Database } from '../../../src/bank/store/drizzle.ts';
import { NODE_FILES } from '../../../src/sandboxes/sandbox/disk.ts';
import { makeFolder } from '../../support/folder.ts';
import { openServer, type Server } from './control/server.ts';

const GARBAGE = 'this is no database, and long enough to be read as one'.repeat(50);
const REASON = 'file is not a database';

/** A server with a data directory in which the file of a sandbox is damaged. */
async function openSpoilt(
  name: string,
): Promise<{ server: Server; received: [string, string][]; data: string }> {
  const data = makeFolder();
  const first = await openServer({ data });
  for (const key of ['test_a', 'test_b']) await first.call('GET', '/v2/accounts/sub_account', undefined, key);
  await first.end();
  writeFileSync(join(data, `${name}.sqlite`), GARBAGE);
  const received: [string, string][] = [];
  const server = await openServer({ data, onSetAside: (name, reason) => received.push([name, reason]) });
  return { server, received, data };
}

describe('a sandbox whose file is damaged', () => {
  test('responds with 503 and the reason in every interface, and other sandboxes work', async () => {
    const { server, received } = await openSpoilt('a');
    const answers = await Promise.all([
      server.call('GET', '/v2/accounts/sub_account', undefined, 'test_a'),
      server.call('POST', '/v2/payments/ach/pull', { amount: '1.00' }, 'test_a'),
      server.call('GET', '/v1/webhook', undefined, 'test_a'),
      server.call('GET', '/_sandbox', undefined, 'test_a'),
      server.call('POST', '/_sandbox/clock/advance', { by: 'P1D' }, 'test_a'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    for (const { body } of answers) {
      expect(JSON.stringify(body)).toContain(
        `the file of the sandbox a cannot be used: ${REASON}. Import an image into it, repair its file, or delete it`,
      );
    }
    const [v2, , v1, control] = answers;
    expect(v2?.body.error.code).toBe('ERROR_CODE_SERVICE_UNAVAILABLE');
    expect(JSON.stringify(v1?.body)).toContain('EC_SANDBOX_DAMAGED');
    expect(control?.body.error.code).toBe('sandbox_damaged');
    expect(received).toEqual([['a', REASON]]);
    expect((await server.call('GET', '/v2/accounts/sub_account', undefined, 'test_b')).status).toBe(200);
    const { sandboxes } = (await server.call('GET', '/_sandbox/sandboxes')).body;
    expect(sandboxes.map(({ name, problem }: Record<string, string>) => [name, problem]).toSorted()).toEqual([
      ['a', REASON],
      ['b', ''],
      ['default', ''],
    ]);
  });

  test('does not affect lists, documents and other sandboxes if it is the default one', async () => {
    const { server } = await openSpoilt('default');
    const statuses = async (paths: string[], key?: string) =>
      Promise.all(paths.map(async (path) => (await server.call('GET', path, undefined, key)).status));
    expect(await statuses(['/livez', '/readyz', '/openapi/v2.json', '/openapi/v1.json'])).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statuses(['/_sandbox/sandboxes', '/_sandbox', '/v2/webhook', '/v1/webhook'])).toEqual([
      200, 503, 503, 503,
    ]);
    expect(await statuses(['/_sandbox', '/v2/webhook', '/v1/webhook'], 'test_b')).toEqual([200, 200, 200]);
    expect(await statuses(['/v2/webhook'], 'nobody')).toEqual([401]);
    expect((await server.call('POST', '/_sandbox/reset')).status).toBe(200);
    expect(await statuses(['/_sandbox', '/v2/webhook', '/v1/webhook'])).toEqual([200, 200, 200]);
  });

  test('is set aside by the call that detects it, whose response says so', async () => {
    const received: [string, string][] = [];
    const failures: unknown[] = [];
    const server = await openServer(
      { data: makeFolder(), onSetAside: (name, reason) => received.push([name, reason]) },
      failures,
    );
    const sandbox = server.registry.byKey('test_a');
    const summary = () => server.call('GET', '/_sandbox', undefined, 'test_a');
    expect((await summary()).status).toBe(200);
    sandbox?.open();
    const error = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
    Object.assign(sandbox?.store ?? {}, {
      counts: () => {
        throw error;
      },
    });
    for (let call = 0; call < 2; call += 1) {
      const { status, body } = await summary();
      expect([status, body.error.code]).toEqual([503, 'sandbox_damaged']);
      expect(body.error.message).toMatch(
        /database disk image is malformed\. Import an image into it, .* delete/,
      );
    }
    expect(received).toEqual([['a', 'database disk image is malformed']]);
    expect(failures.splice(0)).toHaveLength(1);
  });

  test('is repaired by an import, and replaced after its deletion', async () => {
    const { server } = await openSpoilt('a');
    const get = () => server.call('GET', '/v2/webhook', undefined, 'test_a');
    expect((await get()).status).toBe(503);
    const image = (await server.call('GET', '/_sandbox/export', undefined, 'test_b')).bytes;
    const type = { 'content-type': 'application/vnd.sqlite3' };
    expect((await server.call('POST', '/_sandbox/import', image, 'test_a', type)).status).toBe(200);
    expect((await get()).status).toBe(200);

    const other = await openSpoilt('b');
    const status = async () => (await other.server.call('GET', '/v2/webhook', undefined, 'test_b')).status;
    expect(await status()).toBe(503);
    expect((await other.server.call('DELETE', '/_sandbox/sandboxes/b')).status).toBe(204);
    expect(await status()).toBe(200);
    expect(readFileSync(join(other.data, 'b.sqlite')).toString('latin1', 0, 15)).toBe('SQLite format 3');
  });
});

describe('a server is not ready', () => {
  test('when its data directory was deleted', async () => {
    const data = join(makeFolder(), 'data');
    const server = await openServer({ data });
    expect((await server.call('GET', '/readyz')).status).toBe(200);
    rmSync(data, { recursive: true });
    const { status, body } = await server.call('GET', '/readyz');
    expect(status).toBe(503);
    expect(body).toEqual({
      status: 'not_writable',
      message: 'the data directory: the files of this process are no longer in it',
    });
    expect((await server.call('GET', '/livez')).status).toBe(200);
    const refused = await server.call('GET', '/v2/webhook', undefined, 'test_new');
    expect(refused.status).toBe(503);
    expect(JSON.stringify(refused.body)).toContain(`the data directory ${data} was deleted or moved`);
  });

  test('while its disk is full', async () => {
    let isFull = false;
    const server = await openServer({
      data: makeFolder(),
      files: {
        ...NODE_FILES,
        writeFileSync(...args) {
          if (isFull)
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
          NODE_FILES.writeFileSync(...args);
        },
      },
    });
    isFull = true;
    const { status, body } = await server.call('GET', '/readyz');
    expect([status, body.message]).toEqual([
      503,
      'the data directory: ENOSPC: no space left on device, write',
    ]);
    isFull = false;
    expect((await server.call('GET', '/readyz')).status).toBe(200);
  });
});

describe('on a full disk', () => {
  const FULL = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });

  test('a command is refused with an explanation, its key stores nothing, and it succeeds when there is room', async () => {
    const failures: string[] = [];
    const server = await openServer({ data: makeFolder() }, failures);
    const { bank, seeded } = server.registry.default();
    const { originate } = bank.payments;
    bank.payments.originate = () => {
      throw FULL;
    };
    const body = {
      sub_account_id: formatV2('account', seeded.ids.account ?? ''),
      counterparty_id: formatV2('counterparty', seeded.ids.intra_counterparty ?? ''),
      amount: '1.00',
    };
    const pay = () =>
      server.call('POST', '/v2/payments/intra_account/push', body, 'test_default', {
        'idempotency-key': 'k',
      });
    const refused = await pay();
    expect([refused.status, refused.body.error.code]).toEqual([503, 'ERROR_CODE_SERVICE_UNAVAILABLE']);
    expect(JSON.stringify(refused.body)).toContain(
      'the data directory cannot be written (database or disk is full): free space on its disk and try again; nothing was changed',
    );
    expect(failures.splice(0)).toHaveLength(1);
    bank.payments.originate = originate;
    expect((await pay()).status).toBe(201);
  });

  test('a bank that could not be opened holds no lock, and is opened when there is room', async () => {
    const failures: string[] = [];
    const server = await openServer({ data: makeFolder() }, failures);
    const { registry } = server;
    const sandbox = registry.byKey('test_a');
    sandbox?.open();
    expect(sandbox?.rest(0)).toBeDefined();
    const read = Database.prototype.prepare;
    Database.prototype.prepare = () => {
      throw FULL;
    };
    try {
      expect(() => sandbox?.open()).toThrow('database or disk is full');
    } finally {
      Database.prototype.prepare = read;
    }
    expect((await server.call('GET', '/v2/webhook', undefined, 'test_a')).status).toBe(200);
  });
});

test('draining a sandbox that is deleted meanwhile is refused', async () => {
  const server = await openServer({ data: makeFolder() });
  await server.call('GET', '/v2/webhook', undefined, 'test_a');
  const drained = Array.from({ length: 4 }, () =>
    server.call('POST', '/_sandbox/drain', { deadline_ms: 2000 }, 'test_a'),
  );
  expect((await server.call('DELETE', '/_sandbox/sandboxes/a')).status).toBe(204);
  for (const { status } of await Promise.all(drained)) expect([200, 404]).toContain(status);
});
