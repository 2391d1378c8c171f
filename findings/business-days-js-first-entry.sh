#!/bin/sh
# business-days-js closes the Friday before some Saturday holidays, and not before Christmas.
#
# Version: business-days-js 2.3.0 with date-holidays 3.37.0 (npm), against the calendar of the Federal Reserve
# from 2026 to 2032.
# Behaviour: its readme says that a holiday on Saturday closes the Friday. `check` looks only at the first entry
# that date-holidays has for a day. On 24 December that is Christmas Eve, which is optional, so the Friday before
# a Christmas on Saturday is open; the Friday before Independence Day on Saturday is closed. The Monday after a
# Veterans Day on Sunday is open, because date-holidays gives that day another type. Only Christmas is right here,
# since the Federal Reserve never closes a Friday for a Saturday.
# Guess: one rule for all holidays.
# Advice: do not use it for settlement dates.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error business-days-js@2.3.0 date-holidays@3.37.0 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
// The closed weekdays of the Federal Reserve: a holiday on Sunday moves to Monday, one on Saturday does not move.
const iso = (date) => date.toISOString().slice(0, 10);
const closedDays = (year) => {
  const on = (month, day) => new Date(Date.UTC(year, month - 1, day));
  const first = (weekday, date) => new Date(+date + ((weekday + 7 - date.getUTCDay()) % 7) * 86_400_000);
  const fixed = (date) => (date.getUTCDay() === 0 ? first(1, date) : date);
  return [
    ...[on(1, 1), on(6, 19), on(7, 4), on(11, 11), on(12, 25)].map(fixed),
    ...[on(1, 15), on(2, 15), on(5, 25), on(9, 1), on(10, 8)].map((date) => first(1, date)),
    first(4, on(11, 22)),
  ].map(iso);
};
const FROM = 2026;
const TO = 2032;
const compare = (name, isClosed) => {
  const closed = new Set();
  for (let year = FROM; year <= TO; year += 1) for (const day of closedDays(year)) closed.add(day);
  const wrong = { closes: [], opens: [] };
  for (let date = new Date(Date.UTC(FROM, 0, 1)); date.getUTCFullYear() <= TO; date = new Date(+date + 86_400_000)) {
    const [day, weekday] = [iso(date), date.getUTCDay()];
    if (weekday === 0 || weekday === 6 || isClosed(day) === closed.has(day)) continue;
    wrong[closed.has(day) ? 'opens' : 'closes'].push(day);
  }
  for (const [word, days] of Object.entries(wrong)) console.log(`${name} ${word} wrongly: ${days.join(' ') || 'none'}`);
};

const businessDays = require('business-days-js');
const calendar = (businessDays.default ?? businessDays)();
compare('business-days-js', (day) => !calendar.check(`${day} 12:00`));
PROGRAM
cat > expected <<'OUTPUT'
business-days-js closes wrongly: 2026-07-03 2027-06-18 2027-12-31 2032-06-18 2032-12-31
business-days-js opens wrongly: 2029-11-12
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: only the first entry of a day counts'
