/**
 * Opens one sandbox's database: in memory, from an image of another, or a file in WAL mode that survives `kill -9`.
 * The store knows SQL and rows, and no rule of the bank.
 * Source: decision `data-directory-lock` in docs/fidelity.md.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { refuse } from '../kernel/refusal.ts';
import type { Driver } from './driver.ts';
import { drizzle } from './drizzle.ts';
import { migrate } from './migrate.ts';
import { NodeDriver } from './node-driver.ts';

export type Db = BetterSQLite3Database & { readonly $client: Driver };

/** Drizzle over a driver: it needs no more of better-sqlite3 than a driver has. */
export function openDrizzle(sqlite: Driver): Db {
  return drizzle(sqlite as never) as unknown as Db;
}

/** Where the rows are: `image` is what a connection's `image` gave, `object` the database of a Durable Object. */
export type Place = OwnPlace | { kind: 'object'; driver: Driver };

/** A database that this process opens itself. */
export type OwnPlace =
  | { kind: 'memory' }
  | { kind: 'image'; image: Buffer }
  | { kind: 'file'; path: string; synchronous: 'off' | 'normal' | 'full' };

/** One open database. */
export interface Connection {
  readonly db: Db;
  readonly sqlite: Driver;
  /** The whole database, to be opened in memory or written to a file. */
  image(): Buffer;
  /** How large the database is, in bytes. */
  bytes(): number;
  /** Writes the whole database to a file, some pages in each turn of the event loop: with what is committed meanwhile. */
  writeTo(path: string): Promise<void>;
  close(): void;
}

/** One that this process opened itself. */
export interface NodeConnection extends Connection {
  readonly sqlite: NodeDriver;
}

const BUSY_TIMEOUT_MS = 1000;
/** Four megabytes, which take some milliseconds. */
const PAGES_AT_ONCE = 1000;
/** Where a database's header says which journal its readers and writers need, and the word for the ordinary one. */
const HEADER_JOURNAL_BYTES = [18, 20] as const;
const ROLLBACK_JOURNAL = 1;
const WRITE_AHEAD_LOG = 2;

/** Opens and migrates; throws `DataVersionError` for what a newer program wrote. */
export function openConnection(place: OwnPlace): NodeConnection;
export function openConnection(place: Place): Connection;
export function openConnection(place: Place): Connection {
  return place.kind === 'object' ? openObject(place.driver) : openOwn(place);
}

/** The database of an object is open as long as the object is, and is copied by its rows alone. */
function openObject(sqlite: Driver): Connection {
  migrate(sqlite);
  const refuseImage = (): never => {
    throw refuse('not_emulated', {
      message: 'a sandbox that is a Durable Object has no image of its database; sandbank start has one',
    });
  };
  return {
    db: openDrizzle(sqlite),
    sqlite,
    image: refuseImage,
    bytes: () => sqlite.bytes(),
    writeTo: async () => refuseImage(),
    close: () => sqlite.close(),
  };
}

function openOwn(place: OwnPlace): NodeConnection {
  const sqlite =
    place.kind === 'image'
      ? new NodeDriver(place.image)
      : new NodeDriver(place.kind === 'file' ? place.path : ':memory:', { timeout: BUSY_TIMEOUT_MS });
  try {
    sqlite.pragma('foreign_keys = ON');
    if (place.kind === 'file') {
      // Two processes on one bank would tell each event twice and draw the same ids. It comes before anything that
      // reads the file, or a file that has a log already is opened without it.
      sqlite.pragma('locking_mode = EXCLUSIVE');
      // A fresh file turns to its log without waiting for the disk: until it has one it holds only the seeded bank.
      sqlite.pragma('synchronous = off');
      sqlite.pragma('journal_mode = WAL');
      sqlite.pragma(`synchronous = ${place.synchronous}`);
      // A command's savepoint keeps what it may have to take back, which would go to a file beyond 64 KB.
      sqlite.pragma('temp_store = MEMORY');
      // No second connection reads along, so a large log only delays the checkpoint's work.
      sqlite.pragma('wal_autocheckpoint = 4000');
    }
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return {
    db: openDrizzle(sqlite),
    sqlite,
    image: () => imageOf(sqlite),
    bytes: () => sqlite.bytes(),
    async writeTo(path) {
      await sqlite.backup(path, { progress: () => PAGES_AT_ONCE });
      setJournal(path, ROLLBACK_JOURNAL);
    },
    close: () => void sqlite.close(),
  };
}

/** Makes a file that was written as an image one that is opened with a log, as the file of every sandbox is. */
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

/** An image has no log beside it, so its header must not ask for one: in memory it would not open. */
function imageOf(sqlite: NodeDriver): Buffer {
  return sqlite.serialize().fill(ROLLBACK_JOURNAL, ...HEADER_JOURNAL_BYTES);
}

/** Whether an error is the file's or the disk's, so that the same may succeed later: not one that a row caused. */
export function isDatabaseFailure(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(?!CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code);
}
