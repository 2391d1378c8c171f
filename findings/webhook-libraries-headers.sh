#!/bin/sh
# standardwebhooks and svix do not find the signature in the Headers of a fetch Request.
#
# Version: standardwebhooks 1.1.1, svix 2.5.0 (npm), Node 20 or newer.
# Behaviour: both libraries read `headers` as an object with properties. A Request of Hono, Deno, Bun, workers and
# route handlers has `Headers`, whose values are behind `get`. The error is "Missing required headers", though the
# delivery has them.
# Guess: libraries that run in these runtimes accept their headers.
# Advice: pass `Object.fromEntries(request.headers)`.
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
const headers = new Headers({ 'webhook-id': 'evt_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` });
for (const name of ['standardwebhooks', 'svix']) {
  const { Webhook } = require(name);
  const webhook = new Webhook(`whsec_${key.toString('base64')}`);
  for (const [form, given] of [['Headers', headers], ['an object', Object.fromEntries(headers)]]) {
    try {
      webhook.verify(body, given);
      console.log(`${name}, ${form}: accepted`);
    } catch (error) {
      console.log(`${name}, ${form}: ${error.message}`);
    }
  }
}
PROGRAM
cat > expected <<'OUTPUT'
standardwebhooks, Headers: Missing required headers
standardwebhooks, an object: accepted
svix, Headers: Missing required headers
svix, an object: accepted
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: fetch Headers have no signature'
