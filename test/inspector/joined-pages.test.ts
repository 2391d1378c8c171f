/** The pages of a list are one list: no duplicates and no gaps, while newer rows arrive. */
import { describe, expect, it } from 'vitest';
import { append, FIRST_PAGE, type Page, refresh } from '../../inspector/joined-pages.ts';

const keyOf = (row: number): string => String(row);
const NONE: Page<number> = { rows: [], cursor: '' };

/** A list of the numbers from `newest` downwards, as the bank returns it. */
function createList(newest: number) {
  const list = { newest, reads: 0 };
  const read = async (cursor: string, limit: number): Promise<Page<number>> => {
    list.reads += 1;
    const from = cursor === '' ? list.newest : Number(cursor) - 1;
    const rows = Array.from({ length: Math.min(limit, from) }, (_, at) => from - at);
    return { rows, cursor: (rows.at(-1) ?? 1) > 1 ? String(rows.at(-1)) : '' };
  };
  return { list, read };
}

const down = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe('a paginated list', () => {
  it('starts with the first page, and grows at its end', async () => {
    const { read } = createList(120);
    const first = await refresh(NONE, keyOf, read);
    expect(first).toEqual({ rows: down(120, 71), cursor: '71' });
    const whole = append(first, await read(first.cursor, 200), keyOf);
    expect(whole).toEqual({ rows: down(120, 1), cursor: '' });
  });

  it('inserts newer rows before the present ones, and keeps those', async () => {
    const { list, read } = createList(500);
    const first = await refresh(NONE, keyOf, read);
    const known = append(first, await read(first.cursor, 200), keyOf);
    list.newest = 510;
    expect(await refresh(known, keyOf, read)).toEqual({ rows: down(510, 251), cursor: known.cursor });
  });

  it('closes a gap that is longer than a page', async () => {
    const { list, read } = createList(500);
    const first = await refresh(NONE, keyOf, read);
    const known = append(first, await read(first.cursor, 200), keyOf);
    list.newest = 700;
    expect(await refresh(known, keyOf, read)).toEqual({ rows: down(700, 251), cursor: known.cursor });
  });

  it('starts again after a gap that is too long, and if only the first page was read', async () => {
    const { list, read } = createList(500);
    const first = await refresh(NONE, keyOf, read);
    const known = append(first, await read(first.cursor, 200), keyOf);
    list.newest = 5000;
    list.reads = 0;
    const anew = await refresh(known, keyOf, read);
    expect(anew.rows).toEqual(down(5000, 5000 - anew.rows.length + 1));
    expect(list.reads).toBe(4);
    list.reads = 0;
    expect((await refresh(first, keyOf, read)).rows).toHaveLength(FIRST_PAGE);
    expect(list.reads).toBe(1);
  });

  it('reads older rows again when one of them has changed, and no more rows than before', async () => {
    const { list, read } = createList(1_000);
    const first = await refresh(NONE, keyOf, read);
    const known = append(first, await read(first.cursor, 200), keyOf);
    list.newest = 1_010;
    const look = async (changed: string) => {
      const got: number[] = [];
      const page = await refresh(
        known,
        keyOf,
        async (cursor, limit) => {
          const next = await read(cursor, limit);
          got.push(...next.rows);
          return next;
        },
        (key) => key === changed,
      );
      expect(page).toMatchObject({ rows: down(1_010, 751) });
      return got;
    };
    expect(await look('800')).toEqual(down(1_010, 751));
    // A change of a row that is read anyway, or that the list does not contain.
    expect(await look('955')).toEqual(down(1_010, 751));
    expect(await look('990')).toEqual(down(1_010, 961));
    expect(await look('700')).toEqual(down(1_010, 961));
  });

  it('is empty after the list was emptied', async () => {
    const { list, read } = createList(300);
    const first = await refresh(NONE, keyOf, read);
    const known = append(first, await read(first.cursor, 200), keyOf);
    list.newest = 0;
    expect(await refresh(known, keyOf, read)).toEqual(NONE);
  });
});
