/** The pages of a list as one list, which grows at both ends: newer rows come before it, older ones are read behind it. */

/** Some rows, the newest first, and where older ones begin; `''` if there are none. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly cursor: string;
}

/** Reads a page: the newest rows, or those behind a cursor. */
export type ReadPage<T> = (cursor: string, limit: number) => Promise<Page<T>>;

export const FIRST_PAGE = 50;
export const NEXT_PAGE = 200;
/** So many pages are read to close a gap; a longer one begins the list anew. */
const MOST_BETWEEN = 3;

/** The newest rows before those that are known, as far as they meet. */
export async function refresh<T>(
  known: Page<T>,
  keyOf: (row: T) => string,
  read: ReadPage<T>,
): Promise<Page<T>> {
  let { rows, cursor } = await read('', FIRST_PAGE);
  // A reader who looked at the first page alone has nothing to lose.
  if (known.rows.length <= FIRST_PAGE) return { rows, cursor };
  const places = new Map(known.rows.map((row, at) => [keyOf(row), at]));
  for (let pages = 0; ; pages += 1) {
    const last = rows.at(-1);
    const at = last === undefined ? undefined : places.get(keyOf(last));
    if (at !== undefined) return { rows: [...rows, ...known.rows.slice(at + 1)], cursor: known.cursor };
    if (cursor === '' || pages === MOST_BETWEEN) return { rows, cursor };
    const next = await read(cursor, NEXT_PAGE);
    rows = [...rows, ...next.rows];
    cursor = next.cursor;
  }
}

/** With the page behind it. */
export function append<T>(known: Page<T>, next: Page<T>, keyOf: (row: T) => string): Page<T> {
  const keys = new Set(known.rows.map(keyOf));
  return { rows: [...known.rows, ...next.rows.filter((row) => !keys.has(keyOf(row)))], cursor: next.cursor };
}
