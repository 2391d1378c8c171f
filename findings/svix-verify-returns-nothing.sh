#!/bin/sh
# svix: `verify` returns nothing, while the library of the same standard returns the event.
#
# Version: svix 2.5.0, compared with standardwebhooks 1.1.1 (npm).
# Behaviour: both check the same three headers of Standard Webhooks, and have a class `Webhook` with a method
# `verify(body, headers)` that throws for a wrong signature. standardwebhooks returns the parsed body. svix
# returns `undefined`, so a receiver that was written for the other one acknowledges every event and handles none.
# Guess: the parsed body.
# Advice: parse the body yourself after `verify`.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error svix@2.5.0 standardwebhooks@1.1.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { createHmac } = require('node:crypto');
const key = Buffer.from('made up for this example');
const body = '{"type":"transaction.created"}';
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64');
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` };
for (const name of ['standardwebhooks', 'svix']) {
  const { Webhook } = require(name);
  console.log(`${name}: ${JSON.stringify(new Webhook(`whsec_${key.toString('base64')}`).verify(body, headers))}`);
}
PROGRAM
cat > expected <<'OUTPUT'
standardwebhooks: {"type":"transaction.created"}
svix: undefined
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: verify of svix returns nothing'
