#!/bin/sh
# luxon-business-days: Christmas Day is a business day and a holiday.
#
# Version: luxon-business-days 3.0.1 with luxon 3.7.2 (npm).
# Behaviour: `isBusinessDay` compares only the weekday. It is true on a holiday, on which `isHoliday` is true too,
# and which `plusBusiness` skips. The default holidays are those of a parcel service, so the Birthday of Martin
# Luther King (2026-01-19) is no holiday.
# Guess: a holiday is no business day: `isBusinessDay` is false on the days that `plusBusiness` skips.
# Advice: call `setupBusiness` with the holidays of the Federal Reserve, and ask `isBusinessDay() &&
# !isHoliday()`.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error luxon-business-days@3.0.1 luxon@3.7.2 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { DateTime } = require('luxon-business-days');
for (const day of ['2026-12-25', '2026-01-19']) {
  const date = DateTime.fromISO(day);
  date.setupBusiness();
  const next = date.minus({ days: 1 }).plusBusiness({ days: 1 }).toISODate();
  console.log(`${day}: isBusinessDay ${date.isBusinessDay()}, isHoliday ${date.isHoliday()}, after the day before: ${next}`);
}
PROGRAM
cat > expected <<'OUTPUT'
2026-12-25: isBusinessDay true, isHoliday true, after the day before: 2026-12-28
2026-01-19: isBusinessDay true, isHoliday false, after the day before: 2026-01-19
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: a holiday is a business day'
