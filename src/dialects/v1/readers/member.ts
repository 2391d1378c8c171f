/**
 * Reads a new member, the change of one, and the filters of their list. An empty id is one that was not sent, as in the
 * record.
 * Source: the member pages of the platform's v1 reference; rows 140 and 149 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { MembershipChange, NewMembership } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Condition } from '../../../store/lists.ts';
import { readCommonFilters } from '../paging.ts';
import type { MemberChangeBody, MemberQuery, NewMemberBody } from '../shapes/member.ts';
import { idFilter } from './filters.ts';
import { readId } from './ids.ts';
import { readNewPerson } from './person.ts';
import { sent } from './values.ts';

type NewBody = Static<typeof NewMemberBody>;

const HUNDREDTHS = 100;
const WHOLE = 100 * HUNDREDTHS;

/** Refuses: `field_invalid`, `phone_invalid`, `holder_not_found`, `family_not_found`. */
export function readNewMember(body: NewBody): NewMembership {
  return { of: readOwner(body), person: readWho(body), ...readMemberChange(body) };
}

/** What is not sent stays. Refuses: `field_invalid`. */
export function readMemberChange(body: Static<typeof MemberChangeBody>): MembershipChange {
  const { ownership, isControlPerson, metadata } = body;
  return {
    ...sent(body, ['title']),
    ...(ownership !== undefined && { ownership: readOwnership(ownership) }),
    ...(isControlPerson !== undefined && { controlPerson: isControlPerson }),
    ...(metadata != null && { metadata }),
  };
}

/** What a member must be to be in the list. Refuses: `field_invalid`. */
export function readMemberFilters(query: Static<typeof MemberQuery>): Condition[] {
  const { id, businessId, familyId, personId, isControlPerson, minOwnership, maxOwnership } = query;
  return [
    ...readCommonFilters(query),
    ...idFilter('id', 'member', id),
    ...idFilter('holderId', 'business', businessId),
    ...idFilter('familyId', 'family', familyId),
    ...idFilter('personId', 'person', personId),
    ...(isControlPerson === undefined
      ? []
      : [{ field: 'controlPerson', is: isControlPerson === 'true' ? 1 : 0 }]),
    ...(minOwnership === undefined ? [] : [{ field: 'ownership', from: Number(minOwnership) * HUNDREDTHS }]),
    ...(maxOwnership === undefined ? [] : [{ field: 'ownership', to: Number(maxOwnership) * HUNDREDTHS }]),
  ];
}

function readOwner({ businessId = '', familyId = '' }: NewBody): NewMembership['of'] {
  requireOne('businessId', businessId !== '', 'familyId', familyId !== '');
  return businessId === ''
    ? { familyId: readId('family', familyId, 'familyId') }
    : { businessId: readId('business', businessId, 'businessId') };
}

function readWho({ personId = '', person = null }: NewBody): NewMembership['person'] {
  requireOne('personId', personId !== '', 'person', person !== null);
  return person === null ? readId('person', personId, 'personId') : readNewPerson(person);
}

function requireOne(field: string, hasFirst: boolean, other: string, hasSecond: boolean): void {
  if (hasFirst !== hasSecond) return;
  throw refuse('field_invalid', { field, message: `${field} or ${other} is to be sent, and not both` });
}

function readOwnership(text: string): number {
  const hundredths = Math.round(Number(text) * HUNDREDTHS);
  if (hundredths <= WHOLE) return hundredths;
  throw refuse('field_invalid', {
    field: 'ownership',
    message: `ownership is a percentage from 0 to 100 with at most two decimals; got "${text}"`,
  });
}
