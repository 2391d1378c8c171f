/**
 * The fixture of `sandbank/vitest`: each test has a bank of its own, and one that fails tells what the bank was asked.
 */
import { describe, expect, it } from 'vitest';
import { test } from '../../src/kit/vitest.ts';
import { runVitest } from '../support/inner-vitest.ts';

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

test('needs no bank', () => {});
`;

const fast = test.extend('bankOptions', { scope: 'worker' }, { rails: 'fast', seed: 'fast' });

describe('a test', () => {
  test('has a bank whose clock stands still, and in which payments move when they are told', async ({
    bank,
  }) => {
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
    // Those of the tests before have ended.
    expect(names.filter((name) => name.startsWith('vitest_'))).toHaveLength(1);
  });

  fast('may have a server with other settings', async ({ bank, bankServer }) => {
    expect((await bank.sandbox.retrieveSummary()).rails).toBe('fast');
    expect(bankServer.url).toBe(bank.url);
  });
});

describe('a test that fails', () => {
  it(
    'tells what the bank was asked and answered',
    async () => {
      const { files, stderr } = await runVitest({ 'journal.test.ts': FILE });
      const [file] = files;
      expect(file?.assertionResults.map(({ title, status }) => [title, status])).toEqual([
        ['asks and fails', 'failed'],
        ['asks and passes', 'passed'],
        ['fails without asking', 'failed'],
        ['needs no bank', 'passed'],
      ]);
      const received = stderr.slice(stderr.indexOf('asks and fails'));
      const lines = received.split('\n').map((line) => line.trimEnd());
      expect(lines.slice(0, 2)).toEqual(['asks and fails', '  asked, and the bank answered:']);
      expect(lines[2]).toMatch(/^ {2}200 PATCH \/v2\/accounts\/sub_account\/sub_[0-9a-f]{32}$/);
      expect(lines[3]).toBe('      sent      {"label":"Rent"}');
      expect(lines[4]).toBe('  404 GET /v2/accounts/sub_account/sub_1');
      expect(lines[5]).toMatch(/^ {6}answered {2}\{.*ERROR_CODE_RESOURCE_NOT_FOUND.*\}$/);
      expect(lines).toContain('fails without asking');
      expect(lines).toContain('  asked nothing of the bank.');
      expect(stderr).not.toContain('asks and passes');
      expect(stderr).not.toContain('/v1/person');
    },
    TIMEOUT_MS,
  );
});
