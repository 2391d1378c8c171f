/**
 * The codes under which an ACH entry is sent back: what NACHA publishes, told in our own words. A code says why; who may
 * use it and until when depends on the code. Dishonored and contested returns (R61 to R77) answer a return, not a payment.
 * Source: the return reason codes of the NACHA Operating Rules; row 241 of docs/fidelity.md.
 */
import type { Reason } from './parts.ts';

/** Who sends the entry back. */
export const RETURNED_BY = ['RDFI', 'ODFI', 'ACH operator', 'government agency', 'gateway'] as const;
type ReturnedBy = (typeof RETURNED_BY)[number];

/** What kind of trouble it is. */
export const RETURN_CLASSES = [
  'funds',
  'account',
  'authorization',
  'file',
  'bank',
  'enrollment',
  'check',
  'dishonored',
  'contested',
  'international',
] as const;
type ReturnClass = (typeof RETURN_CLASSES)[number];

/** The days in which an entry may be sent back, counted from the day on which it settled at the other bank. */
export interface ReturnWindow {
  readonly days: number;
  readonly of: 'banking' | 'calendar';
}

/** How late a return may come, in words; and as days, where a number of days after settlement is fixed. */
interface TimeLimit {
  readonly words: string;
  readonly window: ReturnWindow | null;
}

export interface ReturnCode {
  readonly code: string;
  readonly title: string;
  readonly meaning: string;
  readonly class: ReturnClass;
  readonly returnedBy: ReturnedBy;
  readonly timeLimit: TimeLimit;
}

const within = (days: number, of: ReturnWindow['of']): TimeLimit => ({
  words: `${days} ${of} days after settlement`,
  window: { days, of },
});
const unkept = (words: string): TimeLimit => ({ words, window: null });

/** The ordinary time limit. */
const TWO_BANKING_DAYS = within(2, 'banking');
/** For entries that a consumer never authorized; most need the consumer's written statement. */
const SIXTY_DAYS = within(60, 'calendar');
const NO_LIMIT = unkept('none fixed: the two banks agree');
/** The operator's files go out every banking day: row 241 of docs/fidelity.md. */
const NEXT_FILE: TimeLimit = {
  words: 'the next file delivery after processing',
  window: { days: 1, of: 'banking' },
};
const AT_DISCRETION = unkept('at the discretion of the agency');
// What answers a return is counted from the settlement of that return, which is no payment here.
const FIVE_AFTER_RETURN = unkept('5 banking days after the return settled');
const TWO_AFTER_DISHONOR = unkept('2 banking days after the dishonored return settled');
const GATEWAY_LIMIT = unkept("by the gateway's agreement with the bank of the originator");

type Row = readonly [code: string, title: string, meaning: string];

const rows = (
  kind: ReturnClass,
  returnedBy: ReturnedBy,
  timeLimit: TimeLimit,
  ...list: readonly Row[]
): ReturnCode[] =>
  list.map(([code, title, meaning]) => ({ code, title, meaning, class: kind, returnedBy, timeLimit }));

const UNSORTED: readonly ReturnCode[] = [
  ...rows(
    'funds',
    'RDFI',
    TWO_BANKING_DAYS,
    ['R01', 'Insufficient funds', 'The account has less than the debit asks for.'],
    ['R09', 'Uncollected funds', 'The money is on the account, but deposits behind it have not cleared yet.'],
  ),
  ...rows(
    'account',
    'RDFI',
    TWO_BANKING_DAYS,
    ['R02', 'Account closed', 'The account was open once and has been closed by its holder or its bank.'],
    [
      'R03',
      'No account or unable to locate account',
      'The number is well formed, but no open account has it, or it is not the account of the named person.',
    ],
    [
      'R04',
      'Invalid account number structure',
      'The number cannot be one of this bank: wrong length or digits.',
    ],
    ['R12', 'Account sold to another bank', 'The account moved, with its branch, to another institution.'],
    [
      'R14',
      'Representative payee deceased or unable to continue',
      'Whoever receives payments on behalf of the beneficiary has died or can no longer do so.',
    ],
    [
      'R15',
      'Beneficiary or account holder deceased',
      'The person who is entitled to the payment, or who holds the account, has died.',
    ],
    [
      'R16',
      'Account frozen or entry returned on OFAC instruction',
      'The bank or a legal order froze the account, or sanctions rules forbid the payment.',
    ],
    [
      'R17',
      'Questionable entry or improper reversal',
      'The bank cannot process a field, suspects an invalid account number of being no accident, or holds a reversal to be improper.',
    ],
    [
      'R20',
      'Non-transaction account',
      'The account does not allow such payments, a savings account for example.',
    ],
    [
      'R21',
      'Invalid company identification',
      'The receiver does not know the company by the id in the entry.',
    ],
    ['R22', 'Invalid individual id number', 'The receiver does not know the person by the id in the entry.'],
  ),
  ...rows('file', 'RDFI', TWO_BANKING_DAYS, ['R24', 'Duplicate entry', 'The same entry came twice.']),
  ...rows(
    'authorization',
    'RDFI',
    TWO_BANKING_DAYS,
    ['R08', 'Payment stopped', 'The account holder has told the bank not to pay this debit.'],
    [
      'R23',
      'Credit refused by the receiver',
      'The receiver does not want the money: wrong amount, overpayment, litigation, or an unknown sender.',
    ],
    [
      'R29',
      'Corporate customer advises not authorized',
      'A business says that it never authorized the debit.',
    ],
  ),
  ...rows(
    'authorization',
    'RDFI',
    SIXTY_DAYS,
    [
      'R05',
      'Unauthorized debit to a consumer account under a corporate code',
      'A debit of the kind meant for businesses hit a consumer, who did not authorize it.',
    ],
    ['R07', 'Authorization revoked', 'The consumer had authorized such debits and has taken that back.'],
    [
      'R10',
      'Originator unknown or not authorized',
      'The customer does not know the originator, or never allowed it to debit the account.',
    ],
    [
      'R11',
      'Entry not in accordance with the authorization',
      'An authorization exists, but the debit departs from it: another amount, too early, incomplete.',
    ],
  ),
  ...rows(
    'bank',
    'RDFI',
    NO_LIMIT,
    [
      'R06',
      'Returned at the request of the originating bank',
      'The originating bank asked for the entry back.',
    ],
    [
      'R31',
      'Permissible return of a corporate entry',
      'The originating bank agreed to take back a corporate entry after the ordinary time.',
    ],
  ),
  ...rows(
    'file',
    'ACH operator',
    NEXT_FILE,
    ['R13', 'Invalid routing number', 'No participating bank has the routing number of the entry.'],
    ['R18', 'Improper effective entry date', 'The date on which the entry should settle cannot be met.'],
    [
      'R19',
      'Amount field error',
      'The amount is not a number, is zero where it may not be, or is too large.',
    ],
    ['R25', 'Addenda error', 'An addenda record is missing, too many, or out of form.'],
    ['R26', 'Mandatory field error', 'A field that every entry needs is empty or wrong.'],
    ['R27', 'Trace number error', 'The trace number of a return or an addenda does not fit its entry.'],
    [
      'R28',
      'Routing number check digit error',
      'The ninth digit of the routing number does not fit the other eight.',
    ],
    ['R35', 'Improper debit entry', 'A debit was sent under a code that allows credits only.'],
    ['R36', 'Improper credit entry', 'A credit was sent under a code that allows debits only.'],
  ),
  ...rows(
    'bank',
    'ACH operator',
    NEXT_FILE,
    ['R32', 'Receiving bank cannot settle', 'The bank of the account is unable to settle the entry.'],
    ['R34', 'Limited participation', 'A supervisor has limited what the receiving bank may take part in.'],
  ),
  ...rows('bank', 'RDFI', TWO_BANKING_DAYS, [
    'R30',
    'Bank takes no part in check truncation',
    'The bank of the account does not take truncated checks.',
  ]),
  ...rows('check', 'RDFI', SIXTY_DAYS, [
    'R33',
    'Return of a destroyed check entry',
    'The bank sends back an entry made from a lost or destroyed check, at its own discretion.',
  ]),
  ...rows(
    'check',
    'RDFI',
    SIXTY_DAYS,
    [
      'R37',
      'Source document presented for payment',
      'The check from which the entry was made has been presented as well.',
    ],
    ['R38', 'Stop payment on the source document', 'Payment of the check behind the entry was stopped.'],
  ),
  ...rows('check', 'RDFI', TWO_BANKING_DAYS, [
    'R39',
    'Improper source document',
    'The check must not be turned into an entry, or was presented by itself.',
  ]),
  ...rows(
    'enrollment',
    'government agency',
    AT_DISCRETION,
    [
      'R40',
      'Enrollment returned by the agency',
      'A federal agency sends an enrollment back, for its own reasons.',
    ],
    [
      'R41',
      'Invalid transaction code in an enrollment',
      'The code does not exist or does not suit an enrollment.',
    ],
    ['R42', 'Routing number error in an enrollment', 'The routing number or its check digit is wrong.'],
    ['R43', 'Invalid account number in an enrollment', 'The account number is empty or out of form.'],
    ['R44', 'Invalid id number in an enrollment', 'The agency has no such person or company number.'],
    [
      'R45',
      'Invalid name in an enrollment',
      'The name is empty or differs from that in the records of the agency.',
    ],
    [
      'R46',
      'Invalid representative payee indicator',
      'It is missing, or the agency knows the payee otherwise than the enrollment says.',
    ],
    ['R47', 'Duplicate enrollment', 'A bank enrolled the same person before.'],
  ),
  ...rows('check', 'RDFI', TWO_BANKING_DAYS, [
    'R50',
    'State law affects re-presented checks',
    'The law where the bank is does not allow a check to be re-presented as an entry.',
  ]),
  ...rows(
    'check',
    'RDFI',
    SIXTY_DAYS,
    [
      'R51',
      'Ineligible or improper re-presented check',
      'The check was not eligible, was altered, carries no true signature, or no notice was given.',
    ],
    ['R52', 'Stop payment on the re-presented check', 'Payment of the check behind the entry was stopped.'],
    ['R53', 'Check and entry both presented', 'The re-presented check was collected on paper as well.'],
  ),
  ...rows(
    'dishonored',
    'ODFI',
    FIVE_AFTER_RETURN,
    ['R61', 'Misrouted return', 'The return carries the routing number of the wrong bank.'],
    [
      'R62',
      'Return of an erroneous or reversing debit',
      'After a reversal the return would leave the receiver with money that is not theirs.',
    ],
    ['R67', 'Duplicate return', 'The same entry was returned twice.'],
    ['R68', 'Untimely return', 'The return came after its time limit.'],
    ['R69', 'Field errors in the return', 'The return does not repeat the fields of the entry correctly.'],
    [
      'R70',
      'Permissible return not accepted',
      'The return claims a permission or a request that the originating bank never gave.',
    ],
  ),
  ...rows(
    'contested',
    'RDFI',
    TWO_AFTER_DISHONOR,
    [
      'R71',
      'Misrouted dishonored return',
      'The dishonored return carries the routing number of the wrong bank.',
    ],
    ['R72', 'Untimely dishonored return', 'The return was dishonored after the time for it.'],
    ['R73', 'Timely original return', 'The receiving bank certifies that its return was in time.'],
    ['R74', 'Corrected return', 'The return is sent again, with the fields that were wrong corrected.'],
    ['R75', 'Return not a duplicate', 'The entry had not been returned before.'],
    ['R76', 'No errors found', 'The return had none of the errors for which it was dishonored.'],
    [
      'R77',
      'Dishonor under R62 not accepted',
      'Both the entry and its reversal were returned, or the money cannot be had back from the receiver.',
    ],
  ),
  ...rows(
    'international',
    'gateway',
    GATEWAY_LIMIT,
    [
      'R80',
      'International entry coding error',
      'A country, currency, bank or transaction code of the entry is invalid.',
    ],
    [
      'R81',
      'No part in the international program',
      'The gateway has no agreement with the bank that sent the entry.',
    ],
    ['R82', 'Invalid foreign bank', 'The bank abroad cannot be found by what the entry says of it.'],
    ['R83', 'Foreign bank unable to settle', 'The payment system abroad could not settle the entry.'],
    [
      'R84',
      'Not processed by the gateway',
      'The gateway holds the risk too high, or the system abroad cannot do it.',
    ],
    [
      'R85',
      'International payment coded as domestic',
      'The payment goes abroad, but its code lacks what sanctions screening needs.',
    ],
  ),
];

/** Every current code, in order. */
export const RETURN_CODES: readonly ReturnCode[] = UNSORTED.toSorted((left, right) =>
  left.code < right.code ? -1 : 1,
);

const BY_CODE = new Map(RETURN_CODES.map((row) => [row.code, row]));

/** The row of a code; `undefined` when there is none. */
export function returnCode(code: string): ReturnCode | undefined {
  return BY_CODE.get(code);
}

/** The time limit of a return under a code; the ordinary one for a return that names none. */
export function timeLimitOf(code: string): TimeLimit {
  return returnCode(code)?.timeLimit ?? TWO_BANKING_DAYS;
}

/** The code as the reason of a payment that was sent back. Throws for a code that is none. */
export function reasonOfReturn(code: string): Reason {
  const row = returnCode(code);
  if (row === undefined) throw new Error(`${code} is no return code`);
  return { code, message: row.title.charAt(0).toLowerCase() + row.title.slice(1) };
}
