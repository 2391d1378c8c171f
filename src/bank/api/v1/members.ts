/**
 * A member of a business or of a family, with the whole record of its person. A new member names either a business or
 * a family, and either an existing person or a new one. A member that v2 created is not a person of the bank: its
 * person is formatted from the member's details and has no id. Older clients call the same operations under
 * `/v1/owner`, so each is written once and created for both paths.
 * Source: the member pages of the platform's v1 reference; decisions `member-ownership`, `member-details`,
 * `member-paths` and `v1-party-lists` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import { readAt, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { MemberCondition } from '../../model/filters.ts';
import type { Member as MemberRecord, Program } from '../../model/records.ts';
import type { Bank } from '../../verbs/bank.ts';
import type { MembershipChange, MemberWithPerson, NewMembership } from '../../verbs/inputs.ts';
import { as, codec, fields, plain } from '../codec.ts';
import { formatV1 } from '../ids.ts';
import { operation } from '../operation.ts';
import { viewV1 } from '../view.ts';
import {
  body,
  enumOf,
  IdText,
  METADATA,
  orNull,
  parseId,
  record,
  requireProgram,
  Text,
  Timestamp,
} from './fields.ts';
import {
  Filter,
  formatList,
  idFilter,
  listOf,
  listQuery,
  parseCommonFilters,
  parseWindow,
} from './paging.ts';
import { formatPerson, NewPersonBody, PERSON_EXAMPLE, Person, parseNewPerson } from './persons.ts';
import { formatKyc, Kyc } from './verification.ts';

const MEMBERSHIP = fields({
  isControlPerson: as('controlPerson', plain(Type.Boolean(), Type.Boolean())),
  ownership: as(
    'ownership',
    codec(
      Type.String({
        pattern: '^\\d{1,3}(\\.\\d{1,2})?$',
        description: 'a percentage from 0 to 100, like "50"',
      }),
      Type.String({
        description:
          'percent with two decimals, like "50.00"; "" for the person who made the business, until it is set',
      }),
      parseOwnership,
      // Hundredths of a percent have the format of cents. Decision `first-member` in docs/fidelity.md.
      (ownership: number | null) => (ownership === null ? '' : formatMoney(ownership)),
    ),
  ),
  title: as('title', plain(Type.String({ maxLength: 100 }), Text)),
});

export const Member = record('Member', 'A member of a business or of a family, with the person.', {
  id: IdText,
  businessId: IdText,
  familyId: IdText,
  ...MEMBERSHIP.outputs,
  person: Person,
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const MemberList = listOf('MemberList', Member);

const IdInput = Type.Optional(Type.String({ minLength: 1, maxLength: 60 }));
const Percent = Type.Optional(
  Type.String({ pattern: '^\\d{1,3}$', description: 'only members with this whole percentage' }),
);

const { ownership, title, isControlPerson } = MEMBERSHIP.changes;
const MEMBER_DETAILS = {
  ownership,
  title,
  designation: Type.Optional(Type.String({ maxLength: 100, description: 'Alias of title.' })),
  isControlPerson,
  ...METADATA.changes,
};

/** One of the two fields is required; `missing` is the message if both are missing. */
const oneOf = (first: string, second: string) => ({
  anyOf: [
    { required: [first], missing: { [first]: `${first} or ${second} is required` } },
    { required: [second] },
  ],
});

const NewMemberBody = Type.Object(
  {
    businessId: IdInput,
    familyId: IdInput,
    personId: IdInput,
    person: Type.Optional(orNull(NewPersonBody)),
    ...MEMBER_DETAILS,
  },
  {
    title: 'NewMember',
    description: 'The fields of a new member of a business or a family: an existing person or a new one.',
    additionalProperties: true,
    allOf: [oneOf('businessId', 'familyId'), oneOf('personId', 'person')],
  },
);

/** Fields that are not sent do not change. */
const MemberChangeBody = body(
  'MemberChange',
  'The fields of a member that can be updated; fields that are not sent keep their values.',
  MEMBER_DETAILS,
);

export const MemberQuery = listQuery({
  id: Filter,
  businessId: Filter,
  familyId: Filter,
  personId: Filter,
  isControlPerson: Type.Optional(enumOf(['true', 'false'])),
  minOwnership: Percent,
  maxOwnership: Percent,
});

type NewBody = Static<typeof NewMemberBody>;

const HUNDREDTHS = 100;
const WHOLE = 100 * HUNDREDTHS;

/** Parses a new member. Refuses: `field_invalid`, `phone_invalid`, `holder_not_found`, `family_not_found`. */
function parseNewMember(body: NewBody): NewMembership {
  return { of: parseOwner(body), person: parseMemberPerson(body), ...parseMemberChange(body) };
}

/** Parses a change of a member; fields that are not sent do not change. Refuses: `field_invalid`. */
function parseMemberChange(body: Static<typeof MemberChangeBody>): MembershipChange {
  const { title = body.designation } = body;
  return { ...MEMBERSHIP.parse({ ...body, title }), ...METADATA.parse(body) };
}

/** Parses the filters of the list. Refuses: `field_invalid`. */
function parseMemberFilters(query: Static<typeof MemberQuery>): MemberCondition[] {
  const { id, businessId, familyId, personId, isControlPerson, minOwnership, maxOwnership } = query;
  return [
    ...parseCommonFilters(query),
    ...idFilter('id', 'member', id),
    ...idFilter('holderId', 'business', businessId),
    ...idFilter('familyId', 'family', familyId),
    ...idFilter('personId', 'person', personId),
    ...(isControlPerson === undefined
      ? []
      : [on('isControlPerson', { is: isControlPerson === 'true' ? 1 : 0 })]),
    ...(minOwnership === undefined ? [] : [on('ownership', { from: Number(minOwnership) * HUNDREDTHS })]),
    ...(maxOwnership === undefined ? [] : [on('ownership', { to: Number(maxOwnership) * HUNDREDTHS })]),
  ];
}

function parseOwner({ businessId = '', familyId = '' }: NewBody): NewMembership['of'] {
  requireOne('businessId', businessId !== '', 'familyId', familyId !== '');
  return businessId === ''
    ? { familyId: parseId('family', familyId, 'familyId') }
    : { businessId: parseId('business', businessId, 'businessId') };
}

function parseMemberPerson({ personId = '', person = null }: NewBody): NewMembership['person'] {
  requireOne('personId', personId !== '', 'person', person !== null);
  return person === null
    ? parseId('person', personId, 'personId')
    : readAt('person', () => parseNewPerson(person));
}

function requireOne(field: string, hasFirst: boolean, other: string, hasSecond: boolean): void {
  if (hasFirst !== hasSecond) return;
  throw refuse('field_invalid', { field, message: `send either ${field} or ${other}, not both` });
}

function parseOwnership(text: string): number {
  const hundredths = Math.round(Number(text) * HUNDREDTHS);
  if (hundredths <= WHOLE) return hundredths;
  throw refuse('field_invalid', {
    field: 'ownership',
    message: `ownership must be a percentage from 0 to 100 with at most two decimals; got "${text}"`,
  });
}

export const MEMBER_VIEW = viewV1('member', formatMember);

/** Formats a member. */
export function formatMember({ member, person }: MemberWithPerson, program: Program): Static<typeof Member> {
  const { kyc: verification, idv, createdAt, updatedAt } = member;
  const nobody = { id: '', verification, idv, metadata: null, createdAt, updatedAt } as const;
  return {
    id: formatV1('member', member.id),
    businessId: formatV1('business', member.holderId ?? ''),
    familyId: formatV1('family', member.familyId ?? ''),
    ...MEMBERSHIP.format(member),
    person: formatPerson(person ?? { ...nobody, status: 'activated' }, member.person, program),
    ...METADATA.format(member),
    createdAt: formatInstant(createdAt),
    modifiedAt: formatInstant(updatedAt),
  };
}

/** The person record of a member. Refuses: `illegal_step` for a member without one. */
function requirePerson({ personId }: MemberRecord): Id {
  if (personId !== '') return personId;
  throw refuse('illegal_step', {
    message: 'this member has no person record in v1; it is verified with the business',
  });
}

function listMembers({ members, program }: Bank, query: Static<typeof MemberQuery>) {
  const page = members.list(parseMemberFilters(query), parseWindow(query));
  return formatList(page, (file) => formatMember(file, program));
}

/** A path of members, with the words in the ids and summaries of its operations. */
interface MemberPath {
  readonly path: string;
  readonly Name: string;
  readonly Names: string;
  readonly name: string;
  readonly names: string;
}

const MEMBERS = {
  path: '/v1/member',
  Name: 'Member',
  Names: 'Members',
  name: 'a member',
  names: 'members',
} as const satisfies MemberPath;

const OWNERS = {
  path: '/v1/owner',
  Name: 'Owner',
  Names: 'Owners',
  name: 'a member, at the older path',
  names: 'members, at the older path',
} as const satisfies MemberPath;

const createOperation = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `create${Name}` as `create${P['Name']}`,
    method: 'POST',
    path,
    summary: `Create ${name}`,
    description:
      'Adds a member to a business or a family: an existing person, or a new one that is created with it. Together, the members of a business can own at most 100 percent.',
    answer: 'The new member, with its person.',
    decisions: ['first-member', 'member-ownership', 'member-paths'],
    status: 201,
    refuses: ['holder_not_active', 'member_exists', 'phone_taken'],
    body: NewMemberBody,
    response: Member,
    example: {
      body: ({ seed }) => ({
        businessId: seed('new_business_id'),
        person: PERSON_EXAMPLE,
        ownership: '50',
        title: 'CEO',
        isControlPerson: true,
        metadata: { externalId: '9' },
      }),
    },
    run: ({ bank, show }, { body }) => show(MEMBER_VIEW, bank.members.create(parseNewMember(body))),
  });

const listOperation = <P extends MemberPath>({ path, Names, names }: P) =>
  operation({
    id: `list${Names}` as `list${P['Names']}`,
    method: 'GET',
    path,
    summary: `List ${names}`,
    description: 'Lists members with their persons, newest first. The filters select a business or a family.',
    answer: 'A page of members, newest first.',
    decisions: ['list-paging', 'member-paths'],
    status: 200,
    query: MemberQuery,
    response: MemberList,
    example: {
      query: ({ seed }) => ({ limit: '10', businessId: seed('business_id'), minOwnership: '25' }),
    },
    run: ({ bank }, { query }) => listMembers(bank, query),
  });

const retrieveOperation = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `retrieve${Name}` as `retrieve${P['Name']}`,
    method: 'GET',
    path: `${path}/:memberId`,
    summary: `Retrieve ${name}`,
    description: 'Retrieves a member of a business or a family with the whole record of its person.',
    answer: 'The member with its person.',
    decisions: ['member-paths'],
    status: 200,
    response: Member,
    run: ({ bank }, { params }) =>
      formatMember(bank.members.byId(parseId('member', params.memberId)), bank.program),
  });

const updateOperation = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `update${Name}` as `update${P['Name']}`,
    method: 'PATCH',
    path: `${path}/:memberId`,
    summary: `Update ${name}`,
    description:
      'Updates the title, the ownership, the control and the metadata of a member; fields that are not sent keep their values. Together, the members of a business can own at most 100 percent.',
    answer: 'The member after the change.',
    decisions: ['member-ownership', 'member-paths'],
    status: 200,
    body: MemberChangeBody,
    response: Member,
    example: {
      body: { ownership: '25.50', title: 'CFO', isControlPerson: false, metadata: { externalId: '10' } },
    },
    run({ bank, show }, { params, body }) {
      const id = parseId('member', params.memberId);
      return show(MEMBER_VIEW, bank.members.change(id, parseMemberChange(body)));
    },
  });

const submitKycOperation = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `submit${Name}Kyc` as `submit${P['Name']}Kyc`,
    method: 'POST',
    path: `${path}/:memberId/kyc`,
    summary: `Submit the KYC of ${name}`,
    description:
      'Submits the KYC of the person of a member, as `POST /v1/person/{personId}/kyc` does. The result follows later in the record and as an event.',
    answer: 'The KYC, submitted.',
    decisions: ['member-paths'],
    status: 201,
    refuses: ['details_missing', 'illegal_step'],
    response: Kyc,
    run({ bank }, { params }) {
      const { member } = bank.members.byId(parseId('member', params.memberId));
      return formatKyc(bank.holders.submitKyc(requirePerson(member), { async: true }).holder);
    },
  });

const retrieveKycOperation = <P extends MemberPath>({ path, Name, name }: P) =>
  operation({
    id: `retrieve${Name}Kyc` as `retrieve${P['Name']}Kyc`,
    method: 'GET',
    path: `${path}/:memberId/kyc`,
    summary: `Retrieve the KYC of ${name}`,
    description: 'Retrieves the status of the KYC of the person of a member, with the result of each check.',
    answer: "The KYC of the member's person.",
    decisions: ['member-paths'],
    status: 200,
    response: Kyc,
    run({ bank }, { params }) {
      const { member } = bank.members.byId(parseId('member', params.memberId));
      return formatKyc({ id: member.personId, verification: member.kyc, idv: member.idv });
    },
  });

export const MEMBER_OPERATIONS = [
  createOperation(MEMBERS),
  listOperation(MEMBERS),
  retrieveOperation(MEMBERS),
  updateOperation(MEMBERS),
  createOperation(OWNERS),
  listOperation(OWNERS),
  retrieveOperation(OWNERS),
  updateOperation(OWNERS),

  submitKycOperation(MEMBERS),
  retrieveKycOperation(MEMBERS),
  submitKycOperation(OWNERS),
  retrieveKycOperation(OWNERS),

  operation({
    id: 'listProgramMembers',
    method: 'GET',
    path: '/v1/program/:programId/member',
    summary: 'List the members of a program',
    description:
      'Lists the members of the program, newest first. A key belongs to one program, so the list is the same as that of `GET /v1/member`.',
    answer: 'A page of members, newest first.',
    decisions: ['list-paging', 'member-paths', 'v1-party-lists'],
    status: 200,
    query: MemberQuery,
    response: MemberList,
    example: {
      query: { isControlPerson: 'true' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listMembers(bank, query);
    },
  }),
] as const;
