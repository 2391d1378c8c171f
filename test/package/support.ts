/**
 * The package like at a user's machine: packed from a copy of the project, weekly without built files, and installed into an
 * empty folder. Dependencies of the user (vitest, types) come from this project, because they are not tested.
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IS_WHOLE } from '../support/runs.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The files and folders from which the package is built. */
export const NEEDED_BY_THE_BUILD = [
  'bin',
  'build',
  'CHANGELOG.md',
  'data',
  'deploy',
  'docs',
  'fixtures',
  'LICENSE',
  'migrations',
  'package.json',
  'package-lock.json',
  'inspector',
  'skills',
  'src',
];
const LENT = ['vitest', 'typescript', '@types'];
const DEADLINE_MS = 120_000;
/** The oldest supported version in package.json. */
export const OTHER_NODE = '22.18.0';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** The Node that runs everything below. */
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Variables that a test run, and an npm that runs one, set in the environment. */
const OF_THIS_RUN =
  /^(npm_(?!config_(registry|cache|userconfig)$)|VITEST|SANDBANK_|NODE_ENV$|TEST$|INIT_CWD$)/;

/** The environment of a program without variables of this test run. */
export function environment(node = process.execPath, more: RunOptions['env'] = {}): Record<string, string> {
  const own = Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name));
  const { PATH = '', ...others } = Object.fromEntries(own) as Record<string, string>;
  return { ...others, PATH: `${dirname(node)}${delimiter}${PATH}`, ...more };
}

/** Runs a program until it ends. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, node, env, timeoutMs }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: environment(node, env),
      timeout: timeoutMs ?? DEADLINE_MS,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(command, args, options, (error: ExecFileException | null, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, stdout, stderr });
    });
  });
}

/** The same; any result but success fails the test. */
export async function succeed(
  command: string,
  args: readonly string[],
  options: RunOptions,
): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

export interface Packed {
  /** The packed file. */
  readonly file: string;
  /** A folder with the installed package. */
  readonly app: string;
}

/** The published name of the package in the tests: its addresses are derived from this one. */
export const REPOSITORY = 'https://code.example/somebody/sandbank';

/** Packs the project, from a copy, and installs the package. */
export async function packAndInstall(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-package-'));
  const project = join(folder, 'project');
  for (const name of [...NEEDED_BY_THE_BUILD, ...(IS_WHOLE ? [] : ['dist'])]) {
    cpSync(join(ROOT, name), join(project, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  // `npm run package` without a new build of what is built.
  if (!IS_WHOLE) await succeed(process.execPath, ['build/bundle.mjs', '--if-stale'], { cwd: project });
  const script = IS_WHOLE ? ['npm', 'run', 'package', '--'] : [process.execPath, 'build/package.mjs'];
  const [command = '', ...words] = [...script, '--repository', REPOSITORY];
  const text = await succeed(command, words, { cwd: project });
  const file = /^.*\.tgz$/m.exec(text)?.[0] ?? '';
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }\n');
  await succeed('npm', ['install', file, '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'], {
    cwd: app,
  });
  for (const name of LENT) symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name));
  return { file, app };
}

/**
 * Runtimes besides Node that the client supports. For each, npm has a package for this platform with the program.
 */
const RUNTIMES = { bun: '1.4.5', deno: '2.9.6' };

/** The programs of the runtimes, which npm downloads once. */
export async function otherRuntimes(): Promise<Readonly<Record<keyof typeof RUNTIMES, string>>> {
  const folder = join(ROOT, 'node_modules/.cache/runtimes');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: RUNTIMES })}\n`,
  );
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await succeed('npm', ['install', ...quietly], { cwd: folder });
  const programOf = (scope: string, path: string): string => {
    const scoped = join(folder, 'node_modules', scope);
    return join(scoped, readdirSync(scoped)[0] ?? '', path);
  };
  return { bun: programOf('@oven', 'bin/bun'), deno: programOf('@deno', 'deno') };
}

/**
 * Another Node besides this one, if available: SANDBANK_TEST_NODE names one (`none` for none), or npm has it.
 */
export async function otherNode(): Promise<string | undefined> {
  const { SANDBANK_TEST_NODE: named } = process.env;
  if (named !== undefined && named !== '') return named === 'none' ? undefined : named;
  return nodeOf(OTHER_NODE);
}

/** The program of a Node from npm, which downloads it once; `undefined` if it is not available. */
export async function nodeOf(version: string): Promise<string | undefined> {
  const folder = join(ROOT, 'node_modules/.cache', version === OTHER_NODE ? 'other-node' : `node-${version}`);
  // The package of this platform, which has no script that downloads anything.
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;
  const node = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0'];
    const { code, stderr } = await run('npm', ['install', `${name}@${version}`, ...quietly], { cwd: folder });
    if (code !== 0) process.stderr.write(`Node ${version} cannot be had, so it is not tested:\n${stderr}\n`);
  }
  return existsSync(node) ? node : undefined;
}
