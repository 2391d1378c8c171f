/**
 * What a process remembers of its database. It alone has the file open, so what it has read or written once it need not
 * read again. One rule: whoever writes a row says here what became of it, in the same savepoint; what is taken back there
 * is taken back here. It goes with its database.
 */
import type { Database } from 'better-sqlite3';

/** What is remembered of one kind, by its key. */
export interface Remembered<K, V> {
  get(key: K): V | undefined;
  /** Remembers what was read, which no savepoint takes back. */
  learn(key: K, value: V): V;
  /** Remembers what was written. */
  set(key: K, value: V): void;
  /** Forgets what was written, to be read when it is needed. */
  forget(key: K): void;
  /** Forgets all of this kind. */
  forgetAll(): void;
}

export interface Memory {
  /** What is remembered under this name. */
  named<K, V>(name: string): Remembered<K, V>;
  /** Notes where it is, before what may be taken back; answers how to go back there. */
  mark(): () => void;
  /** Nothing that was written until now is taken back any more. Of what there is more than `most` of, nothing stays. */
  settle(most?: number): void;
}

type Anything = Map<unknown, unknown>;

/** Stands for all keys. */
const ALL = Symbol('all');

/** A value that was there before it was written; `undefined` where nothing was. */
interface Before {
  readonly map: Anything;
  readonly key: unknown;
  readonly value: unknown;
}

/** Of one kind; a bank with more accounts than this reads those again that it uses. */
const MOST = 20_000;

const memories = new WeakMap<Database, Memory>();

/** The memory of a database. */
export function memoryOf(sqlite: Database): Memory {
  const known = memories.get(sqlite) ?? createMemory();
  memories.set(sqlite, known);
  return known;
}

function createMemory(): Memory {
  const maps = new Map<string, Anything>();
  let log: Before[] = [];

  return {
    named<K, V>(name: string): Remembered<K, V> {
      const map = (maps.get(name) ?? new Map()) as Map<K, V>;
      maps.set(name, map as Anything);
      const note = (key: K): void => {
        log.push({ map: map as Anything, key, value: map.get(key) });
      };
      return {
        get: (key) => map.get(key),
        learn(key, value) {
          map.set(key, value);
          return value;
        },
        set(key, value) {
          note(key);
          map.set(key, value);
        },
        forget(key) {
          note(key);
          map.delete(key);
        },
        forgetAll() {
          log.push({ map: map as Anything, key: ALL, value: undefined });
          map.clear();
        },
      };
    },
    mark() {
      const { length } = log;
      return () => {
        for (const { map, key, value } of log.slice(length).toReversed()) {
          // What was learned since may have been read from what is taken back.
          if (key === ALL) map.clear();
          else if (value === undefined) map.delete(key);
          else map.set(key, value);
        }
        log.length = length;
      };
    },
    settle(most = MOST) {
      log = [];
      for (const map of maps.values()) if (map.size > most) map.clear();
    },
  };
}
