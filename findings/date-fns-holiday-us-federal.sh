#!/bin/sh
# date-fns-holiday-us: Washington's Birthday is a bank holiday and no federal holiday.
#
# Version: date-fns-holiday-us 1.1.0 (npm).
# Behaviour: `getFederalHolidays` returns 10 of the 11 federal holidays; Washington's Birthday is missing, while
# `getBankHolidays` has it. `isBankHoliday` also says that banks are open on the Monday after a holiday on Sunday,
# and compares the exact time: it is false for the same holiday at noon.
# Guess: the two lists are equal, a Monday that substitutes a Sunday is closed, and a `Date` means its day.
# Advice: use `isBankHoliday` with a `Date` at 00:00, and add the Mondays.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error date-fns-holiday-us@1.1.0 date-fns@2.30.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const us = require('date-fns-holiday-us');
const [bank, federal] = [us.getBankHolidays(2026), us.getFederalHolidays(2026)];
console.log(`only in the bank holidays: ${Object.keys(bank).filter((name) => !(name in federal)).join(', ')}`);
console.log(`2027-07-05, for 2027-07-04 on Sunday: ${us.isBankHoliday(new Date(2027, 6, 5))}`);
console.log(`2026-12-25 at 00:00: ${us.isBankHoliday(new Date(2026, 11, 25))}`);
console.log(`2026-12-25 at 12:00: ${us.isBankHoliday(new Date(2026, 11, 25, 12))}`);
PROGRAM
cat > expected <<'OUTPUT'
only in the bank holidays: presidentsDay
2027-07-05, for 2027-07-04 on Sunday: false
2026-12-25 at 00:00: true
2026-12-25 at 12:00: false
OUTPUT
TZ=UTC node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: the federal list lacks a holiday'
