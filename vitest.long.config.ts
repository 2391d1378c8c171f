// `npm run test:long`: what takes longer than a person waits, or needs more than Node.
import { defineConfig, mergeConfig } from 'vitest/config';
import usual, { LONG } from './vitest.config.ts';

/** Files of `npm test` that try what is made up; here they try many times as much. */
const AGAIN = [
  'test/compare/recording.property.test.ts',
  'test/bank/books.property.test.ts',
  'test/sandbox/time-travel.test.ts',
  'test/http/control/state.test.ts',
  'test/store/fault-injection.test.ts',
  'test/store/fault-injection-control.test.ts',
  'test/store/fault-injection-jobs.test.ts',
];

const { SANDBANK_PROPERTY_RUNS = '2000', SANDBANK_FUZZ_RUNS = '20', SANDBANK_TEST_SEED = '1' } = process.env;

const { include: _, exclude: __, ...rest } = usual.test ?? {};

export default mergeConfig(
  { test: rest },
  defineConfig({
    test: {
      include: ['test/long/**/*.test.ts', 'test/package/**/*.test.ts', ...LONG, ...AGAIN],
      // Browsers and servers under torture are at work beside the workers.
      maxWorkers: '100%',
      env: { SANDBANK_PROPERTY_RUNS, SANDBANK_FUZZ_RUNS, SANDBANK_TEST_SEED },
    },
  }),
);
