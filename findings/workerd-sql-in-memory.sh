#!/bin/sh
# workerd: a Durable Object with enableSql and storage in memory has no SQL.
#
# Version: workerd 1.20261117.1 (npm).
# Behaviour: with `durableObjectStorage = (inMemory = void)` the configuration is accepted, and `enableSql = true`
# is ignored: the first use of `storage.sql` fails with advice for wrangler.toml, a file of another program. With
# `localDisk` and the same class it works.
# Guess: SQLite in memory, or an error in the configuration.
# Advice: use `localDisk` with a temporary folder.
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
export class Store {
  constructor({ storage }) {
    this.storage = storage;
  }

  fetch() {
    try {
      console.log(this.storage.sql.exec('SELECT 1 AS a').one());
    } catch (error) {
      console.log(`${error.name}: ${error.message.split('.')[0]}.`);
    }
    return new Response();
  }
}

export default {
  async test(_, { STORE }) {
    await STORE.get(STORE.idFromName('one')).fetch('http://store/');
  },
};
PROGRAM
cat > config.capnp <<'CONFIG'
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
const main :Workerd.Worker = (
  modules = [(name = "try.js", esModule = embed "try.js")],
  compatibilityDate = "2026-06-01",
  durableObjectNamespaces = [(className = "Store", uniqueKey = "store", enableSql = true)],
  durableObjectStorage = (inMemory = void),
  bindings = [(name = "STORE", durableObjectNamespace = "Store")],
);
CONFIG
cat > expected <<'OUTPUT'
Error: This Durable Object is not backed by SQLite storage, so the SQL API is not available.
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: enableSql needs a disk'
