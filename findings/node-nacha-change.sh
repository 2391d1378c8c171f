#!/bin/sh
# @midlandsbank/node-nacha fails at the first notification of change.
#
# Version: @midlandsbank/node-nacha 0.4.0 (npm).
# Behaviour: notifications of change are entries of the class COR, and banks send them to every originator. The
# parser knows the layouts of a few classes; at an entry of another class it fails with a TypeError about
# `undefined` that names neither the class nor the line.
# Guess: the entry, or an error that names the class.
# Advice: take the batches of class COR out of the file before you parse it.
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

const addenda = `798C01021000020000017${text('', 6)}01100001${text('5654229', 29)}${text('', 15)}011000010000001`;
try {
  console.log(require('@midlandsbank/node-nacha').from(fileOf('COR', 0, addenda)).data.batches.length);
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
PROGRAM
cat > expected <<'OUTPUT'
TypeError: Cannot read properties of undefined (reading 'entry')
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: a notification of change is a TypeError'
