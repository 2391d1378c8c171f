#!/usr/bin/env node
// The command `sandbank`: runs with the Node in the clone if that of the user is too old, enables the compile cache and imports the file of the command.
// This file must parse in Node 14, so it uses nothing newer than dynamic import, and imports TypeScript only after the
// check of the version. A bank without options and the health check, which runs every few seconds, have separate files.
// The command line handles everything else.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { nodeProblem } from './node-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const HAS_SOURCES = existsSync(`${ROOT}/src`);

// The compile cache halves the time of a start, which otherwise strips all types again. It is next to the dependencies, so
// that an image can contain it and "npm ci" removes it, or in the temporary directory if that place cannot be written.
// A cache that cannot be used is a status, not an error. Deno has none.
function enableCompileCache() {
  if (module.enableCompileCache === undefined) return;
  const beside = module.enableCompileCache(`${ROOT}/node_modules/.cache/sandbank`);
  if (beside.status === module.constants.compileCacheStatus.FAILED) module.enableCompileCache();
}

// The time of the newest change in a folder, in milliseconds.
function newestIn(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs);
  }
  return newest;
}

const SOURCES = {
  main: '../src/server/main.ts',
  healthcheck: '../src/server/process/healthcheck.ts',
  cli: '../src/command.ts',
  'kit-thread': '../src/kit/thread.ts',
};

// A package and an image contain only the bundle. With the sources, the bundle starts twice as fast, but it is used only if
// it was built from these sources.
function programFile(name) {
  const file = `dist/${name}.js`;
  if (!HAS_SOURCES) return `../${file}`;
  const isNew =
    existsSync(`${ROOT}/${file}`) &&
    statSync(`${ROOT}/${file}`).mtimeMs >= Math.max(newestIn(`${ROOT}/src`), newestIn(`${ROOT}/data`));
  return isNew ? `../${file}` : SOURCES[name];
}

async function start() {
  const { run } = await import(programFile('main'));
  process.exitCode = await run();
}

async function checkHealth() {
  const { healthcheck } = await import(programFile('healthcheck'));
  const problem = await healthcheck(process.env);
  if (problem !== null) refuse(problem);
}

function printVersion() {
  process.stdout.write(`${JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')).version}\n`);
}

async function runCommandLine(words) {
  const { runCli } = await import(programFile('cli'));
  process.exitCode = await runCli(words);
}

function refuse(problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

// Commands without further words.
const STRAIGHT = new Map([
  ['', start],
  ['start', start],
  ['healthcheck', checkHealth],
  ['--version', printVersion],
]);

// Where build/prepare.mjs installs a Node if that of the user is too old.
const INSTALLED_NODE = `${ROOT}/node_modules/.bin/node${process.platform === 'win32' ? '.exe' : ''}`;

// Runs the command with the Node in the clone, which gets the signals of this process, and ends as it does.
function runWithInstalledNode(words) {
  const child = spawn(INSTALLED_NODE, [fileURLToPath(import.meta.url), ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends its signals to both processes.
    process.on(signal, () => process.stdin.isTTY || child.kill(signal));
  }
  child.on('error', (error) => refuse(`sandbank: ${INSTALLED_NODE} does not start: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
  });
}

// The kernel ignores a signal for the first process of a container unless the process handles it. A command that handles a
// signal itself does so after this.
function endOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(
      signal,
      () => process.listenerCount(signal) > 1 || process.exit(128 + constants.signals[signal]),
    );
  }
}

async function main(words) {
  const problem = nodeProblem(process.versions.node, HAS_SOURCES ? ROOT : null);
  if (problem !== null) {
    const isInstalled =
      existsSync(INSTALLED_NODE) && realpathSync(INSTALLED_NODE) !== realpathSync(process.execPath);
    return isInstalled ? runWithInstalledNode(words) : refuse(problem);
  }
  if (process.pid === 1) endOnSignals();
  else if (process.env.npm_command) (await import('./end-with-npm.mjs')).endWithNpm();
  enableCompileCache();
  const straight = words.length > 1 || words[0] === '' ? undefined : STRAIGHT.get(words.join(''));
  await (straight === undefined ? runCommandLine(words) : straight());
  // Writes the cache now: Node would write it at the exit, and a bank is often killed.
  module.flushCompileCache?.();
}

// The kit runs a bank in a thread of this file (src/kit/start.ts).
async function runThread() {
  const problem = nodeProblem(process.versions.node, HAS_SOURCES ? ROOT : null);
  if (problem !== null) throw new Error(problem);
  enableCompileCache();
  await import(programFile('kit-thread'));
}

isMainThread ? main(process.argv.slice(2)) : runThread();
