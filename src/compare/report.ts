/**
 * The report of a comparison: differences grouped by their cause, those that touch the most operations first, each with the
 * decision that explains it. One cause in twenty operations is one difference.
 */
import { basename } from 'node:path/posix';
import type { RunComparison } from './compare-runs.ts';
import { CAUSES, type Cause, type Found } from './differences.ts';
import { type ExplainedBy, explain } from './explain.ts';
import { OPERATIONS } from './operations.ts';

/** A difference with everything that it touches. */
export interface Difference {
  readonly cause: Cause;
  /** The last name of the path: `status`, `created_at`. */
  readonly field: string;
  readonly here: string;
  readonly there: string;
  /** The operations that it was seen in, and `event <kind>` for events. */
  readonly operations: readonly string[];
  readonly decision: ExplainedBy | null;
  /** Where it was seen: the step and the whole path. */
  readonly places: readonly { readonly step: string; readonly operation: string; readonly path: string }[];
}

export interface OperationReport {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly result: 'equal' | 'different' | 'not compared';
  /** Steps of scenarios that were compared. */
  readonly steps: number;
  readonly differences: number;
  /** Why it was not compared, or not wholly. */
  readonly reason: string;
}

export interface Report {
  readonly operations: readonly OperationReport[];
  readonly differences: readonly Difference[];
}

const MAX_PLACES = 5;

/** The report. `why` says for a scenario why it was not run, `requested` which operations the run was about. */
export function reportOf(
  comparison: RunComparison,
  requested: ReadonlySet<string>,
  why: (operation: string) => string,
): Report {
  const differences = group(comparison.found);
  const listed = OPERATIONS.filter(({ id }) => requested.has(id) || comparison.compared.has(id));
  const operations = listed.map(({ id, method, path }): OperationReport => {
    const { steps = [], problems = [] } = comparison.compared.get(id) ?? {};
    const count = differences.filter((difference) => difference.operations.includes(id)).length;
    const result = count > 0 ? 'different' : steps.length > 0 ? 'equal' : 'not compared';
    const reason = problems[0] ?? (steps.length === 0 ? why(id) : '');
    return { operation: id, method, path, result, steps: steps.length, differences: count, reason };
  });
  return { operations, differences };
}

function group(found: readonly Found[]): Difference[] {
  const explained = found.map((one) => ({ one, decision: explain(one) ?? null }));
  const groups = Map.groupBy(explained, ({ one, decision }) => `${keyOf(one)}\n${decision?.slug ?? ''}`);
  const differences = [...groups.values()].map((members) =>
    differenceOf(
      members.map(({ one }) => one),
      members[0]?.decision ?? null,
    ),
  );
  return differences.sort(
    (one, other) => other.operations.length - one.operations.length || one.cause.localeCompare(other.cause),
  );
}

/** What has one cause: the same field differs in the same way, and the same decision explains it. */
function keyOf({ cause, field, here, there }: Found): string {
  const values = CAUSES[cause].byValue ? [here, there] : [];
  return [cause, fieldOf({ cause, field }), ...values].join('\n');
}

/** What a difference is about: the name of a field, or a kind of event as a whole. */
function fieldOf({ cause, field }: Pick<Found, 'cause' | 'field'>): string {
  return cause.startsWith('event-') ? field : nameOf(field);
}

/** The name of a field, without the way to it and without what an index says. */
function nameOf(field: string): string {
  return basename(field.replaceAll('[]', '').replaceAll('.', '/'));
}

function differenceOf(members: readonly Found[], decision: ExplainedBy | null): Difference {
  const [first] = members;
  if (first === undefined) throw new TypeError('a group without a difference');
  const operations = [...new Set(members.map(({ operation }) => operation))];
  const places = members
    .slice(0, MAX_PLACES)
    .map(({ step, operation, field }) => ({ step, operation, path: field }));
  return {
    cause: first.cause,
    field: fieldOf(first),
    here: first.here,
    there: first.there,
    operations,
    decision,
    places,
  };
}
