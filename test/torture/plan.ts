/**
 * The plan of a round, which `draw.ts` draws from a seed before anything runs: the payments and their connections, the
 * behaviour of the receivers of webhooks, and the end of each phase. A round begins with an empty data directory and needs no
 * other round, so a round without some of its actions can also be run.
 */
/** Checks that an older bank does not pass. `--without` switches them off. */
export const PROOFS = {
  /** A sandbox with a damaged file responds with 503 and the reason, and the other sandboxes work. */
  damage: true,
  /** The error message on a full disk says that the disk is full. */
  fullIsReported: true,
};

/** The faults of a plan, by the names under which they are counted. `--without` switches them off. */
export const FAULTS = {
  /** The server is killed at a random time. */
  kill: true,
  /** The server is killed at a system call. */
  injection: true,
  /** The disk is temporarily full under load. */
  full: true,
  /** The file of a sandbox is damaged. */
  damage: true,
  /** The disk becomes full and empty again while all sandboxes are idle. */
  idle: true,
  /** The server is stopped (SIGSTOP) and continued. */
  stop: true,
  /** Dozens of clients read the stream of a sandbox. */
  observers: true,
  /** A receiver is just fast enough to keep up. */
  edge: true,
};
export type FaultName = keyof typeof FAULTS;

/** The changes of a sandbox besides payments; they determine what can be checked. */
type Role =
  /** None: everything can be checked, including the order of events and repeated keys. */
  | 'steady'
  /** Its clock is moved. */
  | 'clocky'
  /** Its bank is replaced: reset, restored, imported or deleted. */
  | 'changing';

export interface Place {
  readonly name: string;
  readonly role: Role;
  /** Whether it has only payments that change the balance immediately, so that some order of them must explain each balance. */
  readonly isExplained?: boolean;
}

const BEHAVIOURS = ['quick', 'slow', 'late', 'edge', 'flaky', 'closing', 'hanging', 'gone'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** A webhook and the receiver behind it. */
export interface Listener {
  readonly sandbox: string;
  readonly behaviour: Behaviour;
  readonly apiVersion: 'v1' | 'v2';
  readonly events: readonly string[];
}

/** The path of each payment, and the signs of its amount on the two seeded accounts. */
export const RAILS = {
  v2_ach_pull: { path: '/v2/payments/ach/pull', first: 1, second: 0 },
  v2_ach_push: { path: '/v2/payments/ach/push', first: -1, second: 0 },
  v2_intra_pull: { path: '/v2/payments/intra_account/pull', first: 1, second: -1 },
  v2_intra_push: { path: '/v2/payments/intra_account/push', first: -1, second: 1 },
  v1_ach_pull: { path: '/v1/receive/ach', first: 1, second: 0 },
  v1_ach_push: { path: '/v1/send/ach', first: -1, second: 0 },
  v1_intra_pull: { path: '/v1/receive/intrabank', first: 1, second: -1 },
  v1_intra_push: { path: '/v1/send/intrabank', first: -1, second: 1 },
  incoming_rtp: { path: '/_sandbox/simulate/incoming/rtp', first: 1, second: 0 },
  incoming_wire: { path: '/_sandbox/simulate/incoming/domestic_wire', first: 1, second: 0 },
} as const;
export type Rail = keyof typeof RAILS;
export const RAIL_NAMES = Object.keys(RAILS) as Rail[];
/** Payments that change the available balance immediately, and not again later. */
export const AT_ONCE: readonly Rail[] = [
  'v2_intra_pull',
  'v2_intra_push',
  'v1_intra_pull',
  'v1_intra_push',
  'v2_ach_push',
  'v1_ach_push',
];

type Wrong = 'funds' | 'field' | 'party';
type RecordKind = 'holder' | 'account' | 'contact';

/** One action of a client. `lane` is its connection: the actions of a lane are executed in this order. */
export type Action = { readonly lane: number; readonly sandbox: string } & (
  | {
      readonly do: 'pay';
      readonly tag: string;
      readonly rail: Rail;
      readonly cents: number;
      readonly wrong?: Wrong;
      /** Sends the request again with the same key: after the response, or concurrently. */
      readonly twice?: 'after' | 'together';
    }
  | { readonly do: 'authorize'; readonly tag: string; readonly cents: number }
  | { readonly do: 'capture' | 'reverse'; readonly of: string; readonly tag: string }
  | { readonly do: 'record'; readonly tag: string; readonly kind: RecordKind }
  | { readonly do: 'read'; readonly of: string }
  | { readonly do: 'balance'; readonly of: 'first' | 'second'; readonly apiVersion: 'v1' | 'v2' }
  | { readonly do: 'list' | 'statement' | 'verify' | 'events' | 'settle' | 'drain' }
  | { readonly do: 'reset' | 'remove' }
  | { readonly do: 'clock'; readonly mode: 'live' | 'frozen' | 'scaled'; readonly shiftHours: number }
  | { readonly do: 'advance'; readonly hours: number }
  | { readonly do: 'snapshot' | 'restore' | 'export' | 'import'; readonly name: string }
  | { readonly do: 'many'; readonly tag: string; readonly count: number }
);

/** The system call at which the server is killed; without strace, the call of node:fs. */
export interface Injection {
  readonly call: string;
  readonly when: number;
}

export type End =
  | { readonly how: 'quiet' }
  | { readonly how: 'kill' | 'term'; readonly afterAnswers: number; readonly jitterMs: number };

export interface Damage {
  readonly sandbox: string;
  readonly how: 'flip' | 'truncate' | 'empty' | 'delete';
  /** Positions, as fractions of the file's length. */
  readonly at: readonly number[];
}

export interface Full {
  /** tmpfs: a small file system is filled; limit: the size of the files of the process is limited. */
  readonly kind: 'tmpfs' | 'limit';
  readonly afterAnswers: number;
  readonly forAnswers: number;
  readonly roomKb: number;
}

/** A fault under load, after this number of responses. */
export type Fault = { readonly afterAnswers: number } & (
  | { readonly kind: 'stop'; readonly forMs: number }
  | { readonly kind: 'observers'; readonly sandbox: string; readonly count: number; readonly lazyMs: number }
);

/** The times at which a disk becomes full and empty again, in milliseconds since the last request. */
export interface Idle {
  readonly forMs: number;
  readonly full: readonly { readonly fromMs: number; readonly untilMs: number }[];
}

export interface Phase {
  readonly actions: readonly Action[];
  readonly end: End;
  /** The server of this phase is killed at a system call, during its start or under load. */
  readonly injection?: Injection;
  /** The next start is killed at a system call, and then repeated. */
  readonly nextStart?: Injection;
  readonly full?: Full;
  readonly faults?: readonly Fault[];
  /** Between the load and the end. */
  readonly idle?: Idle;
  /** Damages a file of the stopped server at the end. */
  readonly damage?: Damage;
}

export interface Round {
  readonly seed: string;
  readonly synchronous: 'normal' | 'off' | 'full';
  readonly places: readonly Place[];
  readonly listeners: readonly Listener[];
  readonly phases: readonly Phase[];
}
