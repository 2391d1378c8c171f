// The same seed results in the same rounds, with every fault in some of them; a fault that is switched off is
// omitted, and the rest of the round stays the same.
import { afterEach, describe, expect, it } from 'vitest';
import { planIdleRound, planRound } from './draw.ts';
import { FAULTS, type FaultName, type Round } from './plan.ts';

const SEED = 3;
const ROUNDS = Array.from({ length: 60 }, (_, at) => at + 1);

const draw = (): Round[] => [...ROUNDS.map((number) => planRound(SEED, number)), planIdleRound(SEED, 1)];

/** The faults of a round, by the names by which they are switched off. */
function faultsOf({ phases, listeners }: Round): Set<FaultName> {
  const found: FaultName[] = phases.flatMap(
    ({ end, injection, nextStart, full, damage, idle, faults = [] }) => [
      ...(end.how === 'kill' ? ['kill' as const] : []),
      ...(injection === undefined && nextStart === undefined ? [] : ['injection' as const]),
      ...(full === undefined ? [] : ['full' as const]),
      ...(damage === undefined ? [] : ['damage' as const]),
      ...(idle === undefined ? [] : ['idle' as const]),
      ...faults.map(({ kind }) => kind),
    ],
  );
  if (listeners.some(({ behaviour }) => behaviour === 'edge')) found.push('edge');
  return new Set(found);
}

afterEach(() => {
  for (const name of Object.keys(FAULTS) as FaultName[]) FAULTS[name] = true;
});

it('the same seed results in the same rounds, and another one in others', () => {
  expect(draw()).toEqual(draw());
  expect(planRound(SEED + 1, 1)).not.toEqual(planRound(SEED, 1));
});

it('rounds can be stored in a file', () => {
  const rounds = draw();
  expect(JSON.parse(JSON.stringify(rounds))).toEqual(rounds);
});

it('every round has sandboxes whose balances are explained', () => {
  for (const { places, phases } of draw()) {
    const [books] = places.filter(({ isExplained }) => isExplained);
    const own = phases.flatMap(({ actions }) => actions.filter(({ sandbox }) => sandbox === books?.name));
    expect(own.filter((action) => action.do === 'balance').length).toBeGreaterThan(0);
    expect(
      own.filter((action) => action.do === 'pay' && /pull/.test(action.rail) && /ach/.test(action.rail)),
    ).toEqual([]);
  }
});

describe.each(Object.keys(FAULTS) as FaultName[])('%s', (name) => {
  it('is in some rounds, and in none when it is switched off', () => {
    const rounds = draw();
    expect(rounds.filter((round) => faultsOf(round).has(name)).length).toBeGreaterThan(0);
    FAULTS[name] = false;
    const without = draw();
    expect(without.filter((round) => faultsOf(round).has(name))).toEqual([]);
    expect(without.map(({ phases }) => phases.map(({ actions }) => actions))).toEqual(
      rounds.map(({ phases }) => phases.map(({ actions }) => actions)),
    );
  });
});
