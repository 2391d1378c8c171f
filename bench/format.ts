/** The parts of the output that several reports of the bench share: names, a ratio with its spread, and a table. */
import type { ReadFigures } from './lists.ts';
import { median } from './numbers.ts';
import type { Target } from './rounds.ts';

export const LABELS: Record<Target, string> = {
  floor: 'floor: bare Fastify',
  memory: 'bank in memory',
  file: 'bank on a file',
  full: 'file, synchronous=full',
};

export const READS: Readonly<Record<keyof ReadFigures, string>> = {
  v2ListUs: 'v2, newest 50',
  v2LaterPageUs: 'v2, the 50 after',
  v1ListUs: 'v1, newest 50',
  balanceUs: 'balance',
};
export const READ_NAMES = Object.keys(READS) as (keyof ReadFigures)[];

export function spread(values: readonly number[]): string {
  const middle = median(values).toFixed(2);
  if (values.length === 1) return middle;
  return `${middle} (${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)})`;
}

/**
 * A table with columns as wide as their widest cell; the first `texts` columns are left-aligned, the figures
 * right-aligned.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column < texts ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
