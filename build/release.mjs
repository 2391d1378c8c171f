// `npm run release`: makes all parts of a release, without publishing, in out/. See docs/guides/release.md.
//
//   npm run release -- --dry-run     prints the parts of the release, and changes nothing outside of dist/ and out/
//   npm run release                  the same, and makes the tag; pushing the tag publishes the release
//
// The exit code is 1 if there is an obstacle (build/release-checks.mjs), and 2 for an unknown option.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  changesOf,
  count,
  environment,
  git,
  missing,
  npmDryRun,
  obstaclesOf,
  publishCommand,
  ROOT,
  read,
} from './release-checks.mjs';

const OUT = join(ROOT, 'out');

const isDry = readOptions()['dry-run'] || npmDryRun === 'true';
const missed = missing();
if (missed !== undefined) refuse([missed]);

const manifest = JSON.parse(read('package.json'));
const { version, publishedName: name = manifest.name } = manifest;
const tag = `v${version}`;
const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '');
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const commit = git('rev-parse', 'HEAD');
const commitTime = git('show', '--no-patch', '--format=%cI', 'HEAD');
const branch = git('symbolic-ref', '--short', '--quiet', 'HEAD') ?? 'main';
const isTagged = git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`) === commit;
const changes = changesOf(version);

const obstacles = obstaclesOf({ version, repository });
if (obstacles.length > 0 && !isDry) refuse(obstacles);
for (const obstacle of obstacles) process.stderr.write(`release: ${obstacle}\n`);

say('Version', `${name} ${version}, of commit ${commit}`);
say('Changelog', changes?.text || 'none');

say('Build', 'dist/, which takes up to a minute unless it is up to date');
runToEnd(process.execPath, ['build/bundle.mjs', '--if-stale']);
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

if (!isTagged && !isDry) {
  const made = git('tag', '--annotate', tag, '--message', `${name} ${version}`);
  if (made === undefined)
    refuse([`git could not make the tag: "git tag --annotate ${tag}" prints the reason`]);
}
say('Tag', `${tag}${isTagged ? ', made before' : isDry ? ': not made in a dry run' : ''}`);
if (obstacles.length > 0) refuse(obstacles);
const undo = `Before you push the tag, you can remove it with "git tag --delete ${tag}".`;
process.stdout.write(
  isDry && !isTagged
    ? '\nReady: run "npm run release".\n'
    : `${undo}\n\nTagged: publish with "${publishCommand(branch, tag)}".\n`,
);

function readOptions() {
  try {
    return parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } }).values;
  } catch (error) {
    process.stderr.write(
      `release: ${error.message.split('. ')[0]}. Run "npm run release -- --dry-run" or "npm run release".\n`,
    );
    return process.exit(2);
  }
}

/** Prints all obstacles and ends the process. */
function refuse(obstacles) {
  for (const obstacle of obstacles) process.stderr.write(`release: ${obstacle}\n`);
  const found = count(obstacles.length, 'obstacle');
  process.stderr.write(`\n${isDry ? 'Not ready' : 'Not released'}: ${found}, above. Then run it again.\n`);
  process.exit(1);
}

/** The provenance, as an in-toto statement with SLSA's predicate. */
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

/** Runs a command and shows its output only if it fails. */
function runToEnd(command, words) {
  const ended = spawnSync(command, words, { cwd: ROOT, encoding: 'utf8', env: environment });
  if (ended.status === 0) return ended;
  process.stderr.write(`${ended.stdout}${ended.stderr}release: "node ${words.join(' ')}" failed.\n`);
  return process.exit(1);
}
