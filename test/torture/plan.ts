/**
 * What a round of the torture is, as data that is drawn from a seed before anything runs: who pays what to whom, on which
 * connection, what the receivers of webhooks do, and how each phase ends. A round is whole in itself (it begins with an
 * empty data directory), so that a shorter one with some of its actions left out can be run as well.
 */
import { createSequence, type Sequence } from '../../src/kernel/sequence.ts';

/** What the torture asks of the bank that an older bank did not do. All of it is asked; this is the place to switch one off. */
export const PROOFS = {
  /** A sandbox whose file is damaged answers 503 with the reason, and the rest of the bank serves on. */
  damage: true,
  /** A refusal for lack of room says so in words. */
  fullIsReported: true,
};

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
}

export const BEHAVIOURS = ['quick', 'slow', 'late', 'flaky', 'closing', 'hanging', 'gone'] as const;
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
const RAIL_NAMES = Object.keys(RAILS) as Rail[];

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

export interface Phase {
  readonly actions: readonly Action[];
  readonly end: End;
  /** The server of this phase is killed at a call of the kernel, in its start or under load. */
  readonly injection?: Injection;
  /** The same for the start after it, which is then tried again. */
  readonly nextStart?: Injection;
  readonly full?: Full;
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

/** With weights: of the calls at which a kill hurts, those that write to a file come most. */
const CALLS = [
  'pwrite64',
  'pwrite64',
  'pwrite64',
  'fdatasync',
  'ftruncate',
  'unlink',
  'rename',
  'write',
  'writev',
];
const MOST_WHEN: Record<string, number> = {
  pwrite64: 1500,
  fdatasync: 12,
  ftruncate: 4,
  unlink: 4,
  rename: 3,
  write: 2500,
  writev: 400,
};
/** The longest shift of a clock in one action. */
const MOST_HOURS = 48;

/** Draws round `number` of the torture with `seed`. */
export function planRound(seed: number, number: number): Round {
  const name = `${seed}/${number}`;
  const chance = createSequence(`torture/${name}`);
  const oneIn = (many: number): boolean => chance.integer(many) === 0;
  const pick = <T>(from: readonly T[]): T => from[chance.integer(from.length)] as T;

  const places: Place[] = [
    { name: 'default', role: oneIn(4) ? pick(['clocky', 'changing'] as const) : 'steady' },
    { name: 'still', role: 'steady' },
    ...(oneIn(2) ? [{ name: 'times', role: 'clocky' as const }] : []),
    ...(oneIn(2) ? [{ name: 'turns', role: 'changing' as const }] : []),
  ];
  const listeners = Array.from({ length: 1 + chance.integer(4) }, (): Listener => {
    const behaviour = oneIn(12)
      ? pick(['hanging', 'gone'] as const)
      : pick(['quick', 'quick', 'slow', 'late', 'flaky', 'closing'] as const);
    const dialect = pick(['v1', 'v2'] as const);
    const some =
      dialect === 'v2' ? ['transaction.created', 'transaction.status.settled'] : ['transfer.created'];
    return { sandbox: pick(places).name, behaviour, dialect, events: oneIn(2) ? ['*'] : some };
  });
  const phases: Phase[] = [];
  const count = 1 + chance.integer(3);
  const drawn = { tags: 0, authorizations: new Map<string, string[]>(), paid: new Map<string, string[]>() };
  for (let at = 0; at < count; at += 1) {
    const isLast = at === count - 1;
    const actions = planActions(chance, places, number, drawn);
    const middle = 1 + chance.integer(actions.length);
    const end: End = oneIn(3)
      ? { how: 'quiet' }
      : { how: oneIn(4) ? 'term' : 'kill', afterAnswers: middle, jitterMs: chance.integer(4) };
    const injection = oneIn(3) ? planInjection(chance) : undefined;
    const full: Full | undefined = oneIn(6)
      ? {
          kind: pick(['tmpfs', 'limit'] as const),
          afterAnswers: chance.integer(Math.max(1, middle >> 1)),
          forAnswers: 10 + chance.integer(80),
          roomKb: pick([0, 4, 40, 200]),
        }
      : undefined;
    const hurt = places.filter((place) => place.name !== 'default' && place.role === 'steady');
    const damage: Damage | undefined =
      PROOFS.damage && !isLast && oneIn(5)
        ? {
            sandbox: pick(hurt).name,
            how: pick(['flip', 'truncate', 'empty', 'delete'] as const),
            at: Array.from({ length: 1 + chance.integer(20) }, () => chance.fraction()),
          }
        : undefined;
    phases.push({
      actions,
      end,
      ...(injection !== undefined && full === undefined && { injection }),
      ...(oneIn(5) && { nextStart: planInjection(chance, 40) }),
      ...(full !== undefined && { full }),
      ...(damage !== undefined && { damage }),
    });
  }
  const synchronous = oneIn(4) ? pick(['off', 'full'] as const) : 'normal';
  return { seed: name, synchronous, places, listeners, phases };
}

function planInjection(chance: Sequence, most = Number.POSITIVE_INFINITY): Injection {
  const call = CALLS[chance.integer(CALLS.length)] ?? 'pwrite64';
  return { call, when: 1 + chance.integer(Math.min(most, MOST_WHEN[call] ?? 1)) };
}

interface Drawn {
  tags: number;
  readonly authorizations: Map<string, string[]>;
  readonly paid: Map<string, string[]>;
}

function planActions(chance: Sequence, places: readonly Place[], round: number, drawn: Drawn): Action[] {
  const oneIn = (many: number): boolean => chance.integer(many) === 0;
  const pick = <T>(from: readonly T[]): T => from[chance.integer(from.length)] as T;
  const tag = (): string => {
    drawn.tags += 1;
    return `t${round}-${drawn.tags}`;
  };
  const noted = (list: Map<string, string[]>, sandbox: string): string[] => {
    const found = list.get(sandbox) ?? [];
    list.set(sandbox, found);
    return found;
  };
  const lanes = 1 + chance.integer(12);
  const actions: Action[] = [];
  const length = 40 + chance.integer(360);
  while (actions.length < length) {
    const place = pick(places);
    const at = { lane: chance.integer(lanes), sandbox: place.name };
    // What exchanges a bank or moves a clock has a lane of its own for each sandbox, so two of them never meet.
    const keeper = { lane: lanes + places.indexOf(place), sandbox: place.name };
    const draw = chance.integer(100);
    if (place.role === 'changing' && oneIn(14)) actions.push(planExchange(chance, keeper));
    else if (place.role === 'clocky' && oneIn(14)) actions.push(planClock(chance, keeper));
    else if (draw < 62) {
      const paid = noted(drawn.paid, place.name);
      const own = tag();
      const rail = pick(RAIL_NAMES);
      const wrong = oneIn(12) ? pick(['funds', 'field', 'party'] as const) : undefined;
      const isKeyed = !rail.startsWith('incoming');
      const twice =
        place.role === 'steady' && isKeyed && oneIn(8) ? pick(['after', 'together'] as const) : undefined;
      if (wrong === undefined) paid.push(own);
      actions.push({
        ...at,
        do: 'pay',
        tag: own,
        rail,
        cents: 1 + chance.integer(150),
        ...(wrong !== undefined && isKeyed && { wrong }),
        ...(twice !== undefined && { twice }),
      });
    } else if (draw < 70) {
      const own = tag();
      noted(drawn.authorizations, place.name).push(own);
      actions.push({ ...at, do: 'authorize', tag: own, cents: 1 + chance.integer(150) });
    } else if (draw < 76) {
      const open = noted(drawn.authorizations, place.name);
      const of = open.splice(chance.integer(Math.max(1, open.length)), 1)[0];
      if (of !== undefined)
        actions.push({ ...at, do: pick(['capture', 'reverse'] as const), of, tag: tag() });
    } else if (draw < 82) {
      actions.push({
        ...at,
        do: 'record',
        tag: tag(),
        kind: pick(['holder', 'account', 'contact'] as const),
      });
    } else if (draw < 91) {
      const paid = noted(drawn.paid, place.name);
      if (paid.length > 0) actions.push({ ...at, do: 'read', of: pick(paid) });
    } else if (draw < 99 || !oneIn(20)) {
      actions.push({ ...at, do: pick(['list', 'list', 'statement', 'verify', 'events', 'drain'] as const) });
    } else {
      actions.push({ ...at, do: 'many', tag: tag(), count: 20 + chance.integer(oneIn(3) ? 280 : 40) });
    }
  }
  return actions;
}

function planExchange(chance: Sequence, at: { lane: number; sandbox: string }): Action {
  const name = `s${chance.integer(3)}`;
  const draw = chance.integer(20);
  if (draw < 6) return { ...at, do: 'snapshot', name };
  if (draw < 11) return { ...at, do: 'restore', name };
  if (draw < 13) return { ...at, do: 'reset' };
  if (draw < 15) return { ...at, do: 'export', name };
  if (draw < 17) return { ...at, do: 'import', name };
  if (draw < 18 || at.sandbox === 'default') return { ...at, do: 'reset' };
  return { ...at, do: 'remove' };
}

function planClock(chance: Sequence, at: { lane: number; sandbox: string }): Action {
  const hours = (): number => 1 + chance.integer(MOST_HOURS);
  const draw = chance.integer(10);
  if (draw < 4) return { ...at, do: 'advance', hours: hours() };
  if (draw < 6) return { ...at, do: 'settle' };
  const mode = (['live', 'frozen', 'scaled'] as const)[chance.integer(3)] ?? 'live';
  return { ...at, do: 'clock', mode, shiftHours: draw < 8 ? 0 : draw < 9 ? hours() : -hours() };
}
