#!/bin/sh
# workerd hides why a fetch to a denied address failed.
#
# Version: workerd 1.20261117.1 (npm), a service of the type network with `allow = ["public"]`.
# Behaviour: a fetch to an address outside of the allowed networks rejects with "internal error". The reason is
# only in the log of the process ("connecting to ... is not allowed"). A refused connection to an allowed address
# has another message. So a program cannot tell its user that the configuration forbids the address.
# Guess: an error that names the address or the rule.
# Advice: check the address of a webhook before the fetch, if its user must learn the reason.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error workerd@1.20261117.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.js <<'PROGRAM'
export default {
  async test() {
    try {
      await fetch('http://127.0.0.1:9/');
    } catch (error) {
      console.log(`${error.name}: ${error.message.replace(/reference = \w+/, 'reference = ...')}`);
    }
  },
};
PROGRAM
cat > config.capnp <<'CONFIG'
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["public"]))]);
const main :Workerd.Worker = (
  modules = [(name = "try.js", esModule = embed "try.js")],
  compatibilityDate = "2026-06-01",
);
CONFIG
cat > expected <<'OUTPUT'
Error: internal error; reference = ...
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: the reason of a denied fetch is hidden'
