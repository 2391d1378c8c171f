import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const report = process.env.SANDBANK_TEST_REPORT;

/**
 * Files outside of `test/long` that only `npm run test:long` runs: they start, kill or wait for whole programs many times, or
 * try every operation in many wrong ways.
 */
export const LONG = [
  'test/acceptance/v1-script.test.ts',
  'test/acceptance/v2-quick-start.test.ts',
  'test/cli/exec.test.ts',
  'test/cli/fleet-races.test.ts',
  'test/http/bad-input-v1.test.ts',
  'test/http/bad-input-v2.test.ts',
  'test/http/control/failing-commits.test.ts',
  'test/http/zero-values.test.ts',
  'test/kit/vitest.test.ts',
  'test/process/data.test.ts',
  'test/recipes.test.ts',
  'test/registry/parallel.test.ts',
  'test/torture/options.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What takes longer, or needs more than Node: vitest.long.config.ts.
    exclude: [...configDefaults.exclude, 'test/long/**', 'test/package/**', ...LONG],
    // A worker loads the program once for all of its files: a bank keeps nothing outside of itself.
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    // One more than there are cores: some tests wait for a process or a timer. Vitest's own choice leaves a core idle.
    maxWorkers: availableParallelism() + 1,
    // A test that hangs ends; one on a busy machine is let finish. Whatever has to be quick says so itself.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report !== undefined && { outputFile: { json: report } }),
  },
});
