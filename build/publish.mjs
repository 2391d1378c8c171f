// Publishes the packed file to npm, for the release workflow: `node build/publish.mjs out/sandbank-0.1.0.tgz`. It can
// run again: a version that is already on npm with the same content is skipped. A workflow can publish only an
// existing package, so a person publishes the first version from the file of the release: docs/guides/release.md.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [file = ''] = process.argv.slice(2);
const staged = new URL('../out/package/package.json', import.meta.url);
const { name, version, repository } = JSON.parse(readFileSync(staged, 'utf8'));
const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

const versions = view(name, 'versions');
if (versions === undefined) {
  const page = repository.url.replace(/^git\+|\.git$/g, '');
  const address = `${page}/releases/download/v${version}/${basename(file)}`;
  // GitHub shows this line on the page of the run.
  process.stdout.write(
    `::notice title=Publish the first version by hand::npm has no package ${name} yet. ` +
      `Run "npm login", then "npm publish ${address} --access public", once the release is there.\n`,
  );
} else if (![versions].flat().includes(version)) {
  const { status } = npm(['publish', `./${file}`, '--provenance', '--access', 'public'], 'inherit');
  process.exitCode = status ?? 1;
} else if (view(`${name}@${version}`, 'dist.integrity') === integrity) {
  process.stdout.write(`npm already has this file as ${name} ${version}.\n`);
} else {
  fail(`npm has another file as ${name} ${version}, and keeps it: release the next version.`);
}

/** A field of a package on the registry; `undefined` if the package does not exist. */
function view(what, field) {
  const { status, stdout, stderr } = npm(['view', what, field, '--json'], 'pipe');
  if (status === 0) return JSON.parse(stdout);
  if (/"code": "E404"/.test(stdout)) return undefined;
  return fail(`npm could not look up ${what}:\n${stderr}`);
}

function npm(words, output) {
  return spawnSync('npm', words, { encoding: 'utf8', stdio: ['ignore', output, output] });
}

function fail(why) {
  process.stderr.write(`publish: ${why}\n`);
  return process.exit(1);
}
