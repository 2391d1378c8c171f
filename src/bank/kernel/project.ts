/**
 * Finds the files that belong to the program: migrations, fixtures, `package.json`. The sources of this module are three folders below
 * the project folder, the bundle is one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const PROJECT = new URL(import.meta.url.endsWith('.ts') ? '../../../' : '../', import.meta.url);

/** The URL of a file or folder of the project, by its path in the project folder. */
export function projectFile(path: string): URL {
  return new URL(path, PROJECT);
}

/** In the package, pages and other long files are compressed (build/package.mjs). */
const COMPRESSED = '.br';

/** The contents of a file of the project; `undefined` if it does not exist. */
export function readProjectFile(path: string): Buffer | undefined {
  const file = projectFile(path);
  if (existsSync(file)) return readFileSync(file);
  const compressed = projectFile(path + COMPRESSED);
  return existsSync(compressed) ? brotliDecompressSync(readFileSync(compressed)) : undefined;
}

/** The content of a file that is only served. A worker has no disk and gets it from its assets (build/worker.mjs). */
export async function readServedFile(path: string): Promise<Buffer | undefined> {
  return readProjectFile(path);
}

/** A file that was made from the sources; `undefined` when the sources run, because they may have changed since. */
export function readMadeFile(path: string): Buffer | undefined {
  return import.meta.url.endsWith('.ts') ? undefined : readProjectFile(path);
}

/**
 * The paths of the files below a folder of the project, relative to it and with forward slashes; empty if it does not
 * exist.
 */
export function projectFilesIn(folder: string): string[] {
  try {
    return readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .map((name) => name.replaceAll('\\', '/').replace(/\.br$/, ''));
  } catch {
    return [];
  }
}

/** The version of this package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string };
  return version;
}
