/**
 * The type of a rail: a table of state -> event -> next state with the ledger action of each step, the scheduled
 * events with their times, and the names in the API versions. Also the tables that several rails share.
 * Source: the lifecycles of the platform's payment guides; decisions `ach-timing` and `other-rails-timing` in
 * docs/fidelity.md.
 */
import type { Cents } from '../../kernel/money.ts';
import type { When } from '../timetable.ts';
import type {
  Direction,
  DisputeStatus,
  RailEvent,
  TransactionMethod,
  TransactionStatus,
  TransactionType,
} from '../vocabulary.ts';

/**
 * The ledger action of a step. `hold` reserves the amount, `post` moves it at once, `settle` turns the open hold into
 * a posting, `release` ends the open hold, `undo` posts the opposite of an earlier posting.
 */
export type LedgerAction = 'hold' | 'post' | 'settle' | 'release' | 'undo' | 'none';

export interface RailStep {
  readonly to: TransactionStatus;
  readonly ledger: LedgerAction;
  /** The step is also recorded as a separate transaction of this type, in the opposite direction. */
  readonly row?: TransactionType;
  /** The rail of that transaction, if it is not the ordinary one of a reversal. */
  readonly rowRail?: 'debit_card_chargeback';
  /** The step opens or ends a dispute, and is possible only in its state `from`. */
  readonly dispute?: { readonly from: DisputeStatus; readonly to: DisputeStatus };
}

/**
 * The contra account of the sub account: the master account, another sub account, or the suspense account, which
 * holds money without a sub account.
 */
export type ContraAccount = 'master' | 'sub_account' | 'suspense';

/** The names of a rail in v1, and its event kinds. v2 uses its method, type and status. */
interface V1Words {
  /** The type in v1, if it differs from that of the method. */
  readonly type?: 'solidCard';
  /** Who initiated it, or its effect on another transaction. */
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
    | 'accountCreationCredit'
    | 'accountClosing';
  /** v1 also shows it as a transfer, with `transfer.created`, and `transfer.updated` when it changes or is declined. */
  readonly isTransfer?: true;
  /** It has one event, named after the method of the transaction that it belongs to: `ach.reversal.debit`. */
  readonly kindOfMethod?: 'reversal' | 'received';
  /** The event kinds of each step; v2 has one kind for each status on all rails. */
  readonly kinds: V1Kinds;
}

interface V1Kinds {
  readonly created?: readonly string[];
  /** When a hold or posting is first made for it. A payment that is going to be returned never gets this event. */
  readonly accepted?: readonly string[];
  /** When it gets its trace number. */
  readonly cleared?: readonly string[];
  readonly settled?: readonly string[];
  readonly declined?: readonly string[];
}

export interface Rail {
  /** `null`: the method of the transaction that it reverses. */
  readonly method: TransactionMethod | null;
  readonly direction: Direction;
  readonly type: TransactionType;
  /** Who initiated it, in the word of v2: `outgoing` is a client of this bank, `incoming` anybody else. */
  readonly message: 'incoming' | 'outgoing';
  readonly contra: ContraAccount;
  readonly opens: { readonly status: TransactionStatus; readonly ledger: LedgerAction };
  /**
   * When a transaction is booked, which v1 shows as settled: when it is made, or when it settles. From then on its
   * balance and date do not change.
   */
  readonly booked: 'when_made' | 'when_settled';
  readonly steps: Readonly<
    Partial<Record<TransactionStatus, Readonly<Partial<Record<RailEvent, RailStep>>>>>
  >;
  /**
   * Who initiates it: a client, another bank, a merchant through the card network, or this bank as a part of another
   * payment.
   */
  readonly origin: 'client' | 'other_bank' | 'card_network' | 'bank';
  /** The details of the counterparty that an origination requires. */
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
  /** The kind of its details. `null`: the kind of the transaction that it belongs to. */
  readonly details: 'ach' | 'wire' | 'instant' | 'check' | 'card' | 'intra' | 'none' | null;
  readonly v1: V1Words;
  /** The transaction reverses another one, so it has the opposite direction. */
  readonly reversal?: true;
  /** The transaction is a part of an entry in the master account, and changes together with it. */
  readonly isPart?: true;
  /** A return must be within the window of its code, counted from the effective date; other rails have no window. */
  readonly returnsInWindow?: true;
  /** The largest amount that the network carries: decision `network-limits` in docs/fidelity.md; other rails have none. */
  readonly max?: Cents;
  /** The time limit for a reversal after the settlement; other rails have none. */
  readonly reversedWithinMs?: number;
  /** When a planned outcome happens that has no time of its own, in a state without a scheduled event. */
  readonly planned?: Readonly<Partial<Record<RailEvent, When>>>;
  /** The scheduled event of each state. */
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

/** The steps of a payment that settles within seconds or fails. */
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

/** The steps of a payment that another bank sends or pulls. */
const INCOMING_STEPS: Steps = {
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
const OPENS_HELD = { status: 'originated', ledger: 'hold' } as const;
/** From another bank, on hold until it is settled. */
const OPENS_RECEIVED = { status: 'received', ledger: 'hold' } as const;
/** Settled at once, with a ledger transfer. */
export const OPENS_POSTED = { status: 'settled', ledger: 'post' } as const;
/** Settled at once; the ledger transfer belongs to another transaction. */
export const OPENS_POSTED_ELSEWHERE = { status: 'settled', ledger: 'none' } as const;

/** An origination to another bank. */
export const ORIGINATED = {
  message: 'outgoing',
  contra: 'master',
  opens: OPENS_HELD,
  origin: 'client',
} as const;
/** A payment that another bank sends or pulls. */
export const INCOMING = {
  message: 'incoming',
  contra: 'master',
  opens: OPENS_RECEIVED,
  steps: INCOMING_STEPS,
  origin: 'other_bank',
} as const;
