/**
 * Write-through caches of a database's rows. One process has the file open, so what it has read or written once it need
 * not read again. One rule: whoever writes a row says so here, in the same savepoint. What a savepoint wrote or read is
 * taken back with it, and so is what else it changed in memory (a clock) and said so here. The caches go with their
 * database: a reset or a restore begins with empty ones.
 */
import type { Driver } from './driver.ts';

/** The rows of one kind, by their key. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  /** Keeps what was read or written, and answers it. */
  set(key: K, value: V): V;
  /** Keeps nothing of what was written: the next reader reads it. */
  remove(key: K): void;
  /** Removes all of this kind. */
  clear(): void;
}

export interface Caches {
  /** The cache of this name; whoever asks for the name gets the same. */
  named<K, V>(name: string): Cache<K, V>;
  /**
   * Says how to take back what was changed in memory besides the rows: called when the savepoint or the commit in which
   * that happened fails.
   */
  onTakeBack(undo: () => void): void;
  /** Begins what may be taken back; answers how to take it back. */
  mark(): () => void;
  /** Nothing that is kept now is taken back any more. A cache of more than `max` rows begins anew. */
  settle(max?: number): void;
}

type Rows = Map<unknown, unknown>;

/** What a key had before it was set or removed; `undefined` for nothing. */
interface Before {
  readonly rows: Rows;
  readonly key: unknown;
  readonly value: unknown;
}

function putBack({ rows, key, value }: Before): void {
  if (value === undefined) rows.delete(key);
  else rows.set(key, value);
}

/** A bank with more accounts than this reads some of them again. */
const MAX = 20_000;

const byDatabase = new WeakMap<Driver, Caches>();

/** The caches of a database. */
export function cachesOf(sqlite: Driver): Caches {
  const caches = byDatabase.get(sqlite) ?? createCaches();
  byDatabase.set(sqlite, caches);
  return caches;
}

function createCaches(): Caches {
  const byName = new Map<string, Rows>();
  let log: (Before | (() => void))[] = [];

  return {
    named<K, V>(name: string): Cache<K, V> {
      const rows = (byName.get(name) ?? new Map()) as Map<K, V>;
      byName.set(name, rows as Rows);
      const note = (key: K): void => {
        log.push({ rows: rows as Rows, key, value: rows.get(key) });
      };
      return {
        get: (key) => rows.get(key),
        set(key, value) {
          note(key);
          rows.set(key, value);
          return value;
        },
        remove(key) {
          note(key);
          rows.delete(key);
        },
        // What is set afterwards is taken back by itself, and then nothing is left.
        clear: () => rows.clear(),
      };
    },
    onTakeBack: (undo) => void log.push(undo),
    mark() {
      const { length } = log;
      return () => {
        const changes = log.splice(length).toReversed();
        for (const change of changes) {
          if (typeof change === 'function') change();
          else putBack(change);
        }
      };
    },
    settle(max = MAX) {
      log = [];
      for (const rows of byName.values()) if (rows.size > max) rows.clear();
    },
  };
}

/** What is shared: nobody may change it, or what is in it. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
