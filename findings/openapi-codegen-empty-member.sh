#!/bin/sh
# openapi-typescript-codegen writes an enum that does not compile if a value is the empty text.
#
# Version: openapi-typescript-codegen 0.31.0, typescript 6.0.3 (npm).
# Behaviour: banks often send "" for a choice that is not made, so `""` is a value of the enum. The generator
# makes the name of a member from its value: the empty value gets an empty name, and the client has a syntax
# error. The generator itself ends with success.
# Guess: a member such as `EMPTY` or `""`, as other generators write; or an error.
# Advice: remove the empty values from the document before you generate, or use the option `useUnionTypes`.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error openapi-typescript-codegen@0.31.0 typescript@6.0.3 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { readFileSync } = require('node:fs');
const { generate } = require('openapi-typescript-codegen');
const { transpileModule } = require('typescript');
const input = {
  openapi: '3.0.3',
  info: { title: 'Bank', version: '1' },
  paths: {},
  components: {
    schemas: {
      Account: {
        type: 'object',
        properties: { type: { type: 'string', enum: ['', 'checking', 'savings'] } },
      },
    },
  },
};
(async () => {
  for (const useUnionTypes of [false, true]) {
    await generate({ input: structuredClone(input), output: './client', useUnionTypes });
    const text = readFileSync('./client/models/Account.ts', 'utf8');
    const { diagnostics } = transpileModule(text, { reportDiagnostics: true });
    console.log(`useUnionTypes ${useUnionTypes}: ${diagnostics.map(({ messageText }) => messageText).join(', ') || 'compiles'}`);
  }
})();
PROGRAM
cat > expected <<'OUTPUT'
useUnionTypes false: Enum member expected.
useUnionTypes true: compiles
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: an empty enum value is a syntax error'
