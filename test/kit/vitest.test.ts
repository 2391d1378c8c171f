/** The fixture of `sandbank/vitest`: each test has its own bank, and a failed test prints the requests to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { test } from '../../src/kit/vitest.ts';
import { makeFolder } from '../server/process/support.ts';
import { type InnerRun, runVitest } from '../support/inner-vitest.ts';
import { dataOf } from '../support/traces.ts';

const TIMEOUT_MS = 120_000;

const FILE = `
import { expect } from 'vitest';
import { it, test } from 'sandbank/vitest';

test('asks and fails', async ({ bank }) => {
  const { sub_account_id } = await bank.seeded();
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  await bank.v2.retrieveSubAccount({ params: { sub_account_id: 'sub_1' } });
});

test('asks and passes', async ({ bank }) => {
  await bank.v1.listPersons();
});

it('fails without asking', async ({ bank }) => {
  expect(bank.url).toBe('elsewhere');
});

test('compares and fails', async ({ bank }) => {
  const { sub_account_id } = await bank.seeded();
  const receiver = await bank.receiver({ types: ['sub_account.updated'] });
  receiver.fail();
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  await bank.sandbox.drain();
  await expect(bank).toHaveBalance(sub_account_id, { available_balance: '1.00' });
});

test('needs no bank', () => {});
`;

const fast = test.extend('bankOptions', { scope: 'worker' }, { rails: 'fast', randomSeed: 'fast' });

describe('a test', () => {
  test('has a bank with a frozen clock, in which payments move on request', async ({ bank }) => {
    const { clock, rails } = await bank.sandbox.retrieveSummary();
    expect([clock.mode, rails]).toEqual(['frozen', 'manual']);
  });

  const labels: string[] = [];
  for (const name of ['one', 'two']) {
    test(`has a bank of its own: ${name}`, async ({ bank }) => {
      const { sub_account_id } = await bank.seeded();
      const { label } = await bank.v2.retrieveSubAccount({ params: { sub_account_id } });
      labels.push(label);
      await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: name } });
      expect(new Set(labels).size).toBe(1);
    });
  }

  test('shares its server with the others of the worker', async ({ bank, bankServer }) => {
    expect(bank.url).toBe(bankServer.url);
    const names = (await bankServer.sandbox.listSandboxes()).sandboxes.map(({ name }) => name);
    // Those of earlier tests have ended.
    expect(names.filter((name) => name.startsWith('vitest_'))).toHaveLength(1);
  });

  fast('may have a server with other settings', async ({ bank, bankServer }) => {
    expect((await bank.sandbox.retrieveSummary()).rails).toBe('fast');
    expect(bankServer.url).toBe(bank.url);
  });
});

const SLOW_START = `
import { test } from 'sandbank/vitest';
import { expect, vi } from 'vitest';

// A start that takes longer than the limit of a test.
vi.setConfig({ testTimeout: 5_000 });
vi.mock('START', async (importOriginal) => {
  const { startSandbank } = await importOriginal();
  return {
    startSandbank: async (options) => {
      await new Promise((resolve) => setTimeout(resolve, 5_100));
      return startSandbank(options);
    },
  };
});

test('is not part of the first test', async ({ bank }) => {
  expect((await bank.clock.now()).getTime()).toBeGreaterThan(0);
});
`.replace('START', fileURLToPath(new URL('../../src/kit/start.ts', import.meta.url)));

describe('a test that fails', () => {
  it(
    'prints the requests to the bank and the responses',
    async () => {
      const { files, stderr } = await runVitest(
        { 'journal.test.ts': FILE },
        { env: { SANDBANK_TRACES: 'off' } },
      );
      const [file] = files;
      expect(file?.assertionResults.map(({ title, status }) => [title, status])).toEqual([
        ['asks and fails', 'failed'],
        ['asks and passes', 'passed'],
        ['fails without asking', 'failed'],
        ['compares and fails', 'failed'],
        ['needs no bank', 'passed'],
      ]);
      const received = stderr.slice(stderr.indexOf('asks and fails'));
      const lines = received.split('\n').map((line) => line.trimEnd());
      expect(lines.slice(0, 2)).toEqual(['asks and fails', '  requests and responses:']);
      expect(lines[2]).toMatch(/^ {2}200 PATCH \/v2\/accounts\/sub_account\/sub_[0-9a-f]{32}$/);
      expect(lines[3]).toBe('      sent      {"label":"Rent"}');
      expect(lines[4]).toBe('  404 GET /v2/accounts/sub_account/sub_1');
      expect(lines[5]).toMatch(/^ {6}answered {2}\{.*ERROR_CODE_RESOURCE_NOT_FOUND.*\}$/);
      expect(lines[6]).toBe('  no deliveries to a webhook.');
      expect(lines).toContain(
        'sandbank: to write a trace of this test, run it again with SANDBANK_TRACES=on',
      );
      expect(lines).toContain('fails without asking');
      expect(stderr).toMatch(
        /\ncompares and fails\n(?: .*\n)* {2}deliveries to webhooks:\n {2}500 sub_account\.updated evt_\w+, attempt 1\n/,
      );
      expect(lines).toContain('  no requests to v1 or v2.');
      expect(stderr).not.toContain('asks and passes');
      expect(stderr).not.toContain('/v1/person');
    },
    TIMEOUT_MS,
  );
});

const PEEK = `
import { expect } from 'vitest';
import { test } from 'sandbank/vitest';

test.for([1, 2])('has a sandbox of its own', async (_, { bank, bankServer }) => {
  const { sub_account_id } = await bank.seeded();
  const { label } = await bank.v2.retrieveSubAccount({ params: { sub_account_id } });
  expect(label).not.toBe('Rent');
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  expect(bank.url).toBe(bankServer.url);
  process.stderr.write('at ' + bank.url + '\\n');
});

const fast = test.extend('bankOptions', { scope: 'worker' }, { rails: 'fast' });
fast('has a server of its own where it wants other settings', async ({ bank }) => {
  expect((await bank.sandbox.retrieveSummary()).rails).toBe('fast');
  process.stderr.write('fast at ' + bank.url + '\\n');
});
`;

describe('a run with a global set-up', () => {
  it(
    'has one server, and a sandbox for each test',
    async () => {
      const { files, stderr } = await runVitest(
        { 'a.test.ts': PEEK, 'b.test.ts': PEEK },
        { globalSetup: 'sandbank/vitest/global-setup', isolate: true },
      );
      const results = files.flatMap(({ assertionResults }) => assertionResults);
      expect(results.map(({ status, failureMessages }) => [status, failureMessages])).toEqual(
        Array.from({ length: 6 }, () => ['passed', []]),
      );
      const urls = [...stderr.matchAll(/^at (\S+)$/gm)].map(([, url]) => url);
      expect(urls).toHaveLength(4);
      expect(new Set(urls).size).toBe(1);
      const others = [...stderr.matchAll(/^fast at (\S+)$/gm)].map(([, url]) => url);
      expect(others).toHaveLength(2);
      expect(others).not.toContain(urls[0]);
    },
    TIMEOUT_MS,
  );
});

const FAKED = `
import { expect, vi } from 'vitest';
import { test } from 'sandbank/vitest';
import { createClient } from 'sandbank/client';

async function use(bank) {
  const receiver = await bank.receiver({ types: ['sub_account.updated'] });
  const { sub_account_id } = await bank.seeded();
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
  await receiver.next('sub_account.updated');
  await bank.events.waitFor('sub_account.updated', { resource: sub_account_id });
  await bank.clock.settle();
  await createClient({ url: bank.url, apiKey: bank.apiKey }).v2.listSubAccounts();
  expect((await bank.fetch('/livez')).status).toBe(200);
}

test('with fake timers', async ({ bank }) => {
  vi.useFakeTimers();
  await use(bank);
  vi.useRealTimers();
});
test('with another date', async ({ bank }) => {
  vi.setSystemTime(new Date('2040-01-01T00:00:00Z'));
  await use(bank);
  vi.useRealTimers();
});
test('with a mocked fetch', async ({ bank }) => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('mocked')));
  await use(bank);
  vi.unstubAllGlobals();
});
`;

describe('a run with traces', () => {
  const traces = join(makeFolder(), 'kept');
  let inner: InnerRun;
  const resultsOf = (name: string) =>
    inner.files
      .filter((file) => file.name.endsWith(name))
      .flatMap(({ assertionResults }) => assertionResults)
      .map(({ status, failureMessages }) => [status, failureMessages]);

  // One start of vitest for three files.
  beforeAll(async () => {
    const env = {
      SANDBANK_TRACES: traces,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    };
    inner = await runVitest(
      { 'slow.test.ts': SLOW_START, 'payments.test.ts': FILE, 'faked.test.ts': FAKED },
      { env, isolate: true },
    );
  }, TIMEOUT_MS);

  it('gives the start of the server a limit of its own, which is longer than that of a test', () => {
    expect(resultsOf('slow.test.ts')).toEqual([['passed', []]]);
  });

  it('writes a trace of a failed test with its name and its error, and prints its path', () => {
    const { stderr } = inner;
    expect(readdirSync(traces).sort()).toEqual([
      'sandbank-asks-and-fails.html',
      'sandbank-compares-and-fails.html',
      'sandbank-fails-without-asking.html',
    ]);
    const path = join(traces, 'sandbank-fails-without-asking.html');
    expect(stderr).toContain(`the trace of "fails without asking" is ${path}`);
    const { test: name, error } = dataOf(readFileSync(path));
    expect(name).toBe('fails without asking');
    expect(error).toContain("to be 'elsewhere'");
    const compared = dataOf(readFileSync(join(traces, 'sandbank-compares-and-fails.html'))).error;
    expect(compared).toMatch(
      /^Error: expected these figures of sub_\w+\n\n- Expected\n\+ Received\n[^@]*-.*1\.00[^@]*\+.*5000\.00[^@]*\n\n {4}at /,
    );
    expect(compared.match(/5000\.00/g)).toHaveLength(1);
    const { answers } = dataOf(readFileSync(join(traces, 'sandbank-asks-and-fails.html')));
    const { requests } = answers['/_sandbox/requests?limit=1000'] as { requests: { path: string }[] };
    expect(requests.map(({ path }) => path)).toContain('/v2/accounts/sub_account/sub_1');
  });

  it('needs neither timers, the date nor fetch, and no proxy for loopback', () => {
    expect(resultsOf('faked.test.ts')).toEqual(Array.from({ length: 3 }, () => ['passed', []]));
  });
});
