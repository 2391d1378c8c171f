/**
 * An image of the rows of a bank's database. Every driver can read and write it, while a SQLite file is of no use to
 * a Durable Object. The image is text, compressed by Zstandard with a checksum: a head, then for each table a line
 * with its columns and lines with its rows. It contains no tables, indexes or triggers, because the migrations create
 * them. The same rows produce the same bytes.
 * Source: docs/decisions/0034-driver-and-objects.md.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Driver, Statement } from './driver.ts';
import { ImageError } from './image-error.ts';
import { migrate, schemaVersion, stepsTo } from './migrate.ts';

/** The media type of an image of rows. */
export const ROW_IMAGE_TYPE = 'application/vnd.sandbank.rows';

const KIND = 'sandbank rows';
const FORMAT = 1;
/** The first bytes of a Zstandard file. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The fastest level: the next ones take twice as long for a tenth less. */
const PACKING = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** The approximate number of characters in a line of rows. */
const LINE_CHARACTERS = 64 * 1024;
const NEW_LINE = 0x0a;

/** The tables of the surroundings, which no image contains. */
const SURROUNDINGS: readonly string[] = ['surroundings', 'journal_parts'];

interface Head {
  readonly kind: string;
  readonly format: number;
  /** The number of migrations that created the tables. */
  readonly schema: number;
}

interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A value in a line of rows; bytes and large numbers are text. */
type Value = string | number | null;

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Table {
  readonly name: string;
  /** The columns. The first is SQLite's row id, if the table has one that is not a column. */
  readonly columns: readonly Column[];
  /** The columns of its key, by which rows are sorted. */
  readonly order: string;
}

/** The tables of a version, with referenced tables first, and the statements that create and drop them. */
interface Schema {
  readonly tables: readonly Table[];
  readonly makeTables: string;
  /** Creates indexes and triggers, after the rows were inserted. */
  readonly makeRest: string;
  readonly dropTables: string;
}

/** How values of a column type are converted; without a function the driver's value is used. */
interface Codec {
  /** The SQL expression that reads the column. */
  readonly read?: (name: string) => string;
  /** Converts a value of the driver to a value of a line. */
  readonly shown?: (value: unknown) => Value;
  /** Converts a value of a line to a value for the driver. */
  readonly given?: (value: Value) => unknown;
}

/** The conversions of all column types of the tables. */
const CODECS: Readonly<Record<string, Codec>> = {
  TEXT: {},
  // A number that JavaScript cannot represent exactly is text; SQLite converts it to an integer in an integer column.
  INTEGER: {
    read: (name) =>
      `iif(${name} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, ${name}, CAST(${name} AS TEXT))`,
  },
  BLOB: {
    shown: (value) => (value === null ? null : (value as Buffer).toString('base64')),
    given: (value) => (value === null ? null : Buffer.from(String(value), 'base64')),
  },
};

/** Whether bytes begin with the header of an image of rows. */
export function isRowImage(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/**
 * Writes the image of a database with this program's schema. Throws `ImageError` if the rows exceed the driver's
 * limit.
 */
export function dumpRows(driver: Driver): Buffer {
  const { version } = driver;
  const { tables } = schemas.get(version) ?? noteSchema(driver);
  return packRows(driver, version, tables, (table) => rowsIn(driver, table));
}

/** The rows of a table in the form of an image. */
function* rowsIn(driver: Driver, { name, columns, order }: Table): Generator<unknown[]> {
  const codecs = columns.map(({ type }) => CODECS[type] as Codec);
  const values = columns.map((column, at) => codecs[at]?.read?.(quoted(column.name)) ?? quoted(column.name));
  const changed = codecs.flatMap(({ shown }, at) => (shown === undefined ? [] : [{ at, shown }]));
  for (const row of driver.rows(`SELECT ${values.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)) {
    for (const { at, shown } of changed) row[at] = shown(row[at]);
    yield row;
  }
}

function packRows(
  driver: Driver,
  version: number,
  tables: readonly Table[],
  rowsOf: (table: Table) => Iterable<unknown[]>,
): Buffer {
  const lines = [line({ kind: KIND, format: FORMAT, schema: version } satisfies Head)];
  let bytes = 0;
  const add = (text: string): void => {
    const buffer = Buffer.from(`${text}\n`);
    bytes += buffer.length;
    if (bytes > driver.maxImageBytes) throw tooLarge(driver);
    lines.push(buffer);
  };
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name);
    add(JSON.stringify({ table: table.name, columns } satisfies TableLine));
    let rows: string[] = [];
    let characters = 0;
    for (const row of rowsOf(table)) {
      const text = JSON.stringify(row);
      rows.push(text);
      characters += text.length;
      if (characters < LINE_CHARACTERS) continue;
      add(`[${rows.join(',')}]`);
      rows = [];
      characters = 0;
    }
    if (rows.length > 0) add(`[${rows.join(',')}]`);
  }
  return zstdCompressSync(Buffer.concat(lines), PACKING);
}

/** Refuses the schema versions that this program cannot read. Throws `ImageError`. */
export function requireKnownVersion(version: number): void {
  if (version <= 0) throw new ImageError('it is a SQLite database, but Sandbank did not write it');
  if (version <= schemaVersion()) return;
  const known = `schema ${version}, this version supports ${schemaVersion()}`;
  throw new ImageError(`it was written by a newer Sandbank (${known}): import it there`);
}

/**
 * Replaces all rows of a database with the rows of an image, in this program's schema; if it throws, nothing changes.
 * Only the constraints of the tables are checked. Throws `ImageError` for bytes that are not an image of rows that
 * this version can read.
 */
export function loadRows(driver: Driver, image: Uint8Array): void {
  const lines = linesOf(unpack(driver, image));
  const { schema } = headOf(lines.next().value);
  driver.rebuild(() => {
    const { tables, makeTables, makeRest } = schemas.get(schema) ?? makeSchema(driver, schema);
    clearAll(driver);
    driver.exec(makeTables);
    insertAll(driver, tables, lines);
    driver.exec(makeRest);
    driver.version = schema;
    migrate(driver);
  });
}

/** Removes all rows and creates this program's schema. Call it inside a transaction. */
export function makeEmpty(driver: Driver): void {
  clearAll(driver);
  // Runs the migrations instead of creating the schema, because they also add rows.
  migrate(driver);
}

/** Removes every table. */
function clearAll(driver: Driver): void {
  const { version } = driver;
  if (version === 0) return;
  driver.exec((schemas.get(version) ?? noteSchema(driver)).dropTables);
  driver.version = 0;
}

function unpack(driver: Driver, image: Uint8Array): Buffer {
  if (!isRowImage(image)) throw new ImageError('it does not begin with the header of an image of rows');
  try {
    return zstdDecompressSync(image, { maxOutputLength: driver.maxImageBytes });
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (code === 'ERR_BUFFER_TOO_LARGE' || /limit exceeded/i.test(message)) throw tooLarge(driver);
    throw new ImageError(`it is damaged: ${message}`);
  }
}

const tooLarge = ({ maxImageBytes }: Driver): ImageError =>
  new ImageError(
    `its rows are larger than the ${maxImageBytes / 1024 / 1024} MB that an image may have here`,
  );

function* linesOf(text: Buffer): Generator<unknown, undefined> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf(NEW_LINE, at);
    if (end < 0) throw new ImageError('it is damaged: its last line is incomplete');
    yield parsed(text.toString('utf8', at, end));
    at = end + 1;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ImageError('it is compressed, but does not contain the rows of a bank');
  }
}

function headOf(value: unknown): Head {
  const { kind, format, schema } = (value ?? {}) as Partial<Head>;
  if (kind !== KIND || !Number.isInteger(format) || !Number.isInteger(schema)) {
    throw new ImageError('it is compressed, but does not contain the rows of a bank');
  }
  const head = { kind, format, schema } as Head;
  if (head.format > FORMAT) {
    throw new ImageError(
      `it was written by a newer Sandbank (format ${format}, this version supports ${FORMAT}): import it there`,
    );
  }
  if (head.schema > schemaVersion()) {
    throw new ImageError(
      `it was written by a newer Sandbank (schema ${schema}, this version supports ${schemaVersion()}): import it there`,
    );
  }
  if (head.format < 1 || head.schema < 1) throw new ImageError('its version is not a version of Sandbank');
  return head;
}

const isTableLine = (value: unknown): value is TableLine =>
  typeof (value as TableLine | null)?.table === 'string' && Array.isArray((value as TableLine).columns);

function insertAll(driver: Driver, tables: readonly Table[], lines: Iterable<unknown>): void {
  // The order must be that of the tables, so that each occurs once and after the tables that it references.
  const left = [...tables];
  let insert = (_rows: readonly Value[][]): void => {
    throw new ImageError('it has rows before its first table');
  };
  for (const value of lines) {
    if (isTableLine(value)) {
      const table = left.shift();
      const columns = table?.columns.map(({ name }) => name);
      if (table?.name !== value.table || JSON.stringify(columns) !== JSON.stringify(value.columns)) {
        throw new ImageError(`its table ${JSON.stringify(value.table)} is not as Sandbank writes it`);
      }
      insert = inserter(driver, table);
    } else if (Array.isArray(value)) insert(value);
    else throw new ImageError('one of its lines is neither a table nor rows');
  }
  const [missing] = left;
  if (missing !== undefined) throw new ImageError(`its table ${missing.name} is missing`);
}

/** Inserts rows, as many per statement as its parameters allow. */
function inserter(driver: Driver, { name, columns }: Table): (rows: readonly Value[][]) => void {
  const width = columns.length;
  const codecs = columns.flatMap(({ type }, at) => {
    const { given } = CODECS[type] as Codec;
    return given === undefined ? [] : [{ at, given }];
  });
  const head = `INSERT INTO ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) VALUES `;
  const one = `(${columns.map(() => '?').join(', ')})`;
  const most = Math.max(1, Math.min(MOST_ROWS, Math.floor(driver.maxParameters / width)));
  const statements = new Map<number, Statement>();
  const statementFor = (rows: number): Statement => {
    const known = statements.get(rows) ?? driver.prepare(head + Array(rows).fill(one).join(', '));
    statements.set(rows, known);
    return known;
  };
  return (rows) => {
    for (const row of rows) {
      if (!Array.isArray(row) || row.length !== width) {
        throw new ImageError(`a row of ${name} does not have ${width} values`);
      }
      for (const { at, given } of codecs) row[at] = given(row[at] ?? null) as Value;
    }
    for (let at = 0; at < rows.length; at += most) {
      const some = rows.slice(at, at + most);
      statementFor(some.length).run(...some.flat());
    }
  };
}

/** The maximum number of rows in a statement; more are not faster. */
const MOST_ROWS = 32;

/** The schemas by version; the migrations always produce the same schema from an empty database. */
const schemas = new Map<number, Schema>();

/** Empties a database and creates the schema of a version. */
function makeSchema(driver: Driver, version: number): Schema {
  clearAll(driver);
  migrate(driver, stepsTo(version));
  return noteSchema(driver);
}

function noteSchema(driver: Driver): Schema {
  const all = driver
    .prepare(`SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 4) <> '_cf_'`)
    .all() as { type: string; sql: string }[];
  const sqlOf = (isTable: boolean): string =>
    all
      .filter(({ type }) => (type === 'table') === isTable)
      .map(({ sql }) => `${sql};`)
      .join('\n');
  const tables = tablesOf(driver);
  const schema: Schema = {
    tables: tables.filter(({ name }) => !SURROUNDINGS.includes(name)),
    makeTables: sqlOf(true),
    makeRest: sqlOf(false),
    // Referencing tables are dropped first: dropping a referenced table searches for a reference to each of its rows.
    dropTables: tables
      .toReversed()
      .map(({ name }) => `DROP TABLE ${quoted(name)};`)
      .join('\n'),
  };
  schemas.set(driver.version, schema);
  return schema;
}

/** Excludes the tables of SQLite and of the runtime. */
const OWN = "substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_'";
const REFERS = /REFERENCES\s+"?(\w+)/g;

/** The tables of a database, with referenced tables first. */
function tablesOf(driver: Driver): Table[] {
  const rows = driver
    .prepare(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND ${OWN} ORDER BY name`)
    .all() as { name: string; sql: string }[];
  const sorted: Table[] = [];
  const left = new Map(rows.map(({ name, sql }) => [name, sql]));
  const add = (name: string, sql: string): void => {
    left.delete(name);
    for (const [, other = ''] of sql.matchAll(REFERS)) {
      const its = left.get(other);
      if (its !== undefined) add(other, its);
    }
    sorted.push(tableOf(driver, name, sql));
  };
  for (const { name, sql } of rows) if (left.has(name)) add(name, sql);
  return sorted;
}

interface TableInfo {
  readonly name: string;
  readonly type: string;
  /** Its place in the key, from 1; 0 for other columns. */
  readonly pk: number;
}

function tableOf(driver: Driver, name: string, sql: string): Table {
  const columns = driver.prepare(`PRAGMA table_info(${quoted(name)})`).all() as TableInfo[];
  const strange = columns.find(({ type }) => CODECS[type] === undefined);
  if (strange !== undefined) throw new Error(`${name} has a column of the type ${strange.type}`);
  const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  if (/\bWITHOUT ROWID\b/.test(sql)) {
    return { name, columns, order: key.map((column) => quoted(column.name)).join(', ') };
  }
  const hasNumber = key.length === 1 && key[0]?.type === 'INTEGER';
  return {
    name,
    columns: hasNumber ? columns : [{ name: 'rowid', type: 'INTEGER' }, ...columns],
    order: 'rowid',
  };
}

const quoted = (name: string): string => `"${name}"`;
const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
