// Runs at the end of `npm ci`: makes node_modules/.bin/sandbank, as npm makes it in other projects, builds the program
// and, if this Node cannot run the project, installs one that can, in parallel. esbuild supports older Nodes than the
// project. This file must parse in Node 14.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../bin/node-version.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INSTALL = join(ROOT, 'build/node/install.mjs');
const BUNDLE = [join(ROOT, 'build/bundle.mjs'), '--program'];
const BROUGHT = join(ROOT, 'node_modules/.bin', process.platform === 'win32' ? 'node.exe' : 'node');
/** The oldest Node that esbuild supports. */
const OLDEST_MAJOR = 18;

/** Runs a script; resolves with its exit code. */
function run(node, words, output = 'inherit') {
  return new Promise((resolve, reject) => {
    const child = spawn(node, words, { cwd: ROOT, stdio: ['ignore', output, output] });
    child.on('error', reject);
    child.on('exit', (code) => resolve(code === null ? 1 : code));
  });
}

/** With node_modules/.bin on the PATH, `sandbank` then works in a clone too. */
function linkCommand() {
  const link = join(ROOT, 'node_modules/.bin/sandbank');
  // An installation without commands of packages has no such folder.
  mkdirSync(dirname(link), { recursive: true });
  if (process.platform === 'win32') {
    writeFileSync(`${link}.cmd`, '@node "%~dp0..\\..\\bin\\sandbank.mjs" %*\r\n');
    return;
  }
  rmSync(link, { force: true });
  symlinkSync('../../bin/sandbank.mjs', link);
}

async function prepare() {
  linkCommand();
  const { node } = process.versions;
  if (nodeProblem(node, null) === null) return run(process.execPath, BUNDLE);
  const isTooOld = Number.parseInt(node, 10) < OLDEST_MAJOR;
  const [brought, bundled] = await Promise.all([
    run(process.execPath, [INSTALL]),
    // A failure in an untested Node is ignored, because the build is repeated with the new Node.
    isTooOld ? 1 : run(process.execPath, BUNDLE, 'ignore'),
  ]);
  if (brought !== 0 || bundled === 0) return brought;
  return run(BROUGHT, BUNDLE);
}

prepare().then((code) => {
  process.exitCode = code;
});
