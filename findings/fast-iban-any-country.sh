#!/bin/sh
# fast-iban accepts an IBAN of the United States, which has none.
#
# Version: fast-iban 1.2.0, compared with ibantools 4.5.4 (npm).
# Behaviour: the package says that it follows ISO 13616, whose registry lists the countries and the lengths of
# their numbers. `validateIBAN` computes the check digits for a text of any country that looks like an IBAN. Banks
# of the United States and Canada have no IBAN, so a payment to such a number cannot be sent.
# Guess: false for a country that is not in the registry.
# Advice: use ibantools. The number is made up.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error fast-iban@1.2.0 ibantools@4.5.4 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { validateIBAN } = require('fast-iban');
const { isValidIBAN } = require('ibantools');
for (const iban of ['DE89370400440532013000', 'US64SVBKUS6S3300958879']) {
  console.log(`${iban}: fast-iban ${validateIBAN(iban)}, ibantools ${isValidIBAN(iban)}`);
}
PROGRAM
cat > expected <<'OUTPUT'
DE89370400440532013000: fast-iban true, ibantools true
US64SVBKUS6S3300958879: fast-iban true, ibantools false
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: a country without IBAN is accepted'
