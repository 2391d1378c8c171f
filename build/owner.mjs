// Who publishes the project. Until somebody does, every address in it names a placeholder, and this is the one place that says
// so. `node build/owner.mjs <account>` puts an account or organization of GitHub in its stead.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [owner = ''] = process.argv.slice(2);
  if (!/^[a-z\d](?:-?[a-z\d])*$/i.test(owner)) {
    process.stderr.write(
      'Give the account or organization that publishes the project: node build/owner.mjs my-account\n',
    );
    process.exit(1);
  }
  for (const path of FILES) {
    const text = readFileSync(new URL(path, ROOT), 'utf8');
    writeFileSync(new URL(path, ROOT), text.replaceAll(IN_ADDRESSES, owner));
  }
  process.stdout.write(`${FILES.join(', ')} name ${owner}\n`);
}
