/**
 * Domestic and international wires. They are booked when they settle, because a person approves them.
 * Source: decision `other-rails-timing` in docs/fidelity.md.
 */
import { INCOMING, ORIGINATED, ORIGINATED_STEPS, type Rail } from './rail.ts';

const ORIGINATED_WIRE = {
  ...ORIGINATED,
  direction: 'debit',
  type: 'push',
  booked: 'when_settled',
  steps: ORIGINATED_STEPS,
  timetable: {
    originated: { event: 'submit', when: 'wire_submit' },
    pending: { event: 'send', when: 'wire_send' },
    clearing: { event: 'clear', when: 'wire_clear' },
    cleared: { event: 'settle', when: 'wire_settle' },
  },
  details: 'wire',
  v1: {
    subType: 'originated',
    isTransfer: true,
    kinds: {
      created: ['wire.originated.debit'],
      cleared: ['wire.originated.updated'],
      settled: ['transfer.updated'],
    },
  },
} as const;
const INCOMING_WIRE = {
  ...INCOMING,
  direction: 'credit',
  type: 'push',
  booked: 'when_settled',
  timetable: { received: { event: 'settle', when: 'wire_receive' } },
  details: 'wire',
  v1: { subType: 'received', kinds: { settled: ['wire.received.credit'] } },
} as const;

export const WIRE = {
  domestic_wire: { ...ORIGINATED_WIRE, method: 'domestic_wire', needs: 'domesticWire' },
  international_wire: { ...ORIGINATED_WIRE, method: 'international_wire', needs: 'internationalWire' },
  domestic_wire_received: { ...INCOMING_WIRE, method: 'domestic_wire' },
  international_wire_received: { ...INCOMING_WIRE, method: 'international_wire' },
} as const satisfies Record<string, Rail>;
