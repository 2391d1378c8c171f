#!/bin/sh
# hledger reads a CSV column that is called "status" as its own mark.
#
# Version: hledger 1.25-2+b5 (Debian 12).
# Behaviour: the names in the `fields` rule are those of the columns; a few of them also assign a part of the
# transaction, and `status` is one: it must be `*`, `!` or empty. The natural rule, the header of the file, fails
# for the CSV of a bank whose column `status` has `settled`. Columns with other unknown names are ignored.
# Guess: a column name that is not date, description or amount has no effect.
# Advice: give the column another name in the rule.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install hledger=1.25-2+b5 > plan || return
  apt-get download hledger=1.25-2+b5 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
  for file in *.deb; do dpkg-deb -x "$file" root || return; done
}
install_packages > apt.log 2>&1 || {
  cat apt.log >&2
  exit 2
}
export PATH="$folder/root/usr/bin:/usr/bin:$PATH"
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu):$folder/root/usr/lib && export LD_LIBRARY_PATH
export TZ=UTC LC_ALL=C.UTF-8
try() {
  printf 'date,description,amount,status\n2026-12-01,ACH pull,12.50,settled\n' > statement.csv
  for name in status state; do
    printf 'skip 1\nfields date,description,amount,%s\ncurrency $\naccount1 Assets:Bank\n' "$name" > statement.rules
    if hledger -f statement.csv --rules-file statement.rules print > printed 2> refused; then
      echo "column $name: $(head -n 1 printed)"
    else
      echo "column $name: $(head -n 1 refused)"
    fi
  done
}
cat > expected <<'OUTPUT'
column status: hledger: error: could not parse "settled" as a cleared status (should be *, ! or empty)
column state: 2026-12-01 ACH pull
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: a column named status is a mark of hledger'
