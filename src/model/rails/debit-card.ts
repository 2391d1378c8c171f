/**
 * Pushes to a debit card of another bank and pulls from one.
 * Source: decision `v1-debit-push` in docs/fidelity.md.
 */
import { INSTANT_STEPS, ORDERED, type Rail } from './rail.ts';

const ORDER = {
  ...ORDERED,
  method: 'debit_card',
  booked: 'when_settled',
  steps: INSTANT_STEPS,
  timetable: { originated: { event: 'settle', when: 'instant' } },
  needs: 'debitCard',
  details: 'none',
  v1: { subType: 'originated', kinds: { made: ['transfer.created'], settled: ['transfer.updated'] } },
} as const;

export const DEBIT_CARD = {
  debit_card_push: { ...ORDER, direction: 'debit', type: 'push' },
  debit_card_pull: { ...ORDER, direction: 'credit', type: 'pull' },
} as const satisfies Record<string, Rail>;
