// `sandbank compare` against a second bank instead of the platform.

import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { freePort, type Printed, sandbank } from '../cli/support.ts';
import { type Platform, startPlatform } from './support.ts';

const KEY = 'test_other';
const ONLY = ['--only', 'v2_list_webhook_events', '--only', 'v2_life_webhook', '--only', 'createWebhook'];

let bank: Sandbank;
let other: Sandbank;
let platform: Platform;

beforeAll(async () => {
  [bank, other] = await Promise.all([
    startSandbank({ randomSeed: 'one' }),
    startSandbank({ randomSeed: 'two' }),
  ]);
  await other.inSandbox('other');
  platform = await startPlatform(other.url);
});
afterAll(async () => {
  await platform.close();
  await Promise.all([bank.close(), other.close()]);
});

function compare(words: readonly string[], environment: Record<string, string> = {}): Promise<Printed> {
  return sandbank(['compare', ...words], {
    SANDBANK_URL: bank.url,
    SANDBANK_API_KEY: bank.apiKey,
    SANDBANK_COMPARE_KEY_V2: KEY,
    SANDBANK_COMPARE_KEY_V1: KEY,
    ...environment,
  });
}

describe('sandbank compare', () => {
  it('exits with 0 without differences, and removes its records', async () => {
    platform.mutate({});
    const { code, stdout } = await compare(['--with', platform.url, ...ONLY]);
    expect(stdout).toContain('No difference was found.');
    expect(stdout).toContain('6 operations: 6 equal, 0 different, 0 not compared');
    expect(code).toBe(0);
    for (const one of [bank, await other.inSandbox('other')]) {
      const { webhooks } = await one.sandbox.listWebhooks();
      expect(webhooks.filter(({ description }) => description.includes('cmp-'))).toEqual([]);
    }
  });

  it('exits with 1 and names the differences', async () => {
    platform.mutate({
      answer({ body }) {
        if (body?.description !== undefined) delete body.description;
      },
    });
    const { code, stdout } = await compare(['--with', platform.url, '--json', ...ONLY]);
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(Object.keys(report)).toEqual(['operations', 'differences']);
    expect(report.differences).toHaveLength(1);
    expect(report.differences[0]).toMatchObject({ cause: 'missing', field: 'description', there: 'absent' });
    expect(report.differences[0].operations).toContain('createWebhook');
    expect(
      report.operations.find((one: { operation: string }) => one.operation === 'v2_list_webhook_events')
        .result,
    ).toBe('equal');
  });

  it('calls no path below /_sandbox on the other side, and sends its key only in the header of the version', () => {
    expect(platform.calls.length).toBeGreaterThan(10);
    expect(platform.calls.filter((call) => !/^\w+ \/v[12]\//.test(call))).toEqual([]);
    const keys = platform.calls.map((call, at) => [
      platform.headers[at]?.['api-key'],
      platform.headers[at]?.['sd-api-key'],
      call.split(' ')[1]?.slice(0, 4),
    ]);
    expect(
      keys.filter(([v2, v1, path]) =>
        path === '/v1/' ? v1 !== KEY || v2 !== undefined : v2 !== KEY || v1 !== undefined,
      ),
    ).toEqual([]);
  });

  it('uses only a key for reading with --read-only', async () => {
    platform.mutate({});
    const before = platform.calls.length;
    const { code, stdout } = await compare([
      '--with',
      platform.url,
      '--read-only',
      '--only',
      'v2_list*',
      '--only',
      'v2_retrieve_webhook',
      '--only',
      'v2_create_card',
    ]);
    expect(stdout).toMatch(/v2_create_card +not compared +it writes, which --read-only does not allow/);
    expect(code).toBe(0);
    const calls = platform.calls.slice(before);
    expect(calls.length).toBeGreaterThan(5);
    expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
  });

  it('prints every call of a dry run and sends none', async () => {
    const before = platform.calls.length;
    const { code, stdout, stderr } = await compare([
      '--with',
      platform.url,
      '--dry-run',
      '--only',
      'v2_life_webhook',
    ]);
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(
      /^POST \/v2\/webhook \{.*"Compare \{run\}".*\} {2}# v2_life_webhook 1$/,
    );
    expect(stdout).toContain('DELETE /v2/webhook/{id}  # clean up v2_life_webhook 1');
    expect(stderr).toContain('nothing was sent');
    expect(platform.calls.length).toBe(before);
  });

  it('compares the version for which it has a key', async () => {
    const { code, stdout } = await compare(
      ['--with', platform.url, '--only', 'listWebhookEvents', '--only', 'v2_list_webhook_events'],
      {
        SANDBANK_COMPARE_KEY_V1: '',
      },
    );
    expect(stdout).toMatch(/listWebhookEvents +not compared +SANDBANK_COMPARE_KEY_V1 is not set/);
    expect(code).toBe(0);
  });
});

describe('sandbank compare --record', () => {
  it('stores the responses without identifying data, in a form that can be compared again', async () => {
    platform.mutate({});
    const file = join(mkdtempSync(join(tmpdir(), 'record-')), 'recording.json');
    const { code, stderr } = await compare([
      '--with',
      platform.url,
      '--record',
      file,
      '--only',
      'v2_create_sub_account_holder',
    ]);
    expect(stderr).toMatch(/recorded \d+ responses/);
    expect(code).toBe(0);
    const text = readFileSync(file, 'utf8');
    for (const word of [KEY, 'Quill', 'quill.example', '1 Quay Street', 'cmp-'])
      expect(text).not.toContain(word);
    const again = await compare([file]);
    expect(again.stdout).toContain('No difference was found.');
    expect(again.code).toBe(0);
  });
});

describe('sandbank compare --update-register', () => {
  it('prints only the patch to stdout, and the report with contradicted and confirmed decisions to stderr', async () => {
    platform.mutate({
      answer({ method, path, body }) {
        if (method === 'GET' && path.startsWith('/v2/webhook?')) body.has_more = body.has_more === 'true';
      },
    });
    const words = [
      '--with',
      platform.url,
      '--update-register',
      '--only',
      'v2_list_webhooks',
      '--only',
      'createWebhook',
    ];
    const { code, stdout, stderr } = await compare(words);
    platform.mutate({});
    expect(code).toBe(1);
    const day = new Date().toISOString().slice(0, 10);
    expect(stdout).toMatch(
      /^--- a\/data\/decisions\.json\n\+\+\+ b\/data\/decisions\.json\n@@ -\d+,\d+ \+\d+,\d+ @@\n/,
    );
    expect(stdout).toContain(
      `+    "recording": {\n+      "date": "${day}",\n+      "result": "contradicts"\n+    },\n`,
    );
    expect(stdout).toContain('as the tables say; one example shows a JSON boolean.');
    expect(stderr).toMatch(/^1 +type +has_more +text +boolean +has-more-words +v2_list_webhooks$/m);
    expect(stderr).toMatch(/\d+ decisions are confirmed and 1 contradicted\n/);
  });
});

describe('sandbank compare exits with 2', () => {
  const fails = async (
    words: readonly string[],
    message: RegExp,
    environment?: Record<string, string>,
  ): Promise<void> => {
    const { code, stdout, stderr } = await compare(words, environment);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
  };

  it('without another side, or if the key must not be sent to its address', async () => {
    await fails([], /--with/);
    await fails(['--with', 'http://platform.example'], /begins with https/);
  });

  it('without a key for the other side', () =>
    fails(['--with', platform.url], /SANDBANK_COMPARE_KEY_V2/, {
      SANDBANK_COMPARE_KEY_V1: '',
      SANDBANK_COMPARE_KEY_V2: '',
    }));

  it('if the key is refused', async () => {
    const key = 'sk_live_secret';
    const printed = await compare(['--with', platform.url, '--only', 'v2_list_webhooks'], {
      SANDBANK_COMPARE_KEY_V2: key,
    });
    expect(printed.stderr).toMatch(/refuses the key of v2 \(401\)/);
    expect(printed.code).toBe(2);
    expect(printed.stdout + printed.stderr).not.toContain(key);
  });

  it('if the other side is unreachable', async () =>
    fails(
      ['--with', `http://127.0.0.1:${await freePort()}`, ...ONLY],
      /the run ended early: .* does not answer/,
    ));

  it('if this bank is unreachable', async () =>
    fails(['--with', platform.url, ...ONLY], /no bank responds/, {
      SANDBANK_URL: `http://127.0.0.1:${await freePort()}`,
    }));

  it('for an unknown scenario', () =>
    fails(['--with', platform.url, '--only', 'v2_nothing'], /there is no scenario v2_nothing/));
});
