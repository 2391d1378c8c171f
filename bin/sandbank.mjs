#!/usr/bin/env node
// The command `sandbank`: refuses a Node that is too old, turns on the compile cache and imports what the command needs.
// It must parse in Node 14, so nothing newer than dynamic import is used here, and TypeScript is imported only once
// the version is known to be good. What is started often goes straight to its own file: a bank, and the health check,
// which runs every few seconds. Everything else, every option included, is the command line's.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './node-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const HAS_SOURCES = existsSync(`${ROOT}/src`);

// Halves the start: without it every start strips every type again. It lies beside the dependencies, so that an image
// can carry it and "npm ci" clears it, or in the temporary directory where that place cannot be written.
// A cache that cannot be used is a status, never an error.
function enableCompileCache() {
  const beside = module.enableCompileCache(`${ROOT}/node_modules/.cache/sandbank`);
  if (beside.status === module.constants.compileCacheStatus.FAILED) module.enableCompileCache();
}

// The newest change below a folder, in milliseconds.
function newestIn(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    newest = Math.max(newest, entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs);
  }
  return newest;
}

const SOURCES = {
  main: '../src/main.ts',
  healthcheck: '../src/process/healthcheck.ts',
  cli: '../src/cli/main.ts',
};

// A package and an image hold the bundle alone. Beside the sources it starts twice as fast as they do, but only one that
// was made from these sources will do.
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

// Commands without any further word.
const STRAIGHT = new Map([
  ['', start],
  ['start', start],
  ['healthcheck', checkHealth],
  ['--version', printVersion],
]);

async function main(words) {
  const problem = nodeProblem(process.versions.node, HAS_SOURCES ? ROOT : null);
  if (problem !== null) return refuse(problem);
  enableCompileCache();
  const straight = words.length > 1 || words[0] === '' ? undefined : STRAIGHT.get(words.join(''));
  await (straight === undefined ? runCommandLine(words) : straight());
  // Now, because Node would write it at exit and a bank is often killed.
  module.flushCompileCache();
}

main(process.argv.slice(2));
