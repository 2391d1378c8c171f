/**
 * Reads a new family, the change of one, and the filters of their list.
 * Source: the family pages of the platform's v1 reference; row 143 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { FamilyChange, NewFamily } from '../../../bank/inputs.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../identifiers.ts';
import { readCommonFilters } from '../paging.ts';
import type { FamilyChangeBody, FamilyQuery, NewFamilyBody } from '../shapes/family.ts';
import { FAMILY_STATUSES } from '../vocabulary.ts';
import { readAddressOrNull } from './address.ts';
import { idFilter, textFilters, wordFilter } from './filters.ts';
import { readEmail, readPhone, sent } from './values.ts';

/** A family that is made on behalf of a person, `''` for nobody. Refuses: `field_invalid`, `phone_invalid`. */
export function readNewFamily(createdBy: Id | '', body: Static<typeof NewFamilyBody>): NewFamily {
  return { name: body.name, ...readFamilyChange(body), ...(createdBy !== '' && { createdBy }) };
}

/** What is not sent stays. Refuses: `field_invalid`, `phone_invalid`. */
export function readFamilyChange(body: Static<typeof FamilyChangeBody>): FamilyChange {
  const { phone, email, address, metadata } = body;
  return {
    ...sent(body, ['name']),
    ...(phone !== undefined && { phone: readPhone('phone', phone) }),
    ...(email !== undefined && { email: readEmail('email', email) }),
    ...(address !== undefined && { address: readAddressOrNull(address) }),
    ...(metadata != null && { metadata }),
  };
}

/** What a family must be to be in the list; `familiesOf` answers those of a person. Refuses: `field_invalid`. */
export function readFamilyFilters(
  query: Static<typeof FamilyQuery>,
  familiesOf: (personId: Id) => Id[],
): Condition[] {
  const { id, personId = '', status } = query;
  const person = parseId('person', personId);
  return [
    ...readCommonFilters(query),
    ...idFilter('id', 'family', id),
    ...textFilters(query, { phone: 'phone', email: 'email' }),
    ...wordFilter('status', FAMILY_STATUSES, status),
    ...(personId === '' ? [] : [{ field: 'id', oneOf: person === undefined ? [] : familiesOf(person) }]),
  ];
}
