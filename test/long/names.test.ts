// The names of functions in the bundle: those created while a module is evaluated have the names of their sources,
// and those created later have no name to set.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { nameWhileEvaluating } from '../../build/names.mjs';
import { makeFolder } from '../support/folder.ts';

const SOURCES = {
  'first.js': `import { shared } from './shared.js'; import old from './old.cjs';
    function makeThings() { const innerThing = () => shared(); return { innerThing, methodOfThing() {} }; }
    export { makeThings, old };`,
  'second.js': `export { shared } from './shared.js';`,
  'shared.js': `export const shared = () => 'shared';`,
  'old.cjs': `class OldClass {} module.exports = { OldClass };`,
};

test('names are set only while a module is evaluated', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'src'));
  for (const [name, text] of Object.entries(SOURCES)) writeFileSync(join(folder, 'src', name), text);
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['src/first.js', 'src/second.js'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minify: true,
    keepNames: true,
    metafile: true,
  });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  nameWhileEvaluating(Object.keys(metafile.outputs).map((file) => join(folder, file)));
  const { makeThings, old } = await import(pathToFileURL(join(folder, 'dist/first.js')).href);
  const { innerThing, methodOfThing } = makeThings();
  expect([makeThings.name, old.OldClass.name, methodOfThing.name]).toEqual([
    'makeThings',
    'OldClass',
    'methodOfThing',
  ]);
  expect(innerThing.name).not.toBe('innerThing');
  expect(innerThing()).toBe('shared');
});

test('a bundle of another form is refused', () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'a.js'), 'export const a = 1;');
  expect(() => nameWhileEvaluating([join(folder, 'a.js')])).toThrow('gives functions their names');
});
