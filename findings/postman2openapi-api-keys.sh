#!/bin/sh
# postman2openapi merges two API keys in different headers into one.
#
# Version: postman2openapi 1.2.1 (npm).
# Behaviour: a collection of a bank with two versions of its API has a key in the header `api-key` and one in the header
# `sd-api-key`. The OpenAPI document has one security scheme, `apiKey`, with the name of the last header, and both
# operations require it. A client that is generated from the document sends the wrong header to the first version.
# Guess: two schemes, for example `apiKey` and `apiKey2`; or a warning.
# Advice: convert one collection for each header, or correct `securitySchemes` in the document.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error postman2openapi@1.2.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { transpile } = require('postman2openapi');
const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const request = (version, header) => ({
  name: version,
  request: {
    method: 'GET',
    url: { raw: `https://bank.example/${version}/account`, protocol: 'https', host: ['bank', 'example'], path: [version, 'account'] },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: header },
        { key: 'value', value: 'secret' },
        { key: 'in', value: 'header' },
      ],
    },
  },
});
const item = [request('v2', 'api-key'), request('v1', 'sd-api-key')];
const { paths, components } = transpile({ info: { name: 'Bank', schema }, item });
for (const [name, { in: place, name: key }] of Object.entries(components.securitySchemes)) {
  console.log(`scheme ${name}: ${place} ${key}`);
}
for (const [path, { get }] of Object.entries(paths)) console.log(`${path}: ${JSON.stringify(get.security)}`);
PROGRAM
cat > expected <<'OUTPUT'
scheme apiKey: header sd-api-key
/v2/account: [{"apiKey":[]}]
/v1/account: [{"apiKey":[]}]
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: two keys become one'
