/** Copies the project as in a commit, without generated files, for tests that build, start or release it. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Copies the files that git tracks, or would track, to a folder, and links the installed dependencies. */
export function copyProject(to: string): void {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  for (const path of listed) {
    if (path === '' || !existsSync(join(ROOT, path))) continue;
    cpSync(join(ROOT, path), join(to, path), { preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}
