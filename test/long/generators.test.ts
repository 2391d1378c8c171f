/**
 * What others make of the OpenAPI documents: Spectral finds no error and no warning, and five generators write clients that
 * compile under strict rules. The tools are installed from their own lock file, once for a state of it.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../process/support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOLS = join(ROOT, 'test/generators');
const LOCK = readFileSync(join(TOOLS, 'package-lock.json'));
const FOLDER = join(
  ROOT,
  'node_modules/.cache/generators',
  createHash('sha256').update(LOCK).digest('hex').slice(0, 12),
);
const TIMEOUT_MS = 300_000;

const run = (command: string, ...rest: string[]): string =>
  execFileSync(command, rest, { cwd: FOLDER, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const runTool = (name: string, ...rest: string[]): string =>
  run(process.execPath, join(FOLDER, 'node_modules/.bin', name), ...rest);

beforeAll(async () => {
  if (!existsSync(join(FOLDER, 'installed'))) {
    mkdirSync(FOLDER, { recursive: true });
    for (const name of ['package.json', 'package-lock.json', 'spectral.mjs']) {
      cpSync(join(TOOLS, name), join(FOLDER, name));
    }
    run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
    writeFileSync(join(FOLDER, 'installed'), '');
  }
  const bank = await startBank();
  for (const name of ['v2', 'v1', 'sandbox', '3.0/v2', '3.0/v1']) {
    const answer = await fetch(`${bank.url}/openapi/${name}.json`);
    writeFileSync(join(FOLDER, `${name.replace('/', '-')}.json`), await answer.text());
  }
  rmSync(join(FOLDER, 'out'), { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'out'));
}, TIMEOUT_MS);

/** How each generator writes the client of a version. */
const GENERATORS: Readonly<Record<string, (version: string, out: string) => unknown>> = {
  'openapi-typescript': (version, out) =>
    run(
      process.execPath,
      join(ROOT, 'node_modules/.bin/openapi-typescript'),
      `${version}.json`,
      '-o',
      `${out}.ts`,
    ),
  'hey-api': (version, out) => runTool('openapi-ts', '-i', `${version}.json`, '-o', out),
  orval: (version, out) => runTool('orval', '--input', `${version}.json`, '--output', `${out}.ts`),
  oazapfts: (version, out) => runTool('oazapfts', `${version}.json`, `${out}.ts`),
  // It reads 3.0 only.
  'openapi-zod-client': (version, out) =>
    runTool('openapi-zod-client', `3.0-${version}.json`, '-o', `${out}.ts`),
};

describe('the documents', () => {
  it(
    'pass the rules of Spectral',
    () => {
      const found = JSON.parse(
        run(process.execPath, 'spectral.mjs', 'v2.json', 'v1.json', 'sandbox.json'),
      ) as string[];
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it.each(Object.entries(GENERATORS))(
    'are read by %s',
    (name, generate) => {
      for (const version of ['v2', 'v1']) {
        const out = `out/${name}-${version}`;
        generate(version, out);
        expect(
          [`${out}.ts`, `${out}/index.ts`].some((file) => existsSync(join(FOLDER, file))),
          out,
        ).toBe(true);
      }
    },
    TIMEOUT_MS,
  );

  it(
    'make clients that compile',
    () => {
      const compilerOptions = {
        ...{
          target: 'ES2022',
          lib: ['ES2022', 'DOM', 'DOM.Iterable'],
          module: 'NodeNext',
          moduleResolution: 'NodeNext',
        },
        ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
      };
      writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['out'] }));
      expect(run(process.execPath, join(FOLDER, 'node_modules/typescript/bin/tsc'), '-p', '.')).toBe('');
    },
    TIMEOUT_MS,
  );
});
