/** The start of the process and its refusals: its output, and the errors for invalid settings. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { welcome } from '../../../src/server/process/welcome.ts';
import {
  launch,
  makeFolder,
  type Running,
  type Settings,
  startBank,
  stop,
  until,
  within,
} from './support.ts';

/** A refused start, which ends by itself. */
async function refusal(settings: Settings, args?: string[]) {
  const end = await within(30_000, 'the refusal', launch(settings, args).ended);
  expect(end.stdout, 'a refusal says nothing on stdout').toBe('');
  return end;
}

describe.concurrent('a bank that starts', () => {
  let bank: Running;
  beforeAll(async () => {
    bank = await startBank();
  });

  it('writes the ready file when it is ready, with its URL, key and process id', async () => {
    expect(JSON.parse(readFileSync(bank.readyFile, 'utf8'))).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: 'test_default',
      pid: bank.child.pid,
    });
    expect(readdirSync(join(bank.readyFile, '..'))).toEqual(['ready.json']);
    for (const path of ['/livez', '/readyz']) expect((await fetch(bank.url + path)).status).toBe(200);
  });

  it('prints its URL, its key, its ids and a command to try that works', async () => {
    const line = await until('the log', () =>
      bank
        .stdout()
        .split('\n')
        .find((text) => text.includes('"listening"') && text.endsWith('}')),
    );
    const output = JSON.parse(line) as { try: string; seeded: Record<string, string> };
    expect(output).toMatchObject({ url: bank.url, api_key: 'test_default', rails: 'fast', data: null });
    expect(output.seeded).toEqual(bank.seeded);
    const answer = execFileSync('sh', ['-c', output.try], { encoding: 'utf8', timeout: 30_000 });
    expect(JSON.parse(answer)).toMatchObject({
      id: bank.seeded.sub_account_id,
      available_balance: '5000.00',
    });
  });

  it('prints the same for a person on a terminal', () => {
    const seeded = { sub_account_id: 'sub_1', webhook_secret: 'sk_test_1' };
    const text = welcome({
      url: 'http://127.0.0.1:4800',
      apiKey: 'test_default',
      seeded,
      config: { control: true, data: null, rails: 'calendar', secrets: 'seeded' },
      version: '1.2.3',
    });
    for (const part of [
      'Sandbank 1.2.3 is running at http://127.0.0.1:4800',
      'Docs       http://127.0.0.1:4800/docs',
      'test_default',
      'in memory',
      'calendar',
      'seeded: anybody who knows the random seed can sign as this bank',
      'sub_account_id  sub_1',
      'webhook_secret  sk_test_1',
      "curl -s -H 'api-key: test_default' \\\n      http://127.0.0.1:4800/v2/accounts/sub_account/sub_1\n",
    ]) {
      expect(text).toContain(part);
    }
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('logs a request by its operation, without its whole key or query', async () => {
    await bank.v2('GET', '/v2/webhook?limit=7');
    const line = await until('the log', () =>
      bank
        .stdout()
        .split('\n')
        .find((text) => text.includes('v2_list_webhooks') && text.endsWith('}')),
    );
    expect(JSON.parse(line)).toMatchObject({
      method: 'GET',
      path: '/v2/webhook',
      status: 200,
      sandbox: 'default',
    });
    expect(line).not.toContain('limit=7');
    expect(line).not.toContain('test_default');
  });

  it('responds to earlier requests as soon as it is open, and not before', async () => {
    const data = makeFolder();
    // With many files opening takes a while.
    const first = await startBank({ SANDBANK_DATA: data, SANDBANK_SYNCHRONOUS: 'off' });
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        first.v2('GET', '/v2/webhook', undefined, { 'api-key': `test_n${n}` }),
      ),
    );
    await stop(first);
    const port = Number(new URL(first.url).port);
    const starting = launch({ SANDBANK_DATA: data, SANDBANK_PORT: String(port) });
    const statuses: number[] = [];
    const request = async (path: string) => {
      const headers = { 'api-key': 'test_n7' };
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined);
      if (answer !== undefined) statuses.push(answer.status);
      return answer?.ok;
    };
    for (const path of ['/v2/webhook', '/_sandbox', '/readyz', '/v2/webhook']) {
      await until(path, () => request(path));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await stop(starting);
  });

  it('stores each sandbox in a file of its own in the data directory', async () => {
    const data = join(makeFolder(), 'deep', 'data');
    const stored = await startBank({ SANDBANK_DATA: data });
    await stored.v2('GET', '/v2/webhook', undefined, { 'api-key': 'test_other' });
    expect((await stored.v2('GET', '/v2/webhook', undefined, { 'api-key': 'test_../escape' })).status).toBe(
      401,
    );
    await stop(stored);
    const files = readdirSync(data).filter((name) => name.endsWith('.sqlite'));
    expect(files.sort()).toEqual(['default.sqlite', 'other.sqlite']);
  });
});

describe('the secrets of a bank that starts', () => {
  // The tokens of the seed depend on its instant, the webhook's secret only on the seed.
  it('are those of the seed on request, with a note', async () => {
    const { seeded, stdout } = await startBank({ SANDBANK_SECRETS: 'seeded', SANDBANK_RANDOM_SEED: 'test' });
    expect(seeded.webhook_secret).toBe('sk_test_0e7b86d21db277800b3676d5dd574dae');
    await until('the log', () => stdout().includes('"secrets":"seeded"'));
  });

  it('are random otherwise, and stay with its data', async () => {
    const data = makeFolder();
    const first = await startBank({ SANDBANK_DATA: data });
    expect(statSync(join(data, 'secrets.json')).mode & 0o777).toBe(0o600);
    await stop(first);
    expect(first.stdout()).toContain('"secrets":"random"');
    const again = await startBank({ SANDBANK_DATA: data });
    expect(again.seeded).toEqual(first.seeded);
    const other = await startBank();
    for (const name of ['webhook_secret', 'show_token', 'pin_token', 'debit_card_token']) {
      expect(other.seeded[name], name).not.toBe(first.seeded[name]);
    }
  });

  it('cannot be seeded on other addresses: the start is refused', async () => {
    const { code, stderr } = await refusal({ SANDBANK_SECRETS: 'seeded', SANDBANK_HOST: '0.0.0.0' });
    expect(code).toBe(1);
    expect(stderr).toContain('SANDBANK_SECRETS is "seeded" while the bank listens on 0.0.0.0');
  });
});

describe.concurrent('a refused start', () => {
  it.each([
    [{ SANDBANK_PORT: 'http' }, ['SANDBANK_PORT', '"http"', '0 to 65535']],
    [{ SANDBANK_RAILS: 'slow' }, ['SANDBANK_RAILS', '"slow"', 'calendar']],
    [{ SANDBANK_PROT: '4800' }, ['SANDBANK_PROT', 'SANDBANK_PORT']],
    [
      { SANDBANK_WEBHOOK_URL: 'nowhere', SANDBANK_STRICT_FIELDS: 'yes' },
      ['SANDBANK_WEBHOOK_URL', 'SANDBANK_STRICT_FIELDS'],
    ],
  ])('for %j names the setting', async (settings, named) => {
    const { code, stderr } = await refusal(settings as Settings);
    expect(code).toBe(1);
    for (const name of named) expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/\n\s+at /);
    for (const line of stderr.trimEnd().split('\n')) expect(line).toMatch(/^sandbank: /);
  });

  /** An empty folder, and the paths of a start's data and its ready file. */
  const places = () => {
    const folder = makeFolder();
    return {
      folder,
      SANDBANK_DATA: join(folder, 'deep', 'data'),
      SANDBANK_READY_FILE: join(folder, 'ready.json'),
    };
  };
  const occupy = async (host: string) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return { server, port: String((server.address() as AddressInfo).port) };
  };

  it('for a port in use says so, and leaves no files', async () => {
    const { server, port } = await occupy('127.0.0.1');
    const { folder, ...settings } = places();
    const { code, stderr } = await refusal({ ...settings, SANDBANK_PORT: port });
    server.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^sandbank: port ${port} on 127\\.0\\.0\\.1 is taken.*SANDBANK_PORT.*\\n$`),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a setting is invalid', { SANDBANK_RAILS: 'slow' }],
    ['its address does not belong to this machine', { SANDBANK_HOST: '192.0.2.1' }],
    ['its host name does not exist', { SANDBANK_HOST: 'no-such-host.invalid' }],
    ['the folder of its ready file does not exist', { SANDBANK_READY_FILE: '/nowhere/at/all/ready.json' }],
    ['its ready file is a folder', { SANDBANK_READY_FILE: tmpdir() }],
  ])('because %s leaves no files', async (_, wrong) => {
    const { folder, ...settings } = places();
    const { code, stderr } = await refusal({ ...settings, ...wrong });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .+\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('for data that another process uses does not change them', async () => {
    const { folder: _, ...settings } = places();
    // Nothing is due, which would change the files meanwhile.
    const bank = await startBank({ ...settings, SANDBANK_RAILS: 'manual' });
    await bank.v2('GET', '/v2/webhook', undefined, { 'api-key': 'test_other' });
    const state = () =>
      readdirSync(settings.SANDBANK_DATA).map((name) => {
        const { size, mtimeMs, ino } = statSync(join(settings.SANDBANK_DATA, name));
        // The process that uses the data writes the log: it stores its journal.
        return name.endsWith('-wal') ? { name, ino } : { name, size, mtimeMs, ino };
      });
    const before = state();
    const readyFile = join(makeFolder(), 'ready.json');
    const { code, stderr } = await refusal({
      ...settings,
      SANDBANK_RANDOM_SEED: 'another',
      SANDBANK_READY_FILE: readyFile,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('is in use by another Sandbank');
    expect(state()).toEqual(before);
    expect(readdirSync(join(readyFile, '..'))).toEqual([]);
    expect((await bank.v2('GET', '/v2/webhook')).status).toBe(200);
  });

  it('for data of a newer Sandbank says so, and does not change them', async () => {
    const data = makeFolder();
    const bank = await startBank({ SANDBANK_DATA: data });
    await stop(bank);
    const file = join(data, 'default.sqlite');
    const db = new Database(file);
    db.pragma('user_version = 999');
    db.close();
    const before = readFileSync(file);
    const { code, stderr } = await refusal({ SANDBANK_DATA: data });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .*default\.sqlite.*newer Sandbank.*999.*\n$/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('for data that are not writable names the setting', async () => {
    const file = join(makeFolder(), 'a-file');
    writeFileSync(file, 'x');
    const { code, stderr } = await refusal({ SANDBANK_DATA: join(file, 'data') });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .+\n$/);
    expect(stderr).toContain(file);
  });
});

describe.concurrent('a bank whose default file is not a database', () => {
  it('starts nevertheless, reports the file and the reason, and serves the other sandboxes', async () => {
    const data = makeFolder();
    writeFileSync(
      join(data, 'default.sqlite'),
      'this is no database, and long enough to be read as one'.repeat(50),
    );
    const started = launch({ SANDBANK_DATA: data });
    const { url } = await until('the ready file', () => {
      if (!existsSync(started.readyFile)) return undefined;
      return JSON.parse(readFileSync(started.readyFile, 'utf8')) as { url: string };
    });
    const status = async (key: string) =>
      (await fetch(`${url}/v2/webhook`, { headers: { 'api-key': key } })).status;
    expect([await status('test_default'), await status('test_a')]).toEqual([503, 200]);
    const line = await until('the log', () =>
      started
        .stdout()
        .split('\n')
        .find((text) => text.includes('cannot be used') && text.endsWith('}')),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      sandbox: 'default',
      file: join(data, 'default.sqlite'),
      reason: 'file is not a database',
      msg: 'the file of a sandbox cannot be used: requests with its key get 503',
    });
  });
});

describe.concurrent('a process with few file descriptors', () => {
  it('reports that they are too few to start', async () => {
    const end = await within(
      30_000,
      'the refusal',
      launch({ SANDBANK_DATA: join(makeFolder(), 'data') }, ['start'], 24).ended,
    );
    expect(end).toMatchObject({
      code: 1,
      stderr:
        'sandbank: the limit of open files and connections of this process is 24, which is too low: raise it, for example with ulimit -n 1024\n',
    });
  });

  it('serves more sandboxes than can be open together, and finds them all again', async () => {
    const settings = { SANDBANK_DATA: join(makeFolder(), 'data'), SANDBANK_RAILS: 'calendar' };
    const MANY = 60;
    const openFiles = ({ child }: Running) => readdirSync(`/proc/${child.pid}/fd`).length;
    const balances = async (bank: Running) => {
      const found = [];
      for (let place = 0; place < MANY; place += 1) {
        const headers = { 'api-key': `test_many-${place}` };
        const path = `/v2/accounts/sub_account/${bank.seeded.sub_account_id}`;
        found.push((await bank.v2('GET', path, undefined, headers)).body.available_balance);
      }
      return found;
    };
    // 256 are for everything else, and each sandbox uses two.
    const bank = await startBank(settings, 300);
    const before = openFiles(bank);
    expect(await balances(bank)).toEqual(Array(MANY).fill('5000.00'));
    expect(openFiles(bank) - before).toBeLessThan(60);
    await stop(bank, 'SIGKILL');
    const again = await startBank(settings, 300);
    expect(await balances(again)).toEqual(Array(MANY).fill('5000.00'));
    expect(openFiles(again) - before).toBeLessThan(60);
  });
});

describe.concurrent('healthcheck', () => {
  it('exits with 0 while the bank responds, and with 1 afterwards', async () => {
    const bank = await startBank();
    const port = new URL(bank.url).port;
    const check = () => within(30_000, 'the check', launch({ SANDBANK_PORT: port }, ['healthcheck']).ended);
    expect(await check()).toMatchObject({ code: 0, stdout: '', stderr: '' });
    await stop(bank);
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^sandbank: not ready at 127\\.0\\.0\\.1 port ${port}: .+\\n$`));
  });
});
