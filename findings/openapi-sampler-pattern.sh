#!/bin/sh
# openapi-sampler makes samples that do not match the `pattern` of their schema.
#
# Version: openapi-sampler 1.7.10 (npm).
# Behaviour: the README lists `pattern` among the supported keywords, with limits. By default it is ignored, and the
# sample of an amount is "string". With the option `enablePatterns`, which the README does not name, ranges such as
# `[0-9]` work, and a backslash, a group and an alternative become text: `\d` becomes the letter d. There is no error.
# So most samples of a bank's requests are refused by their own schema.
# Guess: a matching text, or without support the usual "string" for all patterns.
# Advice: give every property with a pattern an `example`, which is used first; or write `[0-9]` for `\d`.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error openapi-sampler@1.7.10 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { sample } = require('openapi-sampler');
for (const pattern of ['^[0-9]{9}$', '^\\d{9}$', '^\\d+\\.\\d{2}$', '^(debit|credit)$']) {
  const samples = [{}, { enablePatterns: true }].map((options) => sample({ type: 'string', pattern }, options));
  const words = samples.map((text) => (new RegExp(pattern).test(text) ? 'matches' : text));
  console.log(`${pattern}: ${words[0]}, with enablePatterns: ${words[1]}`);
}
console.log(`with an example: ${sample({ type: 'string', pattern: '^\\d{9}$', example: '021000021' })}`);
PROGRAM
cat > expected <<'OUTPUT'
^[0-9]{9}$: string, with enablePatterns: matches
^\d{9}$: string, with enablePatterns: \ddddddddd
^\d+\.\d{2}$: string, with enablePatterns: \d\.\dd
^(debit|credit)$: string, with enablePatterns: (debit|credit)
with an example: 021000021
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: patterns are ignored, and with the option read in part'
