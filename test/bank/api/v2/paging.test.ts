/** The pages of v2's lists: no record is repeated or missing, in either direction. */
import { describe, expect, it } from 'vitest';
import { formatPage, parsePageRequest, takePage } from '../../../../src/bank/api/v2/paging.ts';

type Query = Parameters<typeof parsePageRequest>[1];

const item = (place: number) => ({ id: place.toString(16).padStart(32, '0') });
const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => item(count - index));

function list(items: readonly { id: string }[], query: Query) {
  const request = parsePageRequest('webhook', query);
  return formatPage(
    'webhook',
    takePage(items, request),
    request,
    ({ id }) => Number.parseInt(id, 16),
    ({ id }) => id,
  );
}

const cursorOf = (place: number) => Buffer.from(`whk_${item(place).id}`).toString('base64');

describe('a page', () => {
  it('has 25 records by default', () => {
    expect(list(newestFirst(30), {}).data).toHaveLength(25);
    expect(list(newestFirst(30), { limit: '2' }).data).toEqual([30, 29]);
    expect(list(newestFirst(130), { limit: '100' }).data).toHaveLength(100);
  });

  it('has the total, booleans as strings, and cursors only if there is another page', () => {
    expect(list(newestFirst(3), { limit: '2' })).toEqual({
      total: 3,
      data: [3, 2],
      has_more: 'true',
      starting_after: cursorOf(2),
      ending_before: '',
    });
    expect(list(newestFirst(2), {})).toEqual({
      total: 2,
      data: [2, 1],
      has_more: 'false',
      starting_after: '',
      ending_before: '',
    });
    expect(list([], {})).toEqual({
      total: 0,
      data: [],
      has_more: 'false',
      starting_after: '',
      ending_before: '',
    });
  });

  it('leads to the next page and back, with every record exactly once', () => {
    const items = newestFirst(7);
    const forth: number[] = [];
    let page = list(items, { limit: '3' });
    forth.push(...page.data);
    while (page.has_more === 'true') {
      page = list(items, { limit: '3', starting_after: page.starting_after });
      forth.push(...page.data);
    }
    expect(forth).toEqual([7, 6, 5, 4, 3, 2, 1]);

    const back: number[] = [...page.data];
    do {
      page = list(items, { limit: '3', ending_before: page.ending_before });
      back.unshift(...page.data);
    } while (page.has_more === 'true');
    expect(back).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  it('before a cursor has the records that immediately precede it', () => {
    expect(list(newestFirst(7), { limit: '2', ending_before: cursorOf(3) })).toMatchObject({
      data: [5, 4],
      has_more: 'true',
      starting_after: cursorOf(4),
      ending_before: cursorOf(5),
    });
    expect(list(newestFirst(7), { limit: '5', ending_before: cursorOf(6) })).toMatchObject({
      data: [7],
      has_more: 'false',
      ending_before: '',
    });
  });

  it('stays in place if the record of its cursor is deleted', () => {
    const items = newestFirst(5).filter(({ id }) => id !== item(3).id);
    expect(list(items, { starting_after: cursorOf(3) }).data).toEqual([2, 1]);
    expect(list(items, { ending_before: cursorOf(3) }).data).toEqual([5, 4]);
  });

  it('is empty after the last record', () => {
    expect(list(newestFirst(2), { starting_after: cursorOf(1) })).toMatchObject({
      data: [],
      has_more: 'false',
    });
  });
});

describe('a query of a list', () => {
  it.each(['0', '101', '-1', '2.5', 'many', ''])('is refused with the limit "%s"', (limit) => {
    expect(() => list([], { limit })).toThrow(
      expect.objectContaining({ code: 'field_invalid', field: 'limit' }),
    );
  });

  it.each([
    ['invalid base64', '!!!'],
    ['an id of another kind', Buffer.from(`sub_${item(1).id}`).toString('base64')],
    ['an id without encoding', `whk_${item(1).id}`],
  ])('is refused if its cursor is %s', (_what, cursor) => {
    expect(() => list([], { starting_after: cursor })).toThrow(
      expect.objectContaining({ code: 'cursor_invalid', field: 'starting_after' }),
    );
    expect(() => list([], { ending_before: cursor })).toThrow(
      expect.objectContaining({ code: 'cursor_invalid', field: 'ending_before' }),
    );
  });

  it('is refused with both cursors', () => {
    expect(() => list([], { starting_after: cursorOf(1), ending_before: cursorOf(2) })).toThrow(
      expect.objectContaining({ code: 'field_invalid', field: 'ending_before' }),
    );
  });

  it('accepts an empty cursor', () => {
    expect(list(newestFirst(2), { starting_after: '', ending_before: '' }).data).toEqual([2, 1]);
  });
});
