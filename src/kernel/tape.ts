/**
 * A list of the newest entries, limited by their number and their characters. It is divided into parts so that it can
 * be stored incrementally: only a part with new entries is written again, and parts of an earlier process are read on
 * demand.
 */

/** The range of a part: the number of its first entry, and the number after its last entry, from 0. */
export interface StoredPart {
  readonly first: number;
  readonly upTo: number;
  readonly characters: number;
}

/** A part to be stored. */
export interface ChangedPart<T> extends StoredPart {
  readonly entries: readonly T[];
  /** What `keepPacked` kept, if the entries are still the same. */
  readonly packed: Buffer | undefined;
}

export interface Tape<T> {
  push(entry: T): void;
  /** The newest first. */
  newest(): T[];
  /** Replaces the newest matching entry; returns false if none matches. */
  replace(fits: (entry: T) => boolean, change: (entry: T) => T): boolean;
  /** The number of entries, and of older ones that were dropped. */
  counts(): { kept: number; dropped: number };
  /** Removes all entries. Numbers continue. Returns the function that undoes this. */
  clear(): () => void;
  /** The number of the next entry, and the first number that `counts` counts. */
  numbers(): { next: number; from: number };
  /** Continues after the stored parts of an earlier process. `read` reads the entries of a part on demand. */
  continue(stored: readonly StoredPart[], numbers: { next: number; from: number }, read: ReadPart<T>): void;
  /** Reads all that is stored. */
  load(): void;
  /** The parts that changed since this was last called. */
  takeChanged(): ChangedPart<T>[];
  /** Marks these parts, or all, as changed: taken parts could not be stored, or were stored in another file. */
  markChanged(firsts?: readonly number[]): void;
  /** Keeps what was stored of a part, so that storing it in another file takes no time. It is forgotten with the next change. */
  keepPacked(part: StoredPart, packed: Buffer): void;
  /** The first number that is still needed; parts that begin before it can be deleted. */
  oldest(): number;
}

export type ReadPart<T> = (first: number) => readonly T[];

interface TapeOptions<T> {
  length: number;
  characters: number;
  sizeOf(entry: T): number;
  /** Called when there are changes to store. */
  onChange?(): void;
}

interface Part<T> {
  readonly first: number;
  upTo: number;
  characters: number;
  /** `undefined` while the part is only stored. */
  entries: T[] | undefined;
  isChanged: boolean;
  packed: Buffer | undefined;
}

/** The number of entries in a part, which is written in some milliseconds. */
const PART_LENGTH = 50;

const emptyPart = <T>(first: number): Part<T> => ({
  first,
  upTo: first,
  characters: 0,
  entries: [],
  isChanged: true,
  packed: undefined,
});

function noteChange(part: Part<unknown>): void {
  part.isChanged = true;
  part.packed = undefined;
}

/** An empty tape. */
export function createTape<T>({ length, characters, sizeOf, onChange = () => {} }: TapeOptions<T>): Tape<T> {
  // The oldest first.
  let parts: Part<T>[] = [];
  let next = 0;
  let from = 0;
  let total = 0;
  let held = 0;
  let readPart: ReadPart<T> = () => [];

  const countOf = ({ entries, first, upTo }: Part<T>): number => entries?.length ?? upTo - first;

  const dropPart = (): void => {
    const part = parts.shift() as Part<T>;
    total -= countOf(part);
    held -= part.characters;
  };

  /**
   * The newest entry is kept whatever its size. A part that is only stored is dropped when the later parts reach the
   * limit.
   */
  const trim = (): void => {
    while (parts.length > 1 || total > 1) {
      const oldest = parts[0] as Part<T>;
      const count = countOf(oldest);
      if (count === 0) {
        if (parts.length === 1) return;
        dropPart();
      } else if (oldest.entries === undefined) {
        if (total - count < length && held - oldest.characters <= characters) return;
        dropPart();
      } else {
        if (total <= length && held <= characters) return;
        const size = sizeOf(oldest.entries.shift() as T);
        oldest.characters -= size;
        oldest.packed = undefined;
        held -= size;
        total -= 1;
      }
    }
  };

  const load = (): void => {
    for (const part of parts) {
      if (part.entries !== undefined) continue;
      part.entries = [...readPart(part.first)];
      const size = part.entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
      total += part.entries.length - (part.upTo - part.first);
      held += size - part.characters;
      part.characters = size;
    }
    trim();
  };

  return {
    push(entry) {
      let last = parts.at(-1);
      if (last?.entries === undefined || next - last.first >= PART_LENGTH) {
        last = emptyPart(next);
        parts.push(last);
      }
      last.entries?.push(entry);
      next += 1;
      last.upTo = next;
      const size = sizeOf(entry);
      last.characters += size;
      noteChange(last);
      held += size;
      total += 1;
      trim();
      onChange();
    },
    newest() {
      load();
      return parts.flatMap(({ entries = [] }) => entries).reverse();
    },
    replace(fits, change) {
      load();
      for (const part of parts.toReversed()) {
        const entries = part.entries ?? [];
        const at = entries.findLastIndex(fits);
        const entry = entries[at];
        if (entry === undefined) continue;
        const changed = change(entry);
        const grown = sizeOf(changed) - sizeOf(entry);
        entries[at] = changed;
        part.characters += grown;
        held += grown;
        noteChange(part);
        trim();
        onChange();
        return true;
      }
      return false;
    },
    counts() {
      const kept = Math.min(total, length);
      return { kept, dropped: next - from - kept };
    },
    clear() {
      const before = { parts, from, total, held };
      parts = [];
      from = next;
      total = 0;
      held = 0;
      onChange();
      return () => {
        ({ parts, from, total, held } = before);
      };
    },
    numbers: () => ({ next, from }),
    continue(stored, numbers, read) {
      const before = stored.at(-1)?.upTo ?? 0;
      const start = Math.max(before, numbers.next);
      readPart = read;
      parts = [
        ...stored.map((part) => ({ ...part, entries: undefined, isChanged: false, packed: undefined })),
        ...parts.map((part) => ({ ...part, first: part.first + start, upTo: part.upTo + start })),
      ];
      from = numbers.from;
      next += start;
      total += stored.reduce((sum, { first, upTo }) => sum + upTo - first, 0);
      held += stored.reduce((sum, part) => sum + part.characters, 0);
      trim();
    },
    load,
    takeChanged() {
      const changed = parts.filter(({ isChanged, entries }) => isChanged && entries !== undefined);
      for (const part of changed) part.isChanged = false;
      return changed
        .filter((part) => countOf(part) > 0)
        .map(({ entries = [], isChanged: _, ...part }) => ({ ...part, entries: [...entries] }));
    },
    markChanged(firsts) {
      if (firsts === undefined) load();
      for (const part of parts) if (firsts?.includes(part.first) !== false) part.isChanged = true;
    },
    keepPacked({ first, upTo, characters: size }, packed) {
      const part = parts.find((one) => one.first === first);
      if (part?.upTo === upTo && part.characters === size && !part.isChanged) part.packed = packed;
    },
    oldest: () => parts[0]?.first ?? next,
  };
}
