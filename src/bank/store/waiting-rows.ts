/**
 * Rows that a transaction has added and that were not read yet. They wait in memory and are written before the commit,
 * with one statement for many rows of a table, which is faster than a statement for each. Reads see no difference: a
 * query whose text names a table with waiting rows first writes them, and so does every statement that is not a query.
 *
 * A part of the transaction that fails has no savepoint: its waiting rows are discarded. If it has written something,
 * the whole transaction fails with `RowsRefused` and has to run again without waiting rows.
 * Source: docs/decisions/0035-waiting-rows.md.
 */

/**
 * The tables whose rows may wait, in the order in which they are written: each follows those to which it refers. No view
 * may read them, because a query of it would not name them. `test/bank/store/tables.test.ts` compares this with the schema.
 */
export const WAITING_TABLES: readonly string[] = [
  'transfers',
  'transactions',
  'facts',
  'deliveries',
  'delivery_attempts',
  'idempotency_keys',
  'agenda',
  'card_usage',
];

/** The inserts of one table, all of the same columns. */
interface RowInsert {
  readonly table: string;
  /** The number of values in a row. */
  readonly width: number;
  /** The SQL that adds this number of rows. */
  sqlOf(rows: number): string;
}

/** The statements that write the waiting rows of one table. */
interface Lane extends RowInsert {
  readonly bit: number;
  /** The maximum number of rows of one statement, a power of two. */
  readonly maxRows: number;
  /** For 1, 2, 4, ... rows, by exponent. */
  readonly statements: { run(...values: unknown[]): unknown }[];
  /** The ids of rows that may be waiting. */
  readonly ids: Set<string>;
}

/** What a statement needs before it runs. */
export interface Needs {
  readonly isQuery: boolean;
  /** A mask of the tables that a query may read. */
  readonly tables: number;
}

interface Row {
  readonly lane: Lane;
  readonly values: readonly unknown[];
}

/** A part of the transaction that may fail alone. */
interface Part {
  /** The number of waiting rows that were added before it. */
  before: number;
  hasWritten: boolean;
}

/**
 * Waiting rows could not be written, and any command may have caused this; or a part that has written something has
 * failed. The whole transaction has failed.
 */
export class RowsRefused extends Error {
  /** SQLite's error code, by which a command can recognize a disk error. */
  readonly code: unknown;

  constructor(cause: unknown) {
    super('waiting rows could not be written, or a part could not be rolled back alone', { cause });
    this.code = (cause as { code?: unknown } | null)?.code;
  }
}

/** The maximum number of rows of one statement; smaller statements have half as many rows each. */
const MAX_ROWS = 32;
const QUERY = /^\s*select\b/i;

/** Determines the needs of a statement from its text. */
export function needsOf(sql: string): Needs {
  let tables = 0;
  WAITING_TABLES.forEach((table, place) => {
    if (sql.includes(table)) tables |= 1 << place;
  });
  return { isQuery: QUERY.test(sql), tables };
}

/** The waiting rows of one database. */
export class WaitingRows {
  readonly #prepare: (sql: string) => Lane['statements'][number];
  readonly #maxParameters: number;
  /** By their place in `WAITING_TABLES`. */
  readonly #lanes: Lane[] = [];
  #rows: Row[] = [];
  /** A mask of the tables with waiting rows. */
  #waiting = 0;
  readonly #parts: Part[] = [];
  #failure: RowsRefused | undefined;
  #isOpen = false;

  /** `prepare` creates a statement without this check. */
  constructor(prepare: (sql: string) => Lane['statements'][number], maxParameters: number) {
    this.#prepare = prepare;
    this.#maxParameters = maxParameters;
  }

  /** Whether a transaction is open in which rows wait. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Begins a transaction in which rows wait. */
  begin(): void {
    this.#isOpen = true;
  }

  /** Ends the transaction and discards waiting rows. */
  end(): void {
    this.#clear();
    this.#failure = undefined;
    this.#isOpen = false;
  }

  /** The lane of a table. */
  lane(insert: RowInsert): Lane {
    const place = WAITING_TABLES.indexOf(insert.table);
    if (place === -1) throw new Error(`rows of ${insert.table} may not wait`);
    const present = this.#lanes[place];
    if (present !== undefined && present.sqlOf(1) !== insert.sqlOf(1))
      throw new Error(`two statements add waiting rows to ${insert.table}`);
    const lane = present ?? {
      ...insert,
      bit: 1 << place,
      maxRows: 2 ** Math.floor(Math.log2(Math.min(MAX_ROWS, this.#maxParameters / insert.width))),
      statements: [],
      ids: new Set(),
    };
    this.#lanes[place] = lane;
    return lane;
  }

  /** Adds a waiting row, by whose id it may be read. */
  add(lane: Lane, values: readonly unknown[], id?: string): void {
    this.#rows.push({ lane, values });
    this.#waiting |= lane.bit;
    if (id !== undefined) lane.ids.add(id);
  }

  /** Runs a part of the transaction. Throws `RowsRefused` if it fails after it has written something. */
  part<T>(action: () => T): T {
    const part: Part = { before: this.#rows.length, hasWritten: false };
    this.#parts.push(part);
    try {
      return action();
    } catch (error) {
      if (part.hasWritten) throw this.#fail(error);
      this.#rows.length = part.before;
      this.#waiting = 0;
      for (const { lane } of this.#rows) this.#waiting |= lane.bit;
      throw error;
    } finally {
      this.#parts.pop();
    }
  }

  /** Writes the rows that a statement needs. */
  beforeRun({ isQuery, tables }: Needs): void {
    if (!isQuery) this.beforeWrite();
    else if ((this.#waiting & tables) !== 0) this.write();
  }

  /** Writes all waiting rows before other SQL runs. */
  beforeWrite(): void {
    this.write();
    for (const part of this.#parts) part.hasWritten = true;
  }

  /** Reads the row with this id. Waiting rows are written first only if it may be one of them. */
  about<T>(lane: Lane, id: string, read: () => T): T {
    if (!this.#isOpen || lane.ids.has(id)) return read();
    this.#isOpen = false;
    try {
      return read();
    } finally {
      this.#isOpen = true;
    }
  }

  /** Writes all waiting rows. */
  write(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const rows = this.#rows;
    if (rows.length === 0) return;
    for (const part of this.#parts) {
      if (rows.length > part.before) part.hasWritten = true;
      part.before = 0;
    }
    this.#clear();
    try {
      for (const lane of this.#lanes) {
        if (lane !== undefined)
          this.#writeRows(
            lane,
            rows.filter((row) => row.lane === lane),
          );
      }
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #writeRows(lane: Lane, rows: readonly Row[]): void {
    for (let at = 0; at < rows.length; ) {
      const exponent = 31 - Math.clz32(Math.min(rows.length - at, lane.maxRows));
      const end = at + (1 << exponent);
      lane.statements[exponent] ??= this.#prepare(lane.sqlOf(1 << exponent));
      const values = rows.slice(at, end).map((row) => row.values);
      // As arguments, because reading the elements of an array is slower.
      lane.statements[exponent].run(...([] as unknown[]).concat(...values));
      at = end;
    }
  }

  #clear(): void {
    this.#rows = [];
    this.#waiting = 0;
    for (const lane of this.#lanes) lane?.ids.clear();
  }

  /** Records that the whole transaction has failed. */
  #fail(cause: unknown): RowsRefused {
    this.#failure ??= cause instanceof RowsRefused ? cause : new RowsRefused(cause);
    return this.#failure;
  }
}
