/**
 * The lists of v1: an offset and a limit, newest first, and common filters. Query values are strings and are not
 * coerced. An empty filter has no effect; a filter by an unknown value matches nothing. A word of v1 may stand for
 * several states of the bank.
 * Source: pagination and the list filters of the platform's v1 reference; decision `list-paging` in docs/fidelity.md.
 */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import { parseInstant } from '../../kernel/time.ts';
import { type Condition, on } from '../../model/conditions.ts';
import type { CommonCondition } from '../../model/filters.ts';
import type { OffsetWindow, Page } from '../../store/lists.ts';
import { type IdKind, tryParseId } from '../ids.ts';
import { record } from './fields.ts';
import { bankWords, SOLID_CARD, SOLID_CARD_RAILS, TRANSFER_TYPES } from './vocabulary.ts';

const DEFAULT_LIMIT = 25;
/** The maximum page length; a higher `limit` is reduced to it. */
export const MAX_LIMIT = 100;
const MAX_OFFSET = 1_000_000_000;
const TEXT_LENGTH = 200;

/** A text parameter of a query. */
export const Filter = Type.Optional(Type.String({ maxLength: TEXT_LENGTH }));
const TimeFilter = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, description: `${description}, like 2026-11-20T18:00:00Z` }));

const WINDOW = {
  offset: Type.Optional(
    Type.String({ maxLength: 10, description: 'Number of records to skip; default: 0.' }),
  ),
  limit: Type.Optional(
    Type.String({ maxLength: 10, description: '1 to 100; a larger number counts as 100; default: 25.' }),
  ),
};

/** The common filters of records with metadata. */
const COMMON = {
  startTime: TimeFilter('Created at this time or later'),
  endTime: TimeFilter('Created at this time or earlier'),
  modifiedStartTime: TimeFilter('Changed at this time or later'),
  modifiedEndTime: TimeFilter('Changed at this time or earlier'),
  externalId: Filter,
  'metadata.query': Filter,
};

/** The query of a list with the common filters and these. */
export function listQuery<P extends TProperties>(filters: P) {
  return Type.Object({ ...WINDOW, ...COMMON, ...filters });
}

/** The same for a list that also accepts `metadata.<key>`, which filters by one key-value pair. */
export function listQueryWithPairs<P extends TProperties>(filters: P) {
  return Type.Object({ ...WINDOW, ...COMMON, ...filters }, { patternProperties: { '^metadata\\.': {} } });
}

/** The query of a list without the common filters. */
export function plainListQuery<P extends TProperties>(filters: P) {
  return Type.Object({ ...WINDOW, ...filters });
}

/** The shape of a list. */
export function listOf<S extends TSchema>(title: string, item: S) {
  return record(title, 'A page of a list.', {
    total: Type.Integer({ description: 'Number of matching records on all pages.' }),
    data: Type.Array(item, { description: 'The records of the page.' }),
  });
}

type WindowQuery = Partial<Record<keyof typeof WINDOW, string>>;
type CommonQuery = Partial<Record<keyof typeof COMMON, string>>;

/** Parses `offset` and `limit`. Refuses: `field_invalid`. */
export function parseWindow(query: WindowQuery): OffsetWindow {
  return {
    kind: 'offset',
    offset: parseNumber('offset', query.offset, 0, 0, MAX_OFFSET),
    limit: Math.min(parseNumber('limit', query.limit, DEFAULT_LIMIT, 1, Number.MAX_SAFE_INTEGER), MAX_LIMIT),
  };
}

/** Parses the common filters. Refuses: `field_invalid` for an invalid time. */
export function parseCommonFilters(query: CommonQuery): CommonCondition[] {
  const times = [
    ['startTime', 'createdAt', 'from'],
    ['endTime', 'createdAt', 'to'],
    ['modifiedStartTime', 'updatedAt', 'from'],
    ['modifiedEndTime', 'updatedAt', 'to'],
  ] as const;
  const conditions: CommonCondition[] = [];
  for (const [name, field, operator] of times) {
    const text = query[name];
    if (text === undefined || text === '') continue;
    const instant = parseTime(name, text);
    // Responses contain whole seconds, so a second in a filter includes all of it.
    conditions.push(operator === 'from' ? on(field, { from: instant }) : on(field, { to: instant + 999 }));
  }
  if (query.externalId) conditions.push(on('externalId', { is: query.externalId }));
  if (query['metadata.query']) conditions.push(on('metadata', { contains: query['metadata.query'] }));
  return conditions;
}

function parseTime(field: string, text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw refuse('field_invalid', {
      field,
      message: `${field} must be a time like 2026-11-20T18:00:00Z; got "${text}"`,
    });
  }
  return Math.floor(instant / 1000) * 1000;
}

function parseNumber(
  field: string,
  text: string | undefined,
  unset: number,
  min: number,
  max: number,
): number {
  if (text === undefined || text === '') return unset;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = max > MAX_OFFSET ? `of ${min} or more` : `from ${min} to ${max}`;
  throw refuse('field_invalid', { field, message: `${field} must be a whole number ${range}` });
}

/** Maps query parameters to filters that must be equal. */
export function textFilters<Q extends object, const T extends Readonly<Partial<Record<keyof Q, string>>>>(
  query: Q,
  filters: T,
): Condition<Extract<T[keyof T], string>>[] {
  type F = Extract<T[keyof T], string>;
  return (Object.entries(filters) as [keyof Q, F][]).flatMap(([name, filter]) => {
    const text = query[name];
    return typeof text === 'string' && text !== '' ? [on(filter, { is: text })] : [];
  });
}

/** A filter by the id in `field`. */
export function idFilter<const F extends string>(
  field: F,
  kind: IdKind,
  text: string | undefined,
): Condition<F>[] {
  if (text === undefined || text === '') return [];
  const id = tryParseId(kind, text);
  return [id === undefined ? on(field, { oneOf: [] }) : on(field, { is: id })];
}

/** A filter by a business; in v2 an id of the same format may belong to a person. */
export function businessFilter(text: string | undefined): Condition<'holderId' | 'holderType'>[] {
  const own = idFilter('holderId', 'business', text);
  return own.length === 0 ? [] : [...own, on('holderType', { is: 'business' })];
}

/** A filter by a v1 word, which may stand for several states of the bank. */
export function wordFilter<Bank extends string, const F extends string>(
  field: F,
  table: Readonly<Record<Bank, string>>,
  word: string | undefined,
): Condition<F>[] {
  return word === undefined ? [] : [on(field, { oneOf: bankWords(table, word) })];
}

/** A filter by transfer type; a card that is sent as money has a separate type within the bank. */
export function transferTypeFilter(word: string | undefined): Condition<'rail' | 'method'>[] {
  if (word === SOLID_CARD) return [on('rail', { oneOf: SOLID_CARD_RAILS })];
  const own = wordFilter('method', TRANSFER_TYPES, word);
  if (word !== TRANSFER_TYPES.intra_account) return own;
  return [...own, ...SOLID_CARD_RAILS.map((rail) => on('rail', { not: rail }))];
}

/** Formats a page. */
export function formatList<T, W>(
  page: Pick<Page<T>, 'items' | 'total'>,
  format: (item: T) => W,
): { total: number; data: W[] } {
  return { total: page.total, data: page.items.map(format) };
}
