// Installs a Node that can run the project if the current one cannot. `npm ci` runs it in parallel with the bundle;
// afterwards npm's scripts and npx find this Node first. npm fetches the package for this platform by the version and
// hash in the package-lock.json in this folder, without scripts. Only one of its 2,800 files is needed, so it is
// extracted from npm's cache; if it is not there, npm installs the package. This file must parse in Node 14.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { nodeProblem } from '../../bin/node-version.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const PLACE = join(MODULES, '.sandbank-node');
const IS_WINDOWS = process.platform === 'win32';

function refuse(why) {
  process.stderr.write(`${why}\nInstall Node 24 and put it first on the PATH.\n`);
  process.exit(1);
}

const FOLDER = join(PLACE, 'node_modules');
const PROGRAM = IS_WINDOWS ? 'bin/node.exe' : 'bin/node';

function runNpm(words, errors) {
  const npm = process.env.npm_execpath;
  const options = { cwd: PLACE, stdio: ['ignore', 'ignore', errors] };
  const { status } =
    npm === undefined
      ? spawnSync('npm', words, { ...options, shell: IS_WINDOWS })
      : spawnSync(process.execPath, [npm, ...words], options);
  return status === 0;
}

// The package for this platform.
function lockedPackage() {
  const { packages } = JSON.parse(readFileSync(join(HERE, 'package-lock.json'), 'utf8'));
  const found = Object.entries(packages).find(
    ([, { os, cpu }]) => os === process.platform && cpu === process.arch,
  );
  return found && { ...found[1], name: found[0].replace('node_modules/', '') };
}

// The contents of npm's cache for a hash.
function cached(integrity) {
  const { npm_config_cache: cache = '' } = process.env;
  const digits = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  const parts = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)];
  const file = join(cache, '_cacache/content-v2/sha512', ...parts);
  if (cache === '' || !existsSync(file)) return undefined;
  const content = readFileSync(file);
  return createHash('sha512').update(content).digest('hex') === digits ? content : undefined;
}

const BLOCK = 512;
const CHUNK = 1024 * 1024;
const text = (head, from, to) => head.toString('latin1', from, to).replace(/\0.*$/, '');

// Extracts one file of a package and stops; returns whether it was found. In a tar archive each file is a header
// block with its name and length, followed by its bytes in whole blocks.
async function unpack(content, name, to) {
  const unzip = createGunzip({ chunkSize: CHUNK });
  unzip.end(content);
  let head = Buffer.alloc(0);
  // The remaining bytes of the current file to write, and to read.
  let wanted = 0;
  let left = 0;
  let file;
  for await (const chunk of unzip) {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const part = chunk.subarray(at, at + left);
        if (file !== undefined) {
          const length = Math.min(part.length, wanted);
          // npm, which is tried next, reports the problem of the disk.
          if (writeSync(file, part, 0, length) < length) return false;
          wanted -= length;
        }
        left -= part.length;
        at += part.length;
        if (file === undefined || wanted > 0) continue;
        closeSync(file);
        return true;
      }
      const part = chunk.subarray(at, at + BLOCK - head.length);
      head = Buffer.concat([head, part]);
      at += part.length;
      if (head.length < BLOCK) continue;
      wanted = Number.parseInt(text(head, 124, 136), 8) || 0;
      left = Math.ceil(wanted / BLOCK) * BLOCK;
      if (text(head, 0, 100) === name) file = openSync(to, 'w', 0o755);
      head = Buffer.alloc(0);
    }
  }
  return false;
}

async function takeFromCache() {
  const found = lockedPackage();
  if (found === undefined) return false;
  const { name, version, integrity } = found;
  const content =
    cached(integrity) || (runNpm(['cache', 'add', `${name}@${version}`], 'ignore') && cached(integrity));
  if (!content) return false;
  const to = join(FOLDER, name, PROGRAM);
  mkdirSync(dirname(to), { recursive: true });
  // Renamed when it is complete.
  const unfinished = `${to}.part`;
  if (!(await unpack(content, `package/${PROGRAM}`, unfinished))) return false;
  renameSync(unfinished, to);
  return true;
}

function installWithNpm() {
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(HERE, name), join(PLACE, name));
  const words = ['ci', '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund'];
  if (!runNpm(words, 'inherit'))
    refuse('sandbank: the Node that the project is pinned to could not be fetched.');
}

// npm installs only the package for this platform.
function fetchedNode() {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.startsWith('node-')) : [];
  const files = names.map((name) => join(FOLDER, name, PROGRAM));
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

async function bringNode(problem) {
  mkdirSync(PLACE, { recursive: true });
  const isTaken = await takeFromCache().catch(() => false);
  if (!isTaken) installWithNpm();
  const file = fetchedNode();
  if (file === undefined) {
    refuse(`${problem}\nNo Node for ${process.platform} ${process.arch} is pinned by the project.`);
  }
  putFirst(file);
}

const problem = nodeProblem(process.versions.node, null);
if (problem !== null) bringNode(problem);
