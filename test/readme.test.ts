/**
 * The lines of the README work as they stand, one block after the other in one shell, against a bank of the real program.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { startBank } from './process/support.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, type Outcome, runScript } from './support/page-examples.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const LAUNCHER = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
/** The sections that speak to a running bank. */
const SECTIONS = ['Ten operations', 'Follow a payment', 'Receive webhooks', 'A bank for each test'];
/** It goes on until somebody ends it; the guides' tests run it. */
const ENDLESS = 'sandbank listen';
/** What a reader has: the package's command, and curl; here it fails where the bank refuses, and stderr has each status. */
const READER = `npx() { [ "$1" = sandbank ] && shift && "${process.execPath}" "${LAUNCHER}" "$@"; }
curl() { command curl --fail-with-body -w '\\n%{stderr}%{http_code}\\n' "$@"; }
`;

const examples = examplesOf(README).filter(
  ({ heading, script }) => SECTIONS.includes(heading) && !script.includes(ENDLESS),
);
let ran: Outcome;

beforeAll(async () => {
  const bank = await startBank({ SANDBANK_PROFILE: 'ci', SANDBANK_RAILS: 'manual' });
  ran = await runScript(READER + examples.map(({ script }) => script).join('\n'), {
    SANDBANK_URL: bank.url,
    SANDBANK_API_KEY: 'test_default',
    SANDBANK_CONTROL_TOKEN: '',
  });
}, EXAMPLE_TIMEOUT_MS);

it('has lines in each of its sections', () => {
  expect([...new Set(examples.map(({ heading }) => heading))]).toEqual(SECTIONS);
});

it('has lines that all succeed', () => {
  expect(ran, ran.stderr + ran.stdout.slice(-2000)).toMatchObject({ code: 0 });
});

it('has ten operations, and shows the payment settled and then returned', () => {
  const statuses = ran.stderr.split('\n').filter((line) => /^\d{3}$/.test(line));
  expect(statuses.slice(0, 10).map(Number)).toEqual([201, 201, 200, 201, 201, 200, 200, 201, 201, 200]);
  const states = ran.stdout
    .split('\n')
    .filter((line) => line.startsWith('{"id":"txn_') && line.includes('"amount":"75.00"'))
    .map((line) => (JSON.parse(line) as { status: string }).status);
  expect(states).toEqual(['settled', 'returned']);
});
