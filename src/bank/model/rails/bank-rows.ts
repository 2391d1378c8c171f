/**
 * Transactions that the bank creates: an opening credit, a part of a master entry, and the reversal of another
 * transaction.
 * Source: decisions `account-creation-credit` and `sub-ledgering` in docs/fidelity.md.
 */
import { NO_STEPS, OPENS_POSTED, OPENS_POSTED_ELSEWHERE, type Rail, step } from './rail.ts';

const BANK_ROW = { booked: 'when_made', timetable: {}, origin: 'bank' } as const;
/** The transaction that records a return, reversal, cancellation or late decline. */
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
  /** The opening credit of an account of v1. It cannot be reversed. */
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
  /** A part of a master entry in suspense. It has the method of that entry and is settled. */
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
  /** The return of a debit card pull that the holder of the other card disputed. */
  debit_card_chargeback: {
    ...REVERSAL,
    direction: 'debit',
    v1: { subType: 'reversal', kinds: { created: ['debitcard.chargeback'] } },
  },
} as const satisfies Record<string, Rail>;
