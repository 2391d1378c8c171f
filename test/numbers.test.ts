/**
 * Every number in the prose of README, SECURITY and the guides has a row in `docs/numbers.json`, with a command that
 * prints it. Code, addresses and names such as `v2` or `R01` are not prose: other tests run the code. The commands
 * run here; a row may instead name the bench that measures its numbers, or an external source.
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
  /** As they are written on the page. */
  readonly numbers?: readonly string[];
  /** A part of the page that the command prints: a name of `SECTIONS`. */
  readonly section?: string;
  /** Prints all of them. */
  readonly command?: string;
  /** The bench that prints them, which takes minutes. */
  readonly measured?: string;
  /** The external source of the numbers. */
  readonly source?: string;
}

const SECTIONS: Readonly<Record<string, RegExp>> = {
  counts: /^\d+ documented, .* decided by us\.$/m,
  speed: /<!-- speed -->[\s\S]*<!-- end of speed -->/,
};

const ROWS = JSON.parse(read('docs/numbers.json')) as Readonly<Record<string, readonly Row[]>>;

/** The page with everything but prose replaced by blanks, so that positions stay the same. */
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

const plain = (number: string): string => number.replaceAll(/[,_]/g, '');

describe.each(PAGES)('%s', (page) => {
  const text = read(page);
  const rows = ROWS[page] ?? [];
  const numbers = [...proseOf(text).matchAll(NUMBER)].map(({ 0: number, index }) => ({ number, index }));
  const inSection = ({ section = '' }: Row, index: number): boolean => {
    const match = SECTIONS[section]?.exec(text);
    return match != null && index >= match.index && index < match.index + match[0].length;
  };
  const isOf = (row: Row, { number, index }: { number: string; index: number }): boolean =>
    row.numbers?.includes(number) === true || inSection(row, index);

  it('has a command, a bench or a source for each number', () => {
    const bare = numbers.filter((one) => !rows.some((row) => isOf(row, one)));
    const around = ({ index }: { index: number }): string =>
      text.slice(Math.max(0, index - 40), index + 30).replaceAll('\n', ' ');
    expect(bare.map(around)).toEqual([]);
  });

  it('has rows of exactly one type each', () => {
    const kinds = rows.map(({ command, measured, source }) =>
      [command, measured, source].filter((one) => one !== undefined),
    );
    expect(kinds.filter(({ length }) => length !== 1)).toEqual([]);
  });

  it.each(rows.filter(({ command }) => command !== undefined))('is right: $command', async (row) => {
    const { stdout } = await promisify(execFile)('bash', ['-ec', row.command ?? ''], {
      cwd: ROOT,
      env: environment(),
    });
    const plainly = stdout.replaceAll(/(?<=\d)[_,](?=\d)/g, '');
    // A version is identified by its first part.
    const printed = [...plainly.matchAll(/\d+(?:\.\d+)*/g)].map(([number]) => `${number}.`);
    const wanted = [
      ...(row.numbers ?? []),
      ...numbers.filter(({ index }) => inSection(row, index)).map(({ number }) => number),
    ];
    const missing = wanted
      .map(plain)
      .filter((number) => !printed.some((one) => one.startsWith(`${number}.`)));
    expect(missing, stdout.slice(0, 500)).toEqual([]);
  });

  it.each(rows.filter(({ measured }) => measured !== undefined))(
    'names an existing bench: $measured',
    ({ measured }) => {
      const [, name] = /^npm run bench -- --only ([\w-]+)$/.exec(measured ?? '') ?? ['', 'none'];
      expect(read('bench/main.ts')).toContain(`'${name}'`);
    },
  );
});
