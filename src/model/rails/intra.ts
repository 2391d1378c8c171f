/**
 * Transfers between two accounts of this bank, which are settled when they are made. Each is a row on both accounts; the
 * one transfer between the two belongs to the sender's row.
 * Source: decisions `intra-account-recording` and `v1-send-card` in docs/fidelity.md.
 */
import { ALREADY_DONE, DONE, NOTHING_MORE, type Rail, type Steps, step } from './rail.ts';

const WITHIN: Steps = { settled: { reverse: step('reversed', 'undo', 'reverse') } };
/** The books are those of the sender's row, which is reversed with it. */
const WITHIN_RECEIVED: Steps = { settled: { reverse: step('reversed', 'none', 'reverse') } };

const WITHIN_BANK = {
  method: 'intra_account',
  against: 'sub_account',
  booked: 'when_made',
  timetable: {},
  details: 'intra',
} as const;
const OUT = { ...WITHIN_BANK, message: 'outgoing', opens: DONE } as const;
const IN = { ...WITHIN_BANK, message: 'incoming', opens: ALREADY_DONE, origin: 'bank' } as const;

export const INTRA = {
  intra_push: {
    ...OUT,
    direction: 'debit',
    type: 'push',
    steps: WITHIN,
    origin: 'client',
    needs: 'intraAccount',
    v1: { subType: 'originated', kinds: { made: ['transfer.created', 'intrabank.originated.debit'] } },
  },
  intra_pull: {
    ...OUT,
    direction: 'credit',
    type: 'pull',
    steps: WITHIN,
    origin: 'client',
    needs: 'intraAccount',
    v1: { subType: 'originated', kinds: { made: ['transfer.created', 'intrabank.originated.credit'] } },
  },
  /** The other account's side of a push. */
  intra_received_push: {
    ...IN,
    direction: 'credit',
    type: 'push',
    steps: WITHIN_RECEIVED,
    v1: { subType: 'received', kinds: { made: ['intrabank.received.credit'] } },
  },
  intra_received_pull: {
    ...IN,
    direction: 'debit',
    type: 'pull',
    steps: WITHIN_RECEIVED,
    v1: { subType: 'received', kinds: { made: ['intrabank.received.debit'] } },
  },
  /** Money that v1 sends as a card, onto an account of its own; what is left comes back when the card is closed. */
  solid_card_send: {
    ...OUT,
    direction: 'debit',
    type: 'push',
    steps: NOTHING_MORE,
    origin: 'client',
    needs: 'card',
    v1: {
      type: 'solidCard',
      subType: 'originated',
      kinds: { made: ['transfer.created', 'solidcard.originated.debit'] },
    },
  },
  solid_card_load: {
    ...IN,
    direction: 'credit',
    type: 'push',
    steps: NOTHING_MORE,
    v1: { type: 'solidCard', subType: 'received', kinds: {} },
  },
  solid_card_unload: {
    ...OUT,
    direction: 'debit',
    type: 'push',
    steps: NOTHING_MORE,
    origin: 'bank',
    v1: { type: 'solidCard', subType: 'reversal', kinds: {} },
  },
  solid_card_back: {
    ...IN,
    direction: 'credit',
    type: 'push',
    steps: NOTHING_MORE,
    v1: { type: 'solidCard', subType: 'reversal', kinds: { made: ['solidcard.reversal.credit'] } },
  },
} as const satisfies Record<string, Rail>;
