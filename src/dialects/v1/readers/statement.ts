/**
 * Reads which month a statement is of.
 * Source: "retrieve a statement" of the platform's v1 reference; row 156 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import type { StatementParams } from '../shapes/statement.ts';

const YEAR = /^\d{4}$/;
const MONTH = /^(0?[1-9]|1[0-2])$/;

/** The bank's id of the month, `2026-03` for `2026/3` and `2026/03`. Refuses: `field_invalid`. */
export function readStatementMonth({ year, month }: Static<typeof StatementParams>): string {
  if (!YEAR.test(year)) {
    throw refuse('field_invalid', { field: 'year', message: `year has four digits; got "${year}"` });
  }
  if (!MONTH.test(month)) {
    throw refuse('field_invalid', { field: 'month', message: `month is 1 to 12; got "${month}"` });
  }
  return `${year}-${month.padStart(2, '0')}`;
}
