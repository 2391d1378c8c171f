/**
 * Runs the commands of the README and of the guides "First steps" and "Develop" without changes, one block after another
 * in one shell, against a bank of the real program.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './cli/support.ts';
import { LAUNCHER, startBank } from './server/process/support.ts';
import { EXAMPLE_TIMEOUT_MS, examplesOf, type Outcome, runScript } from './support/page-examples.ts';

const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
/** It does not end by itself; the tests of the command line run it. */
const ENDLESS = 'sandbank listen';
/**
 * The reader's tools: the package's command, and curl, which here fails if the bank refuses and writes each status to
 * stderr.
 */
const READER = `sandbank() { "${process.execPath}" "${LAUNCHER}" "$@"; }
node() { "${process.execPath}" "$@"; }
curl() { command curl --fail-with-body -w '\\n%{stderr}%{http_code}\\n' "$@"; }
`;

const LISTENS = 'until command curl -s -o /dev/null http://127.0.0.1:4900/; do sleep 0.1; done\n';

/** Runs the sections of a page that call a running bank; `change` replaces what a reader does manually. */
async function runPage(
  path: string,
  sections: readonly string[],
  change: (script: string) => string = (script) => script,
): Promise<Outcome & { statuses: string[] }> {
  const all = examplesOf(readFileSync(pathOf(path), 'utf8'));
  const examples = sections.flatMap((section) => {
    const found = all.filter(({ heading, script }) => heading === section && !script.includes(ENDLESS));
    expect(found.length, section).toBeGreaterThan(0);
    return found;
  });
  const bank = await startBank({ SANDBANK_PROFILE: 'ci', SANDBANK_RAILS: 'manual' });
  const ran = await runScript(change([READER, ...examples.map(({ script }) => script)].join('\n')), {
    SANDBANK_URL: bank.url,
    SANDBANK_API_KEY: 'test_default',
    SANDBANK_CONTROL_TOKEN: '',
  });
  const statuses = ran.stderr.split('\n').filter((line) => /^\d{3}$/.test(line));
  expect(ran, ran.stderr + ran.stdout.slice(-2000)).toMatchObject({ code: 0 });
  return { ...ran, statuses };
}

/** Replaces what differs between runs: instants and ids. */
const settled = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/\b(txn|mas|sub)_\w+/g, '$1');

describe('the first command of the README', () => {
  it(
    'prints the documented output from a bank that was started as the README says',
    async () => {
      const [start, first] = examplesOf(readFileSync(pathOf('README.md'), 'utf8'));
      expect(start?.script).toBe('npm ci && npm start -- --rails manual\n');
      const bank = await startBank({ SANDBANK_RAILS: 'manual' });
      const ran = await runScript(READER + first?.script, {
        SANDBANK_URL: bank.url,
        SANDBANK_API_KEY: 'test_default',
        SANDBANK_CONTROL_TOKEN: '',
      });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(settled(ran.stdout)).toBe(settled(first?.prints ?? ''));
    },
    EXAMPLE_TIMEOUT_MS,
  );
});

describe('the guide to the first steps', () => {
  let ran: Awaited<ReturnType<typeof runPage>>;
  beforeAll(async () => {
    ran = await runPage('docs/guides/first-steps.md', [
      'Ten operations',
      'Follow a payment',
      'Receive webhooks',
      'A bank for each test',
    ]);
  }, EXAMPLE_TIMEOUT_MS);

  it('lists ten operations that succeed', () => {
    expect(ran.statuses.slice(0, 10).join(' ')).toBe('201 201 200 201 201 200 200 201 201 200');
  });

  it('shows the payment as settled and then as returned', () => {
    const states = ran.stdout
      .split('\n')
      .filter((line) => line.startsWith('{"id":"txn_') && line.includes('"amount":"75.00"'))
      .map((line) => (JSON.parse(line) as { status: string }).status);
    expect(states).toEqual(['settled', 'returned']);
  });
});

describe('the guide for development', () => {
  it(
    'contains only lines that succeed, and a receiver that prints both events',
    async () => {
      const guide = readFileSync(pathOf('docs/guides/develop.md'), 'utf8');
      const receiver = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
      const packaged = receiver.replace("'sandbank/webhooks'", `'${pathOf('src/kit/client/webhook.ts')}'`);
      const port = String(await freePort());
      const { stdout } = await runPage(
        'docs/guides/develop.md',
        ['Explore the bank', 'Simulate events', 'Save and restore a state', 'Receive webhooks'],
        (script) =>
          [
            `cat > receiver.mjs <<'END'\n${packaged}END`,
            script.replace('node receiver.mjs &\n', `node receiver.mjs > received.txt &\n${LISTENS}`),
            'until grep -q account.debit received.txt; do sleep 0.1; done',
            'cat received.txt',
          ]
            .join('\n')
            .replaceAll('4900', port),
      );
      expect(stdout).toMatch(/^card\.spend txn-/m);
      expect(stdout).toMatch(/^account\.debit txn-/m);
    },
    EXAMPLE_TIMEOUT_MS,
  );
});
