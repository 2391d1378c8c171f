/**
 * `npm run mutants`: applies each mutant of `mutants.ts` to a copy of the project and runs the tests that should
 * fail. A mutant survives if no test fails, and is stale if its file no longer contains its text. In both cases the
 * exit code is 1. Words after the command select mutants by file: `npm run mutants -- ledger`.
 *
 * `npm run mutants -- --random 20 --seed 1 src/bank`: random mutants of the sources below a folder. First all fast
 * tests run once, and record which test files reach which lines. Then each mutant runs the tests that reach its line,
 * the nearest and shortest first, until one fails. `--skip 10` leaves out the first ten, `--seconds 60` stops after
 * tests that take a minute, `--reached FILE` keeps the record for the next run of the same sources.
 *
 * `npm run mutants -- --random 20 --beside test/server/http/a.test.ts`: 20 random mutants of lines that this test file reaches. Those that
 * it notices run in the others, and the survivors are what only it notices.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isStale, MUTANTS } from './mutants.ts';
import { type RandomMutant, randomMutants, testsOf } from './random.ts';
import { placeOf, type Reached, recordReached } from './reach.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = new Set(['node_modules', '.git', 'dist']);
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A run that never ends counts as a failure. */
const DEADLINE_MS = 120_000;
/** A run of all tests. */
const ALL_DEADLINE_MS = 1_800_000;
/** How long the tests of the first run of a mutant take together; those of the second, four times as long. */
const FIRST_MS = 3_000;
/** Each worker imports the modules again, which takes longer than the tests of a first run. */
const ONE_WORKER = ['--maxWorkers', '1'];

const { values, positionals: words } = parseArgs({
  options: {
    random: { type: 'string' },
    seed: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    reached: { type: 'string' },
    seconds: { type: 'string', default: 'Infinity' },
    beside: { type: 'string' },
  },
  allowPositionals: true,
});
const chosen = MUTANTS.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'sandbank-mutants-'));

/**
 * Runs these tests in the copy, or all if there are none, and returns the test file that fails first; undefined if
 * all pass.
 */
async function failing(
  tests: readonly string[],
  deadlineMs = DEADLINE_MS,
  options: readonly string[] = [],
): Promise<string | undefined> {
  const bail = tests.length === 0 ? [] : ['--bail', '1', '--passWithNoTests'];
  const cache = ['--experimental.fsModuleCache', '--experimental.fsModuleCachePath', join(folder, 'modules')];
  const args = [
    VITEST,
    'run',
    '--project',
    'usual',
    '--reporter',
    'dot',
    ...bail,
    ...cache,
    ...options,
    ...tests,
  ];
  // A separate process group: a worker in an endless loop does not receive a signal to its parent.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const deadline = setTimeout(
    () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    deadlineMs,
  );
  const [code] = await once(child, 'close');
  clearTimeout(deadline);
  if (code === 0) return undefined;
  return /test\/\S+\.test\.ts/.exec(errors)?.[0] ?? (code === null ? 'the time limit' : 'an error');
}

try {
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) =>
      !relative(ROOT, path)
        .split('/')
        .some((name) => NOT_COPIED.has(name)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  if (values.random === undefined) await runChosen();
  else await runRandom(Number(values.random), Number(values.seed), Number(values.skip));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runChosen(): Promise<void> {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const failed = await failing(all);
  if (failed !== undefined) throw new Error(`this test fails without any mistake: ${failed}`);
  const wrong: string[] = [];
  for (const mutant of chosen) {
    const { file, text, replacement, tests } = mutant;
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source.replace(text, () => replacement),
    );
    const result = isStale(mutant, source)
      ? 'stale'
      : (await failing(tests)) === undefined
        ? 'lives'
        : 'noticed';
    writeFileSync(path, source);
    const line = `${result.padEnd(8)} ${file}: ${text} -> ${replacement === '' ? 'nothing' : replacement}`;
    process.stdout.write(`${line}\n`);
    if (result !== 'noticed') wrong.push(line);
  }
  process.stdout.write(`${chosen.length - wrong.length} of ${chosen.length} noticed\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

async function runRandom(count: number, seed: number, skip: number): Promise<void> {
  const mutants = randomMutants(ROOT, words[0] ?? 'src', seed);
  // Some tests need the built program, which has no mistake.
  spawnSync(process.execPath, ['build/bundle.mjs'], { cwd: folder });
  const all = randomMutants(ROOT, 'src', seed);
  const output = values.reached ?? join(folder, 'reached.jsonl');
  const reached = await recordReached(folder, all, output, () => failing([], ALL_DEADLINE_MS));
  const failed = reached.filter(({ hasFailed }) => hasFailed).map(({ test }) => test);
  if (failed.length > 0)
    process.stdout.write(`left out, because they fail without a mistake: ${failed.join(' ')}\n`);
  process.stdout.write(`${reached.length} test files ran, ${mutants.length} lines can be mutated\n`);
  let noticed = 0;
  const { beside } = values;
  const ofBeside = reached.find(({ test }) => test === beside);
  if (beside !== undefined && ofBeside === undefined) throw new Error(`no test file that ran is ${beside}`);
  const others = reached.filter(({ test }) => test !== beside);
  const candidates =
    ofBeside === undefined ? mutants : mutants.filter((mutant) => ofBeside.places.has(placeOf(mutant)));
  const tried = candidates.slice(skip, skip + count);
  for (const mutant of tried) {
    const { file, line, text, replacement } = mutant;
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source
        .split('\n')
        .with(line - 1, replacement)
        .join('\n'),
    );
    const isMissed = beside !== undefined && (await failing([beside], DEADLINE_MS, ONE_WORKER)) === undefined;
    const result = isMissed ? `not noticed by ${beside}` : await fateOf(mutant, others);
    writeFileSync(path, source);
    if (isMissed || result.startsWith('noticed')) noticed += 1;
    process.stdout.write(`${result} ${file}:${line}: ${text.trim()} -> ${replacement.trim() || 'nothing'}\n`);
  }
  const what = beside === undefined ? 'noticed' : `noticed without ${beside}, or not by it,`;
  process.stdout.write(`${noticed} of ${tried.length} ${what} with seed ${seed}\n`);
  process.exitCode = noticed === tried.length ? 0 : 1;
}

/** Runs the tests that reach a mutant's line, in runs of which each takes longer than the one before. */
async function fateOf(mutant: RandomMutant, reached: readonly Reached[]): Promise<string> {
  const near = new Set(testsOf(ROOT, mutant.file));
  // What is made once, such as a prepared statement, reaches its line only in the first test file of a worker, and a line
  // outside of functions in none. So the tests that reach the rest of its file come last.
  const ranks = reached.map((one) => {
    const isExact = one.places.has(placeOf(mutant));
    const isNear = near.has(one.test);
    const isInFile = isNear || [...one.places].some((place) => place.startsWith(`${mutant.file}:`));
    return { ...one, rank: isExact ? Number(!isNear) : isInFile ? 2 : 3 };
  });
  const tests = ranks
    .filter(({ hasFailed, rank }) => !hasFailed && rank < 3)
    .toSorted((one, other) => one.rank - other.rank || one.ms - other.ms);
  const limitMs = Number(values.seconds) * 1000;
  let [ranMs, ran, roundMs] = [0, 0, FIRST_MS];
  while (ran < tests.length && ranMs < limitMs) {
    const round: string[] = [];
    for (let ms = 0; ms < roundMs && ran < tests.length && ranMs < limitMs; ran += 1) {
      const { test, ms: takes } = tests[ran] as Reached;
      round.push(test);
      ms += takes;
      ranMs += takes;
    }
    const failed = await failing(round, DEADLINE_MS + 5 * roundMs, roundMs === FIRST_MS ? ONE_WORKER : []);
    if (failed !== undefined) return `noticed by ${failed}`;
    roundMs *= 4;
  }
  return `lives after ${ran} of ${tests.length} tests`;
}
