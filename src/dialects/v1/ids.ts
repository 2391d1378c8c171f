/**
 * Where v1's ids need more than the table of prefixes: an owner has three fields on the wire, and the answer to a
 * real-time question is named after the rail that asked.
 * Source: the platform's v1 reference (records of transaction and account; real-time authorization of cards and ACH);
 * row 220 of docs/fidelity.md.
 */
import type { Id } from '../../kernel/sequence.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import { spellV1 } from '../identifiers.ts';

/** Whose a record is in the bank. */
interface Owned {
  readonly holderType: HolderType | null;
  readonly holderId: Id | null;
  readonly familyId: Id | '';
}

/** The owner fields of a record: the business or the family, if it is one's, and beside it the person. */
export function spellOwner({ holderType, holderId, familyId }: Owned, personId: Id | '') {
  return {
    personId: spellV1('person', personId),
    businessId: holderType === 'business' ? spellV1('business', holderId ?? '') : '',
    familyId: spellV1('family', familyId),
  };
}

/** The question that was asked about an ACH debit, as `aar-`; the same of a card is `car-`. */
export function spellAchAuthorization(id: Id | ''): string {
  return spellV1('authorization', id).replace('car-', 'aar-');
}
