/**
 * Every recipe contains a runnable test, and so do the instructions for coding agents: the tests are extracted from
 * the pages and run by vitest. In the project `workerd` they use an instance of workerd, and otherwise start a bank.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ConnectOptions } from '../src/kit/bank.ts';
import { IS_WORKERD, startBank } from './server/process/support.ts';
import { type InnerRun, runVitest } from './support/inner-vitest.ts';

const RECIPES = fileURLToPath(new URL('../docs/recipes/', import.meta.url));
const SKILL = '../../skills/sandbank/SKILL.md';
const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const TIMEOUT_MS = 120_000;

const pages = [...readdirSync(RECIPES).filter((name) => name.endsWith('.md')), SKILL];
const nameOf = (page: string): string => basename(page, '.md');
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(RECIPES, page), 'utf8').matchAll(BLOCK)].map(([, code = '']) => code);

async function instance(): Promise<ConnectOptions> {
  const { url, key } = await startBank({ SANDBANK_RAILS: 'manual' });
  return { url, apiKey: key };
}

let ran: InnerRun;

beforeAll(async () => {
  const files = pages.flatMap((page) =>
    blocksOf(page).map((code, at): [string, string] => [`${nameOf(page)}.${at}.recipe.ts`, code]),
  );
  ran = await runVitest(Object.fromEntries(files), IS_WORKERD ? { bank: await instance() } : {});
}, TIMEOUT_MS);

describe('the recipes', () => {
  it('exist', () => {
    expect(pages.length).toBeGreaterThanOrEqual(5);
  });

  it.each(pages)('%s: contains a test that passes unchanged', (page) => {
    const count = blocksOf(page).length;
    expect(count).toBeGreaterThan(0);
    const name = nameOf(page);
    const results = ran.files.filter((result) => result.name.includes(`/${name}.`));
    expect(results).toHaveLength(count);
    for (const { status, message, assertionResults } of results) {
      expect(status, `${message}\n${JSON.stringify(assertionResults, null, 2)}`).toBe('passed');
      expect(assertionResults.length).toBeGreaterThan(0);
    }
  });
});
