/**
 * Pushes to a debit card of another bank and pulls from one.
 * Source: decision `v1-debit-push` in docs/fidelity.md.
 */
import { INSTANT_PAYMENT_STEPS, ORIGINATED, type Rail } from './rail.ts';

const DEBIT_CARD_ORDER = {
  ...ORIGINATED,
  method: 'debit_card',
  booked: 'when_settled',
  steps: INSTANT_PAYMENT_STEPS,
  timetable: { originated: { event: 'settle', when: 'immediately' } },
  needs: 'debitCard',
  details: 'none',
  v1: { subType: 'originated', kinds: { created: ['transfer.created'], settled: ['transfer.updated'] } },
} as const;

export const DEBIT_CARD = {
  debit_card_push: { ...DEBIT_CARD_ORDER, direction: 'debit', type: 'push' },
  debit_card_pull: { ...DEBIT_CARD_ORDER, direction: 'credit', type: 'pull' },
} as const satisfies Record<string, Rail>;
