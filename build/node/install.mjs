// Brings a Node that runs the project, where the one that is there does not: `npm ci` runs it before anything else, and
// from then on npm's scripts and npx find it first. What is fetched is the one package for this platform that
// package-lock.json beside this file names, by version and hash, without scripts of its own.
// Everything here must parse in Node 14.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../../bin/node-version.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const PLACE = join(MODULES, '.sandbank-node');
const IS_WINDOWS = process.platform === 'win32';

function refuse(why) {
  process.stderr.write(`${why}\nInstall Node 24 and put it first on the PATH.\n`);
  process.exit(1);
}

function fetchNode() {
  mkdirSync(PLACE, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HERE, name), join(PLACE, name));
  const words = ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const options = { cwd: PLACE, stdio: ['ignore', 'ignore', 'inherit'] };
  const { status } =
    npm === undefined
      ? spawnSync('npm', words, { ...options, shell: IS_WINDOWS })
      : spawnSync(process.execPath, [npm, ...words], options);
  if (status !== 0) refuse('sandbank: the Node that the project is pinned to could not be fetched.');
}

// Only the package for this platform is installed of those that are named.
function fetchedNode() {
  const folder = join(PLACE, 'node_modules');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('node-')) : [];
  const files = names.map((name) => join(folder, name, 'bin', IS_WINDOWS ? 'node.exe' : 'node'));
  return files.find((file) => existsSync(file));
}

function putFirst(file) {
  const bin = join(MODULES, '.bin');
  const link = join(bin, IS_WINDOWS ? 'node.exe' : 'node');
  mkdirSync(bin, { recursive: true });
  rmSync(link, { force: true });
  if (IS_WINDOWS) linkSync(file, link);
  else symlinkSync(relative(bin, file), link);
}

const problem = nodeProblem(process.versions.node, null);
if (problem !== null) {
  fetchNode();
  const file = fetchedNode();
  if (file === undefined) {
    refuse(
      `${problem}\nNo Node for ${process.platform} ${process.arch} is among those that the project is pinned to.`,
    );
  }
  putFirst(file);
}
