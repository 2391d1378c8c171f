import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

const report = process.env.SANDBANK_TEST_REPORT;

/** Files that start, kill or wait for whole programs many times, or run another test runner: `npm run test:long` has them. */
export const WHOLE_PROGRAMS = [
  'test/acceptance/v1-script.test.ts',
  'test/acceptance/v2-quick-start.test.ts',
  'test/cli/exec.test.ts',
  'test/kit/vitest.test.ts',
  'test/process/data.test.ts',
  'test/recipes.test.ts',
];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What takes longer, or needs more than Node: vitest.long.config.ts.
    exclude: [...configDefaults.exclude, 'test/long/**', 'test/package/**', ...WHOLE_PROGRAMS],
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
