/**
 * The entry `sandbank/vitest`: `test` with a bank for each test, and matchers for what a test asks of one. One server
 * runs for each worker, or one for the whole run with `sandbank/vitest/global-setup`; a test gets a sandbox of its own on it, made in a few milliseconds, and what it asked and was
 * answered is printed when it fails, and written to a trace.
 */
import { randomUUID } from 'node:crypto';
import { test as base, inject, type TestAPI } from 'vitest';
import { connectSandbank, type Sandbank } from './bank.ts';
import './matchers.ts';
import type { StartOptions } from './start.ts';
import { DEFAULT_OPTIONS, SERVER_OF_RUN } from './vitest-server.ts';

/** What a test is given. */
export interface BankFixtures {
  /** The settings of the server; `test.extend('bankOptions', { scope: 'worker' }, {...})` makes a `test` with others. */
  readonly bankOptions: StartOptions;
  /** The server of this worker, or that of `sandbank/vitest/global-setup`, which the whole run shares. */
  readonly bankServer: Sandbank;
  /** A sandbox of the test's own, in which the clock stands still until it is moved. */
  readonly bank: Sandbank;
}

const SHOWN_REQUESTS = 20;

/** `test` with the fixture `bank`. */
export const test: TestAPI<BankFixtures> = base.extend<BankFixtures>({
  bankOptions: [DEFAULT_OPTIONS, { scope: 'worker' }],
  bankServer: [
    async ({ bankOptions }, use) => {
      const shared = bankOptions === DEFAULT_OPTIONS ? inject(SERVER_OF_RUN) : undefined;
      await using server = await (shared === undefined ? start(bankOptions) : connectSandbank(shared));
      await use(server);
    },
    { scope: 'worker' },
  ],
  bank: async ({ bankServer, task }, use) => {
    await using bank = await bankServer.inSandbox(`vitest_${randomUUID()}`);
    await bank.clock.freeze();
    await use(bank);
    if (task.result?.state !== 'fail') return;
    process.stderr.write(await writeJournal(task.name, bank));
    const [error] = task.result.errors ?? [];
    await bank.traceFailure(
      task.fullTestName ?? task.name,
      error && `${error.stack ?? error.message}${diffOf(error)}`,
    );
  },
});

/** Starts a server; with one for the whole run no worker loads what a server is made of. */
async function start(options: StartOptions): Promise<Sandbank> {
  const { startSandbank } = await import('./start.ts');
  return startSandbank(options);
}

export { test as it };

/** What was expected and received, as vitest prints it. */
function diffOf({ diff }: { diff?: string }): string {
  return diff === undefined ? '' : `\n\n${diff}`;
}

/** The test's requests, oldest first, as lines. */
async function writeJournal(name: string, bank: Sandbank): Promise<string> {
  const { requests } = await bank.requests();
  const lines = requests
    .slice(0, SHOWN_REQUESTS)
    .reverse()
    .map(({ method, path, status, request_body: sent, answer_body: answered }) =>
      [
        `  ${status} ${method} ${path}`,
        ...(sent === null ? [] : [`      sent      ${JSON.stringify(sent)}`]),
        ...(status >= 400 ? [`      answered  ${JSON.stringify(answered)}`] : []),
      ].join('\n'),
    );
  const summary = lines.length === 0 ? 'no requests to the bank.' : 'requests and responses:';
  return `\n${name}\n  ${summary}\n${lines.map((line) => `${line}\n`).join('')}`;
}
