/**
 * Where v1's ids need more than the table of prefixes: one holder has three fields on the wire, of which exactly one
 * is set, and the answer to a real-time question is named after the rail that asked.
 * Source: the platform's v1 reference (records of transaction and account; real-time authorization of cards and ACH).
 */
import type { Id } from '../../kernel/sequence.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import { spellV1 } from '../identifiers.ts';

/** The owner fields of a record: what does not apply is `''`. What belongs to a family is nobody's else. */
export function spellOwner(type: HolderType | null, id: Id | null, family: Id | '' = '') {
  const owner = family === '' ? (id ?? '') : '';
  return {
    personId: type === 'person' ? spellV1('person', owner) : '',
    businessId: type === 'business' ? spellV1('business', owner) : '',
    familyId: spellV1('family', family),
  };
}

/** The question that was asked about an ACH debit, as `aar-`; the same of a card is `car-`. */
export function spellAchAuthorization(id: Id | ''): string {
  return spellV1('authorization', id).replace('car-', 'aar-');
}
