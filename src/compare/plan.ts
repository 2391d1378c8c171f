/**
 * The requests of a run in their order, before anything is sent: the scenarios in `given` run first and once, and
 * created records are removed at the end.
 */
import { undoOf } from './clean-up.ts';
import { operationOf } from './operations.ts';
import { stepsOf } from './run.ts';
import { callOf, isEventStep, isWaitStep, type Scenario, type Step } from './scenario.ts';

export interface PlannedCall {
  readonly step: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The condition until which the request is repeated. */
  readonly until?: string;
}

/** The scenarios to run for these, each before the scenarios that use it. */
export function withGiven(
  scenarios: readonly Scenario[],
  catalogue: ReadonlyMap<string, Scenario>,
): readonly { readonly label: string; readonly scenario: Scenario }[] {
  const ordered: { label: string; scenario: Scenario }[] = [];
  const shared = new Set<string>();
  const add = (name: string, owner: string, own: ReadonlySet<string>, done: Set<string>): void => {
    const isOwn = own.has(name);
    const seen = isOwn ? done : shared;
    const scenario = catalogue.get(name);
    if (seen.has(name) || scenario === undefined) return;
    seen.add(name);
    addAll(scenario, owner, isOwn ? own : new Set(), done);
    ordered.push({ label: isOwn ? `${owner}/${name}` : name, scenario });
  };
  const addAll = (scenario: Scenario, owner: string, own: ReadonlySet<string>, done: Set<string>): void => {
    for (const name of [...(scenario.given ?? []), ...(scenario.own ?? [])]) add(name, owner, own, done);
  };
  for (const scenario of scenarios) {
    addAll(scenario, scenario.name, new Set(scenario.own), new Set());
    ordered.push({ label: scenario.name, scenario });
  }
  return ordered;
}

/** All requests of a run, with the names of captured values. */
export function planOf(
  scenarios: readonly Scenario[],
  catalogue: ReadonlyMap<string, Scenario>,
  isReadOnly: boolean,
): PlannedCall[] {
  const calls: PlannedCall[] = [];
  const undone: PlannedCall[] = [];
  const running = scenarios.filter((scenario) => stepsOf(scenario, isReadOnly) !== undefined);
  for (const { label, scenario } of withGiven(running, catalogue)) {
    for (const [index, step] of (stepsOf(scenario, isReadOnly) ?? []).entries()) {
      if (isEventStep(step)) continue;
      const name = `${label} ${index + 1}`;
      calls.push(plannedCall(name, step));
      const undo = undoCall(name, step);
      if (undo !== undefined) undone.unshift(undo);
    }
  }
  return [...calls, ...undone];
}

function plannedCall(name: string, step: Exclude<Step, { event: string }>): PlannedCall {
  const call = { step: name, ...callOf(step) };
  if (isWaitStep(step)) return { ...call, until: `${step.field} is ${step.is.join(' or ')}` };
  return {
    ...call,
    ...(step.query !== undefined && { query: step.query }),
    ...(step.body !== undefined && { body: step.body }),
  };
}

function undoCall(name: string, step: Exclude<Step, { event: string }>): PlannedCall | undefined {
  const { method, path } = callOf(step);
  const operation = operationOf(method, path.replaceAll(/\{\w+\}/g, 'x'));
  const undo = operation === undefined || isWaitStep(step) ? undefined : undoOf(operation.id);
  if (undo === undefined) return undefined;
  const { body } = undo;
  return {
    step: `clean up ${name}`,
    method: undo.method,
    path: undo.path.replace(':id', '{id}'),
    ...(body !== undefined && { body }),
  };
}
