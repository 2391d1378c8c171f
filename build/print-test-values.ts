/**
 * Prints docs/test-values.md from the tables of the code: the values with which a client chooses an outcome.
 * `node build/print-test-values.ts` writes it; `--check` only checks whether it is up to date.
 */

import { formatMoney } from '../src/bank/kernel/money.ts';
import { isRoutingNumber, KNOWN_ROUTING_NUMBERS } from '../src/bank/model/banks.ts';
import { RETURN_CODES } from '../src/bank/model/return-codes.ts';
import {
  RECEIVE_DECLINED_FROM,
  RECEIVE_RETURNED_FROM,
  REUSABLE_NUMBERS,
  SEND_DECLINED_FROM,
  SEND_RETURNED_AMOUNT,
  UNKNOWN_ACCOUNT_NUMBER,
} from '../src/bank/model/test-values.ts';
import { USUAL_REASONS, VERIFICATION_REASONS } from '../src/bank/model/verification-reasons.ts';
import { isReusableNumber, outcomeOf } from '../src/bank/verbs/holders/verification.ts';
import { type Page, print, table } from './page.ts';

const OUTCOMES = { pass: 'approved', review: 'in review', fail: 'declined' } as const;
const SHOWN_BANKS = 5;
const code = (text: string): string => `\`${text}\``;

/** The number of a person or business, by its first digit. */
export const ID_NUMBERS = [
  { digits: '0', example: '012345678' },
  { digits: '1', example: '112345678' },
  { digits: '2 to 9', example: '912345678' },
].map((row) => ({ ...row, outcome: outcomeOf(row.example) }));

/** The amounts and the account for v1's ACH, with the final status of each transfer. */
export const V1_ACH = [
  {
    direction: 'pull',
    what: `${money(RECEIVE_RETURNED_FROM)} to ${money(RECEIVE_DECLINED_FROM - 1)}`,
    amount: money(RECEIVE_RETURNED_FROM),
    code: 'R01',
    end: 'returned',
  },
  {
    direction: 'pull',
    what: `${money(RECEIVE_DECLINED_FROM)} and more`,
    amount: money(RECEIVE_DECLINED_FROM),
    code: '',
    end: 'declined',
  },
  {
    direction: 'pull',
    what: `from the account ${UNKNOWN_ACCOUNT_NUMBER}`,
    amount: '',
    code: 'R03',
    end: 'returned',
  },
  {
    direction: 'push',
    what: `exactly ${money(SEND_RETURNED_AMOUNT)}`,
    amount: money(SEND_RETURNED_AMOUNT),
    code: 'R03',
    end: 'returned',
  },
  {
    direction: 'push',
    what: `${money(SEND_DECLINED_FROM)} and more`,
    amount: money(SEND_DECLINED_FROM),
    code: '',
    end: 'declined',
  },
] as const;

function money(cents: number): string {
  return formatMoney(cents);
}

function text(): string {
  const reusable = REUSABLE_NUMBERS.filter(isReusableNumber);
  const known = KNOWN_ROUTING_NUMBERS.filter(isRoutingNumber);
  const usual = Object.values(USUAL_REASONS);
  return `# Test values

These values in a request choose its outcome. This page is generated from the tables that the bank uses. For all other outcomes, use
[the control plane](control-plane.md): rules for payments, simulated events, and faults.

## Id numbers, v2 and v1

The first digit of \`id_number\` (v2) and \`idNumber\` (v1) determines the outcome of a verification. The number is the social security number
of a person or the EIN of a business; v1 also accepts the last four digits of a social security number. A business gets the worst outcome among its own
number and those of its members.

${table(
  ['First digit', 'Example', 'Outcome'],
  ID_NUMBERS.map(({ digits, example, outcome }) => [digits, code(example), OUTCOMES[outcome]]),
)}

Several people in a sandbox can have the numbers ${reusable.map(code).join(', ')}. Every other number can belong to only one person.

A verification that ends in review or declined has a reason. \`POST /_sandbox/simulate/holders/{id}/{event}\` accepts each of these codes as
\`code\`. The bank uses the codes marked as default if no code is given.

${table(
  ['Code', 'Subject', 'Reason', 'Default'],
  VERIFICATION_REASONS.map(({ code: reason, part, description }) => [
    code(reason),
    part,
    description,
    usual.includes(reason) ? 'yes' : '',
  ]),
)}

## Amounts of ACH, v1

Solid publishes these values for v1, and none for v2. \`PUT /_sandbox/settings\` with \`{"magic_values": false}\` switches them off.

${table(
  ['Transfer', 'Amount or account', 'Final status', 'Return code'],
  V1_ACH.map(({ direction, what, end, code: returnCode }) => [
    direction,
    what,
    end,
    returnCode === '' ? '' : code(returnCode),
  ]),
)}

## Return codes

\`POST /_sandbox/simulate/transactions/{id}/return\` and rules accept these codes as \`return_code\`.

${table(
  ['Code', 'Meaning'],
  RETURN_CODES.map(({ code: returnCode, title, from, until }) => [
    code(returnCode),
    `${title}${from === '' ? '' : `, from ${from}`}${until === '' ? '' : `, until ${until}`}`,
  ]),
)}

## Routing numbers

Every number of nine digits with a valid check digit is accepted. For ${known.length} numbers the records contain the name of the bank, for example
${known.slice(0, SHOWN_BANKS).map(code).join(', ')}. A number with an invalid check digit, like \`123456789\`, is refused.

## Cards

Each sandbox generates its own card numbers. They pass the Luhn check and belong to no real card. The status of the card, its controls and
limits, and the balance determine whether a purchase is approved or declined. [A recipe](recipes/decline.md) shows two declines.
\`sandbank simulate authorize\` accepts any amount, merchant and category code.
`;
}

export const TEST_VALUES_PAGE: Page = {
  path: 'docs/test-values.md',
  printedBy: 'node build/print-test-values.ts',
  text,
};

if (import.meta.main) print(TEST_VALUES_PAGE);
