/**
 * The entry `sandbank/vitest/global-setup`: one server for a whole run of vitest, which the tests of every file share.
 * Each test still has a sandbox of its own. Without it each worker starts a server.
 */
import type { TestProject } from 'vitest/node';
import { type StartOptions, startSandbank } from './start.ts';
import { DEFAULT_OPTIONS, placeOf, SERVER_OF_RUN } from './vitest-server.ts';

/** A global set-up that starts a server with these settings; `export default bankOfRun({ rails: 'fast' })`. */
export function bankOfRun(
  options: StartOptions = DEFAULT_OPTIONS,
): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const bank = await startSandbank(options);
    project.provide(SERVER_OF_RUN, placeOf(bank));
    return bank.close;
  };
}

const setup: (project: TestProject) => Promise<() => Promise<void>> = bankOfRun();
export default setup;
