/**
 * Database images that come from outside or go into a file. What comes from outside is believed nothing: it must be a
 * whole SQLite database whose schema is, text by text, the one that this program or an older version of it makes, and
 * whose rows are such as it writes. Nothing of it runs before that is certain: no trigger, no view, no expression.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Driver } from './driver.ts';
import { DataVersionError, migrate, schemaVersion, stepsTo } from './migrate.ts';
import { NodeDriver } from './node-driver.ts';
import { type Connection, type Db, openDrizzle } from './open.ts';
import { checkRows, RowError } from './row-checks.ts';

/** Bytes that are no image of a bank; the message says what is wrong with them. */
export class ImageError extends Error {}

/** Looks at an image that is whole, for whoever knows more of banks; throws `ImageError` for what it cannot be. */
export type Look = (image: { readonly db: Db; readonly sqlite: Driver }) => void;

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Where a header says which journal its readers and writers need, and the words for the two. */
const HEADER_JOURNAL_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;
/** Where it says how large a page is, and how many there are. */
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
/** The word in the header for the largest page, whose size does not fit. */
const LARGEST_PAGE = 65_536;

/** SQLite's codes for what has nothing to do with the image that it reads. */
const NOT_ITS_FAULT = /^SQLITE_(FULL|IOERR|BUSY|NOMEM)/;

/** The image as a file that is opened with a write-ahead log, as every file is: to change that costs several syncs. */
export function withLog(image: Buffer): Buffer {
  return Buffer.from(image).fill(WRITE_AHEAD_LOG, ...HEADER_JOURNAL_BYTES);
}

/** Makes closing a connection cheap whose database is about to be overwritten; answers how to take that back. */
export function turnOffSync({ sqlite }: Connection): () => void {
  const before = sqlite.prepare('PRAGMA synchronous').pluck().get();
  sqlite.exec('PRAGMA synchronous = OFF');
  return () => sqlite.exec(`PRAGMA synchronous = ${before}`);
}

/** One buffer of several, whose memory is its own and can be transferred to another thread. */
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
 * Reads an image that came from outside, in the pieces in which it came; the answer has this program's schema, and memory of
 * its own. Throws `ImageError`.
 */
export function readImage(pieces: readonly Uint8Array[], look: Look = () => {}): Buffer<ArrayBuffer> {
  return understood(() => {
    const image = joined(pieces);
    requireWholeFile(image, image.length);
    // The file of a running bank asks for its log, which an image has not.
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
 * Examines a file that came from outside and that nobody has open; afterwards it has this program's schema, and nothing
 * beside it. Throws `ImageError`, and then the file is of no use.
 */
export function examineFile(path: string, look: Look = () => {}): void {
  understood(() => {
    const file = openSync(path, 'r+');
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      const read = readSync(file, header, 0, HEADER_BYTES, 0);
      requireWholeFile(header.subarray(0, read), fstatSync(file).size);
      const [from, until] = HEADER_JOURNAL_BYTES;
      writeSync(file, Buffer.alloc(until - from, ROLLBACK_JOURNAL), 0, until - from, from);
    } finally {
      closeSync(file);
    }
    const sqlite = new NodeDriver(path);
    try {
      sqlite.pragma('locking_mode = EXCLUSIVE');
      // Nobody has it yet: what a power cut leaves of it is thrown away.
      sqlite.pragma('synchronous = OFF');
      sqlite.pragma('journal_mode = MEMORY');
      examine(sqlite, look);
    } finally {
      sqlite.close();
    }
  });
}

/** Whatever goes wrong while an image is looked at is the image's fault, unless it is the disk's or the memory's. */
function understood<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ImageError || NOT_ITS_FAULT.test(String((error as { code?: unknown }).code)))
      throw error;
    if (error instanceof RowError) throw new ImageError(error.message);
    throw new ImageError(`it cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** SQLite itself reads what it can of a file that was cut off. */
function requireWholeFile(header: Buffer, bytes: number): void {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ImageError('it does not begin with the header of a SQLite database');
  }
  const word = header.readUInt16BE(PAGE_SIZE_AT);
  const declared = (word === 1 ? LARGEST_PAGE : word) * header.readUInt32BE(PAGE_COUNT_AT);
  if (declared === bytes) return;
  throw new ImageError(`it is damaged: it has ${bytes} bytes, and its header says ${declared}`);
}

/** Answers whether it was changed: brought up to date, or rid of what surrounded it. */
function examine(sqlite: NodeDriver, look: Look): boolean {
  // A connection is opened defensive (its schema cannot be written to), and with nothing that a schema could call.
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma('cell_size_check = ON');
  sqlite.pragma('mmap_size = 0');
  // Together with `locking_mode`, what it needs to sort stays out of files of its own.
  sqlite.pragma('temp_store = MEMORY');
  const { version } = sqlite;
  if (version <= 0) throw new ImageError('it is a SQLite database, but Sandbank did not write it');
  if (version > schemaVersion()) {
    const known = `schema ${version}, this version supports ${schemaVersion()}`;
    throw new ImageError(`it was written by a newer Sandbank (${known}): import it there`);
  }
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
  // What surrounded the bank is not believed either, and no part of it.
  const isStripped = removeSurroundings(sqlite);
  checkRows(sqlite);
  look({ db: openDrizzle(sqlite), sqlite });
  return isOlder || isStripped;
}

/** Removes what surrounds the bank from an image; answers whether there was anything. */
function removeSurroundings(sqlite: NodeDriver): boolean {
  const found = ['surroundings', 'journal_parts'].filter(
    (table) => sqlite.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined,
  );
  // What they held is overwritten too: an image goes to others.
  if (found.length > 0) sqlite.pragma('secure_delete = ON');
  for (const table of found) sqlite.prepare(`DELETE FROM ${table}`).run();
  return found.length > 0;
}

/** Removes it from a file that nobody has open. */
export function removeSurroundingsIn(path: string): void {
  const sqlite = new NodeDriver(path);
  try {
    // Nobody has it yet: what a power cut leaves of it is thrown away.
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
  // Also that each index has the rows of its table, which the quick check leaves out: a cell that was changed shows there.
  const damage = sqlite.pragma('integrity_check(1)', { simple: true });
  if (damage !== 'ok') throw new ImageError(`it is damaged: ${damage}`);
  const [orphan] = sqlite.pragma('foreign_key_check') as { table: string }[];
  if (orphan !== undefined) throw new ImageError(`a row of ${orphan.table} refers to nothing`);
}

interface SchemaRow {
  type: string;
  name: string;
  table: string;
  sql: string | null;
}

const schemas = new Map<number, ReadonlyMap<string, string>>();

/** What the first migrations make of an empty database: as many as `version` says. */
function ownSchema(version: number): ReadonlyMap<string, string> {
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
 * What is there and should not be, is missing, or is written otherwise: triggers are code too. That goes for names that
 * begin with `sqlite_` as well: the indexes of keys are in our own schema, and statistics decide how a statement runs.
 */
function requireSchema(sqlite: NodeDriver, version: number): void {
  const own = ownSchema(version);
  const found = schemaOf(sqlite);
  const strange = [...new Set([...found.keys(), ...own.keys()])].filter(
    (row) => found.get(row) !== own.get(row),
  );
  if (strange.length > 0) {
    throw new ImageError(`its schema differs from Sandbank's: ${strange.slice(0, 3).join(', ')}`);
  }
}

/** Each thing of a schema by its type and name, with all that is said of it. */
function schemaOf(sqlite: NodeDriver): Map<string, string> {
  const rows = sqlite
    .prepare('SELECT type, name, tbl_name AS "table", sql FROM sqlite_schema')
    .all() as SchemaRow[];
  const schema = new Map<string, string>();
  for (const { type, name, table, sql } of rows) {
    const key = `${type} ${name}`;
    // A second one of a name is neither the first nor ours.
    schema.set(key, `${schema.get(key) ?? ''}${JSON.stringify([table, sql])}`);
  }
  return schema;
}
