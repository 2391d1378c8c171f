/**
 * Every recipe holds a test that runs as it stands: they are taken from the pages and run by vitest, with the package's
 * names leading to the sources.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RECIPES = join(ROOT, 'docs/recipes');
const BLOCK = /^```ts\n([\s\S]*?)^```$/gm;
const TIMEOUT_MS = 120_000;

interface Report {
  testResults: { name: string; status: string; message: string; assertionResults: { status: string }[] }[];
}

const pages = readdirSync(RECIPES).filter((name) => name.endsWith('.md'));
const blocksOf = (page: string): string[] =>
  [...readFileSync(join(RECIPES, page), 'utf8').matchAll(BLOCK)].map(([, code = '']) => code);

let folder = '';
let report: Report;

beforeAll(async () => {
  // Within the project, so that what it imports is found.
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'node_modules/.cache/recipes-'));
  for (const page of pages) {
    blocksOf(page).forEach((code, at) => {
      writeFileSync(join(folder, `${page.replace('.md', '')}.${at}.recipe.ts`), code);
    });
  }
  const alias = {
    'sandbank/vitest': join(ROOT, 'src/kit/vitest.ts'),
    'sandbank/client': join(ROOT, 'src/client/index.ts'),
    sandbank: join(ROOT, 'src/kit/index.ts'),
  };
  const config = { root: folder, resolve: { alias }, test: { include: ['*.recipe.ts'], exclude: [] } };
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify(config)};\n`);
  report = await run();
}, TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs what is in the folder, and answers vitest's own report. */
function run(): Promise<Report> {
  const output = join(folder, 'report.json');
  const args = [
    'run',
    '--config',
    join(folder, 'vitest.config.js'),
    '--reporter=json',
    `--outputFile=${output}`,
  ];
  return new Promise((resolve, reject) => {
    const { SANDBANK_TEST_REPORT: _, VITEST: __, ...env } = process.env;
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args],
      { cwd: folder, env, timeout: TIMEOUT_MS },
      (_error, stdout, stderr) => {
        try {
          resolve(JSON.parse(readFileSync(output, 'utf8')) as Report);
        } catch {
          reject(new Error(`vitest gave no report:\n${stdout}\n${stderr}`));
        }
      },
    );
  });
}

describe('the recipes', () => {
  it('are there', () => {
    expect(pages.length).toBeGreaterThanOrEqual(5);
  });

  it.each(pages)('%s: holds a test that passes as it stands', (page) => {
    const count = blocksOf(page).length;
    expect(count).toBeGreaterThan(0);
    const name = page.replace('.md', '');
    const results = report.testResults.filter((result) => result.name.includes(`/${name}.`));
    expect(results).toHaveLength(count);
    for (const { status, message, assertionResults } of results) {
      expect(status, `${message}\n${JSON.stringify(assertionResults, null, 2)}`).toBe('passed');
      expect(assertionResults.length).toBeGreaterThan(0);
    }
  });
});
