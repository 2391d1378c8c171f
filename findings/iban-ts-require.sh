#!/bin/sh
# iban-ts has an entry for require that cannot be required.
#
# Version: iban-ts 0.11.0 (npm).
# Behaviour: its `exports` name a file for `require`. That file is CommonJS with the suffix .js, in a package of
# the type `module`, so Node reads it as an ES module and it fails: `module is not defined`. `import` works.
# Guess: a package with an entry for `require` can be required.
# Advice: import it, or use ibantools.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error iban-ts@0.11.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.mjs <<'PROGRAM'
import { createRequire } from 'node:module';

const attempt = async (name, load) => {
  try {
    await load();
    console.log(`${name}: loaded`);
  } catch (error) {
    console.log(`${name}: ${error.name}`);
  }
};
await attempt('import', () => import('iban-ts'));
await attempt('require', () => createRequire(import.meta.url)('iban-ts'));
PROGRAM
cat > expected <<'OUTPUT'
import: loaded
require: ReferenceError
OUTPUT
node try.mjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: the package loads only with import'
