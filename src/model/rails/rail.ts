/**
 * What a rail is: a table of state -> event -> next state, what the ledger does at each step, which event the bank brings
 * about by itself and when, and what the API versions call it. Here are the type and the tables that several rails share.
 * Source: the lifecycles of the platform's payment guides; decisions `ach-timing` and `other-rails-timing` in
 * docs/fidelity.md.
 */
import type { When } from '../timetable.ts';
import type {
  Direction,
  RailEvent,
  TransactionMethod,
  TransactionStatus,
  TransactionType,
} from '../vocabulary.ts';

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
 * The ledger account on the other side of the sub account: the master account, another sub account, or the suspense
 * account, which holds money that named no sub account.
 */
export type ContraAccount = 'master' | 'sub_account' | 'suspense';

/** What v1 calls a rail, and the kinds of its events. v2 calls it by its method, type and status. */
export interface V1Words {
  /** Where v1 has another type for it than for its method. */
  readonly type?: 'solidCard';
  /** Who initiated it, or what it does to another transaction. */
  readonly subType:
    | 'originated'
    | 'received'
    | 'reversal'
    | 'auth'
    | 'authUpdate'
    | 'refund'
    | 'push'
    | 'pull'
    | 'overdraft'
    | 'accountCreationCredit';
  /** v1 shows it as a transfer too, which has `transfer.created`, and `transfer.updated` when it changes or is refused. */
  readonly isTransfer?: true;
  /** It has one event, called after the method of the transaction that it belongs to: `ach.reversal.debit`. */
  readonly kindOfMethod?: 'reversal' | 'received';
  /** The event kinds of each step; v2 has one kind for each status, whatever the rail. */
  readonly kinds: V1Kinds;
}

export interface V1Kinds {
  readonly created?: readonly string[];
  /** When something is first reserved or posted for it. A payment that is going to be returned never gets this event. */
  readonly accepted?: readonly string[];
  /** When it gets its trace number. */
  readonly cleared?: readonly string[];
  readonly settled?: readonly string[];
  readonly declined?: readonly string[];
}

export interface Rail {
  /** `null`: that of the transaction which it takes back. */
  readonly method: TransactionMethod | null;
  readonly direction: Direction;
  readonly type: TransactionType;
  /** Who initiated it, in the word of v2: `outgoing` is a client of this bank, `incoming` anybody else. */
  readonly message: 'incoming' | 'outgoing';
  readonly contra: ContraAccount;
  readonly opens: { readonly status: TransactionStatus; readonly ledger: LedgerAction };
  /**
   * When a row is booked on its account, which v1 calls settled: as soon as it is made, or when it has settled. From then on
   * its balance and its date stay as they are.
   */
  readonly booked: 'when_made' | 'when_settled';
  readonly steps: Readonly<
    Partial<Record<TransactionStatus, Readonly<Partial<Record<RailEvent, RailStep>>>>>
  >;
  /** Who begins it: a client, another bank, a merchant by the card's network, or this bank as a part of something else. */
  readonly origin: 'client' | 'other_bank' | 'card_network' | 'bank';
  /** What a client's order needs of the counterparty. */
  readonly needs?:
    | 'intraAccount'
    | 'ach'
    | 'domesticWire'
    | 'internationalWire'
    | 'rtp'
    | 'fednow'
    | 'debitCard'
    | 'check'
    | 'card';
  /** The kind of its details. `null`: those of the transaction that it belongs to. */
  readonly details: 'ach' | 'wire' | 'instant' | 'check' | 'card' | 'intra' | 'none' | null;
  readonly v1: V1Words;
  /** The row takes back what another one moved, or was to move, so it goes the opposite way. */
  readonly reversal?: true;
  /** The row is a part of an entry in the master account, and moves with it. */
  readonly isPart?: true;
  /** A return comes within the window of its code, counted from the effective date; on other rails whenever it comes. */
  readonly returnsInWindow?: true;
  /** Once it has settled it is reversed within this time; on other rails whenever it is. */
  readonly reversedWithinMs?: number;
  /** The event that comes by itself in each state. */
  readonly timetable: Readonly<
    Partial<Record<TransactionStatus, { readonly event: RailEvent; readonly when: When }>>
  >;
}

export type Steps = Rail['steps'];

export const step = (
  to: TransactionStatus,
  ledger: LedgerAction = 'none',
  row?: TransactionType,
): RailStep => (row === undefined ? { to, ledger } : { to, ledger, row });

/** The steps of an ACH payment, a wire and a check that a client originates: held at origination, posted at settlement. */
export const ORIGINATED_STEPS: Steps = {
  originated: {
    submit: step('pending'),
    review: step('in_review'),
    cancel: step('canceled', 'release', 'cancel'),
    decline: step('declined', 'release', 'decline'),
  },
  in_review: {
    approve: step('pending'),
    cancel: step('canceled', 'release', 'cancel'),
    decline: step('declined', 'release', 'decline'),
  },
  pending: {
    send: step('clearing'),
    review: step('in_review'),
    cancel: step('canceled', 'release', 'cancel'),
    decline: step('declined', 'release', 'decline'),
  },
  clearing: { clear: step('cleared'), return: step('returned', 'release', 'return') },
  cleared: {
    settle: step('settled', 'settle'),
    return: step('returned', 'release', 'return'),
    reverse: step('reversed', 'release', 'reverse'),
  },
  settled: {
    return: step('returned', 'undo', 'return'),
    reverse: step('reversed', 'undo', 'reverse'),
  },
};

/** The steps of a payment that arrives within seconds, or not at all. */
export const INSTANT_PAYMENT_STEPS: Steps = {
  originated: {
    settle: step('settled', 'settle'),
    review: step('in_review'),
    return: step('returned', 'release', 'return'),
    cancel: step('canceled', 'release', 'cancel'),
    decline: step('declined', 'release', 'decline'),
  },
  in_review: {
    approve: step('originated'),
    cancel: step('canceled', 'release', 'cancel'),
    decline: step('declined', 'release', 'decline'),
  },
  settled: {
    return: step('returned', 'undo', 'return'),
    reverse: step('reversed', 'undo', 'reverse'),
  },
};

/** The steps of money that another bank sent or asks for. */
export const INCOMING_STEPS: Steps = {
  received: {
    settle: step('settled', 'settle'),
    review: step('in_review'),
    return: step('returned', 'release', 'return'),
    decline: step('declined', 'release', 'decline'),
  },
  in_review: {
    approve: step('received'),
    return: step('returned', 'release', 'return'),
    decline: step('declined', 'release', 'decline'),
  },
  settled: {
    return: step('returned', 'undo', 'return'),
    reverse: step('reversed', 'undo', 'reverse'),
  },
};

export const NO_STEPS: Steps = {};

/** Opens with the amount held. */
export const OPENS_HELD = { status: 'originated', ledger: 'hold' } as const;
/** Comes from another bank, and is held until it is settled. */
export const OPENS_RECEIVED = { status: 'received', ledger: 'hold' } as const;
/** Opens settled, and its own transfer moves the money. */
export const OPENS_POSTED = { status: 'settled', ledger: 'post' } as const;
/** Opens settled; the transfer of another row has moved the money. */
export const OPENS_POSTED_ELSEWHERE = { status: 'settled', ledger: 'none' } as const;

/** An order of a client that leaves the bank. */
export const ORIGINATED = {
  message: 'outgoing',
  contra: 'master',
  opens: OPENS_HELD,
  origin: 'client',
} as const;
/** Money that another bank sends or asks for. */
export const INCOMING = {
  message: 'incoming',
  contra: 'master',
  opens: OPENS_RECEIVED,
  steps: INCOMING_STEPS,
  origin: 'other_bank',
} as const;
