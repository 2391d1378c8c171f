/**
 * ACH payments in both directions, which banks exchange in files. A return must be within the window of its code.
 * Source: the help on ACH returns and reversals of the platform; decisions `ach-timing`, `ach-return-window`,
 * `ach-reversal-window` and `v1-booked-rows` in docs/fidelity.md.
 */
import { DAY_MS } from '../../kernel/time.ts';
import { INCOMING, ORIGINATED, ORIGINATED_STEPS, type Rail } from './rail.ts';

const PULL_TIMES = {
  originated: { event: 'submit', when: 'ach_submit' },
  pending: { event: 'send', when: 'ach_send' },
  clearing: { event: 'clear', when: 'ach_clear' },
  cleared: { event: 'settle', when: 'ach_settle_pull' },
} as const;
const PUSH_TIMES = { ...PULL_TIMES, cleared: { event: 'settle', when: 'ach_settle_push' } } as const;

const ACH_ENTRY = { method: 'ach', returnsInWindow: true, details: 'ach' } as const;
const ORIGINATED_ACH = {
  ...ACH_ENTRY,
  ...ORIGINATED,
  steps: ORIGINATED_STEPS,
  needs: 'ach',
  reversedWithinMs: DAY_MS,
} as const;
const INCOMING_ACH = {
  ...ACH_ENTRY,
  ...INCOMING,
  timetable: { received: { event: 'settle', when: 'ach_receive' } },
} as const;

export const ACH = {
  ach_push: {
    ...ORIGINATED_ACH,
    direction: 'debit',
    type: 'push',
    booked: 'when_made',
    timetable: PUSH_TIMES,
    v1: {
      subType: 'originated',
      isTransfer: true,
      kinds: {
        created: ['ach.originated.debit'],
        cleared: ['ach.originated.updated'],
      },
    },
  },
  ach_pull: {
    ...ORIGINATED_ACH,
    direction: 'credit',
    type: 'pull',
    booked: 'when_settled',
    timetable: PULL_TIMES,
    v1: {
      subType: 'originated',
      isTransfer: true,
      kinds: {
        created: ['ach.originated.credit'],
        cleared: ['ach.originated.updated'],
        settled: ['transfer.updated', 'ach.received.credit'],
      },
    },
  },
  ach_received_push: {
    ...INCOMING_ACH,
    direction: 'credit',
    type: 'push',
    booked: 'when_settled',
    v1: {
      subType: 'received',
      kinds: { settled: ['ach.received.credit'], declined: ['ach.received.declined'] },
    },
  },
  ach_received_pull: {
    ...INCOMING_ACH,
    direction: 'debit',
    type: 'pull',
    booked: 'when_made',
    v1: {
      subType: 'received',
      kinds: { accepted: ['ach.received.debit'], declined: ['ach.received.declined'] },
    },
  },
} as const satisfies Record<string, Rail>;
