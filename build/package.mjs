// Makes the package that is published: `npm run package`. It lays out what is packed in out/package and packs it there, so
// that nothing of the checkout changes. Three things differ from the checkout: package.json has no scripts and none of the
// fields that only serve development, README.md is the page for npm, and the addresses of the repository are filled in.
//
//   npm run package -- --repository https://github.com/OWNER/NAME
//
// No address stands in package.json itself, because only whoever publishes knows it; npm needs it for its provenance.
// It prints the path of the packed file and its size.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'out');
const STAGE = join(OUT, 'package');

/** Fields of package.json that serve the checkout alone. */
const OF_THE_CHECKOUT = ['scripts', 'devDependencies', 'overrides', 'allowScripts'];
/** npm packs these without being asked. */
const ALWAYS = ['LICENSE'];

const { values } = parseArgs({
  options: { repository: { type: 'string' }, refuse: { type: 'boolean', default: false } },
});

// `npm publish` in the checkout itself gets here.
if (values.refuse) {
  process.stderr.write(
    'sandbank: publish the file that "npm run package" makes: docs/guides/release.md says how.\n',
  );
  process.exit(1);
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const published = {
  ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !OF_THE_CHECKOUT.includes(name))),
  ...(values.repository !== undefined && addressesOf(values.repository)),
};

rmSync(OUT, { recursive: true, force: true });
mkdirSync(STAGE, { recursive: true });
for (const path of [...manifest.files, ...ALWAYS]) {
  cpSync(join(ROOT, path), join(STAGE, path), { recursive: true });
}
cpSync(join(ROOT, 'docs/npm/README.md'), join(STAGE, 'README.md'));
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);

const [packed] = JSON.parse(npm(['pack', STAGE, '--pack-destination', OUT, '--json']));
const file = join(OUT, packed.filename);
process.stdout.write(
  `${file}\n${packed.entryCount} files, ${(statSync(file).size / 1024 / 1024).toFixed(1)} MB\n`,
);

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
