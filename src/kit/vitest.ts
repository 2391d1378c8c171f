/**
 * The entry `sandbank/vitest`: `test` with a bank for each test, and matchers. One server runs for each worker, or,
 * with `sandbank/vitest/global-setup`, one for the whole run. Each test gets its own sandbox on this server, which is
 * created in a few milliseconds. When a test fails, its requests and deliveries are printed and written to a trace.
 */
import { randomUUID } from 'node:crypto';
import { test as base, inject, type TestAPI } from 'vitest';
import { connectSandbank, type Sandbank } from './bank.ts';
import './matchers.ts';
import type { StartOptions } from './start.ts';
import { errorText } from './traces.ts';
import { DEFAULT_OPTIONS, makeOne, SERVER_OF_RUN } from './vitest-server.ts';

/** The fixtures of a test. */
export interface BankFixtures {
  /** The settings of the server; `test.extend('bankOptions', { scope: 'worker' }, {...})` makes a `test` with others. */
  readonly bankOptions: StartOptions;
  /** The server of this worker, or that of `sandbank/vitest/global-setup`, which the whole run shares. */
  readonly bankServer: Sandbank;
  /** The sandbox of the test, with a frozen clock. */
  readonly bank: Sandbank;
}

const START_LIMIT_MS = 60_000;

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
    const [error] = task.result.errors ?? [];
    await bank.traceFailure(task.fullTestName ?? task.name, error && errorText(error));
  },
});

// The server starts in a hook, with a limit of its own: the first test of a file does not wait for it.
test.beforeAll(({ bankServer: _ }) => {}, START_LIMIT_MS);

/**
 * Starts a server. It is imported lazily, so that with one server for the whole run no worker loads the server code.
 */
async function start(options: StartOptions): Promise<Sandbank> {
  const { startSandbank } = await import('./start.ts');
  const server = await startSandbank(options);
  await makeOne(server);
  return server;
}

export { test as it };
