#!/bin/sh
# ledger2beancount drops effective dates without a note.
#
# Version: ledger2beancount 2.7-1 (Debian 12).
# Behaviour: ledger has an auxiliary date for a transaction (`2026-12-01=2026-12-03`) and an effective date for a
# posting (`; [=2026-12-07]`), with which a payment is booked on one day and settles on another. The converter
# writes notes about accounts that it renames. It removes both dates, and says nothing.
# Guess: the dates become metadata, as other parts that beancount lacks; or a note says that they are lost.
# Advice: set `auxdate_tag` and `postdate_tag` in its configuration.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install ledger2beancount=2.7-1 > plan || return
  apt-get download ledger2beancount=2.7-1 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
  for file in *.deb; do dpkg-deb -x "$file" root || return; done
}
install_packages > apt.log 2>&1 || {
  cat apt.log >&2
  exit 2
}
export PATH="$folder/root/usr/bin:/usr/bin:$PATH"
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu):$folder/root/usr/lib && export LD_LIBRARY_PATH
PERL5LIB="$folder/root/usr/share/perl5:$(echo "$folder"/root/usr/lib/*/perl5/5.36)" && export PERL5LIB
export TZ=UTC LC_ALL=C.UTF-8
try() {
cat > book.ledger <<'JOURNAL'
2026-12-01=2026-12-03 * ACH pull
    Assets:Bank  40.00 USD
    Income:Customers

2026-12-04 * ACH return
    Assets:Bank  -40.00 USD  ; [=2026-12-07]
    Income:Customers
JOURNAL
ledger2beancount book.ledger | grep -A 3 ' \* '
}
cat > expected <<'OUTPUT'
2026-12-01 * "ACH pull"
  Assets:Bank  40.00 USD
  Income:Customers

2026-12-04 * "ACH return"
  Assets:Bank  -40.00 USD
  Income:Customers
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: effective dates are dropped'
