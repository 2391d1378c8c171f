// `npm run prepare-release 0.1.0`: writes the version, the date of its changes and its data file, and commits them.
// Existing parts are kept, so it can be run again. See docs/guides/release.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  changesOf,
  git,
  keepDataFile,
  missing,
  ROOT,
  read,
  tagObstacle,
  today,
  VERSION,
} from './release-checks.mjs';

const [version = '', ...others] = process.argv.slice(2);
const TAG = `v${version}`;

if (others.length > 0 || !VERSION.test(version))
  refuse(`give the version, like "npm run prepare-release 0.1.0"`, 2);
const missed = missing();
if (missed !== undefined) refuse(missed);
if (git('rev-parse', '--verify', '--quiet', `refs/tags/${TAG}`) !== undefined)
  refuse(
    tagObstacle(version) ||
      `this commit already has the tag ${TAG}. If it was made too early and not pushed, remove it: "git tag --delete ${TAG}"`,
  );
const changes = changesOf(version) ?? changesOf('Unreleased');
if (changes === undefined)
  refuse(
    `CHANGELOG.md has no heading "## [${version}]" or "## [Unreleased]": add one, and list the changes below it`,
  );
if (changes.text === '') refuse('CHANGELOG.md has no text below that heading: list the changes');

const files = ['CHANGELOG.md', 'package.json', 'package-lock.json', 'test/bank/store/released'];
change('package.json', (manifest) => ({ ...manifest, version }));
change('package-lock.json', ({ packages, ...lock }) => ({
  ...lock,
  version,
  packages: { ...packages, '': { ...packages[''], version } },
}));
writeChangelog();
if (!keepDataFile()) refuse('the data file could not be written: see above');

git('add', '--', ...files);
if (git('diff', '--cached', '--quiet', '--', ...files) !== undefined)
  process.stdout.write(`${version} is already prepared.\n`);
else if (git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files) === undefined)
  refuse('git could not commit: run "git commit", which prints the reason');
else process.stdout.write(`${git('show', '--stat', '--format=Commit %h, %s:')}\n`);
process.stdout.write('Next: npm run release -- --dry-run\n');

/** Writes a JSON file as npm does, if its content changes. */
function change(path, edit) {
  const text = read(path);
  const lines = `${JSON.stringify(edit(JSON.parse(text)), null, 2)}\n`;
  if (lines !== text) writeFileSync(join(ROOT, path), lines);
}

function writeChangelog() {
  const own = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm');
  // Both may exist: the changes of the version, and later ones.
  const heading = own.test(read('CHANGELOG.md')) ? own : /^## \[Unreleased\].*$/m;
  const page = JSON.parse(read('package.json')).repository.url.replace(/^git\+|\.git$/g, '');
  const text = read('CHANGELOG.md').replace(heading, `## [${version}] - ${today()}`);
  const link = `[${version}]: ${page}/releases/tag/${TAG}`;
  const first = /^\[\d+\.\d+\.\d+\]: /m;
  const linked = text.includes(`\n[${version}]: `) ? text : text.replace(first, `${link}\n$&`);
  if (linked !== read('CHANGELOG.md')) writeFileSync(join(ROOT, 'CHANGELOG.md'), linked);
}

function refuse(why, code = 1) {
  process.stderr.write(`prepare-release: ${why}\n`);
  process.exit(code);
}
