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

type ReadPart<T> = (first: number) => readonly T[];

export interface TapeOptions<T> {
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

/** A class, because a process has several of them for each of thousands of sandboxes. */
export class Tape<T> {
  readonly #options: TapeOptions<T>;
  /** The oldest first. */
  #parts: Part<T>[] = [];
  #next = 0;
  #from = 0;
  #total = 0;
  #held = 0;
  #readPart: ReadPart<T> = readNothing;

  constructor(options: TapeOptions<T>) {
    this.#options = options;
  }

  push(entry: T): void {
    let last = this.#parts.at(-1);
    if (last?.entries === undefined || this.#next - last.first >= PART_LENGTH) {
      last = emptyPart(this.#next);
      this.#parts.push(last);
    }
    last.entries?.push(entry);
    this.#next += 1;
    last.upTo = this.#next;
    const size = this.#options.sizeOf(entry);
    last.characters += size;
    noteChange(last);
    this.#held += size;
    this.#total += 1;
    this.#trim();
    this.#options.onChange?.();
  }

  /** The newest first. */
  newest(): T[] {
    this.load();
    return this.#parts.flatMap(({ entries = [] }) => entries).reverse();
  }

  /** Replaces the newest matching entry; returns false if none matches. */
  replace(fits: (entry: T) => boolean, change: (entry: T) => T): boolean {
    const { sizeOf, onChange } = this.#options;
    this.load();
    for (const part of this.#parts.toReversed()) {
      const entries = part.entries ?? [];
      const at = entries.findLastIndex(fits);
      const entry = entries[at];
      if (entry === undefined) continue;
      const changed = change(entry);
      const grown = sizeOf(changed) - sizeOf(entry);
      entries[at] = changed;
      part.characters += grown;
      this.#held += grown;
      noteChange(part);
      this.#trim();
      onChange?.();
      return true;
    }
    return false;
  }

  /** The number of entries, and of older ones that were dropped. */
  counts(): { kept: number; dropped: number } {
    const kept = Math.min(this.#total, this.#options.length);
    return { kept, dropped: this.#next - this.#from - kept };
  }

  /** Removes all entries. Numbers continue. Returns the function that undoes this. */
  clear(): () => void {
    const [parts, from, total, held] = [this.#parts, this.#from, this.#total, this.#held];
    this.#parts = [];
    this.#from = this.#next;
    this.#total = 0;
    this.#held = 0;
    this.#options.onChange?.();
    return () => {
      this.#parts = parts;
      this.#from = from;
      this.#total = total;
      this.#held = held;
    };
  }

  /** The number of the next entry, and the first number that `counts` counts. */
  numbers(): { next: number; from: number } {
    return { next: this.#next, from: this.#from };
  }

  /** Continues after the stored parts of an earlier process. `read` reads the entries of a part on demand. */
  continue(stored: readonly StoredPart[], numbers: { next: number; from: number }, read: ReadPart<T>): void {
    const before = stored.at(-1)?.upTo ?? 0;
    const start = Math.max(before, numbers.next);
    this.#readPart = read;
    this.#parts = [
      ...stored.map((part) => ({ ...part, entries: undefined, isChanged: false, packed: undefined })),
      ...this.#parts.map((part) => ({ ...part, first: part.first + start, upTo: part.upTo + start })),
    ];
    this.#from = numbers.from;
    this.#next += start;
    this.#total += stored.reduce((sum, { first, upTo }) => sum + upTo - first, 0);
    this.#held += stored.reduce((sum, part) => sum + part.characters, 0);
    this.#trim();
  }

  /** Reads all that is stored. */
  load(): void {
    for (const part of this.#parts) {
      if (part.entries !== undefined) continue;
      part.entries = [...this.#readPart(part.first)];
      const size = part.entries.reduce((sum, entry) => sum + this.#options.sizeOf(entry), 0);
      this.#total += part.entries.length - (part.upTo - part.first);
      this.#held += size - part.characters;
      part.characters = size;
    }
    this.#trim();
  }

  /** The parts that changed since this was last called. */
  takeChanged(): ChangedPart<T>[] {
    const changed = this.#parts.filter(({ isChanged, entries }) => isChanged && entries !== undefined);
    for (const part of changed) part.isChanged = false;
    return changed
      .filter((part) => countOf(part) > 0)
      .map(({ entries = [], isChanged: _, ...part }) => ({ ...part, entries: [...entries] }));
  }

  /** Marks these parts, or all, as changed: taken parts could not be stored, or were stored in another file. */
  markChanged(firsts?: readonly number[]): void {
    if (firsts === undefined) this.load();
    for (const part of this.#parts) if (firsts?.includes(part.first) !== false) part.isChanged = true;
  }

  /** Keeps what was stored of a part, so that storing it in another file takes no time. It is forgotten with the next change. */
  keepPacked({ first, upTo, characters }: StoredPart, packed: Buffer): void {
    const part = this.#parts.find((one) => one.first === first);
    if (part?.upTo === upTo && part.characters === characters && !part.isChanged) part.packed = packed;
  }

  /** The first number that is still needed; parts that begin before it can be deleted. */
  oldest(): number {
    return this.#parts[0]?.first ?? this.#next;
  }

  #dropPart(): void {
    const part = this.#parts.shift() as Part<T>;
    this.#total -= countOf(part);
    this.#held -= part.characters;
  }

  /**
   * The newest entry is kept whatever its size. A part that is only stored is dropped when the later parts reach the
   * limit.
   */
  #trim(): void {
    const { length, characters, sizeOf } = this.#options;
    while (this.#parts.length > 1 || this.#total > 1) {
      const oldest = this.#parts[0] as Part<T>;
      const count = countOf(oldest);
      if (count === 0) {
        if (this.#parts.length === 1) return;
        this.#dropPart();
      } else if (oldest.entries === undefined) {
        if (this.#total - count < length && this.#held - oldest.characters <= characters) return;
        this.#dropPart();
      } else {
        if (this.#total <= length && this.#held <= characters) return;
        const size = sizeOf(oldest.entries.shift() as T);
        oldest.characters -= size;
        oldest.packed = undefined;
        this.#held -= size;
        this.#total -= 1;
      }
    }
  }
}

const readNothing = (): [] => [];
const countOf = ({ entries, first, upTo }: Part<unknown>): number => entries?.length ?? upTo - first;
