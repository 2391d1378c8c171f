/**
 * Draws the rounds from a seed: those under load, and those in which all sandboxes are idle. A fault that is switched off is removed
 * after the draw, so the rest of the round stays the same.
 */
import { createSequence, type Sequence } from '../../src/bank/kernel/sequence.ts';
import {
  type Action,
  AT_ONCE,
  type Damage,
  type End,
  FAULTS,
  type Fault,
  type FaultName,
  type Full,
  type Idle,
  type Injection,
  type Listener,
  type Phase,
  type Place,
  PROOFS,
  RAIL_NAMES,
  type Round,
} from './plan.ts';

/** The system calls at which the server is killed; a repeated one is drawn more often. */
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
/** The server closes a file after a minute without use, which it checks every five seconds. */
const IDLE_CLOSES_MS = 65_500;
/** The longest shift of a clock in one action. */
const MOST_HOURS = 48;

/** Draws round `number` of the torture with `seed`, without the faults that are switched off. */
export function planRound(seed: number, number: number): Round {
  return withoutSwitchedOff(planServerRound(seed, number));
}

/** Draws a round in which the sandboxes are idle until their files are closed, while the disk is full. It takes more than a minute. */
export function planIdleRound(seed: number, number: number): Round {
  const name = `${seed}/idle/${number}`;
  const { chance, oneIn, pick } = drawing(name);
  const places: Place[] = [
    { name: 'default', role: 'steady' },
    { name: 'still', role: 'steady' },
    { name: 'books', role: 'steady', isExplained: true },
    { name: 'times', role: 'clocky' },
  ];
  const actions = planActions(chance, places, number, { ...createDrawn(), word: 'i' }, 120);
  const idle = planIdle(chance);
  const end: End = oneIn(2)
    ? { how: 'quiet' }
    : { how: pick(['kill', 'term']), afterAnswers: 1e9, jitterMs: 0 };
  return withoutSwitchedOff({
    seed: name,
    synchronous: 'normal',
    places,
    listeners: [{ sandbox: 'still', behaviour: 'quick', apiVersion: 'v2', events: ['*'] }],
    phases: [{ actions, idle, end }],
  });
}

function planIdle(chance: Sequence): Idle {
  const forMs = IDLE_CLOSES_MS + 2_000 + chance.integer(6_000);
  // The disk is full when the files are closed, and in half of the rounds also before.
  const late = { fromMs: IDLE_CLOSES_MS - 2_000 - chance.integer(12_000), untilMs: forMs };
  const early = { fromMs: chance.integer(10_000), untilMs: 20_000 + chance.integer(20_000) };
  return { forMs, full: chance.integer(2) === 0 ? [late] : [early, late] };
}

function drawing(name: string) {
  const chance = createSequence(`torture/${name}`);
  const oneIn = (many: number): boolean => chance.integer(many) === 0;
  const pick = <T>(from: readonly T[]): T => from[chance.integer(from.length)] as T;
  return { chance, oneIn, pick };
}

function planListener(
  { chance, oneIn, pick }: ReturnType<typeof drawing>,
  places: readonly Place[],
): Listener {
  const behaviour = oneIn(12)
    ? pick(['hanging', 'gone'] as const)
    : pick(['quick', 'quick', 'edge', 'slow', 'late', 'flaky', 'closing'] as const);
  const apiVersion = pick(['v1', 'v2'] as const);
  const some =
    apiVersion === 'v2' ? ['transaction.created', 'transaction.status.settled'] : ['transfer.created'];
  return {
    sandbox: pick(places).name,
    behaviour,
    apiVersion,
    events: chance.integer(2) === 0 ? ['*'] : some,
  };
}

function planServerRound(seed: number, number: number): Round {
  const name = `${seed}/${number}`;
  const draw = drawing(name);
  const { chance, oneIn, pick } = draw;
  const places: Place[] = [
    { name: 'default', role: oneIn(4) ? pick(['clocky', 'changing'] as const) : 'steady' },
    { name: 'still', role: 'steady' },
    { name: 'books', role: 'steady', isExplained: true },
    ...(oneIn(2) ? [{ name: 'times', role: 'clocky' as const }] : []),
    ...(oneIn(2) ? [{ name: 'turns', role: 'changing' as const }] : []),
  ];
  const listeners = Array.from({ length: 1 + chance.integer(4) }, () => planListener(draw, places));
  const phases: Phase[] = [];
  const count = 1 + chance.integer(3);
  const drawn = createDrawn();
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
      !isLast && oneIn(5)
        ? {
            sandbox: pick(hurt).name,
            how: pick(['flip', 'truncate', 'empty', 'delete'] as const),
            at: Array.from({ length: 1 + chance.integer(20) }, () => chance.fraction()),
          }
        : undefined;
    const steady = places.filter(({ role }) => role === 'steady').map((place) => place.name);
    const faults: Fault[] = [
      ...(oneIn(3) ? [planStop(chance, middle)] : []),
      ...(oneIn(3) ? [planObservers(chance, middle, steady)] : []),
    ];
    const isInjected = injection !== undefined && full === undefined;
    phases.push({
      actions,
      end,
      ...(isInjected && { injection }),
      ...(oneIn(5) && { nextStart: planInjection(chance, 40) }),
      ...(full !== undefined && { full }),
      // No SIGSTOP for a process under strace.
      ...(faults.length > 0 && { faults: faults.filter(({ kind }) => !isInjected || kind !== 'stop') }),
      ...(damage !== undefined && { damage }),
    });
  }
  const synchronous = oneIn(4) ? pick(['off', 'full'] as const) : 'normal';
  return { seed: name, synchronous, places, listeners, phases };
}

function planStop(chance: Sequence, before: number): Fault {
  const forMs = 100 + chance.integer(chance.integer(3) === 0 ? 4_000 : 800);
  return { kind: 'stop', afterAnswers: 1 + chance.integer(before), forMs };
}

function planObservers(chance: Sequence, before: number, sandboxes: readonly string[]): Fault {
  return {
    kind: 'observers',
    sandbox: sandboxes[chance.integer(sandboxes.length)] ?? 'still',
    count: 12 + chance.integer(48),
    lazyMs: 50 + chance.integer(1_000),
    afterAnswers: 1 + chance.integer(Math.max(1, before >> 1)),
  };
}

/** The same round without the faults that are switched off. */
function withoutSwitchedOff(round: Round): Round {
  const isOff = (fault: FaultName): boolean => !FAULTS[fault];
  const phases = round.phases.map((phase): Phase => {
    const { injection, nextStart, full, damage, idle, faults, end, ...rest } = phase;
    const kept = faults?.filter(({ kind }) => !isOff(kind)) ?? [];
    return {
      ...rest,
      end: isOff('kill') && end.how === 'kill' ? { ...end, how: 'term' } : end,
      ...(injection !== undefined && !isOff('injection') && { injection }),
      ...(nextStart !== undefined && !isOff('injection') && { nextStart }),
      ...(full !== undefined && !isOff('full') && { full }),
      ...(damage !== undefined && !isOff('damage') && PROOFS.damage && { damage }),
      ...(idle !== undefined && !isOff('idle') && { idle }),
      ...(kept.length > 0 && { faults: kept }),
    };
  });
  const listeners = round.listeners.filter(({ behaviour }) => behaviour !== 'edge' || !isOff('edge'));
  return { ...round, listeners, phases };
}

function planInjection(chance: Sequence, most = Number.POSITIVE_INFINITY): Injection {
  const call = CALLS[chance.integer(CALLS.length)] ?? 'pwrite64';
  return { call, when: 1 + chance.integer(Math.min(most, MOST_WHEN[call] ?? 1)) };
}

interface Drawn {
  /** The first letter of all tags, so that those of two concurrent rounds differ. */
  readonly word: string;
  tags: number;
  readonly authorizations: Map<string, string[]>;
  readonly paid: Map<string, string[]>;
}

const createDrawn = (): Drawn => ({ word: 't', tags: 0, authorizations: new Map(), paid: new Map() });

function planActions(
  chance: Sequence,
  places: readonly Place[],
  round: number,
  drawn: Drawn,
  most = 400,
): Action[] {
  const oneIn = (many: number): boolean => chance.integer(many) === 0;
  const pick = <T>(from: readonly T[]): T => from[chance.integer(from.length)] as T;
  const tag = (): string => {
    drawn.tags += 1;
    return `${drawn.word}${round}-${drawn.tags}`;
  };
  const noted = (list: Map<string, string[]>, sandbox: string): string[] => {
    const found = list.get(sandbox) ?? [];
    list.set(sandbox, found);
    return found;
  };
  const lanes = 1 + chance.integer(12);
  const actions: Action[] = [];
  const length = 40 + chance.integer(most - 40);
  while (actions.length < length) {
    const place = pick(places);
    const at = { lane: chance.integer(lanes), sandbox: place.name };
    // A lane of its own for each sandbox, so that two actions that replace its bank or move its clock never run concurrently.
    const keeper = { lane: lanes + places.indexOf(place), sandbox: place.name };
    const draw = chance.integer(100);
    if (place.role === 'changing' && oneIn(14)) actions.push(planExchange(chance, keeper));
    else if (place.role === 'clocky' && oneIn(14)) actions.push(planClock(chance, keeper));
    else if (place.isExplained === true && oneIn(4)) {
      const of = pick(['first', 'first', 'second'] as const);
      actions.push({ ...at, do: 'balance', of, apiVersion: pick(['v1', 'v2'] as const) });
    } else if (draw < 62) {
      const paid = noted(drawn.paid, place.name);
      const own = tag();
      const rail = pick(place.isExplained === true ? AT_ONCE : RAIL_NAMES);
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
