// `npm run test:package`: the tests that call a bank over HTTP, against the package as it is installed from its packed file.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const report = process.env.SANDBANK_TEST_REPORT;

/** Tests that start the program, however they use it. */
const OF_THE_PROGRAM = [
  'test/acceptance/v1-script.test.ts',
  'test/acceptance/v2-quick-start.test.ts',
  'test/cli/docs.test.ts',
  'test/cli/mcp.test.ts',
  'test/process/control.test.ts',
  'test/process/metrics.test.ts',
  'test/process/start.test.ts',
  'test/process/stop.test.ts',
  'test/process/tls.test.ts',
  'test/readme.test.ts',
  'test/recipes.test.ts',
];
/** Tests that call the server of `useHttp`, which is here the installed program. */
const OF_HTTP = ['acceptance', 'contract', 'http', 'inspector', 'register'].map((name) => `test/${name}`);
/** What only a server in the process of the test shows. */
const LOOKS_INSIDE =
  /\bopenServer\(|\bhttp\.registry\b|\.failures\b|\bcaller\.sandbox\.(?!image\b|replaceWith\b|name\b|courier\b)/;
/** Files of which a test cannot be run so, by the reason. */
const EXCEPT: Readonly<Record<string, readonly string[]>> = {
  'looks into the sandbox of its caller, or at every row after every request': [
    'attachments',
    'digest',
    'idempotency',
    'originate-ach-pull',
    'program',
    'update-contact',
    'v1-cards',
    'v1-persons',
    'v1-test-ach',
    'webhooks',
    'control/account-numbers',
    'control/activity',
    'control/coverage',
    'control/events',
    'control/return-windows',
    'update-card',
    'control/transactions',
    'zero-values',
  ],
  'needs the clock of the whole server, which only stands still in a test': [
    'contacts',
    'documents',
    'statements',
    'submit-kyb',
    'v1-transactions',
    'rate-limits',
    'card-tokens',
    'control/receiver',
    'hints',
    'v1-app-aliases',
  ],
  'is about bytes, versions or hosts, which a client of a real socket changes': [
    'compression',
    'home',
    'inspector',
    'openapi',
    'openapi-answers',
  ],
  'starts in the middle of a month by the clock of the server': ['../register/guides'],
};
const LEFT_OUT = Object.values(EXCEPT).flatMap((names) =>
  names.map((name) => join('test/http', `${name}.test.ts`)),
);

function ofHttp(): string[] {
  const files = OF_HTTP.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return files.filter((file) => {
    if (!file.endsWith('.test.ts') || LEFT_OUT.includes(file)) return false;
    const text = readFileSync(join(ROOT, file), 'utf8');
    return text.includes('useHttp(') && !LOOKS_INSIDE.test(text);
  });
}

export default defineConfig({
  root: ROOT,
  test: {
    include: [...OF_THE_PROGRAM, ...ofHttp()],
    // As many as `npm test` has.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: ['test/package/install.ts'],
    env: { SANDBANK_TEST_TARGET: 'package' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: report === undefined ? ['default'] : ['default', 'json'],
    ...(report !== undefined && { outputFile: { json: report } }),
  },
});
