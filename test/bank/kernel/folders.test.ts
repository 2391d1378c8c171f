/** Folders are made with those above them, or an error says which path is the reason. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolders } from '../../../src/bank/kernel/folders.ts';
import { makeFolder } from '../../support/folder.ts';

describe('folders', () => {
  it('are made with those above them, and the first is returned', () => {
    const folder = makeFolder();
    expect(makeFolders(join(folder, 'a/b'), 0o700)).toBe(join(folder, 'a'));
    expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700);
    expect(makeFolders(join(folder, 'a/b'))).toBeUndefined();
  });

  it('that are a file or below one are refused with the path of the file', () => {
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'a/b')]) {
      expect(() => makeFolders(path)).toThrow(`${file} is a file, not a folder`);
    }
  });

  it('that the system cannot make are refused, although the folder above exists', () => {
    const refuse = ((path: string) => {
      throw Object.assign(new Error(`ENOENT: mkdir '${path}'`), { code: 'ENOENT', path });
    }) as never;
    const folder = makeFolder();
    expect(() => makeFolders(join(folder, 'a/b'), 0o700, refuse)).toThrow(`mkdir '${join(folder, 'a')}'`);
  });
});
