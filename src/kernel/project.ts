/**
 * Where the files beside the program are: migrations, fixtures, the package's own description. The sources lie two
 * folders below the project, the bundle one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

const PROJECT = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url);

/** The address of a file or folder of the project, by its path from the project's folder. */
export function projectFile(path: string): URL {
  return new URL(path, PROJECT);
}

/** In the package, pages and other long files are compressed (build/package.mjs). */
const COMPRESSED = '.br';

/** The content of a file of the project; `undefined` where there is none. */
export function readProjectFile(path: string): Buffer | undefined {
  const file = projectFile(path);
  if (existsSync(file)) return readFileSync(file);
  const compressed = projectFile(path + COMPRESSED);
  return existsSync(compressed) ? brotliDecompressSync(readFileSync(compressed)) : undefined;
}

/** A file that was made together with the bundle; `undefined` for the sources, which may have changed since. */
export function readMadeFile(name: string): Buffer | undefined {
  if (import.meta.url.endsWith('.ts')) return undefined;
  const file = new URL(name, import.meta.url);
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** The files below a folder of the project, from it and with forward slashes; none where there is no such folder. */
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
