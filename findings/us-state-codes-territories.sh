#!/bin/sh
# us-state-codes knows Puerto Rico, and none of the other territories.
#
# Version: us-state-codes 1.1.2, compared with us-state-converter 1.0.8 (npm).
# Behaviour: `getStateNameByStateCode` has the District of Columbia and Puerto Rico, and returns null for Guam,
# the Virgin Islands, American Samoa and the Northern Mariana Islands, whose banks use the same networks.
# Guess: either only the states, or all the codes of the postal service.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error us-state-codes@1.1.2 us-state-converter@1.0.8 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { getStateNameByStateCode } = require('us-state-codes');
const { fullName } = require('us-state-converter');
for (const code of ['DC', 'PR', 'GU', 'VI', 'AS', 'MP']) {
  console.log(`${code}: us-state-codes ${getStateNameByStateCode(code)}, us-state-converter ${fullName(code)}`);
}
PROGRAM
cat > expected <<'OUTPUT'
DC: us-state-codes District of Columbia, us-state-converter District of Columbia
PR: us-state-codes Puerto Rico, us-state-converter Puerto Rico
GU: us-state-codes null, us-state-converter Guam
VI: us-state-codes null, us-state-converter US Virgin Islands
AS: us-state-codes null, us-state-converter American Samoa
MP: us-state-codes null, us-state-converter Northern Mariana Islands
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: four territories have no name'
