/**
 * RTP and FedNow: payments that settle within seconds or fail. v1 is older than these rails: it shows them as
 * transfers and has no event kinds for them.
 * Source: decisions `other-rails-timing` and `network-limits` in docs/fidelity.md.
 */
import { INCOMING, INSTANT_PAYMENT_STEPS, ORIGINATED, type Rail } from './rail.ts';

/** RTP since February 2025, FedNow since November 2025. */
const MAX = 10_000_000_00;

const ORIGINATED_INSTANT_PAYMENT = {
  ...ORIGINATED,
  direction: 'debit',
  type: 'push',
  booked: 'when_settled',
  steps: INSTANT_PAYMENT_STEPS,
  timetable: { originated: { event: 'settle', when: 'immediately' } },
  details: 'instant',
  max: MAX,
  v1: { subType: 'originated', isTransfer: true, kinds: { settled: ['transfer.updated'] } },
} as const;
const INCOMING_INSTANT_PAYMENT = {
  ...INCOMING,
  direction: 'credit',
  type: 'push',
  booked: 'when_settled',
  timetable: { received: { event: 'settle', when: 'immediately' } },
  details: 'instant',
  max: MAX,
  v1: { subType: 'received', kinds: {} },
} as const;

export const INSTANT_PAYMENTS = {
  rtp_push: { ...ORIGINATED_INSTANT_PAYMENT, method: 'rtp', needs: 'rtp' },
  fednow_push: { ...ORIGINATED_INSTANT_PAYMENT, method: 'fednow', needs: 'fednow' },
  rtp_received: { ...INCOMING_INSTANT_PAYMENT, method: 'rtp' },
  fednow_received: { ...INCOMING_INSTANT_PAYMENT, method: 'fednow' },
} as const satisfies Record<string, Rail>;
