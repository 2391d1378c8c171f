#!/bin/sh
# ofx-data-extractor refuses OFX whose elements share a line, with an error about JSON.
#
# Version: ofx-data-extractor 1.5.0 (npm).
# Behaviour: in OFX 1 the end tag of a value is optional, and a line break means nothing. The parser inserts
# missing end tags and commas by line. Transactions may be on one line, but if the account or the balance is, it
# fails with a SyntaxError of `JSON.parse` that names no place in the file.
# Guess: the same result as with one element on each line.
# Advice: insert a line break before each `<` first.
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
const header = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n';
const body =
  '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD' +
  '<BANKACCTFROM><BANKID>021000021<ACCTID>0012345678<ACCTTYPE>CHECKING</BANKACCTFROM>' +
  '<BANKTRANLIST><DTSTART>20261201<DTEND>20261231' +
  '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261201<TRNAMT>12.50<FITID>1<NAME>Jane Example</STMTTRN>' +
  '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
const read = (name, text) => {
  try {
    console.log(`${name}: ${new Ofx(header + text).getBankTransferList()[0].NAME}`);
  } catch (error) {
    console.log(`${name}: ${error.name}`);
  }
};
read('one element on each line', body.replaceAll('<', '\n<'));
read('all elements on one line', body);
PROGRAM
cat > expected <<'OUTPUT'
one element on each line: Jane Example
all elements on one line: SyntaxError
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: elements on one line are a JSON error'
