#!/bin/sh
# beancount accepts a balance that is a cent wrong.
#
# Version: beancount 2.3.5-2 (Debian 12).
# Behaviour: the tolerance of `balance` is twice half of the last digit that is written. For `12.51 USD` it is
# 0.01 USD, so 12.50 passes, as do 12.49 and 12.51. A difference of two cents is an error. `12.500 USD` is checked
# to a tenth of a cent. The tolerance of a transaction is half a cent.
# Guess: the balance is exact, or rounded to the cent.
# Advice: write one more decimal (`12.500 USD`), or `12.50 ~ 0.00 USD`.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install beancount=2.3.5-2 > plan || return
  apt-get download beancount=2.3.5-2 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
  for file in *.deb; do dpkg-deb -x "$file" root || return; done
}
install_packages > apt.log 2>&1 || {
  cat apt.log >&2
  exit 2
}
export PATH="$folder/root/usr/bin:/usr/bin:$PATH"
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu):$folder/root/usr/lib && export LD_LIBRARY_PATH
export PYTHONPATH="$folder/root/usr/lib/python3/dist-packages"
export TZ=UTC LC_ALL=C.UTF-8
try() {
for balance in '12.50' '12.51' '12.52' '12.501' '12.51 ~ 0.00'; do
  cat > book.beancount <<JOURNAL
2026-01-01 open Assets:Bank USD
2026-01-01 open Income:Customers
2026-12-01 * "ACH pull"
  Assets:Bank  12.50 USD
  Income:Customers
2026-12-02 balance Assets:Bank  $balance USD
JOURNAL
  if bean-check book.beancount > check 2>&1; then answer=accepted; else answer=refused; fi
  grep -q 'Balance failed' check || [ "$answer" = accepted ] || cat check
  echo "12.50 USD, asserted as $balance USD: $answer"
done
}
cat > expected <<'OUTPUT'
12.50 USD, asserted as 12.50 USD: accepted
12.50 USD, asserted as 12.51 USD: accepted
12.50 USD, asserted as 12.52 USD: refused
12.50 USD, asserted as 12.501 USD: accepted
12.50 USD, asserted as 12.51 ~ 0.00 USD: refused
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: a balance may be a cent wrong'
