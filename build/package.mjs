// Makes the published package: `npm run package`. It copies the files to out/package and packs them there, so that
// the checkout does not change. The differences from the checkout: package.json has no scripts and no development
// fields, README.md is the page for npm, the addresses of the repository are set, and the pages and other long files
// that only a running bank reads are compressed (`readProjectFile`).
//
//   npm run package -- --repository https://github.com/OWNER/NAME
//
// `publishedName` in package.json (build/owner.mjs) is the name of the package on npm, if it differs. Until the
// project has an owner, the addresses in package.json contain a placeholder and are not packed; npm needs real
// addresses for its provenance. It prints the path and the size of the packed file.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { PLACEHOLDER } from './owner.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'out');
const STAGE = join(OUT, 'package');

/** Fields of package.json for the checkout only. */
const OF_THE_CHECKOUT = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'publishedName'];
/** npm always packs these. */
const ALWAYS = ['LICENSE'];
/** Files of dist/ that are packed at the top level, where users look for them. */
const AT_THE_TOP = ['THIRD-PARTY-NOTICES.md', 'sbom.cdx.json'];
/** Files that only the tests read, and pages about the code. */
const LEFT_OUT = [
  'docs/architecture.md',
  'docs/decisions',
  'docs/guides/release.md',
  'docs/npm',
  'docs/pictures/core-loop.svg',
  'docs/speed.json',
  'fixtures/recordings',
];
/** The compressed files and folders. */
const COMPRESSED = ['docs', 'dist/inspector', 'dist/trace.html', 'dist/worker.js', 'fixtures/answers'];
/** JSON files that only the program reads, packed without whitespace. */
const SHORTENED = ['fixtures/scenarios'];
/** Files that are already compressed. */
const IS_COMPRESSED = /\.webp$/;
/** The maximum unpacked size in bytes. */
const MOST_BYTES = 7_500_000;

const { values } = parseArgs({
  options: { repository: { type: 'string' }, refuse: { type: 'boolean', default: false } },
});

// Called by `npm pack` and `npm publish` in the checkout, whose package would lack the types, pages and CommonJS files.
if (values.refuse) {
  process.stderr.write(
    'sandbank: this folder is not the package. "npm run package" makes the file to install or to publish; docs/guides/release.md describes how.\n',
  );
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const ADDRESSES = ['homepage', 'bugs', 'repository'];
const hasOwner = !manifest.repository.url.includes(`/${PLACEHOLDER}/`);
const published = {
  ...Object.fromEntries(
    Object.entries(manifest).filter(
      ([name]) => !OF_THE_CHECKOUT.includes(name) && (hasOwner || !ADDRESSES.includes(name)),
    ),
  ),
  name: manifest.publishedName ?? manifest.name,
  files: [...manifest.files, ...AT_THE_TOP],
  ...(values.repository !== undefined && addressesOf(values.repository)),
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(STAGE, { recursive: true });
for (const path of [...manifest.files, ...ALWAYS]) {
  cpSync(join(ROOT, path), join(STAGE, path), { recursive: true });
}
for (const path of LEFT_OUT) rmSync(join(STAGE, path), { recursive: true });
for (const name of AT_THE_TOP) renameSync(join(STAGE, 'dist', name), join(STAGE, name));
for (const path of SHORTENED) {
  for (const json of filesBelow(join(STAGE, path))) {
    writeFileSync(json, JSON.stringify(JSON.parse(readFileSync(json, 'utf8'))));
  }
}
await Promise.all(COMPRESSED.flatMap((path) => filesBelow(join(STAGE, path))).map(compress));
cpSync(join(ROOT, 'docs/npm/README.md'), join(STAGE, 'README.md'));
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);

const [packed] = JSON.parse(npm(['pack', STAGE, '--pack-destination', OUT, '--json']));
const file = join(OUT, packed.filename);
const digits = (bytes) => bytes.toLocaleString('en-US');
process.stdout.write(
  `${file}\n${packed.entryCount} files, ${digits(statSync(file).size)} bytes; unpacked ${digits(packed.unpackedSize)} of at most ${digits(MOST_BYTES)} bytes\n`,
);
if (packed.unpackedSize > MOST_BYTES) {
  process.stderr.write(
    `sandbank: the package has ${digits(packed.unpackedSize)} bytes unpacked, more than ${digits(MOST_BYTES)}\n`,
  );
  process.exitCode = 1;
}

function filesBelow(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
}

async function compress(file) {
  if (IS_COMPRESSED.test(file)) return;
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(readFileSync(file)));
  rmSync(file);
}

function addressesOf(text) {
  const { protocol, href } = new URL(text);
  if (protocol !== 'https:')
    throw new Error(`--repository ${text}: expected an address like https://github.com/OWNER/NAME`);
  const page = href.replace(/(\.git|\/)$/, '');
  return {
    homepage: `${page}#readme`,
    bugs: `${page}/issues`,
    repository: { type: 'git', url: `git+${page}.git` },
  };
}

function npm(words) {
  const { npm_execpath: program } = process.env;
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] };
  const { status, stdout } =
    program === undefined
      ? spawnSync('npm', words, { ...options, shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [program, ...words], options);
  if (status !== 0) process.exit(1);
  return stdout;
}
