/**
 * The rails: for each way in which money moves, one table of state -> event -> next state, what the ledger does at
 * that step, and which event the bank brings about by itself, and when. A new rail is a new row here and nothing else;
 * a generic test walks every state and event, and `docs/rails.md` is printed from this file.
 * Source: the lifecycles of the platform's payment guides; decisions `uncaptured-authorization`, `ach-timing`,
 * `other-rails-timing`, `account-creation-credit`, `v1-booked-rows` and `card-test-capture` in docs/fidelity.md.
 */
import { illegalStep } from '../kernel/machine.ts';
import type { When } from './timetable.ts';
import type {
  Direction,
  RailEvent,
  TransactionMethod,
  TransactionStatus,
  TransactionType,
} from './vocabulary.ts';

/** What may happen to a transaction. */
export type { RailEvent };

/**
 * What a step does to the books. `hold` reserves, `post` moves at once, `settle` turns the open hold into a posting,
 * `release` ends the open hold with nothing moved, `undo` posts the opposite of what was posted.
 */
export type LedgerAction = 'hold' | 'post' | 'settle' | 'release' | 'undo' | 'none';

export interface RailStep {
  readonly to: TransactionStatus;
  readonly ledger: LedgerAction;
  /** The step is recorded as a transaction of its own, of this type, in the opposite direction. */
  readonly row?: TransactionType;
}

/**
 * Two ledger accounts: the sub account and, on the other side, the master account, another sub account, or the suspense
 * in which money waits that named no sub account.
 */
export type Against = 'master' | 'sub_account' | 'suspense';

export interface Rail {
  /** `null`: that of the transaction which it takes back. */
  readonly method: TransactionMethod | null;
  readonly direction: Direction;
  readonly type: TransactionType;
  readonly message: 'incoming' | 'outgoing';
  readonly against: Against;
  readonly opens: { readonly status: TransactionStatus; readonly ledger: LedgerAction };
  /**
   * When a row is booked on its account, which v1 calls settled: as soon as it is made, or when it has settled. From then on
   * its balance and its date stay as they are.
   */
  readonly booked: 'when_made' | 'when_settled';
  readonly steps: Readonly<
    Partial<Record<TransactionStatus, Readonly<Partial<Record<RailEvent, RailStep>>>>>
  >;
  /** A return comes within the window of its code, counted from the effective date; on other rails whenever it comes. */
  readonly returnsInWindow?: true;
  /** The event that comes by itself in each state. */
  readonly timetable: Readonly<
    Partial<Record<TransactionStatus, { readonly event: RailEvent; readonly when: When }>>
  >;
}

type Steps = Rail['steps'];

const given = (to: TransactionStatus, ledger: LedgerAction = 'none', row?: TransactionType): RailStep =>
  row === undefined ? { to, ledger } : { to, ledger, row };

/** A payment that travels in files between banks: held at origination, posted at settlement. */
const BY_FILE: Steps = {
  originated: {
    submit: given('pending'),
    review: given('in_review'),
    cancel: given('canceled', 'release', 'cancel'),
    decline: given('declined', 'release', 'decline'),
  },
  in_review: {
    approve: given('pending'),
    cancel: given('canceled', 'release', 'cancel'),
    decline: given('declined', 'release', 'decline'),
  },
  pending: {
    send: given('clearing'),
    review: given('in_review'),
    cancel: given('canceled', 'release', 'cancel'),
    decline: given('declined', 'release', 'decline'),
  },
  clearing: { clear: given('cleared'), return: given('returned', 'release', 'return') },
  cleared: {
    settle: given('settled', 'settle'),
    return: given('returned', 'release', 'return'),
    reverse: given('reversed', 'release', 'reverse'),
  },
  settled: {
    return: given('returned', 'undo', 'return'),
    reverse: given('reversed', 'undo', 'reverse'),
  },
};

/** A payment that arrives within seconds, or not at all. */
const INSTANT: Steps = {
  originated: {
    settle: given('settled', 'settle'),
    review: given('in_review'),
    return: given('returned', 'release', 'return'),
    cancel: given('canceled', 'release', 'cancel'),
    decline: given('declined', 'release', 'decline'),
  },
  in_review: {
    approve: given('originated'),
    cancel: given('canceled', 'release', 'cancel'),
    decline: given('declined', 'release', 'decline'),
  },
  settled: {
    return: given('returned', 'undo', 'return'),
    reverse: given('reversed', 'undo', 'reverse'),
  },
};

/** Money that another bank sent or asks for. */
const RECEIVED: Steps = {
  received: {
    settle: given('settled', 'settle'),
    review: given('in_review'),
    return: given('returned', 'release', 'return'),
    decline: given('declined', 'release', 'decline'),
  },
  in_review: {
    approve: given('received'),
    return: given('returned', 'release', 'return'),
    decline: given('declined', 'release', 'decline'),
  },
  settled: {
    return: given('returned', 'undo', 'return'),
    reverse: given('reversed', 'undo', 'reverse'),
  },
};

const WITHIN: Steps = { settled: { reverse: given('reversed', 'undo', 'reverse') } };
/** The books are those of the sender's row, which is reversed with it. */
const WITHIN_RECEIVED: Steps = { settled: { reverse: given('reversed', 'none', 'reverse') } };

/** What a merchant was allowed to take. What goes back of the hold is a row of the card's own (`card_reverse`). */
const AUTHORIZED: Steps = {
  pending: {
    settle: given('settled', 'settle'),
    reverse: given('reversed', 'release'),
    expire: given('reversed', 'release'),
  },
  settled: { refund: given('refunded') },
};

const ACH_PULL_TIMES: Rail['timetable'] = {
  originated: { event: 'submit', when: 'ach_submit' },
  pending: { event: 'send', when: 'ach_send' },
  clearing: { event: 'clear', when: 'ach_clear' },
  cleared: { event: 'settle', when: 'ach_settle_pull' },
};
const ACH_PUSH_TIMES: Rail['timetable'] = {
  ...ACH_PULL_TIMES,
  cleared: { event: 'settle', when: 'ach_settle_push' },
};
const WIRE_TIMES: Rail['timetable'] = {
  originated: { event: 'submit', when: 'wire_submit' },
  pending: { event: 'send', when: 'wire_send' },
  clearing: { event: 'clear', when: 'wire_clear' },
  cleared: { event: 'settle', when: 'wire_settle' },
};
const CHECK_SEND_TIMES: Rail['timetable'] = {
  originated: { event: 'submit', when: 'ach_submit' },
  pending: { event: 'send', when: 'check_mail' },
  clearing: { event: 'clear', when: 'check_cash' },
  cleared: { event: 'settle', when: 'instant' },
};
const CHECK_DEPOSIT_TIMES: Rail['timetable'] = {
  originated: { event: 'submit', when: 'check_deposit_submit' },
  pending: { event: 'send', when: 'check_deposit_send' },
  clearing: { event: 'clear', when: 'check_deposit_settle' },
  cleared: { event: 'settle', when: 'instant' },
};
const AT_ONCE: Rail['timetable'] = { originated: { event: 'settle', when: 'instant' } };

type Opening = Rail['opens'];
const HELD: Opening = { status: 'originated', ledger: 'hold' };
const ARRIVED: Opening = { status: 'received', ledger: 'hold' };
const DONE: Opening = { status: 'settled', ledger: 'post' };
const ALREADY_DONE: Opening = { status: 'settled', ledger: 'none' };

const out = (
  method: TransactionMethod,
  direction: Direction,
  type: TransactionType,
  steps: Steps,
  timetable: Rail['timetable'],
  booked: Rail['booked'] = 'when_settled',
): Rail => ({
  method,
  direction,
  type,
  message: 'outgoing',
  against: 'master',
  opens: HELD,
  booked,
  steps,
  timetable,
});

const incoming = (
  method: TransactionMethod,
  direction: Direction,
  type: TransactionType,
  when: When,
  booked: Rail['booked'] = 'when_settled',
): Rail => ({
  method,
  direction,
  type,
  message: 'incoming',
  against: 'master',
  opens: ARRIVED,
  booked,
  steps: RECEIVED,
  timetable: { received: { event: 'settle', when } },
});

const within = (
  direction: Direction,
  type: TransactionType,
  message: Rail['message'],
  opens: Opening,
): Rail => ({
  method: 'intra_account',
  direction,
  type,
  message,
  against: 'sub_account',
  opens,
  booked: 'when_made',
  steps: opens === DONE ? WITHIN : WITHIN_RECEIVED,
  timetable: {},
});

const card = (
  direction: Direction,
  type: TransactionType,
  opens: Opening,
  steps: Steps,
  timetable: Rail['timetable'] = {},
): Rail => ({
  method: 'card_issuing',
  direction,
  type,
  message: 'incoming',
  against: 'master',
  opens,
  booked: 'when_made',
  steps,
  timetable,
});

export const RAILS = {
  intra_push: within('debit', 'push', 'outgoing', DONE),
  intra_pull: within('credit', 'pull', 'outgoing', DONE),
  /** The other account's side of a push; the one transfer between the two belongs to the sender's row. */
  intra_received_push: within('credit', 'push', 'incoming', ALREADY_DONE),
  intra_received_pull: within('debit', 'pull', 'incoming', ALREADY_DONE),
  /** Money that v1 sends as a card, onto an account of its own; what is left comes back when the card is closed. */
  solid_card_send: { ...within('debit', 'push', 'outgoing', DONE), steps: {} },
  solid_card_load: { ...within('credit', 'push', 'incoming', ALREADY_DONE), steps: {} },
  solid_card_unload: { ...within('debit', 'push', 'outgoing', DONE), steps: {} },
  solid_card_back: { ...within('credit', 'push', 'incoming', ALREADY_DONE), steps: {} },
  ach_push: { ...out('ach', 'debit', 'push', BY_FILE, ACH_PUSH_TIMES, 'when_made'), returnsInWindow: true },
  ach_pull: { ...out('ach', 'credit', 'pull', BY_FILE, ACH_PULL_TIMES), returnsInWindow: true },
  ach_received_push: { ...incoming('ach', 'credit', 'push', 'ach_receive'), returnsInWindow: true },
  ach_received_pull: {
    ...incoming('ach', 'debit', 'pull', 'ach_receive', 'when_made'),
    returnsInWindow: true,
  },
  domestic_wire: out('domestic_wire', 'debit', 'push', BY_FILE, WIRE_TIMES),
  international_wire: out('international_wire', 'debit', 'push', BY_FILE, WIRE_TIMES),
  domestic_wire_received: incoming('domestic_wire', 'credit', 'push', 'wire_receive'),
  international_wire_received: incoming('international_wire', 'credit', 'push', 'wire_receive'),
  rtp_push: out('rtp', 'debit', 'push', INSTANT, AT_ONCE),
  fednow_push: out('fednow', 'debit', 'push', INSTANT, AT_ONCE),
  rtp_received: incoming('rtp', 'credit', 'push', 'instant'),
  fednow_received: incoming('fednow', 'credit', 'push', 'instant'),
  debit_card_push: out('debit_card', 'debit', 'push', INSTANT, AT_ONCE),
  debit_card_pull: out('debit_card', 'credit', 'pull', INSTANT, AT_ONCE),
  check_send: out('check', 'debit', 'send', BY_FILE, CHECK_SEND_TIMES, 'when_made'),
  check_deposit: out('check', 'credit', 'deposit', BY_FILE, CHECK_DEPOSIT_TIMES),
  /** A hold on the card holder's money until the merchant captures, voids or forgets it. */
  card_authorization: card('debit', 'auth', { status: 'pending', ledger: 'hold' }, AUTHORIZED, {
    pending: { event: 'expire', when: 'card_expire' },
  }),
  /** The same from a test of v1, which calls it settled: what is left of it is captured with the day's settlement. */
  card_test_authorization: card('debit', 'auth', { status: 'pending', ledger: 'hold' }, AUTHORIZED, {
    pending: { event: 'settle', when: 'card_settle' },
  }),
  /** The difference between what was authorized and what was captured: more is a debit, less a credit. */
  card_adjust_up: card('debit', 'adjust', DONE, {}),
  card_adjust_down: card('credit', 'adjust', DONE, {}),
  /** What of an authorization was reversed or not captured in time; the hold itself is the authorization's. */
  card_reverse: card('credit', 'reverse', ALREADY_DONE, {}),
  /** There at once, also while the merchant has only promised it. */
  card_refund: card(
    'credit',
    'refund',
    { status: 'pending', ledger: 'post' },
    { pending: { settle: given('settled'), reverse: given('reversed', 'undo', 'reverse') } },
  ),
  /** What an account is given when v1 opens it. It is there for good. */
  account_opening: {
    method: 'intra_account',
    direction: 'credit',
    type: 'push',
    message: 'incoming',
    against: 'master',
    opens: DONE,
    booked: 'when_made',
    steps: {},
    timetable: {},
  },
  /** A part of an entry that waited on the master account: the entry's own method, and settled as the entry is. */
  sub_ledgered: {
    method: null,
    direction: 'credit',
    type: 'push',
    message: 'incoming',
    against: 'suspense',
    opens: DONE,
    booked: 'when_made',
    steps: {
      settled: {
        return: given('returned', 'undo', 'return'),
        reverse: given('reversed', 'undo', 'reverse'),
      },
    },
    timetable: {},
  },
  /** The row that records a return, reversal, cancellation or late decline; the original keeps the money's story. */
  reversal_credit: {
    ...card('credit', 'return', ALREADY_DONE, {}),
    method: null,
  },
  reversal_debit: {
    ...card('debit', 'return', ALREADY_DONE, {}),
    method: null,
  },
} as const satisfies Record<string, Rail>;

export type RailName = keyof typeof RAILS;

/** The rails of a card's authorizations. */
export const AUTHORIZATION_RAILS = ['card_authorization', 'card_test_authorization'] as const;

/** Whether a rail is one of a card's authorizations. */
export function isAuthorization(rail: RailName): rail is (typeof AUTHORIZATION_RAILS)[number] {
  return AUTHORIZATION_RAILS.some((own) => own === rail);
}

/** The table of one rail. */
export function railOf(name: RailName): Rail {
  return RAILS[name];
}

/** The step that `event` makes from `status`, or a refusal that lists the legal events. */
export function railStep(name: RailName, status: TransactionStatus, event: RailEvent): RailStep {
  const row = railOf(name).steps[status] ?? {};
  const found = row[event];
  if (found === undefined)
    throw illegalStep(`${name.replaceAll('_', ' ')} transaction`, status, event, Object.keys(row));
  return found;
}

/** The events that a transaction of this rail accepts in `status`. */
export function railEvents(name: RailName, status: TransactionStatus): RailEvent[] {
  return Object.keys(railOf(name).steps[status] ?? {}) as RailEvent[];
}
