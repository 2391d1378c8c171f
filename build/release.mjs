// `npm run release`: everything of a release up to publishing, in out/. docs/guides/release.md is the page about it.
//
//   npm run release -- --dry-run     shows what there would be, and changes nothing outside of dist/ and out/
//   npm run release                  the same, and makes the tag; whoever pushes the tag publishes
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PLACEHOLDER } from './owner.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'out');

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDry = values['dry-run'];
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const { name, version } = manifest;
const tag = `v${version}`;
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const git = (...words) => runToEnd('git', words).stdout.trim();

const commit = git('rev-parse', 'HEAD');
const commitTime = git('show', '--no-patch', '--format=%cI', 'HEAD');
const notes = notesOf(read('CHANGELOG.md'));
const problems = [
  JSON.parse(read('package-lock.json')).version !== version &&
    `package-lock.json has another version: run "npm install --package-lock-only"`,
  notes === undefined &&
    `CHANGELOG.md has no heading "## [${version}] - <date>": write one, with what is new below it`,
  !existsSync(join(ROOT, `test/store/released/${version}.sqlite.br`)) &&
    `no data file of ${version} is kept for the test of older data: run "node build/keep-data-file.ts"`,
  git('status', '--porcelain') !== '' && 'the checkout has changes that are not committed: commit them',
  git('tag', '--list', tag) !== '' &&
    `the tag ${tag} is there already: choose another version with "npm version"`,
  repository.includes(PLACEHOLDER) &&
    `the addresses in package.json name ${PLACEHOLDER}: run "node build/owner.mjs <account>" and commit`,
].filter((problem) => problem !== false);

say('Version', `${name} ${version}, of commit ${commit}`);
say('Changelog', notes ?? 'none');
for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
if (problems.length > 0 && !isDry) process.exit(1);

const packed = runToEnd(process.execPath, ['build/package.mjs', '--repository', repository]).stdout;
const [file = '', size = ''] = packed.trim().split('\n');
say('Package', `${file}\n${size}`);

copyFileSync(join(OUT, 'package/sbom.cdx.json'), join(OUT, 'sbom.cdx.json'));
const { components } = JSON.parse(readFileSync(join(OUT, 'sbom.cdx.json'), 'utf8'));
say('SBOM', `${join(OUT, 'sbom.cdx.json')}\n${components.length} bundled packages`);

const subjects = [file, join(OUT, 'sbom.cdx.json')].map((path) => ({
  name: basename(path),
  digest: { sha256: sha256(readFileSync(path)) },
}));
write('SHA256SUMS', subjects.map((one) => `${one.digest.sha256}  ${one.name}\n`).join(''));
say('Checksums', readFileSync(join(OUT, 'SHA256SUMS'), 'utf8'));

write('provenance.intoto.json', `${JSON.stringify(provenance(), null, 2)}\n`);
say('Provenance', `${join(OUT, 'provenance.intoto.json')}\nnot signed: the release workflow signs its own`);

const labels = Object.entries({
  title: 'Sandbank',
  description: manifest.description,
  version,
  revision: commit,
  created: commitTime,
  source: repository,
  licenses: manifest.license,
}).map(([key, value]) => `org.opencontainers.image.${key}=${value}`);
write('image-labels.txt', `${labels.join('\n')}\n`);
say('Image labels', labels.join('\n'));

if (isDry) say('Tag', `${tag}: not made in a dry run`);
else {
  git('tag', '--annotate', tag, '--message', `${name} ${version}`);
  say('Tag', `${tag}\nPublish it with "git push origin ${tag}": the release workflow does the rest.`);
}
if (isDry)
  process.stdout.write(
    problems.length === 0 ? `\nReady: run "npm run release".\n` : '\nNot ready: see the lines on stderr.\n',
  );

/** The part of the changelog for this version; `undefined` where it has no heading with a date. */
function notesOf(changelog) {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((text) => text.startsWith(`[${version}] - `));
  return part === undefined || !/^\S+ - \d{4}-\d\d-\d\d\n/.test(part)
    ? undefined
    : part.slice(part.indexOf('\n')).trim();
}

/** What was made of what, as a statement of in-toto with SLSA's predicate. */
function provenance() {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/${tag}/build/package.mjs`,
        externalParameters: { repository, ref: `refs/tags/${tag}` },
        resolvedDependencies: [
          { uri: `git+${repository}@refs/tags/${tag}`, digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(read('package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: {
          id: `${repository}/blob/${tag}/build/release.mjs`,
          version: { node: process.versions.node },
        },
        metadata: { finishedOn: new Date().toISOString() },
      },
    },
  };
}

function say(what, text) {
  process.stdout.write(`${what}\n${text.trimEnd().replaceAll(/^(?=.)/gm, '  ')}\n`);
}

function write(path, text) {
  writeFileSync(join(OUT, path), text);
}

function runToEnd(command, words) {
  const ended = spawnSync(command, words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (ended.status !== 0) process.exit(1);
  return ended;
}
