#!/bin/sh
# MT940 parsers put an entry of 31 December with a value date of 1 January into the next December.
#
# Version: mt940js 1.3.5, swiftmessageparser 1.2.1, @centrapay/swift-parser 1.0.1 (npm). The three share the code.
# Behaviour: field 61 has a value date with a year (YYMMDD) and an entry date without one (MMDD). The parsers take
# the year of the value date for both. Around the new year the entry date is then wrong by twelve months:
# 2027-12-31 instead of 2026-12-31, and 2026-01-04 instead of 2027-01-04.
# Guess: the year that puts the entry date nearest to the value date.
# Advice: compare the two dates. If they are more than six months apart, correct the year of the entry date.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error mt940js@1.3.5 swiftmessageparser@1.2.1 @centrapay/swift-parser@1.0.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const statement = [
  ':20:STMT1',
  ':25:021000021/1234567890',
  ':28C:1/1',
  ':60F:C261230USD100,00',
  // Value date 1 January 2027, booked on 31 December (1231).
  ':61:2701011231C7,00NTRFREF1//BANK1',
  ':86:ACH PULL',
  // Value date 31 December 2026, booked on 4 January (0104).
  ':61:2612310104D2,00NTRFREF2//BANK2',
  ':86:ACH PUSH',
  ':62F:C270104USD105,00',
  '-',
  '',
].join('\n');

const day = (date) => date.toISOString().slice(0, 10);
const statements = {
  mt940js: new (require('mt940js').Parser)().parse(statement),
  swiftmessageparser: require('swiftmessageparser').parse({ type: 'mt940', data: statement }),
  '@centrapay/swift-parser': require('@centrapay/swift-parser').parse({ type: 'mt940', data: statement }),
};
for (const [name, [{ transactions }]] of Object.entries(statements)) {
  for (const { date, entryDate } of transactions) {
    console.log(`${name}: value date ${day(date)}, entry date ${day(entryDate)}`);
  }
}
PROGRAM
cat > expected <<'OUTPUT'
mt940js: value date 2027-01-01, entry date 2027-12-31
mt940js: value date 2026-12-31, entry date 2026-01-04
swiftmessageparser: value date 2027-01-01, entry date 2027-12-31
swiftmessageparser: value date 2026-12-31, entry date 2026-01-04
@centrapay/swift-parser: value date 2027-01-01, entry date 2027-12-31
@centrapay/swift-parser: value date 2026-12-31, entry date 2026-01-04
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: the entry date is a year late'
