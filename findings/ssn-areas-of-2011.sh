#!/bin/sh
# ssn refuses social security numbers whose first three digits were not assigned before June 2011.
#
# Version: ssn 1.0.3, compared with ssn-validator 2.0.1 (npm).
# Behaviour: since 2011 the numbers are assigned at random, and the areas 734 to 749 and 773 to 899 are in use.
# ParseSSN, which is documented to check the validity of a number, throws a RangeError for them. They are the
# numbers of many people who were born or came to the country since then.
# Guess: only the areas 000, 666 and 900 to 999 are refused, which are never assigned.
# Advice: use ssn-validator. The numbers here are made up.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error ssn@1.0.3 ssn-validator@2.0.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { ParseSSN } = require('ssn');
const { isValid } = require('ssn-validator');
for (const number of ['001010001', '734010001', '773010001', '820010001', '899010001']) {
  let found = 'accepted';
  try {
    new ParseSSN(number);
  } catch (error) {
    found = `${error.name}: ${error.message}`;
  }
  console.log(`${number}: ssn ${found}; ssn-validator ${isValid(number) ? 'accepted' : 'refused'}`);
}
PROGRAM
cat > expected <<'OUTPUT'
001010001: ssn accepted; ssn-validator accepted
734010001: ssn RangeError: 734 area number is not valid; ssn-validator accepted
773010001: ssn RangeError: 773 area number is not valid; ssn-validator accepted
820010001: ssn RangeError: 820 area number is not valid; ssn-validator accepted
899010001: ssn RangeError: 899 area number is not valid; ssn-validator accepted
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: numbers of the newer areas are refused'
