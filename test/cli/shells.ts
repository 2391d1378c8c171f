/** Runs programs with the command `sandbank` on their path, as in a person's shell. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LAUNCHER, makeFolder } from '../server/process/support.ts';

/** Runs a program with `sandbank` on its path and a separate home folder; returns its stdout. */
export function shellWithCommand(): (program: string, words: readonly string[]) => string {
  const folder = makeFolder();
  const command = `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`;
  writeFileSync(join(folder, 'sandbank'), command, { mode: 0o755 });
  const environment = { PATH: `${folder}${delimiter}${process.env.PATH}`, HOME: folder, TERM: 'dumb' };
  return (program, words) =>
    execFileSync(program, words, {
      env: environment,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
}
