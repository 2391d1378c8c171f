/**
 * RTP and FedNow: payments that arrive within seconds, or not at all. They are younger than v1, which shows them as
 * transfers and has no kinds of their own for them.
 * Source: decision `other-rails-timing` in docs/fidelity.md.
 */
import { INCOMING, INSTANT_STEPS, ORDERED, type Rail } from './rail.ts';

const OUT = {
  ...ORDERED,
  direction: 'debit',
  type: 'push',
  booked: 'when_settled',
  steps: INSTANT_STEPS,
  timetable: { originated: { event: 'settle', when: 'instant' } },
  details: 'instant',
  v1: { subType: 'originated', kinds: { made: ['transfer.created'], settled: ['transfer.updated'] } },
} as const;
const IN = {
  ...INCOMING,
  direction: 'credit',
  type: 'push',
  booked: 'when_settled',
  timetable: { received: { event: 'settle', when: 'instant' } },
  details: 'instant',
  v1: { subType: 'received', kinds: {} },
} as const;

export const INSTANT = {
  rtp_push: { ...OUT, method: 'rtp', needs: 'rtp' },
  fednow_push: { ...OUT, method: 'fednow', needs: 'fednow' },
  rtp_received: { ...IN, method: 'rtp' },
  fednow_received: { ...IN, method: 'fednow' },
} as const satisfies Record<string, Rail>;
