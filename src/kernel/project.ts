/**
 * Where the files beside the program are: migrations, fixtures, the package's own description. The sources lie two
 * folders below the project, the bundle one.
 */
import { readFileSync } from 'node:fs';

const PROJECT = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url);

/** The address of a file or folder of the project, by its path from the project's folder. */
export function projectFile(path: string): URL {
  return new URL(path, PROJECT);
}

/** The version of this package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  return version;
}
