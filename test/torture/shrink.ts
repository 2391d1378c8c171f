/**
 * Searches for a shorter round that fails in the same way: it omits halves of the actions, then quarters and so on, until the time
 * is over. A seed does not determine real concurrency, so a shorter round is run twice before it counts as passing.
 */
import type { Action, Fault, Phase, Round } from './plan.ts';

/** Whether a round fails in the same way. */
export type Fails = (round: Round) => Promise<boolean>;

const TRIES = 2;

/** Returns the shortest failing round found until `deadline`, an instant of `performance.now()`. */
export async function shrink(round: Round, fails: Fails, deadline: number): Promise<Round> {
  const isLate = (): boolean => performance.now() > deadline;
  const still = async (shorter: Round): Promise<boolean> => {
    for (let tried = 0; tried < TRIES && !isLate(); tried += 1) if (await fails(shorter)) return true;
    return false;
  };
  let best = round;
  for (const simpler of simplerOf(round)) {
    if (isLate()) return best;
    const shorter = simpler(best);
    if (shorter !== best && (await still(shorter))) best = shorter;
  }
  for (let parts = 2; !isLate(); ) {
    const actions = flat(best);
    if (actions.length === 0) break;
    const size = Math.ceil(actions.length / parts);
    let found = false;
    for (let from = 0; from < actions.length && !isLate(); from += size) {
      const shorter = without(best, new Set(actions.slice(from, from + size)));
      if (!(await still(shorter))) continue;
      best = shorter;
      found = true;
      break;
    }
    if (found) parts = Math.max(2, parts - 1);
    else if (size === 1) break;
    else parts = Math.min(actions.length, parts * 2);
  }
  return best;
}

/** The parts that can be omitted besides single actions: phases, receivers, faults, the actions of a sandbox. */
function simplerOf(round: Round): ((best: Round) => Round)[] {
  const drop =
    (field: 'injection' | 'nextStart' | 'full' | 'faults' | 'idle' | 'damage') => (best: Round) => ({
      ...best,
      phases: best.phases.map(({ [field]: _, ...phase }): Phase => phase),
    });
  return [
    ...round.phases.slice(1).map(() => (best: Round) => ({ ...best, phases: best.phases.slice(0, -1) })),
    ...round.phases.slice(1).map(() => (best: Round) => ({ ...best, phases: best.phases.slice(1) })),
    (best) => ({ ...best, listeners: [] }),
    drop('nextStart'),
    drop('damage'),
    drop('full'),
    drop('idle'),
    drop('faults'),
    ...FAULT_KINDS.map((kind) => (best: Round) => withoutFault(best, kind)),
    drop('injection'),
    ...round.places.map(({ name }) => (best: Round) => ({
      ...best,
      phases: best.phases.map((phase) => ({
        ...phase,
        actions: phase.actions.filter(({ sandbox }) => sandbox !== name),
      })),
    })),
  ];
}

const FAULT_KINDS = ['stop', 'observers'] as const;

function withoutFault(best: Round, kind: Fault['kind']): Round {
  const phases = best.phases.map(
    (phase): Phase => ({ ...phase, faults: (phase.faults ?? []).filter((fault) => fault.kind !== kind) }),
  );
  return { ...best, phases };
}

function flat(round: Round): Action[] {
  return round.phases.flatMap(({ actions }) => actions);
}

function without(round: Round, gone: ReadonlySet<Action>): Round {
  const phases = round.phases.map((phase) => ({
    ...phase,
    actions: phase.actions.filter((action) => !gone.has(action)),
  }));
  return { ...round, phases };
}
