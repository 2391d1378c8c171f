/** Makes folders. Node's own recursive `mkdir` (24.21) can run for ever instead of reporting that a folder cannot be made. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing; returns the first that it made, `undefined` if all existed.
 * Throws the system's error with its path, and `ENOTDIR` if the path is a file.
 */
export function makeFolders(folder: string, mode?: number, mkdir = mkdirSync): string | undefined {
  const missing: string[] = [];
  let at = resolve(folder);
  let found = statSync(at, { throwIfNoEntry: false });
  while (found === undefined && dirname(at) !== at) {
    missing.unshift(at);
    at = dirname(at);
    found = statSync(at, { throwIfNoEntry: false });
  }
  if (found?.isDirectory() === false) {
    throw Object.assign(new Error(`${at} is a file, not a folder`), { code: 'ENOTDIR', path: at });
  }
  for (const path of missing) {
    try {
      mkdir(path, mode);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
  return missing[0];
}
