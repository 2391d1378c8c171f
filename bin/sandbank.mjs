#!/usr/bin/env node
// The command `sandbank`: refuses a Node that is too old, turns on the compile cache and imports what the command needs.
// It must parse in Node 14, so nothing newer than dynamic import is used here, and TypeScript is imported only once
// the version is known to be good. A command imports its own file and no other: healthcheck runs every few seconds.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './node-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

const HELP = `sandbank: a local bank for development, CI and QA

  sandbank [start]      start the bank (the default)
  sandbank healthcheck  exit 0 if the bank of this environment is ready, 1 if not
  sandbank --version    print the version
  sandbank --help       print this

Settings are environment variables, SANDBANK_PORT and others: see the README.
`;

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

// The bundle starts twice as fast as the sources, but only one that was made from these sources will do.
function programFile(name) {
  try {
    const bundle = statSync(`${ROOT}/dist/${name}.js`).mtimeMs;
    if (bundle >= newestIn(`${ROOT}/src`)) return `../dist/${name}.js`;
  } catch {
    // There is no bundle: an image, or an install without development dependencies.
  }
  return `../src/${name}.ts`;
}

async function start(args) {
  enableCompileCache();
  const { run } = await import(programFile('main'));
  await run(args);
  // Now, because Node would write it at exit and a bank is often killed.
  module.flushCompileCache();
}

async function checkHealth() {
  enableCompileCache();
  const { healthcheck } = await import(programFile('healthcheck'));
  const problem = await healthcheck(process.env);
  if (problem !== null) refuse(problem, 1);
}

function printVersion() {
  process.stdout.write(`${JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')).version}\n`);
}

function printHelp() {
  process.stdout.write(HELP);
}

function refuse(problem, code) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = code;
}

const COMMANDS = new Map([
  ['start', start],
  ['healthcheck', checkHealth],
  ['--version', printVersion],
  ['--help', printHelp],
]);

async function main(args) {
  const problem = nodeProblem(process.versions.node, ROOT);
  if (problem !== null) return refuse(problem, 1);
  const name = args.length > 0 ? args[0] : 'start';
  const command = COMMANDS.get(name);
  if (!command) return refuse(`sandbank: there is no command "${name}". "sandbank --help" lists them.`, 2);
  if (args.length > 1) return refuse(`sandbank: "${name}" takes no arguments, and got "${args[1]}".`, 2);
  await command(args);
}

main(process.argv.slice(2));
