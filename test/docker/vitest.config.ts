// `npm run test:docker`: what the guides promise for containers, with a Docker engine. The variables are in CONTRIBUTING.md.
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Decision 0044 says what runs weekly. */
const WEEKLY = ['test/docker/cluster.test.ts'];
const { SANDBANK_TEST_REPORT: report, SANDBANK_TEST_WHOLE } = process.env;

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/docker/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(SANDBANK_TEST_WHOLE === '1' ? [] : WEEKLY)],
    // Most of the time is spent on waiting for containers.
    maxWorkers: 3,
    globalSetup: ['test/docker/build.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // For tests that hang, long enough for a very busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report !== undefined && { outputFile: { json: report } }),
  },
});
