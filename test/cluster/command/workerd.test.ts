/**
 * The search for the program workerd. The folders of these tests have no workerd, and npm's command is a script in
 * them.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorkerd, WORKERD_VERSION } from '../../../src/cluster/command/workerd.ts';
import { makeFolder } from '../../server/process/support.ts';

const SYSTEM = `${{ linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as 'linux']}-${process.arch === 'x64' ? '64' : process.arch}`;

/** A folder with the package `workerd` as npm installs it; the path of the program. */
function install(folder: string): string {
  const modules = join(folder, 'node_modules');
  const program = join(modules, `@cloudflare/workerd-${SYSTEM}/bin/workerd`);
  for (const path of [join(modules, 'workerd/bin'), join(program, '..'), join(modules, '.bin')]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(modules, 'workerd/package.json'), '{"name":"workerd","main":"bin/workerd"}');
  writeFileSync(join(modules, 'workerd/bin/workerd'), '#!/usr/bin/env node');
  writeFileSync(join(modules, `@cloudflare/workerd-${SYSTEM}/package.json`), '{}');
  writeFileSync(program, '');
  symlinkSync('../workerd/bin/workerd', join(modules, '.bin/workerd'));
  return program;
}

describe('the program workerd', () => {
  it('is the one that SANDBANK_WORKERD names', () => {
    const folder = makeFolder();
    const own = join(folder, 'own');
    writeFileSync(own, '');
    install(folder);
    expect(findWorkerd({ environment: { SANDBANK_WORKERD: own }, folder })).toBe(own);
  });

  it('is the one of the project, also in a subfolder', () => {
    const folder = makeFolder();
    const program = install(folder);
    const below = join(folder, 'tests/deep');
    mkdirSync(below, { recursive: true });
    for (const from of [folder, below]) expect(findWorkerd({ environment: {}, folder: from })).toBe(program);
  });

  it("is the one in PATH; for npm's script it is the program itself", () => {
    const elsewhere = makeFolder();
    const program = install(elsewhere);
    const empty = makeFolder();
    const environment = { PATH: [join(empty, 'none'), join(elsewhere, 'node_modules/.bin')].join(delimiter) };
    expect(findWorkerd({ environment, folder: empty, beside: empty })).toBe(program);

    const plain = makeFolder();
    writeFileSync(join(plain, 'workerd'), '');
    expect(findWorkerd({ environment: { PATH: plain }, folder: empty, beside: empty })).toBe(
      join(plain, 'workerd'),
    );
  });

  it('is reported as missing with the command that installs it', () => {
    const empty = makeFolder();
    expect(() => findWorkerd({ environment: {}, folder: empty, beside: empty })).toThrow(
      `"npm install --save-dev workerd@${WORKERD_VERSION}"`,
    );
  });
});
