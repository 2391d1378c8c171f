/**
 * What a round of the torture is, as data that `draw.ts` draws from a seed before anything runs: who pays what to whom, on which
 * connection, what the receivers of webhooks do, and how each phase ends. A round is whole in itself (it begins with an
 * empty data directory), so that a shorter one with some of its actions left out can be run as well.
 */
/** What the torture asks of the bank that an older bank did not do. All of it is asked; this is the place to switch one off. */
export const PROOFS = {
  /** A sandbox whose file is damaged answers 503 with the reason, and the rest of the bank serves on. */
  damage: true,
  /** A refusal for lack of room says so in words. */
  fullIsReported: true,
};

/** The faults of a plan, by which they are also counted. All of them happen; this is the place to switch one off. */
export const FAULTS = {
  /** The server is killed at any instant. */
  kill: true,
  /** It is killed at a call of the kernel. */
  injection: true,
  /** Its disk is full for a while under load. */
  full: true,
  /** The file of a sandbox is damaged. */
  damage: true,
  /** The disk fills up and empties again while all sandboxes idle. */
  idle: true,
  /** The server is stopped (SIGSTOP) and continued. */
  stop: true,
  /** Dozens of clients follow the stream of a sandbox. */
  observers: true,
  /** A receiver answers as slowly as it can without falling behind for ever. */
  edge: true,
};
export type FaultName = keyof typeof FAULTS;

/** What happens to a sandbox besides payments, which decides what can be proven of it. */
export type Role =
  /** Nothing: everything can be proven, the order of events and repeated keys too. */
  | 'steady'
  /** Its clock is moved. */
  | 'clocky'
  /** Its bank is exchanged: reset, restored, imported, deleted. */
  | 'changing';

export interface Place {
  readonly name: string;
  readonly role: Role;
  /** Only has payments that change the balance at once, so that some order of them must explain each balance. */
  readonly isExplained?: boolean;
}

export const BEHAVIOURS = ['quick', 'slow', 'late', 'edge', 'flaky', 'closing', 'hanging', 'gone'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** A webhook and the receiver behind it. */
export interface Listener {
  readonly sandbox: string;
  readonly behaviour: Behaviour;
  readonly dialect: 'v1' | 'v2';
  readonly events: readonly string[];
}

/** How money moves: the call, and the signs of what the first and the second seeded account get. */
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
/** Those that change the available balance when they are made, and not again later. */
export const AT_ONCE: readonly Rail[] = [
  'v2_intra_pull',
  'v2_intra_push',
  'v1_intra_pull',
  'v1_intra_push',
  'v2_ach_push',
  'v1_ach_push',
];

export type Wrong = 'funds' | 'field' | 'party';
export type RecordKind = 'holder' | 'account' | 'contact';

/** One thing that a client does. `lane` is its connection: what is on one lane happens in this order. */
export type Action = { readonly lane: number; readonly sandbox: string } & (
  | {
      readonly do: 'pay';
      readonly tag: string;
      readonly rail: Rail;
      readonly cents: number;
      readonly wrong?: Wrong;
      /** The same request under the same key once more: after the answer, or at the same time. */
      readonly twice?: 'after' | 'together';
    }
  | { readonly do: 'authorize'; readonly tag: string; readonly cents: number }
  | { readonly do: 'capture' | 'reverse'; readonly of: string; readonly tag: string }
  | { readonly do: 'record'; readonly tag: string; readonly kind: RecordKind }
  | { readonly do: 'read'; readonly of: string }
  | { readonly do: 'balance'; readonly of: 'first' | 'second'; readonly dialect: 'v1' | 'v2' }
  | { readonly do: 'list' | 'statement' | 'verify' | 'events' | 'settle' | 'drain' }
  | { readonly do: 'reset' | 'remove' }
  | { readonly do: 'clock'; readonly mode: 'live' | 'frozen' | 'scaled'; readonly shiftHours: number }
  | { readonly do: 'advance'; readonly hours: number }
  | { readonly do: 'snapshot' | 'restore' | 'export' | 'import'; readonly name: string }
  | { readonly do: 'many'; readonly tag: string; readonly count: number }
);

/** A call of the kernel or, where there is no strace, of node:fs, at which the server is killed. */
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
  /** Where, as parts of the file's length. */
  readonly at: readonly number[];
}

export interface Full {
  /** tmpfs: a small file system is filled; limit: the process may write no longer files. */
  readonly kind: 'tmpfs' | 'limit';
  readonly afterAnswers: number;
  readonly forAnswers: number;
  readonly roomKb: number;
}

/** What happens under load, after so many answers. */
export type Fault = { readonly afterAnswers: number } & (
  | { readonly kind: 'stop'; readonly forMs: number }
  | { readonly kind: 'observers'; readonly sandbox: string; readonly count: number; readonly lazyMs: number }
);

/** A disk that fills up and empties again, in milliseconds since everything began to idle. */
export interface Idle {
  readonly forMs: number;
  readonly full: readonly { readonly fromMs: number; readonly untilMs: number }[];
}

export interface Phase {
  readonly actions: readonly Action[];
  readonly end: End;
  /** The server of this phase is killed at a call of the kernel, in its start or under load. */
  readonly injection?: Injection;
  /** The same for the start after it, which is then tried again. */
  readonly nextStart?: Injection;
  readonly full?: Full;
  readonly faults?: readonly Fault[];
  /** After the load, before the end. */
  readonly idle?: Idle;
  /** Done to the stopped data directory at the end. */
  readonly damage?: Damage;
}

export interface Round {
  readonly seed: string;
  readonly synchronous: 'normal' | 'off' | 'full';
  readonly places: readonly Place[];
  readonly listeners: readonly Listener[];
  readonly phases: readonly Phase[];
}
