/**
 * The files of a data directory that are no banks. One is written whole under another name first, so that nobody ever
 * reads half of it; one that cannot be read stops the start, because to go on without it would lose what it holds.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A file of the data directory that is not as it was written; the message says what to do. */
export class DataFileError extends Error {}

/** Writes a file so that nobody ever reads half of it. */
export function writeWhole(path: string, content: Buffer | string, mode = 0o666): void {
  const half = `${path}.half`;
  try {
    writeFileSync(half, content, { mode });
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
}

/**
 * What a JSON file holds, as `read` understands it, which answers `undefined` for what it does not; `undefined` where there
 * is no file. `what` says in the error what it holds. Throws `DataFileError`.
 */
export function readJson<T>(
  path: string,
  what: string,
  read: (value: unknown) => T | undefined,
): T | undefined {
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  let found: T | undefined;
  let cause: unknown;
  try {
    found = read(JSON.parse(text));
  } catch (error) {
    cause = error;
  }
  if (found !== undefined) return found;
  throw new DataFileError(`${path} holds ${what} and cannot be read; restore it or delete it`, { cause });
}
