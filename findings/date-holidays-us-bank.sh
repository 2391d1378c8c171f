#!/bin/sh
# @date/holidays-us closes the Friday for two of the holidays that can fall on Saturday.
#
# Version: @date/holidays-us 0.4.0 (npm), `bank()`, against the calendar of the Federal Reserve from 2026 to 2032.
# Behaviour: Independence Day and Christmas on Saturday close the Friday; New Year's Day and Veterans Day on
# Saturday do not. Juneteenth, a bank holiday since 2021, is missing.
# Guess: the same rule for all, and for bank holidays the rule of the Federal Reserve: never.
# Advice: do not use it for settlement dates.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error @date/holidays-us@0.4.0 > npm.log 2>&1 || {
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

const holidays = require('@date/holidays-us').bank();
compare('@date/holidays-us', (day) => {
  const [year, month, date] = day.split('-').map(Number);
  return Boolean(holidays.isHoliday(new Date(year, month - 1, date)));
});
PROGRAM
cat > expected <<'OUTPUT'
@date/holidays-us closes wrongly: 2026-07-03 2027-12-24 2032-12-24
@date/holidays-us opens wrongly: 2026-06-19 2028-06-19 2029-06-19 2030-06-19 2031-06-19
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: two holidays of four close the Friday'
