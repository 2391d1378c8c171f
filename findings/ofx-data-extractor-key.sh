#!/bin/sh
# ofx-data-extractor returns the transactions below a misspelled key, and leaves names escaped.
#
# Version: ofx-data-extractor 1.5.0 (npm).
# Behaviour: `toJson()` keeps the names of the elements of OFX, except for the transactions: `<STMTTRN>` becomes
# `STRTTRN`. `&amp;` in a name stays as it is.
# Guess: the key is `STMTTRN`, as in the file and in the JSON of every other OFX parser.
# Advice: use `getBankTransferList()` instead of the JSON, and unescape the names.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error ofx-data-extractor@1.5.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { Ofx } = require('ofx-data-extractor');
const file = `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<CURDEF>USD
<BANKTRANLIST>
<DTSTART>20261201
<DTEND>20261231
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20261201
<TRNAMT>12.50
<FITID>1
<NAME>Smith &amp; Example
</STMTTRN>
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20261202
<TRNAMT>-0.05
<FITID>2
<NAME>Fee
</STMTTRN>
</BANKTRANLIST>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`.replace(/^ +/gm, '');
const list = new Ofx(file).toJson().OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST;
console.log(Object.keys(list).join(' '));
console.log(list.STRTTRN[0].NAME);
PROGRAM
cat > expected <<'OUTPUT'
DTSTART DTEND STRTTRN
Smith &amp; Example
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: STMTTRN becomes STRTTRN'
