/**
 * Database images that are imported or written to a file. An imported image is not trusted: it must be a complete
 * SQLite database with exactly the schema that this program or an older version creates, and with rows that the
 * program could have written. No trigger, view or expression of it runs before these checks have passed.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import type { Driver } from './driver.ts';
import { ImageError } from './image-error.ts';
import { DataVersionError, migrate, schemaVersion, stepsTo } from './migrate.ts';
import { NodeDriver } from './node-driver.ts';
import { type Connection, type Db, openDrizzle } from './open.ts';
import { checkRows, RowError } from './row-checks.ts';
import { isRowImage, loadRows, requireKnownVersion } from './row-image.ts';

/** A further check of a valid database by a caller, for the rules of banks. Throws `ImageError`. */
export type Look = (image: { readonly db: Db; readonly sqlite: Driver }) => void;

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
export const NO_DATABASE = 'it does not begin with the header of a SQLite database';
/** The offsets of the journal mode in the header of a database, and its two values. */
const HEADER_JOURNAL_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;
/** The offsets of the page size and of the number of pages. */
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
/** The largest page size, which does not fit into the header field and is encoded as 1. */
const LARGEST_PAGE = 65_536;

/** SQLite's codes for errors that the image did not cause. */
const NOT_ITS_FAULT = /^SQLITE_(FULL|IOERR|BUSY|NOMEM)/;

/** Whether bytes begin with the header of a SQLite database. */
export function isDatabase(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.toString('latin1', 0, MAGIC.length) === MAGIC;
}

/**
 * Marks an image for a write-ahead log, as every file has one, without a copy of it: returns its parts. Changing the mode later
 * needs several syncs.
 */
export function withLog(image: Buffer): Buffer[] {
  const [start, end] = HEADER_JOURNAL_BYTES;
  return [image.subarray(0, start), Buffer.alloc(end - start, WRITE_AHEAD_LOG), image.subarray(end)];
}

/** Makes closing a connection fast if its database will be overwritten. Returns the function that undoes this. */
export function turnOffSync({ sqlite }: Connection): () => void {
  const before = sqlite.prepare('PRAGMA synchronous').pluck().get();
  sqlite.exec('PRAGMA synchronous = OFF');
  return () => sqlite.exec(`PRAGMA synchronous = ${before}`);
}

/** Joins buffers into one whose memory can be transferred to another thread. */
export function joined(buffers: readonly Uint8Array[]): Buffer<ArrayBuffer> {
  const whole = Buffer.allocUnsafeSlow(buffers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const buffer of buffers) {
    whole.set(buffer, at);
    at += buffer.length;
  }
  return whole;
}

/**
 * Reads an imported image from its pieces: a SQLite database, or the rows of one. Returns a database with the current
 * schema in its own memory. Throws `ImageError`.
 */
export function readImage(pieces: readonly Uint8Array[], look: Look = () => {}): Buffer<ArrayBuffer> {
  return understood(() => {
    const image = joined(pieces);
    if (isRowImage(image)) return databaseOf(image, (sqlite) => examine(sqlite, look));
    requireWholeFile(image, image.length);
    // The header of a running bank's file requires its log, which an image does not have.
    image.fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
    const sqlite = new NodeDriver(image);
    try {
      const changed = examine(sqlite, look);
      if (!changed) return image;
      return joined([sqlite.serialize()]).fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
    } finally {
      sqlite.close();
    }
  });
}

/**
 * Converts an image of rows to a SQLite database with the current schema. `look` may check it first. Throws
 * `ImageError`.
 */
export function databaseOf(
  rows: Uint8Array,
  look: (sqlite: NodeDriver) => void = () => {},
): Buffer<ArrayBuffer> {
  const sqlite = new NodeDriver(':memory:');
  try {
    loadRows(sqlite, rows);
    look(sqlite);
    return joined([sqlite.serialize()]).fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
  } finally {
    sqlite.close();
  }
}

/**
 * Checks an imported file that is not open elsewhere, and converts it to a database with the current schema and
 * without surroundings. Throws `ImageError`; then the file cannot be used.
 */
export function examineFile(path: string, look: Look = () => {}): void {
  understood(() => {
    const rows = takeHeader(path);
    const sqlite = new NodeDriver(path);
    try {
      sqlite.pragma('locking_mode = EXCLUSIVE');
      // The file is not in use yet, so it is discarded after a power cut.
      sqlite.pragma('synchronous = OFF');
      sqlite.pragma('journal_mode = MEMORY');
      if (rows !== null) loadRows(sqlite, rows);
      examine(sqlite, look);
    } finally {
      sqlite.close();
    }
  });
}

/** Marks the file as a database without a log. If it contains rows instead, returns them and truncates the file. */
function takeHeader(path: string): Buffer | null {
  const file = openSync(path, 'r+');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const read = readSync(file, header, 0, HEADER_BYTES, 0);
    if (isRowImage(header)) {
      const rows = readFileSync(path);
      ftruncateSync(file);
      return rows;
    }
    requireWholeFile(header.subarray(0, read), fstatSync(file).size);
    const [from, until] = HEADER_JOURNAL_BYTES;
    writeSync(file, Buffer.alloc(until - from, ROLLBACK_JOURNAL), 0, until - from, from);
    return null;
  } finally {
    closeSync(file);
  }
}

/** Converts errors during the examination to `ImageError`, except those of the disk or the memory. */
export function understood<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ImageError || NOT_ITS_FAULT.test(String((error as { code?: unknown }).code)))
      throw error;
    if (error instanceof RowError) throw new ImageError(error.message);
    throw new ImageError(`it cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** SQLite reads a truncated file as far as it can, so its length is checked. */
function requireWholeFile(header: Buffer, bytes: number): void {
  if (!isDatabase(header)) {
    throw new ImageError(NO_DATABASE);
  }
  const word = header.readUInt16BE(PAGE_SIZE_AT);
  const declared = (word === 1 ? LARGEST_PAGE : word) * header.readUInt32BE(PAGE_COUNT_AT);
  if (declared === bytes) return;
  throw new ImageError(`it is damaged: it has ${bytes} bytes, and its header says ${declared}`);
}

/** Returns whether the image was changed: migrated, or its surroundings removed. */
function examine(sqlite: NodeDriver, look: Look): boolean {
  // The connection is defensive (the schema cannot be written), and a schema can call no functions.
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma('cell_size_check = ON');
  sqlite.pragma('mmap_size = 0');
  // With `locking_mode`, this prevents temporary files for sorting.
  sqlite.pragma('temp_store = MEMORY');
  const { version } = sqlite;
  requireKnownVersion(version);
  if (sqlite.pragma('encoding', { simple: true }) !== 'UTF-8')
    throw new ImageError('its texts are not UTF-8');
  requireSchema(sqlite, version);
  requireUndamaged(sqlite);
  const isOlder = version < schemaVersion();
  if (isOlder) {
    bringUpToDate(sqlite);
    requireSchema(sqlite, schemaVersion());
    requireUndamaged(sqlite);
  }
  // The surroundings of the bank are not trusted either, so they are removed.
  const isStripped = removeSurroundings(sqlite);
  examineRows(sqlite, look);
  return isOlder || isStripped;
}

/**
 * Checks the rows of an image after they were loaded into the database of a Durable Object. Throws `ImageError` and
 * `RowError`.
 */
export function examineLoaded(sqlite: Driver, look: Look): void {
  requireReferences(sqlite);
  examineRows(sqlite, look);
}

function examineRows(sqlite: Driver, look: Look): void {
  checkRows(sqlite);
  look({ db: openDrizzle(sqlite), sqlite });
}

/** Removes the surroundings of the bank from an image. Returns whether there were any. */
function removeSurroundings(sqlite: NodeDriver): boolean {
  const found = ['surroundings', 'journal_parts'].filter(
    (table) => sqlite.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );
  // The contents are overwritten too, because an image may be given to others.
  if (found.length > 0) sqlite.pragma('secure_delete = ON');
  for (const table of found) sqlite.prepare(`DELETE FROM ${table}`).run();
  return found.length > 0;
}

/** An image without its surroundings: the same one if it has none. */
export function withoutSurroundings(image: Buffer): Buffer {
  const sqlite = new NodeDriver(image);
  try {
    return removeSurroundings(sqlite) ? sqlite.serialize() : image;
  } finally {
    sqlite.close();
  }
}

/** Removes the surroundings from a file that is not open. */
export function removeSurroundingsIn(path: string): void {
  const sqlite = new NodeDriver(path);
  try {
    // The file is not in use yet, so it is discarded after a power cut.
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma('journal_mode = MEMORY');
    removeSurroundings(sqlite);
  } finally {
    sqlite.close();
  }
}

function bringUpToDate(sqlite: NodeDriver): void {
  try {
    migrate(sqlite);
  } catch (error) {
    if (error instanceof DataVersionError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new ImageError(`it cannot be migrated to this version: ${problem}`);
  }
}

function requireUndamaged(sqlite: NodeDriver): void {
  // The full check also compares each index with its table, which the quick check omits, so it finds changed cells.
  const damage = sqlite.pragma('integrity_check(1)', { simple: true });
  if (damage !== 'ok') throw new ImageError(`it is damaged: ${damage}`);
  requireReferences(sqlite);
}

function requireReferences(sqlite: Driver): void {
  const orphan = sqlite.prepare('PRAGMA foreign_key_check').get() as { table: string } | undefined;
  if (orphan !== undefined) throw new ImageError(`a row of ${orphan.table} refers to a missing row`);
}

const schemas = new Map<number, SchemaTexts>();

/** The tables, indexes and triggers of a schema by type and name, with their definitions. */
type SchemaTexts = ReadonlyMap<string, string>;

/** The schema that the first `version` migrations create. */
function ownSchema(version: number): SchemaTexts {
  const known = schemas.get(version);
  if (known !== undefined) return known;
  const own = new NodeDriver(':memory:');
  try {
    migrate(own, stepsTo(version));
    const made = schemaOf(own);
    schemas.set(version, made);
    return made;
  } finally {
    own.close();
  }
}

/**
 * Refuses additional, missing and different objects of the schema, because triggers are code. This includes names
 * that begin with `sqlite_`: indexes of keys are in our own schema, and statistics influence how a statement runs.
 */
function requireSchema(sqlite: NodeDriver, version: number): void {
  const [found, own] = [schemaOf(sqlite), ownSchema(version)];
  const strange = [...new Set([...found.keys(), ...own.keys()])].filter(
    (row) => found.get(row) !== own.get(row),
  );
  if (strange.length > 0) {
    throw new ImageError(`its schema differs from Sandbank's: ${strange.slice(0, 3).join(', ')}`);
  }
}

function schemaOf(sqlite: NodeDriver): SchemaTexts {
  const objects = sqlite
    .prepare(
      `SELECT type || ' ' || name, group_concat(json_array(tbl_name, sql), '') FROM sqlite_schema GROUP BY type, name`,
    )
    .raw()
    .all();
  return new Map(objects as [string, string][]);
}
