/**
 * Rows that a transaction has added and that were not read yet. They wait in memory and are written before the commit,
 * with one statement for many rows of a table, which is faster than a statement for each. Reads see no difference:
 * before a statement opens a table with waiting rows, these are written. SQLite's EXPLAIN reports which tables a
 * statement opens, including those of foreign keys, triggers and indexes.
 *
 * A nested part of the transaction needs a savepoint only once its rows are written; until then, a rollback discards
 * the waiting rows. A database without savepoints that begin at any time fails the whole transaction instead, which then
 * runs again without waiting rows.
 * Source: docs/decisions/0035-waiting-rows.md.
 */

/** The methods of a prepared statement that are used. */
interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}

/** Unset values: text that is required, and everything else. */
type Blank = '' | null;

/** The inserts of one table, all of the same columns. */
export interface RowInsert {
  readonly table: string;
  /** The number of values in a row. */
  readonly width: number;
  /** The value of each column when it is unset. */
  readonly blanks: readonly Blank[];
  /** The SQL that adds this number of rows. */
  sqlOf(rows: number): string;
}

/** The waiting rows of one insert. */
export interface Lane extends RowInsert {
  /** Its place among the lanes. */
  readonly place: number;
  readonly bit: number;
  values: unknown[];
  /** The number of rows that were added since the transaction began, and the number of these that were written. */
  added: number;
  written: number;
  /** The maximum number of rows of one statement, a power of two. */
  readonly maxRows: number;
  /** The statements, by the columns that are unset in all of their rows (a sum of powers of two). */
  readonly shapes: Map<number, Shape>;
}

/** The statements that contain the same unset columns as literals. */
interface Shape {
  /** The columns whose values are passed. */
  readonly passed: readonly number[];
  /** For 1, 2, 4, ... rows, by exponent. */
  readonly statements: Statement[];
}

/** The tables that a statement uses. */
export interface Touched {
  /** The opened tables; `null` means all. */
  readonly tables: ReadonlySet<string> | null;
  readonly isWrite: boolean;
}

/** The savepoints of a database that can begin one at any time. */
export interface Savepoints {
  begin(): unknown;
  release(): unknown;
  undo(): unknown;
}

/**
 * Waiting rows could not be written, and any command may have caused this; or a part could not be rolled back separately.
 * The whole transaction has failed.
 */
export class RowsRefused extends Error {
  /** SQLite's error code, by which a command can recognize a disk error. */
  readonly code: unknown;

  constructor(cause: unknown, message = 'waiting rows could not be written') {
    super(message, { cause });
    this.code = (cause as { code?: unknown } | null)?.code;
  }
}

/** The maximum number of rows of one statement; smaller statements have half as many rows each. */
const MAX_ROWS = 32;
/**
 * From this number of rows on, a statement contains unset values as literals: passing a value takes half as long as
 * writing it. Smaller statements are not worth preparing for each combination of unset columns.
 */
const ROWS_WITH_LITERALS = 8;
/** The combinations of unset columns that have their own statements. */
const MAX_SHAPES = 8;
/** The maximum number of columns whose powers of two add up exactly. */
const MAX_COLUMNS = 52;
/** A mask of all lanes. */
const ALL = -1;
const DML = /^\s*(select|insert|update|delete|replace|with|values)\b/i;
/** The maximum number of cached texts; there are many, because the SQL of lists depends on their filters. */
const MAX_KNOWN = 2_000;

/** The schema is the same in every sandbox of a process, so the tables of each SQL text are cached. */
const known = new Map<string, Touched>();
/** The cached tables to which a table refers. */
const referred = new Map<string, readonly string[]>();

/** A part of the transaction that can be rolled back separately. */
interface Part {
  /** The number of rows of each lane that were added before it. */
  readonly before: readonly number[];
  hasSavepoint: boolean;
}

/** The database of waiting rows. */
export interface WaitingOptions {
  /** Creates a statement without a guard. */
  prepare(sql: string): Statement;
  /** Default: the database cannot begin a savepoint within a part. */
  savepoints?: Savepoints;
  /** The maximum number of parameters of a statement. */
  maxParameters: number;
}

/** The waiting rows of one database. */
export class WaitingRows {
  readonly #prepare: (sql: string) => Statement;
  readonly #savepoints: Savepoints | undefined;
  readonly #maxParameters: number;
  readonly #lanes: Lane[] = [];
  /** The lanes in the order in which they are written: referenced tables first. */
  #ordered: Lane[] = [];
  readonly #parts: Part[] = [];
  #roots: { tables: Map<number, string>; hasVirtual: boolean } | undefined;
  /** A mask of the lanes with waiting rows. */
  #waiting = 0;
  #failure: RowsRefused | undefined;
  #isOpen = false;

  constructor({ prepare, savepoints, maxParameters }: WaitingOptions) {
    this.#prepare = prepare;
    this.#savepoints = savepoints;
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
    for (const lane of this.#lanes) forget(lane);
    this.#parts.length = 0;
    this.#waiting = 0;
    this.#failure = undefined;
    this.#isOpen = false;
  }

  lane(insert: RowInsert): Lane {
    const { table } = insert;
    const present = this.#lanes.find((lane) => lane.table === table);
    if (present !== undefined) {
      if (present.sqlOf(1) === insert.sqlOf(1)) return present;
      throw new Error(`two statements add waiting rows to ${table}`);
    }
    const lane: Lane = {
      ...insert,
      place: this.#lanes.length,
      bit: 1 << this.#lanes.length,
      values: [],
      added: 0,
      written: 0,
      maxRows: 2 ** Math.floor(Math.log2(Math.min(MAX_ROWS, this.#maxParameters / insert.width))),
      shapes: new Map(),
    };
    this.#lanes.push(lane);
    this.#ordered = inOrder(this.#lanes, (of) => this.#referredBy(of));
    return lane;
  }

  /** Adds a waiting row; `bind` appends its values. */
  add(lane: Lane, bind: (values: unknown[]) => unknown): void {
    const { length } = lane.values;
    try {
      bind(lane.values);
    } catch (error) {
      lane.values.length = length;
      throw error;
    }
    lane.added += 1;
    this.#waiting |= lane.bit;
  }

  /** Begins a nested part. */
  enter(): void {
    // If rows do not wait, each part needs a savepoint at once.
    if (!this.#isOpen) this.#savepoints?.begin();
    this.#parts.push({ before: this.#lanes.map(({ added }) => added), hasSavepoint: !this.#isOpen });
  }

  /** Ends the innermost part and keeps its writes. */
  leave(): void {
    if (this.#parts.at(-1)?.hasSavepoint === true) this.#savepoints?.release();
    this.#parts.pop();
  }

  /**
   * Rolls back the innermost part, which `error` ended. Throws `RowsRefused` if it has written something and there are no
   * savepoints.
   */
  undo(error: unknown): void {
    const part = this.#parts.pop();
    if (part === undefined) return;
    if (part.hasSavepoint) {
      if (this.#savepoints === undefined)
        throw this.#fail(new RowsRefused(error, 'a part cannot be rolled back separately'));
      this.#savepoints.undo();
      this.#savepoints.release();
    }
    this.#lanes.forEach((lane, at) => {
      const before = part.before[at] ?? 0;
      const kept = Math.max(0, before - lane.written);
      lane.values.length = kept * lane.width;
      lane.added = before;
      lane.written = before - kept;
      if (kept === 0) this.#waiting &= ~lane.bit;
    });
  }

  /** Writes the rows that a statement needs; called before it runs with these values. */
  beforeRun(guard: Guard, values: unknown[]): void {
    guard.touched ??= this.#touchedBy(guard.sql, values);
    const { isWrite } = guard.touched;
    if (guard.lanes !== this.#lanes.length) {
      guard.mask = this.#maskOf(guard.touched);
      guard.lanes = this.#lanes.length;
    }
    if ((this.#waiting & guard.mask) !== 0) this.write();
    else if (isWrite) this.#openParts();
  }

  /** Writes all rows; called before SQL runs that cannot be explained. */
  beforeAll(): void {
    this.#openParts();
    this.write();
  }

  /** Runs a read without writing waiting rows first, for a read that no waiting row can affect. */
  ofWritten<T>(read: () => T): T {
    const before = this.#isOpen;
    this.#isOpen = false;
    try {
      return read();
    } finally {
      this.#isOpen = before;
    }
  }

  /** Makes a statement write the waiting rows that it is about to read. */
  guard<S extends object>(statement: S, sql: string): S {
    guardedPrototype ??= createGuardedPrototype(statement);
    // Own methods for each statement would take a tenth of the time in which a sandbox opens.
    Object.setPrototypeOf(statement, guardedPrototype);
    (statement as Partial<Guarded>)[GUARD] = this.guardOf(sql);
    return statement;
  }

  /** The state with which `beforeRun` is called for a statement. */
  guardOf(sql: string): Guard {
    return { rows: this, sql, touched: undefined, mask: 0, lanes: -1 };
  }

  /** Writes all waiting rows. */
  write(): void {
    this.#openParts();
    for (const lane of this.#ordered) this.#writeRows(lane, lane.added);
    this.#waiting = 0;
  }

  /** Begins the savepoints of open parts, and first writes the rows that were added before them. */
  #openParts(): void {
    if (this.#failure !== undefined) throw this.#failure;
    for (const part of this.#parts) {
      if (part.hasSavepoint) continue;
      for (const lane of this.#ordered) this.#writeRows(lane, part.before[lane.place] ?? 0);
      this.#savepoints?.begin();
      part.hasSavepoint = true;
    }
  }

  /** Writes the rows of a lane until `until` rows of the transaction are written. */
  #writeRows(lane: Lane, until: number): void {
    const { width } = lane;
    let left = until - lane.written;
    if (left <= 0) return;
    const { values } = lane;
    let at = 0;
    try {
      while (left > 0) {
        const exponent = 31 - Math.clz32(Math.min(left, lane.maxRows));
        const rows = 1 << exponent;
        const end = at + rows * width;
        const shape = shapeOf(lane, rows < ROWS_WITH_LITERALS ? 0 : unsetIn(lane, at, end));
        const { passed, statements } = shape;
        statements[exponent] ??= this.#prepare(withLiterals(lane, rows, shape));
        const given: unknown[] = [];
        for (; at < end; at += width) for (const column of passed) given.push(values[at + column]);
        // As arguments, because reading the elements of an array is slower.
        statements[exponent].run(...given);
        left -= rows;
      }
    } catch (error) {
      throw this.#fail(new RowsRefused(error));
    }
    lane.written = until;
    if (at === values.length) lane.values = [];
    else values.splice(0, at);
  }

  /** Records that the whole transaction has failed. */
  #fail(failure: RowsRefused): RowsRefused {
    this.#failure = failure;
    return failure;
  }

  #maskOf({ tables }: Touched): number {
    if (tables === null) return ALL;
    let mask = 0;
    for (const lane of this.#lanes) if (tables.has(lane.table)) mask |= lane.bit;
    return mask;
  }

  #touchedBy(sql: string, values: unknown[]): Touched {
    const found = known.get(sql);
    if (found !== undefined) return found;
    if (known.size >= MAX_KNOWN) known.clear();
    const touched = DML.test(sql) ? this.#explain(sql, values) : { tables: null, isWrite: true };
    known.set(sql, touched);
    return touched;
  }

  #explain(sql: string, values: unknown[]): Touched {
    this.#roots ??= this.#readRoots();
    const { tables: roots, hasVirtual } = this.#roots;
    const steps = this.#prepare(`EXPLAIN ${sql}`).all(...values) as ProgramStep[];
    const tables = new Set<string>();
    let isWrite = false;
    let isAll = false;
    for (const { opcode, p1, p2 } of steps) {
      if (opcode === 'Transaction') isWrite ||= p2 > 0;
      // A virtual table uses further tables of its own.
      else if (hasVirtual && opcode.startsWith('V')) isAll = true;
      const root = ROOT_IN_P2.has(opcode) ? p2 : opcode === 'Clear' ? p1 : undefined;
      const table = root === undefined ? undefined : roots.get(root);
      if (table !== undefined) tables.add(table);
    }
    return { tables: isAll ? null : tables, isWrite };
  }

  #readRoots(): { tables: Map<number, string>; hasVirtual: boolean } {
    const rows = this.#prepare('SELECT rootpage, tbl_name AS name, sql FROM sqlite_schema').all() as {
      rootpage: number | null;
      name: string;
      sql: string | null;
    }[];
    return {
      tables: new Map(rows.map(({ rootpage, name }) => [rootpage ?? 0, name])),
      hasVirtual: rows.some(({ sql }) => /^\s*create\s+virtual/i.test(sql ?? '')),
    };
  }

  #referredBy(table: string): readonly string[] {
    const found = referred.get(table);
    if (found !== undefined) return found;
    const rows = this.#prepare(`PRAGMA foreign_key_list(${table})`).all() as { table: string }[];
    const tables = rows.map((row) => row.table);
    referred.set(table, tables);
    return tables;
  }
}

/** A step of the bytecode of a statement. */
interface ProgramStep {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
}

/** The steps that open a table or an index by its root page. */
const ROOT_IN_P2 = new Set(['OpenRead', 'OpenWrite', 'ReopenIdx']);

/** The cached guard state of a statement. */
export interface Guard {
  readonly rows: WaitingRows;
  readonly sql: string;
  touched: Touched | undefined;
  /** The lanes of its tables, and the number of lanes when this was computed. */
  mask: number;
  lanes: number;
}

const GUARD = Symbol('guard');

interface Guarded {
  [GUARD]: Guard;
}

let guardedPrototype: object | undefined;

/** The methods that run a statement. They call the methods of its class, which a test may have replaced. */
function createGuardedPrototype(statement: object): object {
  const plain = Object.getPrototypeOf(statement) as Record<string, (...values: unknown[]) => unknown>;
  const guarded: typeof plain = Object.create(plain);
  for (const name of ['run', 'get', 'all', 'iterate']) {
    guarded[name] = function (this: Guarded, ...values: unknown[]): unknown {
      const guard = this[GUARD];
      if (guard.rows.isOpen) guard.rows.beforeRun(guard, values);
      return plain[name]?.apply(this, values);
    };
  }
  return guarded;
}

/** The columns that are unset in all rows of a range of values, as a sum of powers of two. */
function unsetIn({ values, width, blanks }: Lane, begin: number, end: number): number {
  let sum = 0;
  for (let column = 0; column < Math.min(width, MAX_COLUMNS); column += 1) {
    let at = begin + column;
    while (at < end && values[at] === blanks[column]) at += width;
    if (at >= end) sum += 2 ** column;
  }
  return sum;
}

/** The shape of these unset columns; beyond the maximum, all values are passed. */
function shapeOf({ shapes, width }: Lane, unset: number): Shape {
  const wanted = shapes.has(unset) || shapes.size < MAX_SHAPES ? unset : 0;
  const known = shapes.get(wanted);
  if (known !== undefined) return known;
  const columns = Array.from({ length: width }, (_, column) => column);
  const shape: Shape = {
    passed: columns.filter((column) => Math.floor(wanted / 2 ** column) % 2 === 0),
    statements: [],
  };
  shapes.set(wanted, shape);
  return shape;
}

/** The SQL that adds rows, with literals for the columns that are not passed. */
function withLiterals({ sqlOf, width, blanks }: Lane, rows: number, { passed }: Shape): string {
  const isPassed = blanks.map((_, column) => passed.includes(column));
  let parameter = 0;
  return sqlOf(rows).replaceAll('?', () => {
    const column = parameter % width;
    parameter += 1;
    if (isPassed[column] !== false) return '?';
    return blanks[column] === null ? 'NULL' : "''";
  });
}

function forget(lane: Lane): void {
  lane.values = [];
  lane.added = 0;
  lane.written = 0;
}

/** Orders the lanes so that each comes after the lanes of the tables to which it refers. */
function inOrder(lanes: readonly Lane[], referredBy: (table: string) => readonly string[]): Lane[] {
  const ordered = new Set<Lane>();
  const visit = (lane: Lane, path: readonly Lane[]): void => {
    if (path.includes(lane)) return;
    for (const table of referredBy(lane.table)) {
      const other = lanes.find((one) => one.table === table);
      if (other !== undefined) visit(other, [...path, lane]);
    }
    ordered.add(lane);
  };
  for (const lane of lanes) visit(lane, []);
  return [...ordered];
}
