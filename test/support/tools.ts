/**
 * Tools that only tests use, such as third-party linters. A folder of test/ lists them in a lock file, and they are
 * installed once for each state of it. They are not dependencies of the project, so `npm ci` does not install them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Installs the tools of `test/<name>` with these files; returns their folder. */
export function installTools(name: string, files: readonly string[] = []): string {
  const source = join(ROOT, 'test', name);
  const state = createHash('sha256').update(readFileSync(join(source, 'package-lock.json')));
  const folder = join(ROOT, 'node_modules/.cache', name, state.digest('hex').slice(0, 12));
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', ...files])
    cpSync(join(source, file), join(folder, file));
  if (!existsSync(join(folder, 'installed'))) {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'pipe',
    });
    writeFileSync(join(folder, 'installed'), '');
  }
  return folder;
}
