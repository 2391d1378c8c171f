// The obstacles of a release, each with its remedy. All checks are fast except that of the data file, which runs
// last.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from '../bin/node-version.mjs';
import { PLACEHOLDER } from './owner.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The only allowed format; npm publishes other versions under another tag than `latest`. */
export const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/;
/** The tag triggers the release workflow, so an older version can have its own branch. */
const BRANCH = /^(?:main|release\/.+)$/;
const DAY_MS = 86_400_000;
const MOST_NAMES = 5;

export const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The environment of npm's commands below. `npm run release --dry-run` sets the option for all of them. */
export const { npm_config_dry_run: npmDryRun, ...environment } = process.env;

/** The output of git; `undefined` if it fails. */
export function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8', env: environment });
  return status === 0 ? stdout.trimEnd() : undefined;
}

/** The date of this machine. */
export function today() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const publishCommand = (branch, tag) => `git push --atomic origin ${branch} ${tag}`;

/** The first missing prerequisite, or `undefined`. */
export function missing() {
  if (!existsSync(join(ROOT, 'node_modules/esbuild')))
    return 'the dependencies are not installed: run "npm ci"';
  if (nodeProblem(process.versions.node, null) !== null)
    return `this is Node ${process.versions.node}: run the command as an npm script, which uses the Node that "npm ci" fetched`;
  if (
    git('rev-parse', '--show-prefix') !== '' ||
    git('rev-parse', '--verify', '--quiet', 'HEAD') === undefined
  )
    return 'this folder is not a git checkout with a commit: clone the repository, and run the command in the clone';
  return undefined;
}

/** The section of the changelog for a version: the date in its heading, and its text. */
export function changesOf(version, changelog = read('CHANGELOG.md')) {
  const part = changelog.split(/^## /m).find((text) => text.startsWith(`[${version}]`));
  if (part === undefined) return undefined;
  const [heading = '', ...lines] = part.split('\n');
  const links = /^\[[^\]]+\]: .*$/gm;
  return {
    date: heading.replace(`[${version}]`, '').replace(/^\s*-\s*/, ''),
    text: lines.join('\n').replaceAll(links, '').trim(),
  };
}

function changelogObstacles(version) {
  const changes = changesOf(version);
  const dated = `"npm run prepare-release ${version}" gives it the date of today`;
  if (changes === undefined)
    return [
      `CHANGELOG.md has no heading "## [${version}]": add it, list the changes below it, and run "npm run prepare-release ${version}"`,
    ];
  return [
    dateProblem(changes.date, version, dated),
    changes.text === '' &&
      `CHANGELOG.md has no text below the heading "## [${version}]": list the changes, and commit`,
  ];
}

function dateProblem(date, version, remedy) {
  const heading = `the heading "## [${version}]" in CHANGELOG.md`;
  if (date === '') return `${heading} has no date: ${remedy}`;
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
    return `${heading} has "${date}", which is not a date like ${today()}: ${remedy}`;
  // Allows a day of difference for other time zones.
  return (
    Math.abs(time - Date.parse(today())) > DAY_MS &&
    `${heading} has the date ${date}, and today is ${today()}: ${remedy}`
  );
}

function branchObstacles() {
  const branch = git('symbolic-ref', '--short', '--quiet', 'HEAD');
  if (branch === undefined) return ['no branch is checked out: run "git switch main"'];
  if (!BRANCH.test(branch))
    return [
      `the branch is ${branch}, and versions are released from main, or from a branch like release/0.1: run "git switch main"`,
    ];
  // Uses the state of the last fetch. The push is atomic, so a newer commit on the server also refuses the tag.
  const behind = Number(git('rev-list', '--count', `HEAD..refs/remotes/origin/${branch}`) ?? 0);
  return [
    behind > 0 && `${branch} lacks ${count(behind, 'commit')} of origin/${branch}: run "git pull --rebase"`,
  ];
}

function changedFiles() {
  const names = git('status', '--porcelain').split('\n').filter(Boolean);
  if (names.length === 0) return false;
  const shown = names.slice(0, MOST_NAMES).map((line) => line.slice(3));
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return `${count(names.length, 'file')} changed and not committed: ${[...shown, ...more].join(', ')}. Commit them, or put them aside with "git stash --include-untracked"`;
}

/** The problem of a tag on another commit. A tag on this commit is the result of a release. */
export function tagObstacle(version) {
  const tag = `v${version}`;
  const commit = git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`);
  if (commit === undefined || commit === git('rev-parse', 'HEAD')) return false;
  const about = git('show', '--no-patch', '--format=%h of %cs', commit);
  const next = version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  return `the tag ${tag} is on another commit, ${about}. If it was pushed, ${version} is released: take another version, like "npm run prepare-release ${next}". If it was not, remove it: "git tag --delete ${tag}"`;
}

/** All obstacles, in the order in which to remove them. */
export function obstaclesOf({ version, repository }) {
  const kept = `test/bank/store/released/${version}.sqlite.br`;
  const locked = JSON.parse(read('package-lock.json')).version;
  const prepare = `run "npm run prepare-release ${version}"`;
  const found = [
    repository.includes(`/${PLACEHOLDER}/`) &&
      `the addresses in package.json name ${PLACEHOLDER}: run "node build/owner.mjs <account>", with your account or organization on GitHub, and commit`,
    ...branchObstacles(),
    VERSION.test(version)
      ? tagObstacle(version)
      : `package.json has the version ${version}, which is not like 0.1.0: run "npm run prepare-release 0.1.0", with your version`,
    ...changelogObstacles(version),
    locked !== version &&
      `package-lock.json has the version ${locked}, and package.json ${version}: ${prepare}`,
    !existsSync(join(ROOT, kept)) &&
      `no data file of ${version} is kept for the tests of later versions: ${prepare}`,
    changedFiles(),
  ].filter((obstacle) => obstacle !== false);
  if (found.length > 0 || keepDataFile('--check')) return found;
  return [`${kept} differs from the file that this commit writes: ${prepare}`];
}

export function keepDataFile(...words) {
  const options = { cwd: ROOT, encoding: 'utf8', env: environment };
  const { status, stderr } = spawnSync(process.execPath, ['build/keep-data-file.ts', ...words], options);
  if (stderr !== '') process.stderr.write(stderr);
  return status === 0;
}

export const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
