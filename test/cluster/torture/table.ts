/** The outcome of faults in a cluster as a table. */
import type { Outcome } from './torture.ts';

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** A row for each kind of fault, and what is left after all of them. */
export function describeOutcome(outcome: Outcome): string {
  const { struck, acknowledged, lost, doubled, events, findings, failures } = outcome;
  const kinds = [...Map.groupBy(struck, ({ name }) => name)];
  const rows = [['all', struck] as const, ...kinds].map(([name, of]) => {
    const times = of.map(({ recoveryMs }) => recoveryMs);
    return [name, String(of.length), seconds(median(times)), seconds(Math.max(0, ...times))];
  });
  const table = [['fault', 'times', 'median gap (s)', 'longest gap (s)'], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  );
  const unanswered = [...failures]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'no answer' : status} ${count}`);
  return [
    ...lines,
    `payments acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}; events ${events}`,
    `attempts that failed and were repeated: ${unanswered.join(', ') || 'none'}`,
    ...(findings.length === 0 ? ['no findings'] : findings),
  ].join('\n');
}
