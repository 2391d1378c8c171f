#!/bin/sh
# accounting reads "12.50-" as a positive amount.
#
# Version: accounting 0.4.1 (npm).
# Behaviour: banks and accounting systems write debits as `12.50-`, `(12.50)` or `12.50 DR`. `unformat`
# understands the parentheses and a minus at the front. It ignores a minus at the end and returns the amount with
# the wrong sign.
# Guess: -12.5, or NaN.
# Advice: move the minus to the front first.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error accounting@0.4.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { unformat } = require('accounting');
for (const amount of ['-12.50', '$-12.50', '(12.50)', '12.50-']) console.log(`${amount}: ${unformat(amount)}`);
PROGRAM
cat > expected <<'OUTPUT'
-12.50: -12.5
$-12.50: -12.5
(12.50): -12.5
12.50-: 12.5
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: a trailing minus is lost'
