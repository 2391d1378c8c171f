#!/bin/sh
# standardwebhooks and svix accept a secret that is a text, and then no signature fits.
#
# Version: standardwebhooks 1.1.1, svix 2.5.0 (npm).
# Behaviour: a secret without the prefix `whsec_` is decoded as Base64. A random text of 32 letters and digits is
# valid Base64, so the constructor succeeds, and every delivery fails with "No matching signature found". The
# option `format: "raw"` reads the text as it is.
# Guess: an error of the constructor, because the prefix of the standard is missing.
# Advice: pass `{ format: "raw" }` for a secret that is a text. The secret here is made up.
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
const secret = 'k3Jq0VtY8mZc5RbN1xWd7PfLs2GhUa9E';
const body = '{"type":"transaction.created"}';
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', secret).update(`evt_1.${timestamp}.${body}`).digest('base64');
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` };
for (const name of ['standardwebhooks', 'svix']) {
  const { Webhook } = require(name);
  for (const options of [undefined, { format: 'raw' }]) {
    try {
      new Webhook(secret, options).verify(body, headers);
      console.log(`${name}, ${JSON.stringify(options)}: accepted`);
    } catch (error) {
      console.log(`${name}, ${JSON.stringify(options)}: ${error.message}`);
    }
  }
}
PROGRAM
cat > expected <<'OUTPUT'
standardwebhooks, undefined: No matching signature found
standardwebhooks, {"format":"raw"}: accepted
svix, undefined: No matching signature found
svix, {"format":"raw"}: accepted
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: a text of 32 characters is read as Base64'
