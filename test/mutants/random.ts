/**
 * Random mutants of one line: another comparison, another boundary, `&&` for `||`, another sign, a removed call and a
 * removed guard. The same seed makes the same mutants of the same sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

export interface RandomMutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly replacement: string;
}

/** What is searched in a line of code, and what replaces it. */
const CHANGES: readonly (readonly [text: RegExp, replacement: string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ <= /, ' < '],
  [/ > /, ' >= '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \+ (?!['"`])/, ' - '],
  [/ - (?!['"`])/, ' + '],
  // A call whose result nobody uses.
  [/^\s+[\w.#]+\(.*\);$/, ''],
  // A guard.
  [/^\s+if \(.*\) (?:throw|return)\b.*;$/, ''],
];
const NOT_CODE = /^\s*(?:\/\/|\/\*|\*|import |export (?:type|interface) |type |readonly )/;

/** A number from 0 to 1 for a name. */
const drawn = (name: string): number => createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;

/** Every line of the sources below a folder of the project that can be mutated, each with one mutant, in random order. */
export function randomMutants(root: string, below: string, seed: number): RandomMutant[] {
  const files = readdirSync(join(root, below), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => posix.join(below, name))
    .sort();
  const lines = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((text, at) => ({ file, line: at + 1, text, changes: changesOf(text) }))
      .filter(({ changes }) => changes.length > 0),
  );
  const order = ({ file, line, text }: (typeof lines)[number]): number =>
    drawn(`${seed} ${file} ${line} ${text}`);
  return lines
    .toSorted((one, other) => order(one) - order(other))
    .map(({ file, line, text, changes }) => {
      const at = Math.floor(drawn(`${seed} change ${file} ${line}`) * changes.length);
      return { file, line, text, replacement: changes[at] ?? '' };
    });
}

function changesOf(text: string): string[] {
  if (NOT_CODE.test(text)) return [];
  // Operators in texts are no code.
  const code = text.replaceAll(/'[^']*'|`[^`]*`/g, (quoted) => '_'.repeat(quoted.length));
  return CHANGES.flatMap(([wanted, replacement]) => {
    const found = wanted.exec(code);
    if (found === null) return [];
    return [text.slice(0, found.index) + replacement + text.slice(found.index + found[0].length)];
  });
}

/** The tests that import a file, and those of its folder or of the nearest above it. */
export function testsOf(root: string, file: string): string[] {
  let folder = dirname(file).replace(/^src/, 'test');
  while (!existsSync(join(root, folder))) folder = dirname(folder);
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => posix.join('test', name));
  // The whole of the tests is not near.
  const near = tests.filter((test) => folder !== 'test' && test.startsWith(`${folder}/`));
  const importing = tests.filter((test) =>
    readFileSync(join(root, test), 'utf8').includes(`'${relative(dirname(test), file)}'`),
  );
  return [...new Set([...importing, ...near])];
}
