#!/bin/sh
# nach2 begins trace numbers with the immediate origin, not with the routing number of the originating bank.
#
# Version: nach2 0.5.1 (npm).
# Behaviour: the first eight digits of a trace number must be the routing number of the originating bank, as in
# the header of the batch. nach2 takes the first eight digits of `immediateOrigin`. If that is the tax number of
# the company, as in the README of the package, the trace numbers and the batch headers disagree.
# Guess: `originatingDFI` of the batch, followed by a counter.
# Advice: set `traceNumber` of each entry.
# Output seen: the text between the two lines OUTPUT below. Another output ends with 1, a failed installation with 2.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true }' > package.json
npm install --ignore-scripts --no-audit --no-fund --loglevel=error nach2@0.5.1 > npm.log 2>&1 || {
  cat npm.log >&2
  exit 2
}
cat > try.cjs <<'PROGRAM'
const nach = require('nach2');
const file = new nach.File({
  immediateDestination: '021000021',
  immediateOrigin: '123456789',
  immediateDestinationName: 'Some Bank',
  immediateOriginName: 'Example Company',
  referenceCode: '#A000001',
});
const batch = new nach.Batch({
  serviceClassCode: '220',
  companyName: 'Example Company',
  standardEntryClassCode: 'PPD',
  companyIdentification: '123456789',
  companyEntryDescription: 'Payroll',
  companyDescriptiveDate: 'DEC 01',
  effectiveEntryDate: new Date(2026, 11, 1),
  originatingDFI: '021000021',
});
batch.addEntry(
  new nach.Entry({
    receivingDFI: '011401533',
    DFIAccount: '5654221',
    amount: '12.50',
    idNumber: 'P1',
    individualName: 'Jane Example',
    discretionaryData: 'A1',
    transactionCode: '22',
  }),
);
file.addBatch(batch);
file.generateFile((first, second) => {
  const lines = (second ?? first).split(/\r?\n/);
  const lineOf = (type) => lines.find((line) => line.startsWith(type));
  console.log(`originating bank of the batch: ${lineOf('5').slice(79, 87)}`);
  console.log(`trace number of the entry:     ${lineOf('6').slice(79)}`);
});
PROGRAM
cat > expected <<'OUTPUT'
originating bank of the batch: 02100002
trace number of the entry:     123456780000000
OUTPUT
node try.cjs > actual 2>&1 || true
diff expected actual && echo 'unchanged: trace numbers begin with the company, not with the bank'
