/**
 * The rows of a bank's database as one image, which every driver can write and read: a database that only a process of Node
 * can open is of no use to a Durable Object, and the other way round. It is text, compressed by Zstandard with a checksum: a
 * head, then for each table a line with its columns and lines with its rows. Tables, indexes and triggers are not in it: the
 * migrations make them. The same rows make the same bytes.
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
/** How a file of Zstandard begins. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The fastest level: the next ones take twice as long to save a tenth. */
const PACKING = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};
/** How many characters of rows make a line, about. */
const LINE_CHARACTERS = 64 * 1024;
const NEW_LINE = 0x0a;

/** What surrounds a bank is in no image of it. */
const SURROUNDINGS: readonly string[] = ['surroundings', 'journal_parts'];

interface Head {
  readonly kind: string;
  readonly format: number;
  /** The number of migrations that made the tables. */
  readonly schema: number;
}

interface TableLine {
  readonly table: string;
  readonly columns: readonly string[];
}

/** What stands in a line of rows; bytes and large numbers as text. */
type Value = string | number | null;

interface Column {
  readonly name: string;
  readonly type: string;
}

interface Table {
  readonly name: string;
  /** With the number of its rows first, where SQLite gives it and no column has it. */
  readonly columns: readonly Column[];
  /** The columns of its key. */
  readonly order: string;
}

/** The tables of a version, those that others refer to first, and what makes them and all that belongs to them. */
interface Schema {
  readonly tables: readonly Table[];
  readonly makeTables: string;
  /** Indexes and triggers, which are made when the rows are there. */
  readonly makeRest: string;
  readonly dropTables: string;
}

/** How a value of a column's type is read and written, where it is not as the driver gives it. */
interface Codec {
  /** The expression that reads it. */
  readonly read?: (name: string) => string;
  /** As it stands in a line. */
  readonly shown?: (value: unknown) => Value;
  /** As it is given to the driver. */
  readonly given?: (value: Value) => unknown;
}

/** The tables have columns of these types alone. */
const CODECS: Readonly<Record<string, Codec>> = {
  TEXT: {},
  // As text where a number of JavaScript is not exact; a column of integers takes the text as the integer that it is.
  INTEGER: {
    read: (name) =>
      `iif(${name} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}, ${name}, CAST(${name} AS TEXT))`,
  },
  BLOB: {
    shown: (value) => (value === null ? null : (value as Buffer).toString('base64')),
    given: (value) => (value === null ? null : Buffer.from(String(value), 'base64')),
  },
};

/** Whether bytes begin as an image of rows does. */
export function isRowImage(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

/** The rows of a database that has this program's schema. Throws `ImageError` where they are more than the driver's limit. */
export function dumpRows(driver: Driver): Buffer {
  const { version } = driver;
  const { tables } = schemas.get(version) ?? noteSchema(driver);
  const lines = [line({ kind: KIND, format: FORMAT, schema: version } satisfies Head)];
  let bytes = 0;
  const add = (text: string): void => {
    const buffer = Buffer.from(`${text}\n`);
    bytes += buffer.length;
    if (bytes > driver.maxImageBytes) throw tooLarge(driver);
    lines.push(buffer);
  };
  for (const { name, columns, order } of tables) {
    add(JSON.stringify({ table: name, columns: columns.map((column) => column.name) } satisfies TableLine));
    const codecs = columns.map(({ type }) => CODECS[type] as Codec);
    const values = columns.map(
      (column, at) => codecs[at]?.read?.(quoted(column.name)) ?? quoted(column.name),
    );
    const changed = codecs.flatMap(({ shown }, at) => (shown === undefined ? [] : [{ at, shown }]));
    let rows: string[] = [];
    let characters = 0;
    for (const row of driver.rows(`SELECT ${values.join(', ')} FROM ${quoted(name)} ORDER BY ${order}`)) {
      for (const { at, shown } of changed) row[at] = shown(row[at]);
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

/**
 * Replaces all rows of a database by those of an image, in this program's schema: all of them, or, where it throws, none.
 * What an image contains is not checked beyond the constraints of the tables. Throws `ImageError` for bytes that are not an
 * image of rows that this version can read.
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

/** Makes a database the empty one of this program's schema. Only within a transaction. */
export function makeEmpty(driver: Driver): void {
  clearAll(driver);
  // Not by the schema alone: migrations add rows too.
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
  if (!isRowImage(image)) throw new ImageError('it does not begin as an image of rows');
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
    if (end < 0) throw new ImageError('it is damaged: its last line has no end');
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
  if (head.format < 1 || head.schema < 1) throw new ImageError('its version is not one of Sandbank');
  return head;
}

const isTableLine = (value: unknown): value is TableLine =>
  typeof (value as TableLine | null)?.table === 'string' && Array.isArray((value as TableLine).columns);

function insertAll(driver: Driver, tables: readonly Table[], lines: Iterable<unknown>): void {
  // Exactly in the order of the tables, so that each is there once and after those that it refers to.
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

/** Inserts rows, as many in a statement as its parameters allow. */
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

/** More rows in one statement are not faster. */
const MOST_ROWS = 32;

/** By their versions; the migrations make the same of an empty database each time. */
const schemas = new Map<number, Schema>();

/** Makes the schema of a version in a database, which is emptied. */
function makeSchema(driver: Driver, version: number): Schema {
  clearAll(driver);
  migrate(driver, stepsTo(version));
  return noteSchema(driver);
}

function noteSchema(driver: Driver): Schema {
  const all = driver
    .prepare(`SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${OWN}`)
    .all() as {
    type: string;
    sql: string;
  }[];
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
    // Those that refer to others go first: to drop one whose rows are referred to takes a search for each of them.
    dropTables: tables
      .toReversed()
      .map(({ name }) => `DROP TABLE ${quoted(name)};`)
      .join('\n'),
  };
  schemas.set(driver.version, schema);
  return schema;
}

/** What is SQLite's or the runtime's is left out. */
const OWN = "substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_'";
const REFERS = /REFERENCES\s+"?(\w+)/g;

/** The tables of a database, those that others refer to first. */
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

function tableOf(driver: Driver, name: string, sql: string): Table {
  const found = driver.prepare(`PRAGMA table_info(${quoted(name)})`).all() as (Column & { pk: number })[];
  const columns = found.map((column) => ({ name: column.name, type: column.type }));
  const strange = columns.find(({ type }) => CODECS[type] === undefined);
  if (strange !== undefined) throw new Error(`${name} has a column of the type ${strange.type}`);
  const key = found.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  if (/\bWITHOUT ROWID\b/.test(sql)) {
    return { name, columns, order: key.map((column) => quoted(column.name)).join(', ') };
  }
  const [only, second] = key;
  const isNumber = second === undefined && only?.type === 'INTEGER';
  return {
    name,
    columns: isNumber ? columns : [{ name: 'rowid', type: 'INTEGER' }, ...columns],
    order: 'rowid',
  };
}

const quoted = (name: string): string => `"${name}"`;
const line = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);
