/**
 * The rows of the register that the checks of this folder test: the keys of the tables that are passed to `holdRows`.
 */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./', import.meta.url);

/** A call of `holdRows` with its table; both end at the indentation of their beginning. */
const CALL = /^( *)holdRows\(\w+, '\w+', \{\n([\s\S]*?)^\1\}\);$/gm;

/** The slugs of the tables of a file. */
export function rowsHeldIn(text: string): string[] {
  return [...text.matchAll(CALL)].flatMap(([, indent = '', table = '']) =>
    [...table.matchAll(new RegExp(`^${indent}  '([a-z][a-z0-9]*(?:-[a-z0-9]+)+)': \\[$`, 'gm'))].map(
      ([, slug = '']) => slug,
    ),
  );
}

/** Their slugs; a row that is checked in two places occurs twice. */
export function rowsWithCheck(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => rowsHeldIn(readFileSync(new URL(name, FOLDER), 'utf8')));
}

/** Whether a file has a test of this title that runs, alone or for several cases. */
export function hasTest(text: string, title: string): boolean {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^ *(?:it|test)\\(|\\)\\()\\s*(['"\`])${escaped}\\1,`, 'm').test(text);
}
