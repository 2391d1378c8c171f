#!/bin/sh
# mt940-js cannot be loaded unless another package happens to install tslib.
#
# Version: mt940-js 1.0.0 (npm).
# Behaviour: the compiled files call the helpers of tslib, which is no dependency of the package. Alone in a
# folder, the package cannot be loaded. In a project with a tool that installs tslib it works, until that tool is
# removed.
# Guess: `npm install mt940-js` is enough.
# Advice: install tslib beside it.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error mt940-js@1.0.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
try {
  require('mt940-js');
  console.log('loaded');
} catch (error) {
  console.log(`${error.code}: ${error.message.split('\n')[0]}`);
}
const { dependencies = {} } = require('mt940-js/package.json');
console.log(`declared dependencies: ${Object.keys(dependencies).join(', ') || 'none'}`);
PROGRAM
cat > expected <<'OUTPUT'
MODULE_NOT_FOUND: Cannot find module 'tslib'
declared dependencies: none
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: the package cannot be loaded alone'
