#!/bin/sh
# date-holidays: the Monday after a Veterans Day on Sunday is not "public".
#
# Version: date-holidays 3.37.0 (npm), country US.
# Behaviour: all federal holidays have the type `public`, and so have their substitute days, except for Veterans
# Day: the holiday is `public` and its substitute has the type `bank`. A program that closes on the type `public`
# is open on 2029-11-12, when the Federal Reserve is closed. It also closes on the Friday before a holiday on
# Saturday, when the Federal Reserve is open; one that adds the type `bank` closes on 8 such Fridays from 2026 to
# 2032.
# Guess: a substitute day has the type of its holiday; or `bank` marks the days on which banks are closed.
# Advice: accept `public` and `bank`, and ignore substitute days on a Friday.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error date-holidays@3.37.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const Holidays = require('date-holidays');
const calendar = new (Holidays.default ?? Holidays)('US');
for (const day of ['2029-11-11', '2029-11-12', '2027-07-04', '2027-07-05', '2028-11-10', '2026-07-03']) {
  const [year, month, date] = day.split('-').map(Number);
  const found = calendar.isHoliday(new Date(year, month - 1, date, 12)) || [];
  console.log(`${day}: ${found.map(({ name, type }) => `${name}, ${type}`).join('; ')}`);
}
PROGRAM
cat > expected <<'OUTPUT'
2029-11-11: Veterans Day, public
2029-11-12: Veterans Day (substitute day), bank
2027-07-04: Independence Day, public
2027-07-05: Independence Day (substitute day), public
2028-11-10: Veterans Day (substitute day), bank
2026-07-03: Independence Day (substitute day), public
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: the substitute of Veterans Day has another type'
