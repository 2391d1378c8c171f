/**
 * `npm run mutants`: applies each mutant of `mutants.ts` to a copy of the project and runs the tests that should
 * fail. A mutant survives if no test fails, and is stale if its file no longer contains its text. In both cases the
 * exit code is 1. Words after the command select mutants by file: `npm run mutants -- ledger`.
 *
 * `npm run mutants -- --random 20 --seed 1 src/bank`: random mutants of the sources below a folder. The tests that
 * import the file and those of its folder run first, then all that reach it by imports. Prints the survivors.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isStale, MUTANTS } from './mutants.ts';
import { randomMutants, testsOf } from './random.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = new Set(['node_modules', '.git', 'dist']);
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A run that never ends counts as a failure. */
const DEADLINE_MS = 120_000;

/** All tests that reach a file take longer. */
const ALL_DEADLINE_MS = 1_200_000;

const { values, positionals: words } = parseArgs({
  options: { random: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const chosen = MUTANTS.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'sandbank-mutants-'));

/** Whether these tests pass in the copy. */
async function pass(
  tests: readonly string[],
  command: readonly string[] = ['run'],
  deadlineMs = DEADLINE_MS,
): Promise<boolean> {
  // A separate process group: a worker in an endless loop does not receive a signal to its parent.
  const args = [VITEST, ...command, '--project', 'usual', '--bail', '1', '--passWithNoTests', ...tests];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore', detached: true });
  const deadline = setTimeout(
    () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    deadlineMs,
  );
  const [code] = await once(child, 'exit');
  clearTimeout(deadline);
  return code === 0;
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
  else await runRandom(Number(values.random), Number(values.seed));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runChosen(): Promise<void> {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))];
  if (!(await pass(all))) throw new Error(`the tests fail without any mistake: ${all.join(' ')}`);
  const wrong: string[] = [];
  for (const mutant of chosen) {
    const { file, text, replacement, tests } = mutant;
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source.replace(text, () => replacement),
    );
    const result = isStale(mutant, source) ? 'stale' : (await pass(tests)) ? 'lives' : 'noticed';
    writeFileSync(path, source);
    const line = `${result.padEnd(8)} ${file}: ${text} -> ${replacement === '' ? 'nothing' : replacement}`;
    process.stdout.write(`${line}\n`);
    if (result !== 'noticed') wrong.push(line);
  }
  process.stdout.write(`${chosen.length - wrong.length} of ${chosen.length} noticed\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

async function runRandom(count: number, seed: number): Promise<void> {
  let alive = 0;
  for (const { file, line, text, replacement } of randomMutants(ROOT, words[0] ?? 'src', count, seed)) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      source
        .split('\n')
        .with(line - 1, replacement)
        .join('\n'),
    );
    const near = testsOf(ROOT, file);
    const isNoticed =
      (near.length > 0 && !(await pass(near))) ||
      !(await pass([file], ['related', '--run'], ALL_DEADLINE_MS));
    writeFileSync(path, source);
    if (!isNoticed) alive += 1;
    const result = isNoticed ? 'noticed' : 'lives';
    process.stdout.write(
      `${result.padEnd(8)} ${file}:${line}: ${text.trim()} -> ${replacement.trim() || 'nothing'}\n`,
    );
  }
  process.stdout.write(`${count - alive} of ${count} noticed with seed ${seed}\n`);
  process.exitCode = alive === 0 ? 0 : 1;
}
