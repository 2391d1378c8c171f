/** `sandbank doctor`: the result of each check with and without a problem, and its advice. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/bank/store/drizzle.ts';
import { adviceFor } from '../../src/cli/doctor.ts';
import type { Shell } from '../../src/cli/shell.ts';
import { startSandbank } from '../../src/kit/start.ts';
import { until } from '../server/process/support.ts';
import { makeFolder } from '../support/folder.ts';
import { freePort, sandbank } from './support.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Finding {
  check: string;
  ok: boolean;
  said: string;
}

/** The findings of the doctor in an environment, and its exit code. */
async function examine(
  environment: Shell['environment'] = {},
  words: string[] = [],
): Promise<{ code: number; of(check: string): Finding[] }> {
  const usual = { SANDBANK_PORT: '0', SANDBANK_DATA: '' };
  const { code, stdout, stderr } = await sandbank(['doctor', '--json', ...words], {
    ...usual,
    ...environment,
  });
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  expect(code).toBe(findings.every(({ ok }) => ok) ? 0 : 1);
  return { code, of: (check) => findings.filter((finding) => finding.check === check) };
}

/** Listens on a port and returns it. */
async function listen(): Promise<number> {
  const server = createServer((_, reply) => reply.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

it('doctor finds no problem in a working setup', async () => {
  const { code, stdout } = await sandbank(['doctor'], { SANDBANK_PORT: '0', SANDBANK_DATA: '' });
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      `ok     node      ${process.versions.node}`,
      'ok     sqlite    opens',
      'ok     settings  profile dev, rails fast',
      'ok     port      a free port is used',
      'ok     data      in memory',
      '',
    ].join('\n'),
  );
});

describe('settings', () => {
  it('with errors are all reported', async () => {
    const { code, of } = await examine({ SANDBANK_RAILS: 'slow', SANDBANK_PROT: '1' });
    expect(code).toBe(1);
    expect(of('settings').map(({ said: text }) => text)).toEqual([
      expect.stringContaining('SANDBANK_RAILS is "slow"; expected fast, calendar or manual.'),
      expect.stringContaining('SANDBANK_PROT is not a setting; did you mean SANDBANK_PORT?'),
    ]);
    expect(of('port')).toEqual([]);
  });

  it('are read from flags and files like at a start', async () => {
    const file = join(makeFolder(), 'bank.json');
    writeFileSync(file, JSON.stringify({ profile: 'qa', host: '127.0.0.1' }));
    const { of } = await examine({}, ['--config', file, '--rails', 'manual']);
    expect(of('settings')).toEqual([{ check: 'settings', ok: true, said: 'profile qa, rails manual' }]);
  });
});

describe('the port', () => {
  it('is reported as free', async () => {
    const port = await freePort();
    const { of } = await examine({ SANDBANK_PORT: String(port) });
    expect(of('port')).toEqual([{ check: 'port', ok: true, said: `${port} on 127.0.0.1 is free` }]);
  });

  it('is reported with the program that uses it', async () => {
    const port = await listen();
    const { of } = await examine({ SANDBANK_PORT: String(port) });
    expect(of('port')).toEqual([
      {
        check: 'port',
        ok: false,
        said: expect.stringMatching(
          new RegExp(
            `^port ${port} on 127\\.0\\.0\\.1 is taken by .+ \\(process ${process.pid}\\): stop it, .*--port`,
          ),
        ),
      },
    ]);
  });

  it('is reported as used by a running bank', async () => {
    const bank = await startSandbank();
    closing.push(() => bank.close());
    const { of } = await examine({ SANDBANK_PORT: new URL(bank.url).port });
    expect(of('port')).toEqual([{ check: 'port', ok: true, said: `a Sandbank is open at ${bank.url}` }]);
  });

  it('is reported for an address that this machine does not have', async () => {
    const { of } = await examine({ SANDBANK_PORT: '4800', SANDBANK_HOST: '192.0.2.1' });
    expect(of('port')[0]).toMatchObject({
      ok: false,
      said: expect.stringContaining('--host or SANDBANK_HOST'),
    });
  });
});

describe('the bank that SANDBANK_URL names', () => {
  it('is checked with its webhooks, whatever the port', async () => {
    const bank = await startSandbank();
    closing.push(() => bank.close());
    await bank.sandbox.createWebhook({
      body: { api_version: 'v2', receiver: true, events: ['card.updated'] },
    });
    const { of } = await examine({ SANDBANK_PORT: '0', SANDBANK_URL: `${bank.url}/` });
    expect(of('bank')).toEqual([{ check: 'bank', ok: true, said: `a Sandbank is open at ${bank.url}/` }]);
    expect(of('webhooks')).toHaveLength(1);
  });

  it('is reported if it does not respond', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { of } = await examine({ SANDBANK_PORT: '0', SANDBANK_URL: url });
    expect(of('bank')).toEqual([
      {
        check: 'bank',
        ok: false,
        said: `SANDBANK_URL is ${url}, and no Sandbank responds there: start it, correct the address, or unset SANDBANK_URL`,
      },
    ]);
  });
});

describe('the data directory', () => {
  it('can be created if it does not exist', async () => {
    const data = join(makeFolder(), 'deep', 'data');
    expect((await examine({ SANDBANK_DATA: data })).of('data')).toEqual([
      { check: 'data', ok: true, said: `${data} can be written` },
    ]);
  });

  it('cannot be created below a file', async () => {
    const file = join(makeFolder(), 'a-file');
    writeFileSync(file, 'x');
    const [finding] = (await examine({ SANDBANK_DATA: join(file, 'data') })).of('data');
    expect(finding).toMatchObject({
      ok: false,
      said: expect.stringMatching(/cannot be written .*--data or SANDBANK_DATA/),
    });
  });
});

describe('the books', () => {
  /** The data directory of a stopped bank with an ACH pull. */
  async function dataWithPayment(): Promise<string> {
    const data = join(makeFolder(), 'data');
    const bank = await startSandbank({ data, rails: 'manual' });
    const { sub_account_id = '', ach_counterparty_id = '' } = await bank.seeded();
    await bank.v2.originateAchPull({
      body: { sub_account_id, counterparty_id: ach_counterparty_id, amount: '12.00' },
    });
    await bank.close();
    return data;
  }
  const alter = (data: string): void => {
    const sqlite = new Database(join(data, 'default.sqlite'));
    sqlite.exec("UPDATE transactions SET amount = amount + 256 WHERE rail = 'ach_pull' AND amount = 1200");
    sqlite.close();
  };
  const digest = (data: string): string[] =>
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name);
        return `${path} ${statSync(path).mtimeMs} ${hash('sha256', readFileSync(path))}`;
      })
      .toSorted();
  const ALTERED =
    /^the books of default are wrong: .*\(ach_pull, originated\): amount on hold in its transfers is 1200; expected 1456; /;

  it('of a data directory are audited without changing them, and errors are reported', async () => {
    const data = await dataWithPayment();
    expect((await examine({ SANDBANK_DATA: data })).of('books')).toEqual([
      { check: 'books', ok: true, said: 'of 1 sandbox balance' },
    ]);
    alter(data);
    const before = digest(data);
    expect((await examine({ SANDBANK_DATA: data })).of('books')).toEqual([
      { check: 'books', ok: false, said: expect.stringMatching(ALTERED) },
    ]);
    expect(digest(data)).toEqual(before);
    writeFileSync(join(data, 'default.sqlite'), 'rubbish');
    expect((await examine({ SANDBANK_DATA: data })).of('books')).toEqual([
      { check: 'books', ok: false, said: expect.stringContaining('its file cannot be read: ') },
    ]);
  });

  it('of a running bank are audited by that bank, and left alone at another port', async () => {
    const data = await dataWithPayment();
    alter(data);
    const bank = await startSandbank({ data, rails: 'manual' });
    closing.push(() => bank.close());
    const here = { SANDBANK_DATA: data, SANDBANK_PORT: new URL(bank.url).port };
    expect((await examine(here)).of('books')).toEqual([
      { check: 'books', ok: false, said: expect.stringMatching(ALTERED) },
    ]);
    expect((await examine({ ...here, SANDBANK_PORT: '0' })).of('books')).toEqual([
      { check: 'books', ok: true, said: expect.stringMatching(/^not audited: a Sandbank uses .*--port/) },
    ]);
  });
});

describe('the receiver', () => {
  it('is reachable', async () => {
    const webhookUrl = `http://127.0.0.1:${await listen()}/hooks`;
    const { of } = await examine({ SANDBANK_WEBHOOK_URL: webhookUrl });
    expect(of('receiver')).toEqual([{ check: 'receiver', ok: true, said: `${webhookUrl} answers` }]);
  });

  it('is unreachable', async () => {
    const webhookUrl = `http://127.0.0.1:${await freePort()}/hooks`;
    const [finding] = (await examine({ SANDBANK_WEBHOOK_URL: webhookUrl })).of('receiver');
    expect(finding).toMatchObject({
      ok: false,
      said: expect.stringMatching(
        /cannot be reached \(connect ECONNREFUSED .*\): start it, or correct the address; the bank retries the deliveries meanwhile/,
      ),
    });
  });

  it('is not on this machine if the bank runs in a container', () => {
    const advice = 'start it, or correct the address; the bank retries the deliveries meanwhile';
    expect(adviceFor('http://localhost:3000/hooks', true)).toBe(
      `${advice}. In a container localhost is the container itself; the machine is host.docker.internal (on Linux with --add-host host.docker.internal:host-gateway)`,
    );
    expect(adviceFor('http://receiver:3000/hooks', true)).toBe(advice);
    expect(adviceFor('http://127.0.0.1:3000/hooks', false)).toBe(advice);
  });
});

describe('the webhooks of a running bank', () => {
  it('work, or are reported with the result of their last attempt', async () => {
    const bank = await startSandbank({ rails: 'manual' });
    closing.push(() => bank.close());
    const environment = { SANDBANK_PORT: new URL(bank.url).port };
    expect((await examine(environment)).of('webhooks')).toEqual([]);

    const well = `http://127.0.0.1:${await listen()}/well`;
    const ill = `http://127.0.0.1:${await freePort()}/ill`;
    for (const url of [well, ill]) {
      await bank.sandbox.createWebhook({ body: { api_version: 'v2', url, events: ['card.updated'] } });
    }
    const { virtual_card_id: card_id = '' } = await bank.seeded();
    await bank.v2.updateCard({ params: { card_id }, body: { label: 'Travel' } });
    await expect
      .poll(async () =>
        (await bank.sandbox.listWebhooks()).webhooks.map(({ deliveries }) => deliveries.delivered),
      )
      .toContain(1);

    const text = await until('the failed delivery', async () => {
      const found = (await examine(environment)).of('webhooks');
      return found.some(({ ok }) => !ok) && found;
    });
    expect(text).toHaveLength(2);
    const of = (url: string) => text.find((finding) => finding.said.includes(url));
    expect(of(well)).toMatchObject({
      ok: true,
      said: expect.stringContaining('1 delivered, 0 pending, 0 failed'),
    });
    expect(of(ill)).toMatchObject({
      ok: false,
      said: expect.stringMatching(
        /0 delivered, 1 pending, 0 failed \(.*ECONNREFUSED.*\): .*host\.docker\.internal/,
      ),
    });
  });
});
