/**
 * Purchases with the bank's own cards: authorizations, what corrects and reverses them, and refunds.
 * Source: decisions `uncaptured-authorization` and `card-test-capture` in docs/fidelity.md.
 */
import { ALREADY_DONE, DONE, NOTHING_MORE, type Rail, type Steps, step } from './rail.ts';

/** What a merchant was allowed to take. What goes back of the hold is a row of the card's own (`card_reverse`). */
const AUTHORIZED = {
  pending: {
    settle: step('settled', 'settle'),
    reverse: step('reversed', 'release'),
    expire: step('reversed', 'release'),
  },
  settled: { refund: step('refunded') },
} as const satisfies Steps;
type Authorized = typeof AUTHORIZED;
/** What may happen to an authorization. */
export type AuthorizationStep = {
  [Status in keyof Authorized]: keyof Authorized[Status];
}[keyof Authorized];

const CARD_ROW = {
  method: 'card_issuing',
  message: 'incoming',
  against: 'master',
  booked: 'when_made',
  origin: 'card_network',
  details: 'card',
} as const;
const AUTHORIZATION = {
  ...CARD_ROW,
  direction: 'debit',
  type: 'auth',
  opens: { status: 'pending', ledger: 'hold' },
  steps: AUTHORIZED,
} as const;
const UPDATE = { subType: 'authUpdate', kinds: { made: ['card.spend.update'] } } as const;

export const CARD_ISSUING = {
  /** A hold on the card holder's money until the merchant captures, voids or forgets it. */
  card_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'expire', when: 'card_expire' } },
    v1: { subType: 'auth', kinds: { made: ['card.spend'], refused: ['card.declined'] } },
  },
  /** The same from a test of v1, which calls it settled: what is left of it is captured with the day's settlement. */
  card_test_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'settle', when: 'card_settle' } },
    v1: { subType: 'auth', kinds: { made: ['card.spend'] } },
  },
  /** The difference between what was authorized and what was captured: more is a debit, less a credit. */
  card_adjust_up: {
    ...CARD_ROW,
    direction: 'debit',
    type: 'adjust',
    opens: DONE,
    steps: NOTHING_MORE,
    timetable: {},
    v1: UPDATE,
  },
  card_adjust_down: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'adjust',
    opens: DONE,
    steps: NOTHING_MORE,
    timetable: {},
    v1: UPDATE,
  },
  /** What of an authorization was reversed or not captured in time; the hold itself is the authorization's. */
  card_reverse: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'reverse',
    opens: ALREADY_DONE,
    steps: NOTHING_MORE,
    timetable: {},
    v1: { subType: 'reversal', kinds: { made: ['card.reversal'] } },
  },
  /** There at once, also while the merchant has only promised it. */
  card_refund: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'refund',
    opens: { status: 'pending', ledger: 'post' },
    steps: { pending: { settle: step('settled'), reverse: step('reversed', 'undo', 'reverse') } },
    timetable: {},
    v1: { subType: 'refund', kinds: { made: ['card.refund'] } },
  },
} as const satisfies Record<string, Rail>;
