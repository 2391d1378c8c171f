/**
 * The citations of the register of decisions: a citation is "decision `ach-return-window`", or "decisions" with a
 * list of slugs. Every cited row exists, and every row is cited by the code that implements it or checked against the
 * server by a check of this folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { REGISTER } from '../../../src/bank/model/fidelity.ts';
import { rowsWithCheck } from './checked.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const THIS = 'test/reference/register/citations.test.ts';
/** It is generated from the register and cites nothing. */
const PAGE = 'docs/fidelity.md';

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const SOURCES = filesOf('src', '.ts');
const OTHERS = [
  ...['test', 'build', 'bench'].flatMap((folder) => filesOf(folder, '.ts')),
  ...filesOf('docs', '.md'),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
].filter((path) => path !== THIS && path !== PAGE);

const SLUG = '[a-z][a-z0-9]*(?:-[a-z0-9]+)+';
// In a template literal a backquote is escaped.
const CITED = `\\\\?\`(${SLUG})\\\\?\``;
const LIST = new RegExp(
  String.raw`\bdecisions? ${CITED}(?:(?:,| and|, and) ${CITED})*( in \S*fidelity\.md)?`,
  'gi',
);
/** "row 24", also at the end of a line. */
const BY_NUMBER = /\brows?\s+\d+[a-e]?\b/gi;

/** A text whose comments have one line each, wherever they were wrapped. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ');

/** The field of an operation: `decisions: ['ach-timing', 'too-little-money']`. */
const FIELD = /\bdecisions: \[([^\]]*)\]/g;

/** The slugs that a text cites, and how often it names the page of decisions. */
function citationsIn(text: string): { slugs: string[]; pages: number } {
  const found = [...flat(text).matchAll(LIST)];
  return {
    slugs: [
      ...found.flatMap(([words]) => [...words.matchAll(new RegExp(CITED, 'g'))].map(([, slug = '']) => slug)),
      ...[...text.matchAll(FIELD)].flatMap(([, list = '']) =>
        [...list.matchAll(new RegExp(`'(${SLUG})'`, 'g'))].map(([, slug = '']) => slug),
      ),
    ],
    pages: found.filter((match) => match.at(-1) !== undefined).length,
  };
}

const SLUGS = new Set(REGISTER.map(({ slug }) => slug));
const CHECKED = rowsWithCheck();

describe('a citation', () => {
  it('is parsed in each of its forms', () => {
    const text =
      '/**\n * See decision `one-two` in docs/fidelity.md; decisions\n * `a-b`,\n * `c-d` and `e-f`. */';
    expect(citationsIn(text)).toEqual({ slugs: ['one-two', 'a-b', 'c-d', 'e-f'], pages: 1 });
    expect(citationsIn('// Decision `a-b2`\n// in [x](../fidelity.md)').slugs).toEqual(['a-b2']);
    expect(citationsIn('(decision \\`a-b\\` in [fidelity.md](fidelity.md))')).toEqual({
      slugs: ['a-b'],
      pages: 1,
    });
    expect(citationsIn('`a-b` and decision 7').slugs).toEqual([]);
    expect(citationsIn("decisions: ['a-b', 'c-d'],\ndecisions: [\n  'e-f',\n],").slugs).toEqual([
      'a-b',
      'c-d',
      'e-f',
    ]);
  });

  it('names an existing decision', () => {
    const wrong = [...SOURCES, ...OTHERS].flatMap((path) =>
      citationsIn(read(path))
        .slugs.filter((slug) => !SLUGS.has(slug))
        .map((slug) => `${path}: ${slug}`),
    );
    expect(wrong).toEqual([]);
    expect(CHECKED.filter((slug) => !SLUGS.has(slug))).toEqual([]);
  });

  it('stands wherever the code names the page of decisions', () => {
    const unread = SOURCES.filter((path) => {
      const text = read(path);
      return [...text.matchAll(/docs\/fidelity\.md/g)].length !== citationsIn(text).pages;
    });
    expect(unread).toEqual([]);
  });

  it('never uses a number', () => {
    const byNumber = SOURCES.flatMap((path) =>
      [...flat(read(path)).matchAll(BY_NUMBER)].map(([words]) => `${path}: ${words}`),
    );
    expect(byNumber).toEqual([]);
    const ofThePage = /\brows? \d[\w, ]* of (?:docs\/|\[)fidelity|fidelity\.md\)?, rows? \d/gi;
    expect(OTHERS.filter((path) => flat(read(path)).search(ofThePage) >= 0)).toEqual([]);
    expect('see row 24, rows\n 4 to 6'.match(BY_NUMBER)).toHaveLength(2);
    expect('rows 4 to 6 and 45d of docs/fidelity.md; fidelity.md), row 3'.match(ofThePage)).toHaveLength(2);
  });
});

describe('a decision', () => {
  it('is cited by the code, or checked in this folder', () => {
    const cited = new Set([...SOURCES.flatMap((path) => citationsIn(read(path)).slugs), ...CHECKED]);
    expect([...SLUGS].filter((slug) => !cited.has(slug))).toEqual([]);
  });
});
