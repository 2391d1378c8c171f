/**
 * Checks that are mailed for a client or with the balance of a closed account, and checks that a client deposits.
 * Source: decisions `other-rails-timing`, `v1-booked-rows` and `closing-balance` in docs/fidelity.md.
 */
import { ORIGINATED, ORIGINATED_STEPS, type Rail } from './rail.ts';

const CHECK_ROW = { ...ORIGINATED, method: 'check', steps: ORIGINATED_STEPS, details: 'check' } as const;
const CHECK_ORDER = { ...CHECK_ROW, needs: 'check' } as const;
const SENT_CHECK = {
  direction: 'debit',
  type: 'send',
  booked: 'when_made',
  timetable: {
    originated: { event: 'submit', when: 'ach_submit' },
    pending: { event: 'send', when: 'check_mail' },
    clearing: { event: 'clear', when: 'check_cash' },
    cleared: { event: 'settle', when: 'immediately' },
  },
} as const;

export const CHECK = {
  check_send: {
    ...CHECK_ORDER,
    ...SENT_CHECK,
    v1: { subType: 'originated', isTransfer: true, kinds: { created: ['check.originated.debit'] } },
  },
  /** The balance of an account that is closed, mailed to its holder. */
  account_closing: {
    ...CHECK_ROW,
    ...SENT_CHECK,
    origin: 'bank',
    v1: { subType: 'accountClosing', kinds: {} },
  },
  check_deposit: {
    ...CHECK_ORDER,
    direction: 'credit',
    type: 'deposit',
    booked: 'when_settled',
    timetable: {
      originated: { event: 'submit', when: 'check_deposit_submit' },
      pending: { event: 'send', when: 'check_deposit_send' },
      clearing: { event: 'clear', when: 'check_deposit_settle' },
      cleared: { event: 'settle', when: 'immediately' },
    },
    v1: {
      subType: 'originated',
      isTransfer: true,
      kinds: { created: ['check.originated.credit'], settled: ['transfer.updated'] },
    },
  },
} as const satisfies Record<string, Rail>;
