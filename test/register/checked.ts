/** The rows of the register that the checks of this folder hold: the keys of their tables. */
import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./', import.meta.url);

/** Their slugs; a row that is checked in two places comes twice. */
export function rowsWithCheck(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => {
      const checks = readFileSync(new URL(name, FOLDER), 'utf8').split('const HELD:')[0] ?? '';
      return [...checks.matchAll(/^ +'([a-z][a-z0-9]*(?:-[a-z0-9]+)+)': \[$/gm)].map(([, slug = '']) => slug);
    });
}
