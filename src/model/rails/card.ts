/**
 * Purchases with the bank's own cards: authorizations, what corrects and reverses them, and refunds.
 * Source: decisions `uncaptured-authorization` and `card-test-capture` in docs/fidelity.md.
 */
import { NO_STEPS, OPENS_POSTED, OPENS_POSTED_ELSEWHERE, type Rail, type Steps, step } from './rail.ts';

/** What a merchant was allowed to take. What is released of the hold is recorded as a row of its own (`card_reverse`). */
const AUTHORIZATION_STEPS = {
  pending: {
    settle: step('settled', 'settle'),
    reverse: step('reversed', 'release'),
    expire: step('reversed', 'release'),
  },
  settled: { refund: step('refunded') },
} as const satisfies Steps;
type Authorized = typeof AUTHORIZATION_STEPS;
/** What may happen to an authorization. */
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
} as const;
const V1_AUTHORIZATION_UPDATE = { subType: 'authUpdate', kinds: { created: ['card.spend.update'] } } as const;

export const CARD_ISSUING = {
  /** A hold on the card holder's money until the merchant captures, voids or forgets it. */
  card_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'expire', when: 'card_expire' } },
    v1: { subType: 'auth', kinds: { created: ['card.spend'], declined: ['card.declined'] } },
  },
  /** An authorization that a test of v1 makes. v1 shows it as settled, and what is left of it is captured with the day's settlement. */
  card_test_authorization: {
    ...AUTHORIZATION,
    timetable: { pending: { event: 'settle', when: 'card_settle' } },
    v1: { subType: 'auth', kinds: { created: ['card.spend'] } },
  },
  /** The difference between what was authorized and what was captured: more is a debit, less a credit. */
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
  /** Records that a part of an authorization was reversed, or was not captured in time. The hold is released by the authorization's own row. */
  card_reverse: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'reverse',
    opens: OPENS_POSTED_ELSEWHERE,
    steps: NO_STEPS,
    timetable: {},
    v1: { subType: 'reversal', kinds: { created: ['card.reversal'] } },
  },
  /** Posted immediately, although the merchant has only promised it while it is pending. */
  card_refund: {
    ...CARD_ROW,
    direction: 'credit',
    type: 'refund',
    opens: { status: 'pending', ledger: 'post' },
    steps: { pending: { settle: step('settled'), reverse: step('reversed', 'undo', 'reverse') } },
    timetable: {},
    v1: { subType: 'refund', kinds: { created: ['card.refund'] } },
  },
} as const satisfies Record<string, Rail>;
