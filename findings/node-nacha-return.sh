#!/bin/sh
# @midlandsbank/node-nacha drops leading zeros of routing and trace numbers, and cuts the addenda of a return.
#
# Version: @midlandsbank/node-nacha 0.4.0 (npm).
# Behaviour: the parser turns routing numbers and trace numbers into JavaScript numbers, so their leading zeros
# are lost (routing numbers of Boston, New York, Philadelphia and Cleveland begin with 0). The addenda of a return
# (type 99) is read in the layout of type 05: the return reason is the beginning of a long text, and the trace
# number in it is cut and its end is in another field.
# Guess: identifiers are texts, and an addenda 99 has a reason, an original trace number and its own trace number.
# Advice: pad the numbers to 8 and 15 digits. Read the reason from the first 3 characters of `info`, the original
# trace number from the next 15.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error @midlandsbank/node-nacha@0.4.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const text = (value, width) => String(value).padEnd(width);
const number = (value, width) => String(value).padStart(width, '0');
const fileOf = (entryClass, amount, addenda) => {
  const lines = [
    `101 021000021 0110000152612011030A094101${text('SOME BANK', 23)}${text('OTHER BANK', 23)}${text('', 8)}`,
    `5200${text('EXAMPLE COMPANY', 16)}${text('', 20)}1234567890${entryClass}${text('PAYMENT', 10)}2612012612013351011000010000001`,
    `621021000021${text('5654221', 17)}${number(amount, 10)}${text('P1', 15)}${text('JANE EXAMPLE', 22)}  1011000010000001`,
    addenda,
    `82000000020002100002${number(0, 12)}${number(amount, 12)}1234567890${text('', 25)}011000010000001`,
    `9000001000001000000020002100002${number(0, 12)}${number(amount, 12)}${text('', 39)}`,
  ];
  while (lines.length % 10 > 0) lines.push('9'.repeat(94));
  return `${lines.join('\n')}\n`;
};

const addenda = `799R01021000020000017${text('', 6)}01100001${text('', 44)}011000010000001`;
const [{ entries }] = require('@midlandsbank/node-nacha').from(fileOf('PPD', 1250, addenda)).data.batches;
const [entry] = entries;
console.log(`receiving bank 02100002: ${JSON.stringify(entry.receivingDFIIdentification)}`);
console.log(`trace number 011000010000001: ${JSON.stringify(entry.traceNumber)}`);
console.log(`addenda: ${JSON.stringify(entry.addenda.info.replace(/ +/g, ' '))}, ${entry.addenda.num}`);
PROGRAM
cat > expected <<'OUTPUT'
receiving bank 02100002: 2100002
trace number 011000010000001: 11000010000001
addenda: "R01021000020000017 01100001 0110", 1
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: zeros and trace numbers are lost'
