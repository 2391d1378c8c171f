/**
 * Opens one sandbox's database: in memory, from an image of another, or a file in WAL mode that survives `kill -9`.
 * The store contains SQL and rows, and no rules of the bank.
 * Source: decision `data-directory-lock` in docs/fidelity.md.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { refuse } from '../kernel/refusal.ts';
import type { Driver } from './driver.ts';
import { drizzle } from './drizzle.ts';
import { ImageError } from './image-error.ts';
import { migrate } from './migrate.ts';
import { NodeDriver } from './node-driver.ts';
import { dumpRows } from './row-image.ts';

export type Db = BetterSQLite3Database & { readonly $client: Driver };

/** Drizzle over a driver: a driver has all methods of better-sqlite3 that Drizzle needs. */
export function openDrizzle(sqlite: Driver): Db {
  return drizzle(sqlite as never) as unknown as Db;
}

/**
 * The place of the database: `image` is the result of a connection's `image`, `object` the database of a Durable
 * Object, for which `open` creates a new driver each time.
 */
export type Place = OwnPlace | { kind: 'object'; open(): Driver };

/** A database that this process opens itself. */
export type OwnPlace =
  | { kind: 'memory' }
  | { kind: 'image'; image: Buffer }
  | { kind: 'file'; path: string; synchronous: 'off' | 'normal' | 'full' };

/** One open database. */
export interface Connection {
  readonly db: Db;
  readonly sqlite: Driver;
  /** The whole database, which can be opened in memory or written to a file. */
  image(): Buffer;
  /** The size of the database in bytes. */
  bytes(): number;
  /** Runs an action whose writes a power failure may undo: a file that is stored on a disk does not wait for it. */
  withoutSync<T>(action: () => T): T;
  /** Writes the whole database to a file, some pages in each turn of the event loop, including later commits. */
  writeTo(path: string): Promise<void>;
  close(): void;
}

/** A connection that this process opened itself. */
export interface NodeConnection extends Connection {
  readonly sqlite: NodeDriver;
}

const BUSY_TIMEOUT_MS = 1000;
/** Four megabytes, which take some milliseconds. */
const PAGES_AT_ONCE = 1000;
/** The offsets of the journal mode in the header of a database, and the value for the rollback journal. */
const HEADER_JOURNAL_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;

const FOREIGN_KEYS = 'foreign_keys = ON';
const pragmasOf = ({ synchronous }: Extract<OwnPlace, { kind: 'file' }>): readonly string[] => [
  // Two processes with one bank would publish each event twice and generate the same ids. The lock is set before the file is
  // read; otherwise a file with a log would be opened without it.
  'locking_mode = EXCLUSIVE',
  // A new file switches to its log without a sync, because until then it contains only the seeded bank.
  'synchronous = OFF',
  'journal_mode = WAL',
  `synchronous = ${synchronous}`,
  // A savepoint keeps the pages that it may have to roll back; beyond 64 KB they would be written to a file.
  'temp_store = MEMORY',
  // There is no second reader, so a large log only delays the checkpoint.
  'wal_autocheckpoint = 4000',
];

/** Opens and migrates a database. Throws `DataVersionError` for a database of a newer program. */
export function openConnection(place: OwnPlace): NodeConnection;
export function openConnection(place: Place): Connection;
export function openConnection(place: Place): Connection {
  return place.kind === 'object' ? openObject(place.open()) : openOwn(place);
}

/** The database of an object is open as long as the object. Its image consists of its rows. */
function openObject(sqlite: Driver): Connection {
  migrate(sqlite);
  return {
    db: openDrizzle(sqlite),
    sqlite,
    image() {
      try {
        return dumpRows(sqlite);
      } catch (error) {
        if (!(error instanceof ImageError)) throw error;
        throw refuse('not_emulated', {
          message: `this sandbox has no image where it is an object of workerd: ${error.message}; sandbank start has one`,
        });
      }
    },
    bytes: () => sqlite.bytes(),
    withoutSync: (action) => action(),
    async writeTo() {
      throw new Error('an object has no files');
    },
    close: () => sqlite.close(),
  };
}

function openOwn(place: OwnPlace): NodeConnection {
  const sqlite =
    place.kind === 'image'
      ? new NodeDriver(place.image)
      : new NodeDriver(place.kind === 'file' ? place.path : ':memory:', { timeout: BUSY_TIMEOUT_MS });
  try {
    const pragmas = [FOREIGN_KEYS, ...(place.kind === 'file' ? pragmasOf(place) : [])];
    // Together, because a statement for each takes longer than what it does.
    sqlite.exec(pragmas.map((pragma) => `PRAGMA ${pragma};`).join(''));
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  // The connection must not keep `place`, which may have a large image.
  const synchronous = place.kind === 'file' ? place.synchronous : undefined;
  return {
    db: openDrizzle(sqlite),
    sqlite,
    image: () => imageOf(sqlite),
    bytes: () => sqlite.bytes(),
    withoutSync(action) {
      if (synchronous === undefined) return action();
      sqlite.exec('PRAGMA synchronous = OFF');
      try {
        return action();
      } finally {
        sqlite.exec(`PRAGMA synchronous = ${synchronous}`);
      }
    },
    async writeTo(path) {
      await sqlite.backup(path, { progress: () => PAGES_AT_ONCE });
      setJournal(path, ROLLBACK_JOURNAL);
    },
    close: () => void sqlite.close(),
  };
}

/** Marks a file that was written as an image for a write-ahead log, which every sandbox file has. */
export function useLog(path: string): void {
  setJournal(path, WRITE_AHEAD_LOG);
}

function setJournal(path: string, word: number): void {
  const [start, end] = HEADER_JOURNAL_BYTES;
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.alloc(end - start, word), 0, end - start, start);
  } finally {
    closeSync(file);
  }
}

/** An image has no log, so its header must not require one; otherwise it could not be opened in memory. */
function imageOf(sqlite: NodeDriver): Buffer {
  return sqlite.serialize().fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
}

/** Whether the file or the disk caused an error, and not a row, so that a retry may succeed. */
export function isDatabaseFailure(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(?!CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code);
}
