#!/bin/sh
# Debian's python3-holidays does not know Juneteenth, a bank holiday since 2021.
#
# Version: python3-holidays 0.10.1-3 (Debian 12).
# Behaviour: the release of Debian of 2023 has a version of 2020. On Juneteenth the banks are closed, and the
# library says that the day is a working day, without a warning for years after its data. It also closes the
# Friday before Independence Day on Saturday, on which banks are open.
# Guess: the holidays of a package in a release of 2023 include a law of 2021.
# Advice: install a newer version with pip, and remove the holidays that are "Observed" on a Friday.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install python3-holidays=0.10.1-3 > plan || return
  apt-get download python3-holidays=0.10.1-3 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
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
cat > try.py <<'PROGRAM'
from datetime import date
import holidays

us = holidays.US()
for day in [date(2026, 5, 25), date(2026, 6, 19), date(2026, 7, 3), date(2027, 7, 5)]:
    print(day, us.get(day))
PROGRAM
/usr/bin/python3 try.py
}
cat > expected <<'OUTPUT'
2026-05-25 Memorial Day
2026-06-19 None
2026-07-03 Independence Day (Observed)
2027-07-05 Independence Day (Observed)
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: Juneteenth is missing'
