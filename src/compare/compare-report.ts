/**
 * The report of a comparison: a table for people, or `{ operations, differences }` as JSON.
 */

import { type BankOptions, columns, printAnswer } from '../cli/bank.ts';
import type { Shell } from '../cli/shell.ts';
import type { Report } from './report.ts';

const MAX_OPERATIONS = 3;
const WIDEST = 44;
/** More operations than this with the same reason become one line. */
const MOST_ALIKE = 5;

/** Prints a report to stdout. */
export function printReport(shell: Shell, options: BankOptions, report: Report): void {
  printAnswer(shell, options, report, () => [...differencesOf(report), ...operationsOf(report)]);
}

function differencesOf({ differences }: Report): string[] {
  if (differences.length === 0) return ['No difference was found.', ''];
  const rows = differences.map(({ cause, field, here, there, operations, decision }) => [
    String(operations.length),
    cause,
    field,
    short(here),
    short(there),
    decision === null ? 'none' : decision.slug,
    namesOf(operations),
  ]);
  const head = ['Operations', 'Cause', 'Field', 'This bank', 'Other side', 'Decision', 'Where'];
  return [...columns([head, ...rows]), ''];
}

function namesOf(operations: readonly string[]): string {
  const more = operations.length - MAX_OPERATIONS;
  return `${operations.slice(0, MAX_OPERATIONS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function short(text: string): string {
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** How many operations are equal, and why others were not compared. */
function operationsOf({ operations }: Report): string[] {
  const count = (result: string): number => operations.filter((one) => one.result === result).length;
  const summary = `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}: ${count('equal')} equal, ${count('different')} different, ${count('not compared')} not compared`;
  const open = operations.filter(({ result, reason }) => result === 'not compared' || reason !== '');
  const groups = Map.groupBy(open, ({ result, reason }) => `${result}\n${reason}`);
  const rows = [...groups.values()].flatMap((alike) =>
    alike.length > MOST_ALIKE
      ? [
          [
            `  ${namesOf(alike.map(({ operation }) => operation))}`,
            alike[0]?.result ?? '',
            alike[0]?.reason ?? '',
          ],
        ]
      : alike.map(({ operation, result, reason }) => [`  ${operation}`, result, reason]),
  );
  return [summary, ...columns(rows)];
}
