#!/bin/sh
# workerd refuses if(), json_pretty(), unistr() and sqlite_version(), and allows iif() and jsonb().
#
# Version: workerd 1.20261117.1 (npm), SQL storage of a Durable Object.
# Behaviour: only functions on a list of the runtime may be called. Newer names of allowed functions are not on
# it: `iif` works, and its synonym `if` (SQLite 3.48) is "not authorized". A program cannot ask which SQLite it
# runs on either.
# Guess: every function without a side effect works, as in the SQLite of the same year.
# Advice: test statements against workerd. Use `iif`.
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
    for (const call of ["iif(1, 'a', 'b')", "if(1, 'a', 'b')", "json('[1]')", "json_pretty('[1]')", "unistr('a')", "concat('a', 'b')", 'sqlite_version()']) {
      say(call, () => run(`SELECT ${call} AS value`)[0].value);
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
iif(1, 'a', 'b'): "a"
if(1, 'a', 'b'): not authorized to use function: if at offset 7: SQLITE_ERROR
json('[1]'): "[1]"
json_pretty('[1]'): not authorized to use function: json_pretty at offset 7: SQLITE_ERROR
unistr('a'): not authorized to use function: unistr at offset 7: SQLITE_ERROR
concat('a', 'b'): "ab"
sqlite_version(): not authorized to use function: sqlite_version at offset 7: SQLITE_ERROR
OUTPUT
node_modules/@cloudflare/workerd-*/bin/workerd test config.capnp 2> errors > actual || true
diff expected actual && echo 'unchanged: functions of SQLite are refused'
