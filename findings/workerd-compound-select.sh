#!/bin/sh
# workerd: a UNION of six SELECTs is too many, and six hundred rows of VALUES are not.
#
# Version: workerd 1.20261117.1 (npm), SQL storage of a Durable Object.
# Behaviour: a compound SELECT has at most 5 terms (500 in SQLite). A statement that collects the lists of several
# tables with UNION ALL fails when a sixth table is added, when it is prepared. `VALUES` has no such limit.
# Guess: the limit of SQLite, 500 terms.
# Advice: nest: a subquery of five terms counts as one.
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
    const union = (terms) => Array(terms).fill('SELECT 1 AS a').join(' UNION ALL ');
    say('5 terms', () => run(union(5)).length);
    say('6 terms', () => run(union(6)).length);
    say('5 terms, one of them a subquery of 5', () => run(`${union(4)} UNION ALL SELECT * FROM (${union(5)})`).length);
    say('600 rows of VALUES', () => run(`SELECT count(*) AS n FROM (VALUES ${Array(600).fill('(1)').join(', ')})`)[0].n);
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
5 terms: 5
6 terms: too many terms in compound SELECT: SQLITE_ERROR
5 terms, one of them a subquery of 5: 9
600 rows of VALUES: 600
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: six SELECTs cannot be combined'
