/**
 * The entry `sandbank/vitest/global-setup`: one server for a whole run of vitest, shared by all test files. Each test
 * still has its own sandbox. Without this entry each worker starts a server.
 */
import type { TestProject } from 'vitest/node';
import { type StartOptions, startSandbank } from './start.ts';
import { DEFAULT_OPTIONS, makeOne, placeOf, SERVER_OF_RUN } from './vitest-server.ts';

/** Creates a global setup that starts a server with these settings; `export default bankOfRun({ rails: 'fast' })`. */
export function bankOfRun(
  options: StartOptions = DEFAULT_OPTIONS,
): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const bank = await startSandbank(options);
    await makeOne(bank);
    project.provide(SERVER_OF_RUN, placeOf(bank));
    return bank.close;
  };
}

const setup: (project: TestProject) => Promise<() => Promise<void>> = bankOfRun();
export default setup;
