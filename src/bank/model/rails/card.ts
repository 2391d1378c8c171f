/**
 * Purchases with the bank's cards: authorizations, adjustments, reversals and refunds.
 * Source: decisions `uncaptured-authorization`, `card-test-capture` and `card-disputes` in docs/fidelity.md.
 */
import { NO_STEPS, OPENS_POSTED, OPENS_POSTED_ELSEWHERE, type Rail, type Steps, step } from './rail.ts';

/** The steps of an authorization. A released part of the hold is recorded as a separate transaction (`card_reverse`). */
const AUTHORIZATION_STEPS = {
  pending: {
    settle: step('settled', 'settle'),
    reverse: step('reversed', 'release'),
    expire: step('reversed', 'release'),
  },
  settled: {
    refund: step('refunded'),
    dispute: { ...step('settled'), dispute: { from: 'notInitiated', to: 'initiated' } },
    win_dispute: { ...step('refunded'), dispute: { from: 'initiated', to: 'successful' } },
    lose_dispute: { ...step('settled'), dispute: { from: 'initiated', to: 'declined' } },
  },
} as const satisfies Steps;
type Authorized = typeof AUTHORIZATION_STEPS;
/** The events of an authorization. */
export type AuthorizationStep = {
  [Status in keyof Authorized]: keyof Authorized[Status];
}[keyof Authorized];

const CARD_ROW = {
  method: 'card_issuing',
  message: 'incoming',
  contra: 'master',
  booked: 'when_made',
  origin: 'card_network',
  details: 'card',
} as const;
const AUTHORIZATION = {
  ...CARD_ROW,
  direction: 'debit',
  type: 'auth',
  opens: { status: 'pending', ledger: 'hold' },
  steps: AUTHORIZATION_STEPS,
  planned: { dispute: 'immediately', win_dispute: 'dispute_decide', lose_dispute: 'dispute_decide' },
} as const;
const V1_AUTHORIZATION_UPDATE = { subType: 'authUpdate', kinds: { created: ['card.spend.update'] } } as const;

export const CARD_ISSUING = {
  /** A hold until the merchant captures or reverses it, or until it expires. */
  card_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'expire', when: 'card_expire' } },
    v1: { subType: 'auth', kinds: { created: ['card.spend'], declined: ['card.declined'] } },
  },
  /** An authorization of the card test of v1. v1 shows it as settled, and it is captured with the day's settlement. */
  card_test_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'settle', when: 'card_settle' } },
    v1: { subType: 'auth', kinds: { created: ['card.spend'] } },
  },
  /** The difference between the authorized and the captured amount: more is a debit, less a credit. */
  card_adjust_up: {
    ...CARD_ROW,
    direction: 'debit',
    type: 'adjust',
    opens: OPENS_POSTED,
    steps: NO_STEPS,
    timetable: {},
    v1: V1_AUTHORIZATION_UPDATE,
  },
  card_adjust_down: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'adjust',
    opens: OPENS_POSTED,
    steps: NO_STEPS,
    timetable: {},
    v1: V1_AUTHORIZATION_UPDATE,
  },
  /**
   * Records that a part of an authorization was reversed, or was not captured in time. The authorization itself
   * releases the hold.
   */
  card_reverse: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'reverse',
    opens: OPENS_POSTED_ELSEWHERE,
    steps: NO_STEPS,
    timetable: {},
    v1: { subType: 'reversal', kinds: { created: ['card.reversal'] } },
  },
  /** Posted immediately, also while the refund is pending. */
  card_refund: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'refund',
    opens: { status: 'pending', ledger: 'post' },
    steps: { pending: { settle: step('settled'), reverse: step('reversed', 'undo', 'reverse') } },
    timetable: {},
    v1: { subType: 'refund', kinds: { created: ['card.refund'] } },
  },
  /** The money of a dispute that was won. */
  card_dispute_credit: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'refund',
    opens: OPENS_POSTED,
    steps: NO_STEPS,
    timetable: {},
    v1: { subType: 'refund', kinds: { created: ['card.refund'] } },
  },
} as const satisfies Record<string, Rail>;
