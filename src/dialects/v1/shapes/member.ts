/**
 * A member of a business or of a family, with the whole record of its person. A new one names one of a business and a
 * family, and one of a person that there is and a new one.
 * Source: the member pages of the platform's v1 reference; rows 140 and 149 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Filter, listOf, listQuery } from '../paging.ts';
import { NewPersonBody, Person } from './person.ts';
import { body, IdText, Metadata, MetadataInput, orNull, record, Text, Timestamp, wordOf } from './scalars.ts';

export const Member = record('Member', 'A member of a business or of a family, with its person.', {
  id: IdText,
  businessId: IdText,
  familyId: IdText,
  isControlPerson: Type.Boolean(),
  ownership: Type.String({ description: 'percent with two decimals, like "50.00"' }),
  title: Text,
  person: Person,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const MemberList = listOf('MemberList', Member);

const IdInput = Type.Optional(
  Type.String({ minLength: 1, maxLength: 60, description: 'the id of the record' }),
);
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
    businessId: IdInput,
    familyId: IdInput,
    personId: IdInput,
    person: Type.Optional(orNull(NewPersonBody)),
    ...details,
  },
  {
    title: 'NewMember',
    description: 'What makes a member: of a business or a family, of a person that there is or a new one.',
    additionalProperties: true,
    allOf: [oneOf('businessId', 'familyId'), oneOf('personId', 'person')],
  },
);

/** What is left out stays. */
export const MemberChangeBody = body(
  'MemberChange',
  'What of a member can be changed; what is left out stays.',
  details,
);

export const MemberQuery = listQuery({
  id: Filter,
  businessId: Filter,
  familyId: Filter,
  personId: Filter,
  isControlPerson: Type.Optional(wordOf(['true', 'false'])),
  minOwnership: Percent,
  maxOwnership: Percent,
});
