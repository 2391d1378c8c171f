/**
 * The index of the sandboxes with closed files: when each has its next scheduled step or retry. So a start opens none
 * of them, and a bank is opened when its next step or delivery is due. A row describes a file at the time when it was
 * closed. A file that has changed since, or that a killed process left open, must be examined. The index can be
 * rebuilt from the banks.
 */
import { NodeDriver } from './node-driver.ts';

/** The state of a file when it was closed. */
export interface Resting {
  bytes: number;
  /** The modification time of the file, in milliseconds. */
  modified: number;
  /** In real time; `null` if nothing is scheduled. */
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
 * Opens the index of a data directory for exclusive use: other processes fail with `SQLITE_BUSY`. `discard` removes
 * an index that cannot be used, so that it is created again.
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
  // Two processes with one bank would publish each event twice and generate the same ids.
  sqlite.pragma('locking_mode = EXCLUSIVE');
  // Files whose rows a power cut loses are examined again.
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('journal_mode = WAL');
  // Takes the lock, even if there is nothing to write.
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
