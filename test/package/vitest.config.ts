// `npm run test:package`: the tests that call a bank over HTTP, against a package that is installed from its packed file.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { partOfToday } from '../support/runs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const report = process.env.SANDBANK_TEST_REPORT;

/** Tests that start the program. */
const OF_THE_PROGRAM = [
  'test/contract/acceptance/v1-script.test.ts',
  'test/contract/acceptance/v2-quick-start.test.ts',
  'test/cli/docs.test.ts',
  'test/cli/mcp.test.ts',
  'test/server/process/control.test.ts',
  'test/server/process/metrics.test.ts',
  'test/server/process/start.test.ts',
  'test/server/process/stop.test.ts',
  'test/server/process/tls.test.ts',
  'test/readme.test.ts',
  'test/recipes.test.ts',
];
/** Tests that only call the server of `useHttp`, which is the installed program here. */
const OF_HTTP = [
  'contract/documents',
  'inspector/codes',
  // Each calls every operation, as it does in `npm test`.
  ...partOfToday(['contract/errors', 'contract/walk', 'contract/words'], 3),
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  root: ROOT,
  test: {
    include: [...OF_THE_PROGRAM, ...OF_HTTP],
    // The same number as in `npm test`.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: ['test/package/install.ts'],
    env: { SANDBANK_TEST_TARGET: 'package' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report !== undefined && { outputFile: { json: report } }),
  },
});
