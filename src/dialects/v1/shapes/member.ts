/**
 * A member of a business or of a family, with the whole record of its person. A new one names one of a business and a
 * family, and one of a person that there is and a new one.
 * Source: the member pages of the platform's v1 reference; rows 140 and 149 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Filter, listOf, listQuery } from '../paging.ts';
import { NewPersonBody, Person } from './person.ts';
import { body, Metadata, MetadataInput, orNull, record, Text, Timestamp, wordOf } from './scalars.ts';

export const Member = record('Member', {
  id: Text,
  businessId: Text,
  familyId: Text,
  isControlPerson: Type.Boolean(),
  ownership: Type.String({ description: 'percent with two decimals, like "50.00"' }),
  title: Text,
  person: Person,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const MemberList = listOf('MemberList', Member);

const IdText = Type.Optional(Type.String({ minLength: 1, maxLength: 60 }));
const Percent = Type.Optional(Type.String({ pattern: '^\\d{1,3}$', description: 'whole percent' }));

const details = {
  ownership: Type.Optional(
    Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,2})?$', description: 'percent, like "50"' }),
  ),
  title: Type.Optional(Type.String({ maxLength: 100 })),
  isControlPerson: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(orNull(MetadataInput)),
};

/** One of the two is required, with what is said when neither is there. */
const oneOf = (first: string, second: string) => ({
  anyOf: [
    { required: [first], missing: { [first]: `${first} or ${second} is required` } },
    { required: [second] },
  ],
});

export const NewMemberBody = Type.Object(
  {
    businessId: IdText,
    familyId: IdText,
    personId: IdText,
    person: Type.Optional(orNull(NewPersonBody)),
    ...details,
  },
  {
    title: 'NewMember',
    additionalProperties: true,
    allOf: [oneOf('businessId', 'familyId'), oneOf('personId', 'person')],
  },
);

/** What is left out stays. */
export const MemberChangeBody = body('MemberChange', details);

export const MemberQuery = listQuery({
  id: Filter,
  businessId: Filter,
  familyId: Filter,
  personId: Filter,
  isControlPerson: Type.Optional(wordOf(['true', 'false'])),
  minOwnership: Percent,
  maxOwnership: Percent,
});
