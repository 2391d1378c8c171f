#!/bin/sh
# libofx reads a date without a time as 10:59.
#
# Version: ofx and libofx7 1:0.10.9-1 (Debian 12).
# Behaviour: `<DTPOSTED>20261202` becomes 10:59:00 UTC, in every zone of the reader. A date with a time and no
# zone is read as UTC. So the two payments of one file, one with and one without a time, are sorted by an hour
# that nobody wrote.
# Guess: 00:00:00, which is the default of the OFX standard.
# Advice: write the time, and sort by the date only.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install_packages() {
  # The packages, and what they need and this machine lacks.
  apt-get --simulate --no-install-recommends install ofx=1:0.10.9-1 libofx7=1:0.10.9-1 > plan || return
  apt-get download ofx=1:0.10.9-1 libofx7=1:0.10.9-1 $(sed -n 's/^Inst \([^ ]*\).*/\1/p' plan) || return
  for file in *.deb; do dpkg-deb -x "$file" root || return; done
}
install_packages > apt.log 2>&1 || {
  cat apt.log >&2
  exit 2
}
export PATH="$folder/root/usr/bin:/usr/bin:$PATH"
LD_LIBRARY_PATH=$(echo "$folder"/root/usr/lib/*-linux-gnu):$folder/root/usr/lib && export LD_LIBRARY_PATH
export OFX_DTD_PATH="$folder/root/usr/share/libofx7/libofx/dtd"
export TZ=UTC LC_ALL=C.UTF-8
try() {
cat > statement.ofx <<'STATEMENT'
OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20261203<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>
<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>021000021<ACCTID>0012345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20261201<DTEND>20261203
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261202<TRNAMT>12.50<FITID>1<NAME>Jane Example</STMTTRN>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261202093000<TRNAMT>0.05<FITID>2<NAME>Jane Example</STMTTRN>
</BANKTRANLIST>
<LEDGERBAL><BALAMT>12.55<DTASOF>20261203</LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1>
</OFX>
STATEMENT
ofxdump statement.ofx 2> log | grep 'Date posted'
}
cat > expected <<'OUTPUT'
    Date posted: Wed Dec  2 10:59:00 2026 UTC
    Date posted: Wed Dec  2 09:30:00 2026 UTC
OUTPUT
try > actual 2> errors || cat errors >> actual
diff expected actual && echo 'unchanged: a date without a time is 10:59'
