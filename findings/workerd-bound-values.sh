#!/bin/sh
# workerd stores a bound boolean as the text "true", also in an INTEGER column.
#
# Version: workerd 1.20261117.1 (npm), SQL storage of a Durable Object.
# Behaviour: `sql.exec` turns every bound value that is no number, text, buffer or null into a text. `true`
# becomes "true", so `WHERE paid = ?` with `true` finds no row whose column is 1. A Date and an object become the
# text of `String(value)`. There is no error.
# Guess: 1, as SQLite's own TRUE; or an error, as better-sqlite3 has for booleans, dates and objects.
# Advice: bind 1 and 0, and instants as numbers.
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
    run('CREATE TABLE payment (paid INTEGER)');
    run('INSERT INTO payment VALUES (TRUE)');
    say('rows with 1', () => run('SELECT count(*) AS n FROM payment WHERE paid = ?', true)[0].n);
    run('INSERT INTO payment VALUES (?)', true);
    say('stored types', () => run('SELECT typeof(paid) AS type, paid FROM payment'));
    say('an object', () => run('SELECT typeof(?1) AS type, ?1 AS value', { cents: 1250 }));
    say('a date', () => run('SELECT typeof(?1) AS type, ?1 AS value', new Date(0)));
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
rows with 1: 0
stored types: [{"type":"integer","paid":1},{"type":"text","paid":"true"}]
an object: [{"type":"text","value":"[object Object]"}]
a date: [{"type":"text","value":"Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"}]
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: a bound boolean becomes a text'
