// Four projects: `usual` is `npm test`; `long` and `workerd` are `npm run test:long`: tests that take too long for it, or
// need more than Node, and tests that call a bank over HTTP, against a bank whose sandboxes are objects of workerd.
// `program` runs the tests of whole programs from the sources; `npm run test:package` runs them as installed.
// `npm run test:long` runs a share of these; SANDBANK_TEST_WHOLE=1 runs all of them (docs/decisions/0044).
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { IN_EVERY_RUN, NOT_RUN } from './test/cluster/workerd/allowed.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { partOfToday } from './test/support/runs.ts';
import { WORKERD } from './test/support/workerd-program.ts';

/** Tests of whole programs. `npm run test:package` runs them against the installed package. */
const PROGRAM = [
  'test/contract/acceptance/v1-script.test.ts',
  'test/contract/acceptance/v2-quick-start.test.ts',
  'test/cli/docs.test.ts',
  'test/recipes.test.ts',
  'test/server/process/start.test.ts',
  'test/server/process/stop.test.ts',
  'test/server/process/tls.test.ts',
];

/** Files outside of `test/long` that are too slow for `npm test`. */
const LONG = [
  'test/contract/acceptance/mobile-app.test.ts',
  'test/cli/exec.test.ts',
  'test/server/http/bad-input-v1.test.ts',
  'test/server/http/bad-input-v2.test.ts',
  'test/server/http/control/failing-commits.test.ts',
  'test/server/http/resting.test.ts',
  'test/server/http/zero-values.test.ts',
  'test/kit/vitest.test.ts',
  'test/server/process/data.test.ts',
  'test/server/process/seed.test.ts',
  'test/sandboxes/registry/parallel.test.ts',
  'test/torture/options.test.ts',
];

/** Files of `npm test` with random input or a sample, which a whole run repeats with many more runs or completely. */
const RANDOM = [
  'test/bank/store/fault-injection.test.ts',
  'test/bank/store/fault-injection-closing.test.ts',
  'test/bank/store/fault-injection-control.test.ts',
  'test/bank/store/fault-injection-jobs.test.ts',
  'test/bank/store/fault-injection-journal.test.ts',
  'test/bank/store/fault-injection-replay.test.ts',
  'test/bank/store/waiting-rows.test.ts',
  'test/compare/recording.property.test.ts',
  'test/bank/verbs/books.property.test.ts',
  'test/bank/verbs/groups.property.test.ts',
  'test/sandboxes/sandbox/time-travel.test.ts',
  'test/server/http/control/state.test.ts',
];

/** Files that a run with each change omits. Each has a part, or a sample, in a file that runs with each change. */
const WEEKLY = [
  'test/long/check-page.test.ts',
  'test/long/cluster-guide.test.ts',
  'test/long/compare-guide.test.ts',
  'test/long/full-disk.test.ts',
  'test/long/generators.test.ts',
  'test/long/import-turns.test.ts',
  'test/long/inspector-questions.test.ts',
  'test/long/inspector-tabs.test.ts',
  'test/long/object-rows.test.ts',
  'test/long/release.test.ts',
  'test/long/samples.test.ts',
  'test/long/tools.test.ts',
  'test/long/torture.test.ts',
  'test/long/workflows.test.ts',
  'test/package/action.test.ts',
  'test/sandboxes/registry/parallel.test.ts',
  'test/server/http/control/failing-commits.test.ts',
];

/**
 * Long tests that take turns by the date; the others of `long` run with each change. Five groups of about the same time:
 * a number that shares no factor with those of the parts that take turns inside of these files.
 */
const TURNS = [
  // The cluster, and the bank in workerd.
  [
    'test/long/cluster-directory.test.ts',
    'test/long/cluster-faults.test.ts',
    'test/long/cluster.test.ts',
    'test/long/kubernetes.test.ts',
    'test/long/worker-images.test.ts',
    'test/long/worker.test.ts',
  ],
  // The documents, and what other tools make of them.
  [
    'test/long/answers.test.ts',
    'test/long/client-types.test.ts',
    'test/long/collections.test.ts',
    'test/long/docs-pages.test.ts',
    'test/long/docs.test.ts',
    'test/long/linters.test.ts',
  ],
  // Programs that use the bank, and a second bank.
  [
    'test/contract/acceptance/mobile-app.test.ts',
    'test/long/clients.test.ts',
    'test/long/compare-mutants.test.ts',
    'test/long/compare-recordings.test.ts',
    'test/long/compare.test.ts',
    'test/long/containers.test.ts',
    'test/long/guide-code.test.ts',
    'test/long/languages.test.ts',
    'test/long/mobile-app.test.ts',
  ],
  // Bad, random and simulated input.
  [
    'test/long/fuzz.test.ts',
    'test/long/simulated-fields.test.ts',
    'test/long/vault.test.ts',
    'test/server/http/bad-input-v1.test.ts',
    'test/server/http/bad-input-v2.test.ts',
    'test/server/http/zero-values.test.ts',
  ],
  // Data that outlives a process, much data, and long times.
  [
    'test/long/first-start.test.ts',
    'test/long/history.test.ts',
    'test/long/journal-kill.test.ts',
    'test/long/seed-templates.test.ts',
    'test/long/webhook-load.test.ts',
    'test/long/years.test.ts',
    'test/server/http/resting.test.ts',
    'test/server/process/data.test.ts',
    'test/server/process/seed.test.ts',
  ],
];
const OF_TODAY = new Set(partOfToday(TURNS, TURNS.length).flat());
/** What a run with each change omits, unless the command line names the file. */
const NOT_NOW = [...WEEKLY, ...TURNS.flat()].filter(
  (file) => !OF_TODAY.has(file) && !process.argv.some((word) => word.includes('/') && file.includes(word)),
);

// A moved file would be in no list, and run with each change.
const missing = [...PROGRAM, ...LONG, ...RANDOM, ...WEEKLY, ...TURNS.flat()].filter(
  (file) => !existsSync(file),
);
if (missing.length > 0)
  throw new Error(`vitest.config.ts names files that do not exist: ${missing.join(', ')}`);

const IS_WHOLE = process.env.SANDBANK_TEST_WHOLE === '1';
const {
  SANDBANK_PROPERTY_RUNS = IS_WHOLE ? '1000' : '150',
  SANDBANK_FUZZ_RUNS = IS_WHOLE ? '8' : '',
  SANDBANK_FUZZ_REQUESTS = IS_WHOLE ? '20000' : '4000',
  SANDBANK_TORTURE_MINUTES = IS_WHOLE ? '2' : '0.5',
  SANDBANK_TEST_SEED = '1',
  SANDBANK_TEST_REPORT: report,
} = process.env;

/** Tests that call a bank, whichever it is. If workerd is not installed, one test fails with that name. */
const OF_A_BANK = [
  'test/server/http/*.test.ts',
  'test/reference/*.test.ts',
  'test/server/http/control/*.test.ts',
  'test/contract/acceptance/*.test.ts',
  'test/recipes.test.ts',
];
const common = {
  // A worker loads the program once for all its files, because a bank has no state outside of itself.
  isolate: false,
  setupFiles: ['test/support/each-file.ts'],
  // Limits for tests that hang, long enough for a very busy machine. No test measures speed: the benchmark does.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Vitest's default of a second is the speed of an idle machine.
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    // One more than the number of cores, because some tests wait for a process or a timer. Vitest's default leaves a core idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report !== undefined && { outputFile: { json: report } }),
    projects: [
      {
        test: {
          ...common,
          name: 'usual',
          include: ['test/**/*.test.ts'],
          exclude: [
            ...configDefaults.exclude,
            'test/long/**',
            'test/package/**',
            'test/docker/**',
            'test/cluster/workerd/**',
            ...LONG,
            ...PROGRAM,
          ],
        },
      },
      {
        test: {
          ...common,
          name: 'long',
          include: [
            'test/long/**/*.test.ts',
            'test/package/**/*.test.ts',
            ...LONG,
            ...(IS_WHOLE ? RANDOM : []),
          ],
          exclude: [...configDefaults.exclude, ...(IS_WHOLE ? [] : NOT_NOW)],
          sequence: { groupOrder: 1 },
          env: {
            SANDBANK_PROPERTY_RUNS,
            SANDBANK_FUZZ_RUNS,
            SANDBANK_FUZZ_REQUESTS,
            SANDBANK_TORTURE_MINUTES,
            SANDBANK_TEST_SEED,
          },
        },
      },
      {
        test: { ...common, name: 'program', include: PROGRAM, sequence: { groupOrder: 3 } },
      },
      {
        test: {
          ...common,
          name: 'workerd',
          include: [
            'test/cluster/workerd/*.test.ts',
            ...(WORKERD === '' ? [] : IS_WHOLE ? OF_A_BANK : partOfToday(IN_EVERY_RUN, 3)),
          ],
          exclude: [...configDefaults.exclude, ...NOT_RUN.map(({ file }) => `test/${file}`)],
          setupFiles: [...common.setupFiles, 'test/cluster/workerd/each-test.ts'],
          // Beside the last files of the project above, so that no core waits for them.
          sequence: { groupOrder: 1 },
          env: { SANDBANK_TEST_TARGET: 'workerd' },
        },
      },
    ],
  },
});
