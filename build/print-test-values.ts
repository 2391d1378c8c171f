/**
 * Prints docs/test-values.md from the tables of the code: the values with which a client chooses an outcome.
 * `node build/print-test-values.ts` writes it, `--check` only says whether it is up to date.
 */
import { isReusableNumber, outcomeOf } from '../src/bank/holders/verification.ts';
import { formatMoney } from '../src/kernel/money.ts';
import { isRoutingNumber, KNOWN_ROUTING_NUMBERS } from '../src/model/banks.ts';
import { RETURN_CODES } from '../src/model/return-codes.ts';
import {
  RECEIVE_DECLINED_FROM,
  RECEIVE_RETURNED_FROM,
  REUSABLE_NUMBERS,
  SEND_DECLINED_FROM,
  SEND_RETURNED_AMOUNT,
  UNKNOWN_ACCOUNT_NUMBER,
} from '../src/model/test-values.ts';
import { USUAL_REASONS, VERIFICATION_REASONS } from '../src/model/verification-reasons.ts';
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

Send one of these values to choose an outcome. The page is printed from the tables that the bank itself uses. Choose any other outcome
through [the control plane](control-plane.md): with rules for payments, simulated events, and faults.

## Id numbers, v2 and v1

The first digit of \`id_number\` (v2) and \`idNumber\` (v1) decides a check of identity, of a person by the social security number, of a
business by the EIN. v1 takes the last four digits too. A business gets the worst outcome among its own number and those of its members.

${table(
  ['First digit', 'Example', 'Outcome'],
  ID_NUMBERS.map(({ digits, example, outcome }) => [digits, code(example), OUTCOMES[outcome]]),
)}

Any number of persons may have ${reusable.map(code).join(', ')}. Every other number belongs to one person of a sandbox.

A check that ends in review or declined has a reason. These codes are known; \`POST /_sandbox/simulate/holders/{id}/{event}\` takes any of
them as \`code\`.

${table(
  ['Code', 'About', 'Reason', 'Given by itself'],
  VERIFICATION_REASONS.map(({ code: reason, part, description }) => [
    code(reason),
    part,
    description,
    usual.includes(reason) ? 'yes' : '',
  ]),
)}

## Amounts of ACH, v1

The platform publishes them for v1. v2 has none. \`PUT /_sandbox/settings\` with \`magic_values\` switches them off.

${table(
  ['Transfer', 'Amount or account', 'It ends', 'Return code'],
  V1_ACH.map(({ direction, what, end, code: returnCode }) => [
    direction,
    what,
    end,
    returnCode === '' ? '' : code(returnCode),
  ]),
)}

## Return codes

\`POST /_sandbox/simulate/transactions/{id}/return\` and rules take these codes as \`return_code\`.

${table(
  ['Code', 'Meaning'],
  RETURN_CODES.map(({ code: returnCode, title }) => [code(returnCode), title]),
)}

## Routing numbers

Every number of nine digits with a valid check digit is accepted. ${known.length} numbers name their bank in the records, like ${known.slice(0, SHOWN_BANKS).map(code).join(', ')}.
A number with a wrong check digit, like \`123456789\`, is refused.

## Cards

Card numbers are drawn for each sandbox, pass the Luhn check, and belong to no real card. A purchase is approved or declined as in reality:
by the status of the card, its controls and limits, and the balance. [The recipe](recipes/decline.md) causes each decline. \`sandbank simulate
authorize\` takes any amount, merchant and category code.
`;
}

export const TEST_VALUES_PAGE: Page = {
  path: 'docs/test-values.md',
  printedBy: 'node build/print-test-values.ts',
  text,
};

if (import.meta.main) print(TEST_VALUES_PAGE);
