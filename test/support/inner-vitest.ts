/**
 * Runs vitest inside a test, on files like those of a user of the package: in a separate folder, with the package's
 * names resolved to the sources.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConnectOptions } from '../../src/kit/bank.ts';
import { SERVER_OF_RUN } from '../../src/kit/vitest-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');
const DEADLINE_MS = 120_000;
const ALIAS = {
  'sandbank/vitest/global-setup': join(ROOT, 'src/kit/vitest-global-setup.ts'),
  'sandbank/vitest': join(ROOT, 'src/kit/vitest.ts'),
  'sandbank/client': join(ROOT, 'src/kit/client/index.ts'),
  'sandbank/webhooks': join(ROOT, 'src/kit/client/webhook.ts'),
  sandbank: join(ROOT, 'src/kit/index.ts'),
};

/** The result of one file. */
interface FileResult {
  name: string;
  status: string;
  message: string;
  assertionResults: { title: string; status: string; failureMessages?: string[] }[];
}

export interface InnerRun {
  readonly files: readonly FileResult[];
  readonly stderr: string;
}

/** Runs the tests (`.test.ts`, `.recipe.ts`) among these files and returns vitest's report. */
export async function runVitest(
  files: Readonly<Record<string, string>>,
  settings: {
    readonly globalSetup?: keyof typeof ALIAS;
    /** A running bank that the files use instead of starting one. */
    readonly bank?: ConnectOptions;
    readonly isolate?: boolean;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<InnerRun> {
  // Within the project, so that imports are resolved.
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'inner-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const include = Object.keys(files).filter((name) => /\.(test|recipe)\.ts$/.test(name));
    const { isolate = false, globalSetup, bank } = settings;
    const setup = join(folder, 'setup.js');
    if (bank !== undefined) {
      const provided = `${JSON.stringify(SERVER_OF_RUN)}, ${JSON.stringify(bank)}`;
      writeFileSync(setup, `export default (project) => project.provide(${provided});\n`);
    }
    // The files share a worker, so that the sources are loaded once.
    const config = {
      root: folder,
      resolve: { alias: ALIAS },
      test: {
        include,
        exclude: [],
        isolate,
        // Long enough for a busy machine; vitest's default is 5 seconds.
        testTimeout: 60_000,
        ...(globalSetup !== undefined && { globalSetup: ALIAS[globalSetup] }),
        ...(bank !== undefined && { globalSetup: setup }),
      },
    };
    writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify(config)};\n`);
    return await run(folder, settings.env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, more: Readonly<Record<string, string>> = {}): Promise<InnerRun> {
  const output = join(folder, 'report.json');
  const args = [
    'run',
    '--config',
    join(folder, 'vitest.config.js'),
    '--reporter=json',
    `--outputFile=${output}`,
  ];
  // The inner run must not inherit the settings of the outer run.
  const own = Object.entries(process.env).filter(
    ([name]) => name !== 'SANDBANK_TEST_REPORT' && !name.startsWith('VITEST'),
  );
  const env = { ...Object.fromEntries(own), ...more };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args],
      { cwd: folder, env, timeout: DEADLINE_MS },
      (_error, stdout, stderr) => {
        try {
          const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as { testResults: FileResult[] };
          resolve({ files: testResults, stderr });
        } catch {
          reject(new Error(`vitest gave no report:\n${stdout}\n${stderr}`));
        }
      },
    );
  });
}
