#!/bin/sh
# node-ofx-parser returns an escaped ampersand with three more levels of escaping.
#
# Version: node-ofx-parser 0.5.1 (npm).
# Behaviour: the OFX standard writes `&` in a name as `&amp;`. The parser returns `&amp;amp;amp;`. An ampersand
# appears in the names of many companies.
# Guess: `Smith & Example`, or at worst the text as it is in the file.
# Advice: read the name with ofx-js, or replace `&amp;` by `&` until the text no longer changes.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error node-ofx-parser@0.5.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const ofx = require('node-ofx-parser');
const file = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST>
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20261201
<TRNAMT>12.50
<FITID>1
<NAME>Smith &amp; Example
</STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
`.replace(/^ +/gm, '');
const { STMTTRN } = ofx.parse(file).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST;
console.log(STMTTRN.NAME);
PROGRAM
cat > expected <<'OUTPUT'
Smith &amp;amp;amp; Example
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: an ampersand is escaped three more times'
