/**
 * A person with its KYC: the bodies that create and change one, the list, and the operations. The fields that a KYC
 * requires are optional until the KYC is submitted. A phone belongs to one person, and a verified name cannot be
 * changed. An empty string clears a field. In responses the phone is verified and the email is not, as in every
 * sample.
 * Source: the person object, "create a person" and "update a person" of the platform's v1 reference; decisions
 * `shared-records`, `v1-person-fields`, `unmatched-filters`, `verified-name`, `unique-phone`, `inactive-holder` and
 * `v1-error-codes` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { HolderCondition } from '../../model/filters.ts';
import { BLANK_PERSON, requireSsnOfV1 } from '../../model/people.ts';
import type { Holder, Person as PersonRecord, Program } from '../../model/records.ts';
import type { Bank } from '../../verbs/bank.ts';
import type { HolderChange, HolderWithMembers, NewHolder } from '../../verbs/inputs.ts';
import { as, codec, constant, fields, plain } from '../codec.ts';
import { formatV1 } from '../ids.ts';
import { operation } from '../operation.ts';
import { viewV1 } from '../view.ts';
import { ADDRESS } from './examples.ts';
import {
  addressCodec,
  body,
  dateCodec,
  EMAIL,
  emailCodec,
  enumOf,
  filledText,
  IdNumber,
  IdText,
  keptWordCodec,
  METADATA,
  parseId,
  phoneCodec,
  record,
  requireProgram,
  Text,
  Timestamp,
  text,
} from './fields.ts';
import {
  Filter,
  formatList,
  idFilter,
  listOf,
  listQuery,
  parseCommonFilters,
  parseWindow,
  textFilters,
  wordFilter,
} from './paging.ts';
import { type Checked, formatIdv, formatKyc, Idv, IdvBody, Kyc } from './verification.ts';
import {
  HOLDER_STATUS_CHANGES,
  HOLDER_STATUSES,
  PERSON_ID_TYPES,
  VERIFICATION_STATUSES,
} from './vocabulary.ts';

const STATUSES = [...new Set(Object.values(HOLDER_STATUSES))];

const name = plain(filledText(100), Text);
const DETAILS = fields(
  {
    firstName: as('firstName', name),
    middleName: as('middleName', plain(Type.String({ maxLength: 100 }), Text)),
    lastName: as('lastName', name),
    phone: as(
      'phone',
      phoneCodec(Type.String({ minLength: 1, maxLength: 16, description: 'E.164 with a leading +' })),
    ),
    phoneVerified: constant(Type.Boolean(), true),
    email: as('email', emailCodec(Type.String({ minLength: 1, maxLength: 100, ...EMAIL }))),
    emailVerified: constant(Type.Boolean(), false),
    dateOfBirth: as('dateOfBirth', dateCodec),
    idType: as('idType', keptWordCodec(PERSON_ID_TYPES)),
    idNumber: as(
      'idNumber',
      codec(
        Type.String({
          maxLength: 50,
          description: '9 to 50 characters, or the last four of a social security number',
        }),
        IdNumber,
        parseIdNumber,
        (number: string) => number,
      ),
    ),
    address: as('address', addressCodec('mailing')),
  },
  ['firstName', 'lastName', 'phone', 'email'],
);

export const Person = record('Person', 'A person, with its verification.', {
  id: IdText,
  ...DETAILS.outputs,
  kyc: Kyc,
  programId: IdText,
  status: enumOf(STATUSES),
  language: text('Two letters, ISO 639-1.'),
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const PersonList = listOf('PersonList', Person);

export const NewPersonBody = body('NewPerson', 'The fields of a new person.', {
  ...DETAILS.inputs,
  ...METADATA.inputs,
});

/** Fields that are not sent do not change. */
const PersonChangeBody = body(
  'PersonChange',
  'The fields of a person that can be updated; fields that are not sent keep their values.',
  {
    ...DETAILS.changes,
    ...METADATA.changes,
    status: Type.Optional(enumOf(HOLDER_STATUS_CHANGES.words)),
  },
);

const PersonQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  idNumber: Filter,
  status: Type.Optional(enumOf(STATUSES)),
  kycstatus: Type.Optional(enumOf(Object.values(VERIFICATION_STATUSES))),
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only persons whose full name contains this text.' }),
  ),
});

type ChangeBody = Static<typeof PersonChangeBody>;

const SHORTEST_ID_NUMBER = 9;
const LAST_FOUR = /^\d{4}$/;

/** Parses a new person. Refuses: `field_invalid`, `phone_invalid`. */
export function parseNewPerson(body: Static<typeof NewPersonBody>): NewHolder {
  const person = { ...BLANK_PERSON, ...DETAILS.parse(body) };
  requireSsnOfV1(null, person);
  return {
    person,
    ...METADATA.parse(body),
    uniquePhone: true,
  };
}

/** Parses a change of a person, given the current record. Refuses: `field_invalid`, `phone_invalid`. */
function parsePersonChange(body: ChangeBody, { status: present, person }: Holder): HolderChange {
  const { status } = body;
  const details = DETAILS.parse(body);
  requireSsnOfV1(person, { ...BLANK_PERSON, ...person, ...details });
  return {
    ...(Object.keys(details).length > 0 && { person: details }),
    ...METADATA.parse(body),
    // Several states of the bank have the same word in v1; requesting the current word changes nothing.
    ...(status !== undefined &&
      status !== HOLDER_STATUSES[present] && { status: HOLDER_STATUS_CHANGES.parse(status) }),
    uniquePhone: true,
    lockNames: true,
  };
}

/** Parses the filters of the list. Refuses: `field_invalid`. */
function parsePersonFilters(query: Static<typeof PersonQuery>): HolderCondition[] {
  return [
    on('type', { is: 'person' }),
    ...parseCommonFilters(query),
    ...idFilter('id', 'person', query.id),
    ...textFilters(query, { phone: 'personPhone', email: 'personEmail', idNumber: 'idNumber' }),
    ...wordFilter('status', HOLDER_STATUSES, query.status),
    ...wordFilter('verificationStatus', VERIFICATION_STATUSES, query.kycstatus),
    ...(query.query ? [on('name', { contains: query.query })] : []),
  ];
}

function parseIdNumber(text: string): string {
  if (text === '' || text.trim().length >= SHORTEST_ID_NUMBER || LAST_FOUR.test(text)) return text;
  throw refuse('field_invalid', {
    field: 'idNumber',
    // The number itself must not appear in a response or a log.
    message: 'idNumber has 9 to 50 characters, or is the last four digits of a social security number',
  });
}

type PersonHolder = Checked & Pick<Holder, 'metadata' | 'status' | 'createdAt' | 'updatedAt'>;

export const PERSON_VIEW = viewV1('person', formatPersonHolder);

/** Formats a holder as a person. Refuses: `holder_not_found` for a business. */
function formatPersonHolder({ holder }: HolderWithMembers, program: Program): Static<typeof Person> {
  if (holder.person === null) throw refuse('holder_not_found');
  return formatPerson(holder, holder.person, program);
}

/** Formats a person. */
export function formatPerson(
  holder: PersonHolder,
  person: PersonRecord,
  program: Program,
): Static<typeof Person> {
  return {
    id: formatV1('person', holder.id),
    ...DETAILS.format(person),
    kyc: formatKyc(holder),
    programId: formatV1('program', program.programId),
    status: HOLDER_STATUSES[holder.status],
    language: 'en',
    ...METADATA.format(holder),
    createdAt: formatInstant(holder.createdAt),
    modifiedAt: formatInstant(holder.updatedAt),
  };
}

/** The person in a path. Refuses: `holder_not_found`, also for a business, whose id has the same format. */
function findPerson({ holders }: Bank, text: string): HolderWithMembers {
  const file = holders.byId(parseId('person', text));
  if (file.holder.type !== 'person') throw refuse('holder_not_found');
  return file;
}

/** A page of the persons that match a query. Refuses: `field_invalid`. */
function listPersons(
  { holders, program }: Bank,
  query: Static<typeof PersonQuery>,
): Static<typeof PersonList> {
  const page = holders.list(parsePersonFilters(query), parseWindow(query));
  return formatList(page, (file) => formatPersonHolder(file, program));
}

export const PERSON_EXAMPLE: Static<typeof NewPersonBody> = {
  firstName: 'Mara',
  middleName: '',
  lastName: 'Quill',
  phone: '+15555555555',
  email: 'mara@quill.example',
  dateOfBirth: '1988-03-14',
  idType: 'ssn',
  idNumber: '999999999',
  address: { ...ADDRESS, addressType: 'mailing' },
  metadata: { externalId: '41' },
};

export const PERSON_OPERATIONS = [
  operation({
    id: 'createPerson',
    method: 'POST',
    path: '/v1/person',
    summary: 'Create a person',
    description:
      'Creates a person. The KYC is not started; submit it separately. A phone number can belong to only one person.',
    answer: 'The new person; the KYC is not started.',
    decisions: ['person-header', 'shared-records', 'unique-phone', 'v1-person-fields'],
    status: 201,
    refuses: ['phone_taken'],
    body: NewPersonBody,
    response: Person,
    example: { body: PERSON_EXAMPLE },
    run: ({ bank, show }, { body }) => show(PERSON_VIEW, bank.holders.create(parseNewPerson(body))),
  }),

  operation({
    id: 'listPersons',
    method: 'GET',
    path: '/v1/person',
    summary: 'Retrieve the person of the header, or list persons',
    description:
      'Retrieves the person of `sd-person-id`. Without the header it lists the persons of the program, newest first.',
    answer: 'The person of the header, or a page of persons.',
    decisions: ['list-paging', 'person-list-or-self', 'unmatched-filters'],
    status: 200,
    query: PersonQuery,
    response: Type.Union([PersonList, Person]),
    example: {
      query: { offset: '0', limit: '10', status: 'active', kycstatus: 'approved', query: '' },
    },
    run: ({ bank, personId }, { query }) =>
      personId === ''
        ? listPersons(bank, query)
        : formatPersonHolder(bank.holders.byId(personId), bank.program),
  }),

  operation({
    id: 'retrievePerson',
    method: 'GET',
    path: '/v1/person/:personId',
    summary: 'Retrieve a person',
    description: 'Retrieves a person with the status and the results of the KYC.',
    answer: 'The person with the KYC.',
    decisions: ['shared-records'],
    status: 200,
    response: Person,
    run: ({ bank }, { params }) => formatPersonHolder(findPerson(bank, params.personId), bank.program),
  }),

  operation({
    id: 'updatePerson',
    method: 'PATCH',
    path: '/v1/person/:personId',
    summary: 'Update a person',
    description:
      'Updates fields of a person; fields that are not sent keep their values. First and last name cannot change after the KYC was approved.',
    answer: 'The person after the change.',
    decisions: ['holder-status-changes', 'verified-name', 'unique-phone', 'v1-person-fields'],
    status: 200,
    refuses: ['phone_taken', 'name_locked', 'holder_not_verified', 'illegal_step'],
    body: PersonChangeBody,
    response: Person,
    example: {
      params: ({ seed }) => ({ personId: seed('new_person_id') }),
      body: { ...PERSON_EXAMPLE, email: 'mara.quill@quill.example', status: 'active' },
    },
    run({ bank, show }, { params, body }) {
      const { holder } = findPerson(bank, params.personId);
      return show(PERSON_VIEW, bank.holders.change(holder.id, parsePersonChange(body, holder)));
    },
  }),

  operation({
    id: 'submitPersonKyc',
    method: 'POST',
    path: '/v1/person/:personId/kyc',
    summary: 'Submit a KYC',
    description:
      'Submits the KYC of a person. The response says `submitted`, and the result follows later in the record and as an event. The first digit of the id number decides: 0 fails, 1 leaves the KYC in review, 2 to 9 pass. The request has no body.',
    answer: 'The KYC, submitted.',
    decisions: ['v1-kyc-timing', 'verification-digits', 'v1-kyc-needs'],
    status: 201,
    refuses: ['details_missing', 'illegal_step'],
    response: Kyc,
    example: {
      params: ({ seed }) => ({ personId: seed('new_person_id') }),
    },
    run: ({ bank }, { params }) =>
      formatKyc(bank.holders.submitKyc(findPerson(bank, params.personId).holder.id, { async: true }).holder),
  }),

  operation({
    id: 'retrievePersonKyc',
    method: 'GET',
    path: '/v1/person/:personId/kyc',
    summary: 'Retrieve a KYC',
    description:
      'Retrieves the status of the KYC of a person, with the result of each check. Poll it, or wait for the event, after the KYC was submitted.',
    answer: 'The KYC of the person.',
    decisions: ['v1-kyc-timing'],
    status: 200,
    response: Kyc,
    run: ({ bank }, { params }) => formatKyc(findPerson(bank, params.personId).holder),
  }),

  operation({
    id: 'submitPersonIdv',
    method: 'POST',
    path: '/v1/person/:personId/idv',
    summary: 'Submit an IDV',
    description:
      "Starts the verification of a person's identity document. The response has the URL of the page for the person. With the `action` `resume`, or while a check is pending, the current check is returned; `new` starts another.",
    answer: 'The check, with the page for the person.',
    decisions: ['idv-life'],
    status: 201,
    refuses: ['illegal_step'],
    body: IdvBody,
    response: Idv,
    example: {
      body: { action: 'new' },
    },
    run({ bank }, { params, body }) {
      const { id } = findPerson(bank, params.personId).holder;
      return formatIdv(bank.holders.submitIdv(id, body.action), bank.program);
    },
  }),

  operation({
    id: 'listProgramPersons',
    method: 'GET',
    path: '/v1/program/:programId/person',
    summary: 'List the persons of a program',
    description:
      'Lists the persons of the program, newest first. The header `sd-person-id` does not limit the list.',
    answer: 'A page of persons, newest first.',
    decisions: ['list-paging', 'unmatched-filters'],
    status: 200,
    query: PersonQuery,
    response: PersonList,
    example: {
      query: { offset: '0', limit: '10', startTime: '2020-01-01T00:00:00Z', status: 'active' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listPersons(bank, query);
    },
  }),
] as const;
