/**
 * Compares the databases of two banks, record by record. The records of a noun are read in the order of their ids
 * from both, and equal records are discarded.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Driver } from './driver.ts';

/**
 * The tables with the records of each noun, including their parts in other tables. An account's balance is in the
 * ledger.
 */
const NOUNS = {
  holders: 'SELECT id, * FROM holders',
  members: 'SELECT id, * FROM members',
  families: 'SELECT id, * FROM families',
  wallets: 'SELECT id, * FROM wallets',
  accounts: 'SELECT a.id, * FROM accounts a JOIN ledger_accounts l ON l.id = a.id',
  master_accounts: 'SELECT a.id, * FROM master_accounts a JOIN ledger_accounts l ON l.id = a.id',
  card_holders: 'SELECT id, * FROM card_holders',
  cards: 'SELECT id, * FROM cards',
  counterparties: 'SELECT id, * FROM counterparties',
  transactions: 'SELECT id, * FROM transactions',
  documents: 'SELECT id, * FROM documents',
  attachments: 'SELECT id, * FROM attachments',
  webhooks: 'SELECT id, * FROM webhooks',
} as const;

export type ComparedNoun = keyof typeof NOUNS;
export const COMPARED_NOUNS = Object.keys(NOUNS) as ComparedNoun[];
export type RecordChange = 'created' | 'changed' | 'removed';

/** The number of different records of a noun, and the first of them by id. */
interface NounComparison {
  counts: Record<RecordChange, number>;
  rows: { id: Id; change: RecordChange }[];
}
export type DatabaseComparison = Record<ComparedNoun, NounComparison>;

type Row = readonly [id: Id, ...columns: unknown[]];

/** The rows of the nouns of a database, each noun in the order of ids. */
export type NounRows = (noun: ComparedNoun) => Iterator<Row>;

/** Reads the rows during the comparison. */
export const rowsOf =
  (sqlite: Driver): NounRows =>
  (noun) =>
    sqlite.rows(`${NOUNS[noun]} ORDER BY 1`) as Iterator<Row>;

/** Reads all rows at once, for a database that is closed before the other one is opened. */
export function rowsKept(sqlite: Driver): NounRows {
  const all = new Map(COMPARED_NOUNS.map((noun) => [noun, [...iteratorOf(rowsOf(sqlite)(noun))]]));
  return (noun) => (all.get(noun) ?? []).values();
}

const iteratorOf = (rows: Iterator<Row>): Iterable<Row> => ({ [Symbol.iterator]: () => rows });

/** The differences between two databases with the current schema; lists at most `limit` records of each noun. */
export function compareDatabases(before: NounRows, after: NounRows, limit: number): DatabaseComparison {
  const compared = COMPARED_NOUNS.map((noun) => [noun, compareNoun(before(noun), after(noun), limit)]);
  return Object.fromEntries(compared) as DatabaseComparison;
}

function compareNoun(olds: Iterator<Row>, newRows: Iterator<Row>, limit: number): NounComparison {
  const found: NounComparison = { counts: { created: 0, changed: 0, removed: 0 }, rows: [] };
  const add = (id: Id, change: RecordChange): void => {
    found.counts[change] += 1;
    if (found.rows.length < limit) found.rows.push({ id, change });
  };
  let old = next(olds);
  let fresh = next(newRows);
  while (old !== undefined || fresh !== undefined) {
    if (fresh === undefined || (old !== undefined && old[0] < fresh[0])) {
      add((old as Row)[0], 'removed');
      old = next(olds);
    } else if (old === undefined || fresh[0] < old[0]) {
      add(fresh[0], 'created');
      fresh = next(newRows);
    } else {
      if (!isSame(old, fresh)) add(fresh[0], 'changed');
      old = next(olds);
      fresh = next(newRows);
    }
  }
  return found;
}

function next(rows: Iterator<Row>): Row | undefined {
  const { value, done } = rows.next();
  return done === true ? undefined : value;
}

function isSame(old: Row, fresh: Row): boolean {
  return old.every((value, column) => value === fresh[column]);
}
