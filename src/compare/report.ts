/**
 * The report of a comparison: differences grouped by cause, those that affect the most operations first, each with
 * the decision that explains it. The same cause in twenty operations is one difference.
 */
import { basename } from 'node:path/posix';
import type { RunComparison } from './compare-runs.ts';
import { CAUSES, type Cause, type Found } from './differences.ts';
import { type ExplainedBy, explain } from './explain.ts';
import { OPERATIONS } from './operations.ts';

/** A difference with all affected operations. */
interface Difference {
  readonly cause: Cause;
  /** The last part of the path: `status`, `created_at`. */
  readonly field: string;
  readonly here: string;
  readonly there: string;
  /** The affected operations, and `event <kind>` for events. */
  readonly operations: readonly string[];
  readonly decision: ExplainedBy | null;
  /** Its occurrences: the step and the whole path. */
  readonly places: readonly { readonly step: string; readonly operation: string; readonly path: string }[];
}

interface OperationReport {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly result: 'equal' | 'different' | 'not compared';
  /** The number of compared steps. */
  readonly steps: number;
  readonly differences: number;
  /** Why it was not compared, or only partially. */
  readonly reason: string;
}

export interface Report {
  readonly operations: readonly OperationReport[];
  readonly differences: readonly Difference[];
}

const MAX_PLACES = 5;

/**
 * Creates the report. `why` returns the reason why a scenario was not run; `requested` are the operations of the run.
 */
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

/** The grouping key: the same field, the same sort of difference and the same decision. */
function keyOf({ cause, field, here, there }: Found): string {
  const values = CAUSES[cause].byValue ? [here, there] : [];
  return [cause, fieldOf({ cause, field }), ...values].join('\n');
}

/** The subject of a difference: the name of a field, or a kind of event. */
function fieldOf({ cause, field }: Pick<Found, 'cause' | 'field'>): string {
  return cause.startsWith('event-') ? field : nameOf(field);
}

/** The name of a field, without its path and index. */
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
