/**
 * Checks that are mailed for a client, and checks that a client deposits.
 * Source: decisions `other-rails-timing` and `v1-booked-rows` in docs/fidelity.md.
 */
import { ORIGINATED, ORIGINATED_STEPS, type Rail } from './rail.ts';

const CHECK_ORDER = {
  ...ORIGINATED,
  method: 'check',
  steps: ORIGINATED_STEPS,
  needs: 'check',
  details: 'check',
} as const;

export const CHECK = {
  check_send: {
    ...CHECK_ORDER,
    direction: 'debit',
    type: 'send',
    booked: 'when_made',
    timetable: {
      originated: { event: 'submit', when: 'ach_submit' },
      pending: { event: 'send', when: 'check_mail' },
      clearing: { event: 'clear', when: 'check_cash' },
      cleared: { event: 'settle', when: 'immediately' },
    },
    v1: { subType: 'originated', isTransfer: true, kinds: { created: ['check.originated.debit'] } },
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
