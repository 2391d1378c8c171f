/**
 * Rows that the bank makes of itself: an opening credit, a part of a master entry, and the reversal of another row.
 * Source: decisions `account-creation-credit` and `sub-ledgering` in docs/fidelity.md.
 */
import { NO_STEPS, OPENS_POSTED, OPENS_POSTED_ELSEWHERE, type Rail, step } from './rail.ts';

const BANK_ROW = { booked: 'when_made', timetable: {}, origin: 'bank' } as const;
/** The row that records a return, reversal, cancellation or late decline; the original keeps the money's story. */
const REVERSAL = {
  ...BANK_ROW,
  method: null,
  type: 'return',
  message: 'incoming',
  contra: 'master',
  opens: OPENS_POSTED_ELSEWHERE,
  steps: NO_STEPS,
  details: null,
  v1: { subType: 'reversal', kindOfMethod: 'reversal', kinds: {} },
  reversal: true,
} as const;

export const BANK_ROWS = {
  /** What an account is given when v1 opens it. It is there for good. */
  account_opening: {
    ...BANK_ROW,
    method: 'intra_account',
    direction: 'credit',
    type: 'push',
    message: 'incoming',
    contra: 'master',
    opens: OPENS_POSTED,
    steps: NO_STEPS,
    details: 'none',
    v1: { subType: 'accountCreationCredit', kinds: {} },
  },
  /** A part of a master entry that was in suspense. It has the method of that entry, and is settled as the entry is. */
  sub_ledgered: {
    ...BANK_ROW,
    method: null,
    direction: 'credit',
    type: 'push',
    message: 'incoming',
    contra: 'suspense',
    opens: OPENS_POSTED,
    steps: {
      settled: {
        return: step('returned', 'undo', 'return'),
        reverse: step('reversed', 'undo', 'reverse'),
      },
    },
    details: null,
    v1: { subType: 'received', kindOfMethod: 'received', kinds: {} },
    isPart: true,
  },
  reversal_credit: { ...REVERSAL, direction: 'credit' },
  reversal_debit: { ...REVERSAL, direction: 'debit' },
} as const satisfies Record<string, Rail>;
