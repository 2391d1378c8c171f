/**
 * Compares responses with tables: every value with its row. At the end each row has whether it was ever filled, and
 * each published value whether it ever occurred. Exceptions in a table (never set, never occurs) are checked as well,
 * so that outdated ones are found.
 */
import { contradictions, NEVER_SET, type Row, type Table } from './rows.ts';

/** What was found of a row. */
interface Met {
  times: number;
  isFilled: boolean;
  readonly words: Set<unknown>;
}

export interface Walk {
  /** Compares a record with its table; errors are collected in `problems`. */
  meet(table: Table, value: unknown, about: string): void;
  /** Responses that did not match their tables. */
  readonly problems: readonly string[];
  /** The tables that were used. */
  tables(): Table[];
  /** The rows of the tables that were used. */
  rowCount(): number;
  /** How many values were compared with rows. */
  valueCount(): number;
  /** Rows of a table that were never used, never filled, or whose values are not those that occurred. */
  gaps(table: Table): string[];
}

export function createWalk(): Walk {
  const met = new Map<Table, Map<Row, Met>>();
  const problems: string[] = [];
  let values = 0;
  const metOf = (table: Table): Map<Row, Met> => {
    const found = met.get(table) ?? new Map<Row, Met>();
    met.set(table, found);
    return found;
  };
  return {
    problems,
    meet(table, value, about) {
      const own = metOf(table);
      const found = contradictions(value, table, (row, at, isSet) => {
        const entry = own.get(row) ?? { times: 0, isFilled: false, words: new Set() };
        own.set(row, entry);
        entry.times += 1;
        entry.isFilled ||= isSet;
        if (isSet) entry.words.add(at);
        values += 1;
      });
      for (const problem of found) problems.push(`${table.name} of ${about}: ${problem}`);
    },
    tables: () => [...met.keys()],
    rowCount: () => [...met.keys()].reduce((sum, { rows }) => sum + rows.length, 0),
    valueCount: () => values,
    gaps(table) {
      const own = metOf(table);
      return table.rows.flatMap((row) => gapsOf(row, own.get(row)));
    },
  };
}

function gapsOf({ path, form, standing, words = [] }: Row, met: Met | undefined): string[] {
  if (standing === 'left_out') return [];
  if (met === undefined) return [`${path}: was never met`];
  if (!met.isFilled && !NEVER_SET.has(form)) return [`${path}: was never filled`];
  return words.flatMap(({ word, comes }) => {
    if (comes === met.words.has(word)) return [];
    return [`${path}: ${word} ${comes ? 'never came' : 'came, and the table says that it never does'}`];
  });
}
