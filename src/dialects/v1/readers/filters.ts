/**
 * Reads the filters of a list that many lists share: a text that is equal, an id in either spelling, a word of v1 that may
 * be several of the bank. A filter that names nothing finds nothing; an empty one asks nothing.
 * Source: the list filters of the platform's v1 reference.
 */
import type { Condition } from '../../../store/lists.ts';
import { type IdKind, parseId } from '../../identifiers.ts';
import { bankWords, SOLID_CARD, SOLID_CARD_RAILS, TRANSFER_TYPES } from '../vocabulary.ts';

/** For each parameter of the query the field of the record that must equal it. */
export function textFilters<Q extends object>(
  query: Q,
  fields: Readonly<Partial<Record<keyof Q, string>>>,
): Condition[] {
  return (Object.entries(fields) as [keyof Q, string][]).flatMap(([name, field]) => {
    const text = query[name];
    return typeof text === 'string' && text !== '' ? [{ field, is: text }] : [];
  });
}

/** The record whose `field` is this id. */
export function idFilter(field: string, kind: IdKind, text: string | undefined): Condition[] {
  if (text === undefined || text === '') return [];
  const id = parseId(kind, text);
  return [id === undefined ? { field, oneOf: [] } : { field, is: id }];
}

/** What belongs to this business: an id of v2 may be that of a person. */
export function businessFilter(text: string | undefined): Condition[] {
  const own = idFilter('holderId', 'business', text);
  return own.length === 0 ? [] : [...own, { field: 'holderType', is: 'business' }];
}

/** Records in one of the bank's states that v1 calls by this word. */
export function wordFilter<Bank extends string>(
  field: string,
  table: Readonly<Record<Bank, string>>,
  word: string | undefined,
): Condition[] {
  return word === undefined ? [] : [{ field, oneOf: bankWords(table, word) }];
}

/** Movements of this type of transfer: a card that is sent as money is one of its own within the bank. */
export function transferTypeFilter(word: string | undefined): Condition[] {
  if (word === SOLID_CARD) return [{ field: 'rail', oneOf: SOLID_CARD_RAILS }];
  const own = wordFilter('method', TRANSFER_TYPES, word);
  if (word !== TRANSFER_TYPES.intra_account) return own;
  return [...own, ...SOLID_CARD_RAILS.map((rail) => ({ field: 'rail', not: rail }))];
}
