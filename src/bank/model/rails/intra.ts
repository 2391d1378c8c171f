/**
 * Payments between two accounts of this bank, which are settled at once. Each has a transaction on both accounts; the
 * ledger transfer belongs to the sender's transaction.
 * Source: the matrix of sub types of the platform's v1 reference; decisions `intra-account-recording`, `v1-send-card` and
 * `fallback-draws` in docs/fidelity.md.
 */
import { NO_STEPS, OPENS_POSTED, OPENS_POSTED_ELSEWHERE, type Rail, type Steps, step } from './rail.ts';

const INTRA_STEPS: Steps = { settled: { reverse: step('reversed', 'undo', 'reverse') } };
/** The sender's transaction has the ledger transfer, and is reversed together with this one. */
const INTRA_RECEIVED_STEPS: Steps = { settled: { reverse: step('reversed', 'none', 'reverse') } };

const INTRA_ROW = {
  method: 'intra_account',
  contra: 'sub_account',
  booked: 'when_made',
  timetable: {},
  details: 'intra',
} as const;
const ORIGINATED_INTRA = { ...INTRA_ROW, message: 'outgoing', opens: OPENS_POSTED } as const;
const RECEIVED_INTRA = {
  ...INTRA_ROW,
  message: 'incoming',
  opens: OPENS_POSTED_ELSEWHERE,
  origin: 'bank',
} as const;

export const INTRA = {
  intra_push: {
    ...ORIGINATED_INTRA,
    direction: 'debit',
    type: 'push',
    steps: INTRA_STEPS,
    origin: 'client',
    needs: 'intraAccount',
    v1: { subType: 'originated', isTransfer: true, kinds: { created: ['intrabank.originated.debit'] } },
  },
  intra_pull: {
    ...ORIGINATED_INTRA,
    direction: 'credit',
    type: 'pull',
    steps: INTRA_STEPS,
    origin: 'client',
    needs: 'intraAccount',
    v1: { subType: 'originated', isTransfer: true, kinds: { created: ['intrabank.originated.credit'] } },
  },
  /** The other account's side of a push. */
  intra_received_push: {
    ...RECEIVED_INTRA,
    direction: 'credit',
    type: 'push',
    steps: INTRA_RECEIVED_STEPS,
    v1: { subType: 'received', kinds: { created: ['intrabank.received.credit'] } },
  },
  intra_received_pull: {
    ...RECEIVED_INTRA,
    direction: 'debit',
    type: 'pull',
    steps: INTRA_RECEIVED_STEPS,
    v1: { subType: 'received', kinds: { created: ['intrabank.received.debit'] } },
  },
  /** Money that v1 sends as a card, into a separate account; the rest is returned when the card is closed. */
  solid_card_send: {
    ...ORIGINATED_INTRA,
    direction: 'debit',
    type: 'push',
    steps: NO_STEPS,
    origin: 'client',
    needs: 'card',
    v1: {
      type: 'solidCard',
      subType: 'originated',
      isTransfer: true,
      kinds: { created: ['solidcard.originated.debit'] },
    },
  },
  solid_card_load: {
    ...RECEIVED_INTRA,
    direction: 'credit',
    type: 'push',
    steps: NO_STEPS,
    v1: { type: 'solidCard', subType: 'received', kinds: {} },
  },
  solid_card_unload: {
    ...ORIGINATED_INTRA,
    direction: 'debit',
    type: 'push',
    steps: NO_STEPS,
    origin: 'bank',
    v1: { type: 'solidCard', subType: 'reversal', kinds: {} },
  },
  solid_card_back: {
    ...RECEIVED_INTRA,
    direction: 'credit',
    type: 'push',
    steps: NO_STEPS,
    v1: { type: 'solidCard', subType: 'reversal', kinds: { created: ['solidcard.reversal.credit'] } },
  },
  /** A draw from a fallback account for a payment. It stays when the payment is returned. */
  overdraft_draw: {
    ...ORIGINATED_INTRA,
    direction: 'debit',
    type: 'push',
    steps: NO_STEPS,
    origin: 'bank',
    v1: { subType: 'overdraft', kinds: { created: ['intrabank.originated.debit'] } },
  },
  overdraft_cover: {
    ...RECEIVED_INTRA,
    direction: 'credit',
    type: 'push',
    steps: NO_STEPS,
    v1: { subType: 'overdraft', kinds: { created: ['intrabank.received.credit'] } },
  },
} as const satisfies Record<string, Rail>;
