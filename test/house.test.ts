// Rules for the sources that no linter checks. Layers and cycles are in .dependency-cruiser.cjs, the length and the
// complexity of functions in biome.json.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isStale, MUTANTS } from './mutants/mutants.ts';

const SRC = new URL('../src/', import.meta.url);
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string): string => readFileSync(new URL(name, SRC), 'utf8');

test('parsers and formatters are pure: they have no bank, store, clock or randomness', () => {
  const wire = FILES.filter((name) => name.startsWith('bank/api/'));
  const impure = wire.flatMap((name) => {
    const text = textOf(name);
    const imported = namesFrom(
      text,
      /(?:verbs\/bank|store\/store|kernel\/sequence|verbs\/dependencies)\.ts$/,
    );
    const given = [...text.matchAll(/\b(?:function|const) ((?:parse|format)\w*)[^(;]*\(([^)]*)\)/g)];
    return [
      ...given
        .filter(([, , parameters = '']) =>
          imported.some((type) => new RegExp(`\\b${type}\\b`).test(parameters)),
        )
        .map(([, called]) => `${name}: ${called}`),
      ...[...text.matchAll(/\b(Date\.now|Math\.random|new Date\(\)|process\.\w+)/g)].map(
        ([word]) => `${name}: ${word}`,
      ),
    ];
  });
  expect(impure).toEqual([]);
});

/**
 * The types with functions, such as `Bank`, among those that a file imports from such a module; `Id` is not one.
 */
function namesFrom(text: string, module: RegExp): string[] {
  return [...text.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)]
    .filter(([, , from = '']) => module.test(from))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.replace('type ', '').trim()))
    .filter((name) => ['Bank', 'Store', 'Sequence', 'Dependencies'].includes(name));
}

test('the text of each mutant occurs exactly once in its file', () => {
  const stale = MUTANTS.filter((mutant) => isStale(mutant, textOf(mutant.file.replace(/^src\//, ''))));
  expect(stale.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

test('each test that runs a sample in `npm test` is in the list of tests that `npm run test:long` runs completely', () => {
  const here = new URL('./', import.meta.url);
  const listed = readFileSync(new URL('../vitest.config.ts', here), 'utf8');
  const samples = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.test.ts') &&
      !name.includes('node_modules') &&
      /import \{[^}]*\b(?:IS_LONG|FUZZ_RUNS)\b/.test(readFileSync(new URL(name, here), 'utf8')),
  );
  expect(samples.length).toBeGreaterThan(5);
  expect(
    samples.filter((name) => !/^(?:long|package)\//.test(name) && !listed.includes(`'test/${name}'`)),
  ).toEqual([]);
});
