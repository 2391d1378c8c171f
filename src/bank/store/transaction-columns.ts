/**
 * Keeps the columns for the filters of transaction lists in memory: an index for every filter that does not slow
 * payments. A column is loaded when a list first needs it, which takes as long as a search in SQL; later only new and
 * changed rows are read. A column stores each distinct value once and a number for each row, so a condition is
 * evaluated once for each value, and the matches are one bit per row.
 * Source: docs/decisions/0037-filters-in-memory.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Condition, Column as Field, Value } from '../model/conditions.ts';
import type { Transaction } from '../model/records.ts';
import { transactions } from '../model/tables.ts';
import type { Driver, Statement } from './driver.ts';
import { getTableColumns } from './drizzle.ts';
import { lazily } from './lazily.ts';

type OnTransaction = Condition<Field<Transaction>>;
type Test = Extract<OnTransaction, { field: unknown }>;
type Stored = Value | null;
type Bits = Int32Array;

/** With fewer rows, SQL is as fast. */
export const FEWEST_ROWS = 2_000;
/** The number of rows that are read at once when a column is loaded. */
const SLICE = 5_000;
/** After more changes than this, the columns are loaded again. */
const MOST_CHANGED = 5_000;
/** Fields with a selective index. */
const SELECTIVE: readonly string[] = ['id', 'parentId', 'externalReferenceId', 'masterId'];
/** The time at which a row was booked or, if it is not booked, created. */
const MOVED_AT = 'movedAt';

/** The places of the matching transactions. */
export interface Places {
  readonly total: number;
  /** At most `limit` places after the first `offset`, in the order of creation or, on request, of `movedAt`. */
  page(window: { limit: number; offset: number; isNewestFirst: boolean; byMovedAt: boolean }): number[];
  /** The newest matches below a place. */
  before(place: number, limit: number): number[];
}

interface InMemory {
  readonly field: string;
  /** The place of the last row that was read. */
  last: number;
  /** The number of the value of each row, by its place. */
  numbers: Int32Array;
  readonly values: Stored[];
  readonly numberOf: Map<Stored, number>;
  /** The values in lower case, filled on demand. */
  readonly lower: string[];
}

/** Lower case as in SQLite, which converts only ASCII letters. */
const lowered = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

export type TransactionColumns = ReturnType<typeof createTransactionColumns>;

/** Opens the columns of one database, which are used only with at least `fewest` rows. */
export function createTransactionColumns(sqlite: Driver, fewest = FEWEST_ROWS) {
  const columns = new Map<string, InMemory>();
  /** The ids of rows that were updated since, with duplicates. */
  let changed: Id[] = [];
  const lastPlace = lazily(() => sqlite.prepare('SELECT coalesce(max(rowid), 0) FROM transactions').pluck());
  const outOfOrder = lazily(() =>
    sqlite.prepare(
      `SELECT 1 FROM transactions AS t JOIN transactions AS before ON before.rowid = t.rowid - 1
        WHERE t.rowid > ? AND t.rowid <= ? AND before.id > t.id LIMIT 1`,
    ),
  );
  /** The last place up to which ids are in row order. */
  let inOrder = 0;
  const areInOrder = (last: number): boolean => {
    if (inOrder < last && outOfOrder().get(inOrder, last) === undefined) inOrder = last;
    return inOrder >= last;
  };

  const statements = new Map<string, Statement>();
  /** The query for the place and these columns of the rows that `from` selects. */
  const reading = (some: readonly InMemory[], from: string): Statement => {
    const sql = `SELECT t.rowid, ${some.map(({ field }) => expressionOf(field)).join(', ')} ${from}`;
    const statement = statements.get(sql) ?? sqlite.prepare(sql).raw();
    statements.set(sql, statement);
    return statement;
  };
  const keep = (some: readonly InMemory[], rows: unknown[]): void => {
    for (const row of rows as [place: number, ...values: Stored[]][]) {
      const [place] = row;
      for (const [at, column] of some.entries()) {
        if (place > column.last) continue;
        const value = row[at + 1] as Stored;
        let number = column.numberOf.get(value);
        if (number === undefined) {
          number = column.values.push(value) - 1;
          column.numberOf.set(value, number);
        }
        column.numbers[place] = number;
      }
    }
  };
  /** Reads the next slice for columns that were read up to the same place. Returns whether more rows are missing. */
  const readOn = (some: readonly InMemory[], last: number): boolean => {
    const start = some[0]?.last ?? last;
    if (start >= last) return false;
    const end = Math.min(start + SLICE, last);
    for (const column of some) {
      column.last = end;
      if (column.numbers.length > end) continue;
      const more = new Int32Array(Math.ceil((last + 1) * 1.25));
      more.set(column.numbers);
      column.numbers = more;
    }
    keep(some, reading(some, 'FROM transactions AS t WHERE t.rowid > ? AND t.rowid <= ?').all(start, end));
    return end < last;
  };
  const open = (field: string): InMemory => {
    const column = columns.get(field) ?? emptyColumn(field);
    columns.set(field, column);
    return column;
  };
  /** The place up to which all requested columns were read. */
  let inStep = 0;
  /** Reads changed and new rows, and loads the columns of these fields if they are new. */
  const readUpTo = (last: number, fields: readonly string[]): void => {
    const known = [...columns.values()];
    if (changed.length > 0 && known.length > 0) {
      const ids = JSON.stringify([...new Set(changed)]);
      keep(
        known,
        reading(known, 'FROM json_each(?) AS id CROSS JOIN transactions AS t ON t.id = id.value').all(ids),
      );
    }
    changed = [];
    const together = known.filter((column) => column.last === inStep);
    while (readOn(together, last));
    // One scan of the table for all new columns, unless a scan of one has already begun.
    for (const some of Map.groupBy(new Set(fields.map(open)), (column) => column.last).values()) {
      while (readOn(some, last));
    }
    inStep = last;
  };

  /** The matches, one bit for each place. */
  const bitsOf = (where: readonly OnTransaction[], last: number): Bits => {
    const words = (last >>> 5) + 1;
    const known = new Map<string, Bits>();
    const ofTest = (test: Test): Bits => {
      const name = JSON.stringify(test);
      const present = known.get(name);
      if (present !== undefined) return present;
      const column = open(test.field);
      const bits = bitsWhere(column.numbers, fitting(column, test), last, words);
      known.set(name, bits);
      return bits;
    };
    const all = (list: readonly OnTransaction[]): Bits => {
      const bits = new Int32Array(words).fill(-1);
      for (const condition of list) {
        const other = 'anyOf' in condition ? any(condition.anyOf) : ofTest(condition);
        for (let at = 0; at < words; at += 1) bits[at] = (bits[at] as number) & (other[at] as number);
      }
      return bits;
    };
    const any = (lists: readonly (readonly OnTransaction[])[]): Bits => {
      const bits = new Int32Array(words);
      for (const list of lists) {
        const other = all(list);
        for (let at = 0; at < words; at += 1) bits[at] = (bits[at] as number) | (other[at] as number);
      }
      return bits;
    };
    return onlyPlaces(all(where), last);
  };

  return {
    /** Notes that a row was updated. */
    note(id: Id): void {
      if (columns.size === 0) return;
      changed.push(id);
      if (changed.length <= MOST_CHANGED) return;
      changed = [];
      columns.clear();
    },
    /** Loads the columns that conditions need, a slice at a time. */
    *fill(where: readonly OnTransaction[]): Generator<void, void> {
      const last = lastPlace().get() as number;
      if (last < fewest) return;
      const fields = new Set(where.flatMap(fieldsOf));
      while ([...fields].some((field) => readOn([open(field)], last))) yield;
    },
    /**
     * The matching transactions; `undefined` if SQL has an index for the conditions or is required. Ordering by `id`
     * requires ids in row order.
     */
    find(where: readonly OnTransaction[], by: 'id' | 'place'): Places | undefined {
      // Uncommitted rows may be rolled back.
      if (sqlite.inTransaction || !where.every(isDecidable) || where.some(isSelective)) return undefined;
      const last = lastPlace().get() as number;
      if (last < fewest || (by === 'id' && !areInOrder(last))) return undefined;
      readUpTo(last, where.flatMap(fieldsOf));
      return placesOf(bitsOf(where, last), () => {
        readUpTo(last, [MOVED_AT]);
        return open(MOVED_AT);
      });
    },
  };
}

function emptyColumn(field: string): InMemory {
  return { field, last: 0, numbers: new Int32Array(0), values: [], numberOf: new Map(), lower: [] };
}

function fieldsOf(condition: OnTransaction): string[] {
  return 'anyOf' in condition ? condition.anyOf.flat().flatMap(fieldsOf) : [condition.field];
}

function expressionOf(field: string): string {
  if (field === MOVED_AT) return 'coalesce(t.booked_at, t.created_at)';
  const [name = '', ...path] = field.split('.');
  const column = getTableColumns(transactions)[name as keyof Transaction];
  return path.length === 0 ? `t.${column.name}` : `json_extract(t.${column.name}, '$.${path.join('.')}')`;
}

/** Whether the value alone determines a condition. */
function isDecidable(condition: OnTransaction): boolean {
  if ('anyOf' in condition) return condition.anyOf.every((list) => list.every(isDecidable));
  if ('from' in condition) return typeof condition.from === 'number';
  if ('to' in condition) return typeof condition.to === 'number';
  return !('hasPair' in condition);
}

function isSelective(condition: OnTransaction): boolean {
  return 'field' in condition && 'is' in condition && SELECTIVE.includes(condition.field);
}

/** Whether each value of a column matches, as in SQL: `null` matches only `isNull`. */
function fitting(column: InMemory, test: Test): Uint8Array {
  const { values, lower } = column;
  const fits = new Uint8Array(values.length);
  const put = (isFitting: (value: Value, at: number) => boolean): Uint8Array => {
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at] as Stored;
      fits[at] = value !== null && isFitting(value, at) ? 1 : 0;
    }
    return fits;
  };
  if ('is' in test) return put((value) => value === test.is);
  if ('not' in test) return put((value) => value !== test.not);
  if ('isSet' in test) return put((value) => value !== '');
  if ('from' in test) return put((value) => value >= test.from);
  if ('to' in test) return put((value) => value <= test.to);
  if ('oneOf' in test) {
    const wanted = new Set(test.oneOf);
    return put((value) => wanted.has(value));
  }
  if ('contains' in test) {
    for (let at = lower.length; at < values.length; at += 1) lower.push(lowered(String(values[at] ?? '')));
    const wanted = lowered(test.contains);
    return put((_, at) => (lower[at] as string).includes(wanted));
  }
  if ('isNull' in test) return fits.map((_, at) => (values[at] === null ? 1 : 0));
  throw new Error(`nothing in memory decides ${Object.keys(test)}`);
}

function bitsWhere(numbers: Int32Array, fits: Uint8Array, last: number, words: number): Bits {
  const bits = new Int32Array(words);
  for (let at = 0; at < words; at += 1) {
    let word = 0;
    const start = at << 5;
    const end = Math.min(start + 31, last);
    for (let place = start; place <= end; place += 1) {
      word |= (fits[numbers[place] as number] as number) << (place & 31);
    }
    bits[at] = word;
  }
  return bits;
}

/** Clears the bits of place 0 and of places after the last. */
function onlyPlaces(bits: Bits, last: number): Bits {
  const end = bits.length - 1;
  const used = (last & 31) + 1;
  bits[end] = (bits[end] as number) & (used === 32 ? -1 : (1 << used) - 1);
  bits[0] = (bits[0] as number) & -2;
  return bits;
}

function countOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function placesOf(bits: Bits, movedAt: () => InMemory): Places {
  let total = 0;
  for (const word of bits) total += countOf(word);

  /** Places in the order of creation or reversed, from a place on, without the first `offset`. */
  const some = (limit: number, offset: number, isNewestFirst: boolean, start?: number): number[] => {
    const found: number[] = [];
    let skip = offset;
    const step = isNewestFirst ? -1 : 1;
    const first = start ?? (isNewestFirst ? bits.length * 32 - 1 : 0);
    for (let place = first; place >= 0 && place < bits.length * 32 && found.length < limit; place += step) {
      const word = bits[place >>> 5] as number;
      const isAtStart = (place & 31) === (isNewestFirst ? 31 : 0);
      const count = isAtStart ? countOf(word) : -1;
      // Skips a word of which no bit is used.
      if (count === 0 || (count > 0 && count <= skip)) {
        skip -= count;
        place += 31 * step;
        continue;
      }
      if (((word >>> (place & 31)) & 1) === 0) continue;
      if (skip > 0) skip -= 1;
      else found.push(place);
    }
    return found;
  };

  return {
    total,
    before: (place, limit) => some(limit, 0, true, Math.min(place, bits.length * 32) - 1),
    page({ limit, offset, isNewestFirst, byMovedAt }) {
      if (!byMovedAt) return some(limit, offset, isNewestFirst);
      const { numbers, values } = movedAt();
      const at = (place: number): number => values[numbers[place] as number] as number;
      const sign = isNewestFirst ? -1 : 1;
      const isLater = (a: number, b: number): boolean => (at(a) - at(b) || a - b) * sign > 0;
      /** The first places in this order. They are nearly sorted, so most others come after the last one. */
      const best: number[] = [];
      const most = offset + limit;
      for (const place of some(total, 0, isNewestFirst)) {
        if (best.length === most && isLater(place, best[most - 1] as number)) continue;
        let low = 0;
        let high = best.length;
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (isLater(place, best[middle] as number)) low = middle + 1;
          else high = middle;
        }
        best.splice(low, 0, place);
        if (best.length > most) best.pop();
      }
      return best.slice(offset);
    },
  };
}
