// Sets the owner of the project and the name of the package. Until then, all addresses contain a placeholder, which
// is defined only in this file.
//
//   node build/owner.mjs my-account                                   replaces the placeholder by an account or organization on GitHub
//   node build/owner.mjs my-account --package @my-account/sandbank    and sets the name of the package on npm
//
// In the checkout the package keeps its name, so that its tests and examples find it; `npm run package` writes the
// other name. Users who install it under the alias `sandbank` can use all examples unchanged.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export const PLACEHOLDER = 'OWNER';
/** The files with such addresses. */
export const FILES = [
  'package.json',
  'CHANGELOG.md',
  '.github/CODEOWNERS',
  '.github/ISSUE_TEMPLATE/config.yml',
];

const ROOT = new URL('../', import.meta.url);
/** In `github.com/OWNER/`, `@OWNER`. */
const IN_ADDRESSES = new RegExp(`(?<=github\\.com/|@)${PLACEHOLDER}\\b`, 'g');
const ACCOUNT = /^[a-z\d](?:-?[a-z\d])*$/i;
const PACKAGE = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/;

/** Install commands, and their replacements for another package name. */
const NAMES = [
  [
    'package.json',
    /("name": "sandbank",\n)(?: {2}"publishedName": .*\n)?/,
    (name) => `$1  "publishedName": "${name}",\n`,
  ],
  ['action.yml', /^( +\*\) package="sandbank@)(?:npm:.+@)?(?=\$VERSION)/m, (name) => `$1npm:${name}@`],
  ['docs/npm/README.md', /(npm install --save-dev sandbank)(?:@\S+)?/, (name) => `$1@npm:${name}`],
  ['skills/sandbank/SKILL.md', /(npm install --save-dev sandbank)(?:@\S+)?/, (name) => `$1@npm:${name}`],
];

function refuse(why) {
  process.stderr.write(
    `owner: ${why}\nGive the account or organization of GitHub, and the name on npm if it is not "sandbank":\n  node build/owner.mjs my-account --package @my-account/sandbank\n`,
  );
  process.exit(2);
}

function readWords() {
  try {
    return parseArgs({ options: { package: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    return refuse(error.message);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals, values } = readWords();
  const [owner = ''] = positionals;
  if (positionals.length !== 1 || !ACCOUNT.test(owner))
    refuse(`"${positionals.join(' ')}" is not a GitHub account.`);
  const { package: name } = values;
  if (name !== undefined && !PACKAGE.test(name)) refuse(`"${name}" is not a package name.`);

  const changes = [
    ...FILES.map((path) => [path, IN_ADDRESSES, () => owner]),
    ...(name === undefined ? [] : NAMES),
  ];
  const changed = new Set();
  for (const [path, pattern, to] of changes) {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    const written = text.replace(pattern, to(name));
    if (written === text) continue;
    writeFileSync(new URL(path, ROOT), written);
    changed.add(path);
  }
  process.stdout.write(
    changed.size === 0
      ? `Nothing to change: no address names ${PLACEHOLDER} any more. "git log" shows the commit that replaced it.\n`
      : `Changed ${[...changed].join(', ')}. "git diff" shows how, and "git checkout ." undoes it.\n`,
  );
}
