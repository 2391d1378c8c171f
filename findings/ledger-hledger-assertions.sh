#!/bin/sh
# ledger and hledger check the same balance assertions in different orders.
#
# Version: ledger 3.3.0-3, hledger 1.25-2+b5 (Debian 12).
# Behaviour: `= $12.50` at a posting asserts the balance of its account. ledger checks in the order of the file,
# hledger in the order of the dates. A journal that is written as payments arrive, with effective dates that are
# not in order, is valid for only one of the two: each rejects the journal that the other accepts.
# Guess: both read the same format, and an assertion is true or false.
# Advice: sort the journal by date before you write assertions.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install ledger=3.3.0-3 hledger=1.25-2+b5 > plan || return
  apt-get download ledger=3.3.0-3 hledger=1.25-2+b5 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
  for file in *.deb; do dpkg-deb -x "$file" root || return; done
}
install_packages > apt.log 2>&1 || {
  cat apt.log >&2
  exit 2
}
export PATH="$folder/root/usr/bin:/usr/bin:$PATH"
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu):$folder/root/usr/lib && export LD_LIBRARY_PATH
LD_LIBRARY_PATH="$LD_LIBRARY_PATH:$folder/root/usr/lib/ledger" && export LD_LIBRARY_PATH
export TZ=UTC LC_ALL=C.UTF-8
try() {
cat > file-order.journal <<'JOURNAL'
2026-12-02 ACH pull
    Assets:Bank  $12.50 = $12.50
    Income:Customers

2026-12-01 Fee
    Assets:Bank  $-0.05 = $12.45
    Expenses:Fees
JOURNAL
cat > date-order.journal <<'JOURNAL'
2026-12-02 ACH pull
    Assets:Bank  $12.50 = $12.45
    Income:Customers

2026-12-01 Fee
    Assets:Bank  $-0.05 = $-0.05
    Expenses:Fees
JOURNAL
for program in ledger hledger; do
  for journal in file-order date-order; do
    if "$program" -f "$journal.journal" balance > balance 2>&1; then answer=accepts; else answer=rejects; fi
    echo "$program $answer the assertions in $journal"
  done
done
}
cat > expected <<'OUTPUT'
ledger accepts the assertions in file-order
ledger rejects the assertions in date-order
hledger rejects the assertions in file-order
hledger accepts the assertions in date-order
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: ledger checks in the order of the file, hledger by date'
