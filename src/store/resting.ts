/**
 * What is known of the sandboxes whose files are closed: when each next does something by itself. So a start opens none of
 * them, and a bank with a planned step or a delivery is opened when that is due. A row describes a file as it was when it
 * was closed; one that has changed since, or that a kill left open, is to be looked at. Nothing is lost with this index:
 * it is made again from the banks.
 */
import { NodeDriver } from './node-driver.ts';

/** A file as it was closed. */
export interface Resting {
  bytes: number;
  /** The file's time of change, in milliseconds. */
  modified: number;
  /** On the real clock; `null` where nothing will be due by itself. */
  dueAt: number | null;
}

export interface RestingIndex {
  all(): Map<string, Resting>;
  write(name: string, resting: Resting): void;
  remove(name: string): void;
  close(): void;
}

const BUSY_TIMEOUT_MS = 1000;
const SCHEMA = `CREATE TABLE IF NOT EXISTS resting (
  name TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL,
  modified REAL NOT NULL,
  due_at REAL
) STRICT, WITHOUT ROWID`;
const UNUSABLE = ['SQLITE_NOTADB', 'SQLITE_CORRUPT', 'SQLITE_ERROR'];

/**
 * Opens the index of a data directory, for one process alone: another that tries fails with `SQLITE_BUSY`. `clear` removes
 * the file of one that cannot be used, which is then made anew.
 */
export function openRestingIndex(path: string, discard: () => void): RestingIndex {
  try {
    return open(path);
  } catch (error) {
    if (!UNUSABLE.some((code) => (error as { code?: string }).code?.startsWith(code))) throw error;
    discard();
    return open(path);
  }
}

function open(path: string): RestingIndex {
  const sqlite = new NodeDriver(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    return use(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function use(sqlite: NodeDriver): RestingIndex {
  // Two processes on one bank would tell each event twice and draw the same ids.
  sqlite.pragma('locking_mode = EXCLUSIVE');
  // Whatever a power cut loses of it is looked at anew.
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('journal_mode = WAL');
  // Takes the lock, also where there is nothing to write.
  sqlite.atomically(() => sqlite.exec(SCHEMA));
  const all = sqlite.prepare('SELECT name, bytes, modified, due_at AS dueAt FROM resting');
  const write = sqlite.prepare('INSERT OR REPLACE INTO resting VALUES (@name, @bytes, @modified, @dueAt)');
  const remove = sqlite.prepare('DELETE FROM resting WHERE name = ?');
  return {
    all: () =>
      new Map((all.all() as (Resting & { name: string })[]).map(({ name, ...resting }) => [name, resting])),
    write: (name, resting) => void write.run({ name, ...resting }),
    remove: (name) => void remove.run(name),
    close: () => void sqlite.close(),
  };
}
