/**
 * Database images that come from outside or go into a file. What comes from outside is believed nothing: it must be a
 * whole SQLite database of a schema that this program wrote or can bring up to date, and hold a bank.
 */
import type { Database as SqliteDatabase } from 'better-sqlite3';
import { Database } from './drizzle.ts';
import { DataVersionError, migrate, schemaVersion } from './migrate.ts';
import { type Connection, openConnection } from './open.ts';
import { lazily } from './statement.ts';

/** Bytes that are no image of a bank; the message says what is wrong with them. */
export class ImageError extends Error {}

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Where a header says which journal its readers and writers need, and the words for the two. */
const HEADER_JOURNAL_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;
/** Without these a database is empty, and opening it would found a bank. */
const FOUNDED_KEYS = ['program', 'seeded'];

/** The image as a file that is opened with a write-ahead log, as every file is: to change that costs several syncs. */
export function withLog(image: Buffer): Buffer {
  return Buffer.from(image).fill(WRITE_AHEAD_LOG, ...HEADER_JOURNAL_BYTES);
}

/** Makes closing a connection cheap whose database is about to be overwritten; answers how to take that back. */
export function letGo({ sqlite }: Connection): () => void {
  const before = sqlite.pragma('synchronous', { simple: true });
  sqlite.pragma('synchronous = OFF');
  return () => void sqlite.pragma(`synchronous = ${before}`);
}

/** Reads an image that came from outside; the answer has this program's schema. Throws `ImageError`. */
export function readImage(bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new ImageError('it does not begin as a SQLite database does');
  }
  // The file of a running bank asks for its log, which an image has not.
  const image = Buffer.from(bytes).fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
  try {
    const sqlite = new Database(image);
    try {
      return examined(sqlite);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError(`it cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function examined(sqlite: SqliteDatabase): Buffer {
  sqlite.pragma('trusted_schema = OFF');
  sqlite.pragma('cell_size_check = ON');
  const damage = sqlite.pragma('integrity_check(1)', { simple: true });
  if (damage !== 'ok') throw new ImageError(`it is damaged: ${damage}`);
  const version = sqlite.pragma('user_version', { simple: true }) as number;
  if (version === 0) throw new ImageError('it is a SQLite database, but none that Sandbank wrote');
  try {
    migrate(sqlite);
  } catch (error) {
    if (!(error instanceof DataVersionError)) throw error;
    const known = `schema ${version}, this program knows ${schemaVersion()}`;
    throw new ImageError(`it was written by a newer Sandbank (${known}): import it there`);
  }
  const strange = differences(sqlite);
  if (strange.length > 0) {
    throw new ImageError(`its schema is not Sandbank's: ${strange.slice(0, 3).join(', ')}`);
  }
  const [orphan] = sqlite.pragma('foreign_key_check') as { table: string }[];
  if (orphan !== undefined) throw new ImageError(`a row of ${orphan.table} refers to nothing`);
  const isThere = sqlite.prepare('SELECT count(*) FROM meta WHERE key = ?').pluck();
  const missing = FOUNDED_KEYS.find((key) => isThere.get(key) === 0);
  if (missing !== undefined) throw new ImageError(`it holds no bank: it has no ${missing}`);
  return sqlite.serialize().fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
}

interface SchemaRow {
  name: string;
  sql: string | null;
}

/** What `migrations/` make of an empty database. */
const ownSchema = lazily(() => {
  const own = openConnection({ kind: 'memory' });
  try {
    return schemaOf(own.sqlite);
  } finally {
    own.close();
  }
});

/** The names of what is there and should not be, is missing, or is written otherwise: triggers are code too. */
function differences(sqlite: SqliteDatabase): string[] {
  const found = schemaOf(sqlite);
  const names = new Set([...found.keys(), ...ownSchema().keys()]);
  return [...names].filter((name) => found.get(name) !== ownSchema().get(name));
}

function schemaOf(sqlite: SqliteDatabase): Map<string, string> {
  // What SQLite makes for itself (indexes of keys, statistics) is no part of what we wrote.
  const rows = sqlite
    .prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all() as SchemaRow[];
  return new Map(rows.map(({ name, sql }) => [name, sql ?? '']));
}
