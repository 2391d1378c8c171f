#!/bin/sh
# workerd: a cursor returns rows that were inserted after the query began.
#
# Version: workerd 1.20261117.1 (npm), SQL storage of a Durable Object.
# Behaviour: `sql.exec` returns a cursor that reads lazily. A write between two of its rows is accepted, and the
# cursor returns the new row. To drop the table is refused as locked.
# Guess: an error, as better-sqlite3 has ("This database connection is busy executing a query"), or the rows of
# the moment of the query.
# Advice: call `toArray()` before the first write.
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
mkdir objects
cat > try.js <<'PROGRAM'
const say = (name, action) => {
  try {
    console.log(`${name}: ${JSON.stringify(action())}`);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
  }
};

export class Store {
  constructor({ storage: { sql } }) {
    this.sql = sql;
  }

  fetch() {
    const run = (text, ...values) => this.sql.exec(text, ...values).toArray();
    run('CREATE TABLE payment (id INTEGER PRIMARY KEY)');
    run('INSERT INTO payment VALUES (1), (2)');
    const cursor = this.sql.exec('SELECT id FROM payment');
    const seen = [cursor.next().value.id];
    run('INSERT INTO payment VALUES (3)');
    seen.push(...[...cursor].map(({ id }) => id));
    say('the query began with 2 rows and returned', () => seen);
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
const config :Workerd.Config = (services = [(name = "main", worker = .main), (name = "objects", disk = (path = "objects", writable = true))]);
const main :Workerd.Worker = (
  modules = [(name = "try.js", esModule = embed "try.js")],
  compatibilityDate = "2026-06-01",
  durableObjectNamespaces = [(className = "Store", uniqueKey = "store", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [(name = "STORE", durableObjectNamespace = "Store")],
);
CONFIG
cat > expected <<'OUTPUT'
the query began with 2 rows and returned: [1,2,3]
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: a cursor sees later rows'
