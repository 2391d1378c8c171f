/**
 * The pages of a list as one list that grows at both ends: newer rows are added before it, and older ones behind it.
 */

/** Some rows, newest first, and the cursor of older ones; `''` if there are none. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string;
}

/** Reads a page: the newest rows, or the rows after a cursor. */
export type ReadPage<T> = (cursor: string, limit: number) => Promise<Page<T>>;

export const FIRST_PAGE = 50;
export const NEXT_PAGE = 200;
/** The maximum number of pages that are read to close a gap; after a larger gap the list starts again. */
const MOST_BETWEEN = 3;
/** The maximum number of pages that are read again because one of their rows changed. */
const MOST_AGAIN = 10;

/**
 * Adds the newest rows before the known rows, if no rows are missing between them. If one of the older known rows has
 * changed, they are read again.
 */
export async function refresh<T>(
  known: Page<T>,
  keyOf: (row: T) => string,
  read: ReadPage<T>,
  hasChanged: (key: string) => boolean = () => false,
): Promise<Page<T>> {
  let { rows, cursor } = await read('', FIRST_PAGE);
  // With only the first page loaded, it can be replaced.
  if (known.rows.length <= FIRST_PAGE) return { rows, cursor };
  const keys = known.rows.map(keyOf);
  const places = new Map(keys.map((key, at) => [key, at]));
  const newest = new Set(rows.map(keyOf));
  const most = keys.some((key) => !newest.has(key) && hasChanged(key)) ? MOST_AGAIN : 0;
  /** The length of the list with all known rows. */
  let length = Number.POSITIVE_INFINITY;
  for (let pages = 0; ; pages += 1) {
    const last = rows.at(-1);
    const at = last === undefined ? undefined : places.get(keyOf(last));
    if (at !== undefined) {
      const older = known.rows.slice(at + 1);
      if (older.length === 0 || pages >= most) return { rows: [...rows, ...older], cursor: known.cursor };
      length = rows.length + older.length;
    }
    if (cursor === '' || rows.length >= length || pages >= Math.max(most, MOST_BETWEEN)) {
      return { rows, cursor };
    }
    const next = await read(cursor, Math.min(length - rows.length, NEXT_PAGE));
    rows = [...rows, ...next.rows];
    cursor = next.cursor;
  }
}

/** Adds the next page. */
export function append<T>(known: Page<T>, next: Page<T>, keyOf: (row: T) => string): Page<T> {
  const keys = new Set(known.rows.map(keyOf));
  return { rows: [...known.rows, ...next.rows.filter((row) => !keys.has(keyOf(row)))], cursor: next.cursor };
}
