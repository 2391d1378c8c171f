/**
 * `npm run mutants`: applies each mutant of `mutants.ts` to a copy of the project and runs the tests that should
 * fail. A mutant survives if no test fails, and is stale if its file no longer contains its text. In both cases the
 * exit code is 1. Words after the command select mutants by file: `npm run mutants -- ledger`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale, MUTANTS } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_COPIED = new Set(['node_modules', '.git', 'dist']);
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A run that never ends counts as a failure. */
const DEADLINE_MS = 120_000;

const words = process.argv.slice(2);
const chosen = MUTANTS.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'sandbank-mutants-'));

/** Whether these tests pass in the copy. */
async function pass(tests: readonly string[]): Promise<boolean> {
  // A separate process group: a worker in an endless loop does not receive a signal to its parent.
  const child = spawn(process.execPath, [VITEST, 'run', '--project', 'usual', '--bail', '1', ...tests], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  const deadline = setTimeout(
    () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'),
    DEADLINE_MS,
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
} finally {
  rmSync(folder, { recursive: true, force: true });
}
