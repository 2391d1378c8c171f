/**
 * Every number in the prose of README, SECURITY and the guides has a row in `docs/numbers.json`, with a command that prints it.
 * Code, addresses and names such as `v2` or `R01` are no prose: other tests run the code. The commands run here; a row may
 * instead name the bench that measures its numbers, or the source of a number that is somebody else's.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { environment } from './package/support.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const GUIDES = readdirSync(join(ROOT, 'docs/guides')).map((name) => `docs/guides/${name}`);
const PAGES = ['README.md', 'SECURITY.md', ...GUIDES];

interface Row {
  /** A part of the page that holds the numbers; between slashes a pattern. */
  readonly words: string;
  /** Prints every number of the words. */
  readonly command?: string;
  /** The bench that prints them, in minutes. */
  readonly measured?: string;
  /** Who says so, where the number is not ours. */
  readonly source?: string;
}

const ROWS = JSON.parse(read('docs/numbers.json')) as Readonly<Record<string, readonly Row[]>>;

/** The page with the same places, and blanks where no prose is. */
const proseOf = (text: string): string =>
  [
    /```[\s\S]*?```/g,
    /<!--[\s\S]*?-->/g,
    /`[^`\n]*`/g,
    /(?<=\])\([^)\n]*\)/g,
    /https?:\/\/\S+/g,
    /^\s*\d+\. /gm,
  ].reduce((prose, pattern) => prose.replaceAll(pattern, (found) => found.replaceAll(/[^\n]/g, ' ')), text);
const NUMBER = /(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])/g;

/** Where the words of a row stand. */
function placesOf(text: string, { words }: Row): [number, number][] {
  const pattern = /^\/(.*)\/$/s.exec(words)?.[1];
  const escaped = pattern ?? words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
  return [...text.matchAll(new RegExp(escaped, 'gm'))].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}

const plain = (number: string): string => number.replaceAll(/[,_]/g, '');

describe.each(PAGES)('%s', (page) => {
  const text = read(page);
  const prose = proseOf(text);
  const rows = ROWS[page] ?? [];
  const numbers = [...prose.matchAll(NUMBER)].map(({ 0: number, index }) => ({ number, index }));
  const isIn = ([start, end]: [number, number], index: number): boolean => index >= start && index < end;

  it('has a command, a bench or a source for each number', () => {
    const places = rows.flatMap((row) => placesOf(text, row));
    const bare = numbers.filter(({ index }) => !places.some((place) => isIn(place, index)));
    const around = ({ index }: { index: number }): string =>
      text.slice(Math.max(0, index - 40), index + 30).replaceAll('\n', ' ');
    expect(bare.map(around)).toEqual([]);
  });

  it('has what the rows name', () => {
    const empty = rows.filter((row) => {
      const places = placesOf(text, row);
      return !numbers.some(({ index }) => places.some((place) => isIn(place, index)));
    });
    expect(empty.map(({ words }) => words)).toEqual([]);
    const kinds = rows.map(({ command, measured, source }) =>
      [command, measured, source].filter((one) => one !== undefined),
    );
    expect(kinds.every(({ length }) => length === 1)).toBe(true);
  });

  it.each(rows.filter(({ command }) => command !== undefined))(
    'has numbers that are printed: $words',
    async (row) => {
      const { stdout } = await promisify(execFile)('bash', ['-ec', row.command ?? ''], {
        cwd: ROOT,
        env: environment(),
      });
      const printed = new Set(
        [...stdout.replaceAll(/(?<=\d)[_,](?=\d)/g, '').matchAll(/\d+(?:\.\d+)?/g)].flatMap(([number]) => [
          number,
          number.replace(/\..*$/, ''),
          number.replace(/^(\d+\.\d+).*/, '$1'),
        ]),
      );
      const places = placesOf(text, row);
      const wanted = numbers
        .filter(({ index }) => places.some((place) => isIn(place, index)))
        .map(({ number }) => plain(number));
      expect(
        wanted.filter((number) => !printed.has(number)),
        stdout.slice(0, 500),
      ).toEqual([]);
    },
  );

  it.each(rows.filter(({ measured }) => measured !== undefined))(
    'names a bench that there is: $words',
    ({ measured }) => {
      const [, name] = /^npm run bench(?: -- --only ([\w-]+))?$/.exec(measured ?? '') ?? ['', 'none'];
      expect(read('bench/main.ts')).toContain(name === undefined ? 'npm run bench' : `'${name}'`);
    },
  );
});
