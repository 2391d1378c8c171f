/**
 * Pushes to a debit card of another bank and pulls from one.
 * Source: the matrix of sub types of the platform's v1 reference; decisions `v1-debit-push` and
 * `debit-card-chargeback` in docs/fidelity.md.
 */
import { INSTANT_PAYMENT_STEPS, ORIGINATED, type Rail, step } from './rail.ts';

const DEBIT_CARD_ORDER = {
  ...ORIGINATED,
  method: 'debit_card',
  booked: 'when_settled',
  steps: INSTANT_PAYMENT_STEPS,
  timetable: { originated: { event: 'settle', when: 'immediately' } },
  needs: 'debitCard',
  details: 'none',
} as const;

const TRANSFER = { isTransfer: true, kinds: { settled: ['transfer.updated'] } } as const;

export const DEBIT_CARD = {
  debit_card_push: {
    ...DEBIT_CARD_ORDER,
    direction: 'debit',
    type: 'push',
    v1: { subType: 'push', ...TRANSFER },
  },
  debit_card_pull: {
    ...DEBIT_CARD_ORDER,
    direction: 'credit',
    type: 'pull',
    steps: {
      ...INSTANT_PAYMENT_STEPS,
      settled: {
        ...INSTANT_PAYMENT_STEPS.settled,
        charge_back: { ...step('returned', 'undo', 'return'), rowRail: 'debit_card_chargeback' },
      },
    },
    planned: { charge_back: 'immediately' },
    v1: { subType: 'pull', ...TRANSFER },
  },
} as const satisfies Record<string, Rail>;
