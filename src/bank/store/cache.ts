/**
 * Write-through caches of a database's rows. Only one process has the file open, so it does not have to read a row
 * twice. One rule: code that writes a row updates its cache in the same savepoint. When a savepoint is rolled back,
 * its changes of the caches are undone, and so are other changes in memory (such as a clock) that were registered
 * with `onUndo`. The caches belong to their database: a reset or a restore begins with empty ones.
 */
import type { Driver } from './driver.ts';

/** The rows of one kind, by their key. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  /** Caches a row that was read or written, and returns it. */
  set(key: K, value: V): V;
  /** Removes an entry, so that the next read uses the database. */
  remove(key: K): void;
  /** Removes all entries of this kind. */
  clear(): void;
}

export interface Caches {
  /** The cache of this name; all callers with the same name share it. */
  named<K, V>(name: string): Cache<K, V>;
  /**
   * Registers how to undo a change in memory besides the rows. `undo` is called if the current savepoint or commit
   * fails.
   */
  onUndo(undo: () => void): void;
  /** Begins a part that can be undone; returns the function that undoes it. */
  mark(): () => void;
  /** Makes all changes permanent. A cache with more than `max` rows is emptied. */
  settle(max?: number): void;
}

type Rows = Map<unknown, unknown>;

/** The previous entry of a key; `undefined` for none. */
interface Before {
  readonly rows: Rows;
  readonly key: unknown;
  readonly value: unknown;
}

function putBack({ rows, key, value }: Before): void {
  if (value === undefined) rows.delete(key);
  else rows.set(key, value);
}

/** The maximum number of cached rows; larger banks read some rows again. */
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
        // Later changes are undone separately, and then the cache is empty.
        clear: () => rows.clear(),
      };
    },
    onUndo: (undo) => void log.push(undo),
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

/** Deeply freezes a value, because several callers share it. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
