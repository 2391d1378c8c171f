/**
 * A walk over tables with answers in hand: every value is held against its row, and at the end each row says whether it
 * was ever filled, and each published word whether it ever came. What a table says of itself (never set, never comes)
 * is held to as well, so that a reason that is no longer true is found out.
 */
import { contradictions, NEVER_SET, type Row, type Table } from './rows.ts';

/** What was met of a row. */
interface Met {
  times: number;
  isFilled: boolean;
  readonly words: Set<unknown>;
}

export interface Walk {
  /** Holds a record against its table; what is wrong is kept for `problems`. */
  meet(table: Table, value: unknown, about: string): void;
  /** Answers that were not as their tables say. */
  readonly problems: readonly string[];
  /** The tables that were met. */
  tables(): Table[];
  /** The rows of the tables that were met. */
  rowCount(): number;
  /** How many values were held against rows. */
  valueCount(): number;
  /** Rows of a table that were never met, never filled, or whose words are not those that came. */
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
