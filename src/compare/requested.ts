/** The operations of a run, and the reasons why some were not compared. */
import { OPERATIONS, operationOf } from './operations.ts';
import { withGiven } from './plan.ts';
import type { RunResult } from './run.ts';
import { callOf, isEventStep, type Scenario } from './scenario.ts';

export interface Requested {
  readonly operations: ReadonlySet<string>;
  why(operation: string): string;
}

/** The operations of a run: all operations of both versions, or those of the requested scenarios. */
export function requestedBy(
  scenarios: readonly Scenario[],
  catalogue: ReadonlyMap<string, Scenario>,
  isWhole: boolean,
  { skipped, stopped }: Pick<RunResult, 'skipped' | 'stopped'>,
): Requested {
  const named = isWhole
    ? OPERATIONS.map(({ id }) => id)
    : withGiven(scenarios, catalogue).flatMap(({ scenario }) => operationsOf(scenario));
  return {
    operations: new Set(named),
    why(operation) {
      const reasons = scenarios
        .filter((one) => operationsOf(one).includes(operation))
        .map(({ name }) => skipped.get(name));
      const reason = reasons.find((text) => text !== undefined);
      return reason ?? (stopped === '' ? 'no scenario covers it' : `the run ended early: ${stopped}`);
    },
  };
}

/** The operations that the steps of a scenario call. */
function operationsOf({ steps }: Pick<Scenario, 'steps'>): string[] {
  return steps.flatMap((step) => {
    if (isEventStep(step)) return [];
    const { method, path } = callOf(step);
    const operation = operationOf(method, path.replaceAll(/\{\w+\}/g, 'x'));
    return operation === undefined ? [] : [operation.id];
  });
}
