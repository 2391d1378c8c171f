// Installs the tools of a command that `npm ci` does not install, and runs one of them:
//
//   node build/tools.mjs FOLDER... [PROGRAM ARGUMENT...]
//
// Each folder has a package.json and a lock file. Its packages are installed into its own node_modules before their first
// use and after a change of the lock file, so a user of the bank never downloads them. `installedMB` in the package.json
// is the size that is printed before the download; test/long/tools.test.ts compares it with the disk.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The folders with tools. */
export const TOOL_FOLDERS = [
  'build/checks',
  'test/long',
  'test/cluster/workerd',
  'test/checkers',
  'test/generators',
  'test/libraries',
];

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Installs the tools of a folder unless they are current. Throws if npm fails. Returns the path of the folder. */
export function installTools(folder) {
  const path = join(ROOT, folder);
  const mark = join(path, 'node_modules/.sandbank-lock');
  const lock = hashOf(join(path, 'package-lock.json'));
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return path;
  const { dependencies, installedMB } = readJson(join(path, 'package.json'));
  process.stderr.write(
    `${folder}: installing ${Object.keys(dependencies).join(', ')} (${installedMB} MB on disk, once)\n`,
  );
  // npm's own output goes to stderr, so that the output of the program is not mixed with it.
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { npm_execpath: npm } = process.env;
  const options = { cwd: path, stdio: ['ignore', process.stderr, process.stderr] };
  const { status } =
    npm === undefined
      ? spawnSync('npm', words, { ...options, shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, ...words], options);
  if (status !== 0) {
    throw new Error(
      `npm could not install the tools of ${folder}; the first use needs a network or a filled npm cache`,
    );
  }
  writeFileSync(mark, lock);
  return path;
}

/** The file of a program of a package of the folder. npm's links to it cannot be run by Node on Windows. */
function programOf(folder, program) {
  for (const name of Object.keys(readJson(join(folder, 'package.json')).dependencies)) {
    const { bin = {} } = readJson(join(folder, 'node_modules', name, 'package.json'));
    const file = typeof bin === 'string' ? { [name]: bin }[program] : bin[program];
    if (file !== undefined) return join(folder, 'node_modules', name, file);
  }
  throw new Error(`no package in ${folder} has the program ${program}`);
}

/** Imports a package of a folder, for a script outside of it. */
export function importTool(folder, name) {
  const own = createRequire(join(installTools(folder), 'package.json'));
  return import(pathToFileURL(own.resolve(name)).href);
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const words = process.argv.slice(2);
  const folders = [];
  while (TOOL_FOLDERS.includes(words[0])) folders.push(words.shift());
  try {
    const paths = folders.map(installTools);
    const [program, ...rest] = words;
    if (program !== undefined) {
      const file = programOf(paths[0], program);
      process.exitCode =
        spawnSync(process.execPath, [file, ...rest], { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
    }
  } catch (error) {
    process.stderr.write(`sandbank: ${error.message}\n`);
    process.exitCode = 1;
  }
}
