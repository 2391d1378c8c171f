// Writes dist/NOTICES.txt: the licences of the packages whose code is in the bundles and the pages, which want to be
// handed on with it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE = /^(licen[cs]e|notice|copying)(\.|-|$)/i;
const INTRODUCTION = `This program holds code of the packages below, each under its own licence.
`;

/** `inputs` are the paths of the files that were bundled; `more` are packages that came in another way. */
export function writeNotices(file, root, inputs, more) {
  const folders = new Set(more.map((name) => join('node_modules', name)));
  for (const input of inputs) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll('\\', '/'))?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = [...folders].sort().map((folder) => noticeOf(join(root, folder)));
  writeFileSync(file, [INTRODUCTION, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}
