/**
 * The paging of v2's lists. A list is ordered from the newest to the oldest record. A cursor is the base64 of a
 * record's id, and ids are ordered by creation, so a cursor keeps its position even if its record is deleted. Query
 * values are strings: a limit is digits in the shape and a number after parsing.
 * Source: the pagination page of the platform's v2 reference; decisions `has-more-words` and `list-paging` in
 * docs/fidelity.md.
 */
import {
  type Static,
  type TArray,
  type TObject,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { CursorWindow, Page } from '../../store/lists.ts';
import { type IdKind, tryParseId } from '../ids.ts';
import { Flag, formatId, record, text } from './fields.ts';

const cursor = text('The cursor of a record; "" when there is no such page.');

/** A page of these items. */
export function listOf<S extends TSchema>(
  title: string,
  item: S,
): TObject<{
  total: ReturnType<typeof Type.Integer>;
  data: TArray<S>;
  has_more: TUnsafe<'true' | 'false'>;
  starting_after: TString;
  ending_before: TString;
}> {
  return record(title, 'A page of a list.', {
    total: Type.Integer({ description: 'Number of matching records on all pages.' }),
    data: Type.Array(item, { description: 'The records of the page.' }),
    has_more: Flag,
    starting_after: cursor,
    ending_before: cursor,
  });
}

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.String({ maxLength: 10, description: '1 to 100; default: 25.' })),
  starting_after: Type.Optional(Type.String({ maxLength: 200, description: 'The page after this cursor.' })),
  ending_before: Type.Optional(Type.String({ maxLength: 200, description: 'The page before this cursor.' })),
});

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

/** A formatted page. */
export interface WrittenPage<W> {
  total: number;
  data: W[];
  has_more: 'true' | 'false';
  starting_after: string;
  ending_before: string;
}

/** Parses the query of a list. Refuses: `field_invalid` (a limit, or both cursors), `cursor_invalid`. */
export function parsePageRequest(kind: IdKind, query: Static<typeof PageQuery>): CursorWindow {
  const after = parseCursor(kind, 'starting_after', query.starting_after ?? '');
  const before = parseCursor(kind, 'ending_before', query.ending_before ?? '');
  if (after !== '' && before !== '') {
    throw refuse('field_invalid', {
      field: 'ending_before',
      message: 'send starting_after or ending_before, not both',
    });
  }
  return { kind: 'cursor', limit: parseLimit(query.limit), after, before };
}

/** Takes a page of a whole list that is ordered from the newest to the oldest. */
export function takePage<T extends { id: Id }>(list: readonly T[], request: CursorWindow): Page<T> {
  const { limit, after, before } = request;
  let from = 0;
  if (after !== '') {
    from = placeOf(list, (item) => item.id < after);
  } else if (before !== '') {
    from = Math.max(0, placeOf(list, (item) => item.id <= before) - limit);
  }
  const end = before === '' ? from + limit : placeOf(list, (item) => item.id <= before);
  const items = list.slice(from, end);
  return {
    items,
    total: list.length,
    hasNewer: from > 0,
    hasOlder: from + items.length < list.length,
  };
}

/** Formats a page: `has_more` refers to the direction of the query; a cursor is empty if there is no page. */
export function formatPage<T, W>(
  kind: IdKind,
  page: Page<T>,
  request: CursorWindow,
  view: (item: T) => W,
  idOf: (item: T) => Id,
): WrittenPage<W> {
  const first = page.items[0];
  const last = page.items.at(-1);
  return {
    total: page.total,
    data: page.items.map(view),
    has_more: (request.before === '' ? page.hasOlder : page.hasNewer) ? 'true' : 'false',
    starting_after: page.hasOlder && last !== undefined ? formatCursor(kind, idOf(last)) : '',
    ending_before: page.hasNewer && first !== undefined ? formatCursor(kind, idOf(first)) : '',
  };
}

function placeOf<T>(list: readonly T[], matches: (item: T) => boolean): number {
  const found = list.findIndex(matches);
  return found === -1 ? list.length : found;
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw refuse('field_invalid', {
      field: 'limit',
      message: `limit must be a whole number from 1 to ${MAX_LIMIT}`,
    });
  }
  return limit;
}

function formatCursor(kind: IdKind, id: Id): string {
  return Buffer.from(formatId(kind, id)).toString('base64');
}

function parseCursor(kind: IdKind, field: string, cursor: string): Id | '' {
  // A response has an empty cursor if there is no page, so a client may send one.
  if (cursor === '') return '';
  const id = tryParseId(kind, Buffer.from(cursor, 'base64').toString('latin1'));
  if (id === undefined) throw refuse('cursor_invalid', { field });
  return id;
}
