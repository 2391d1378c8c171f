/**
 * Sub account holders in v2: a person with its KYC, or a business with its KYB and members. A response has both
 * `person` and `business`, one of which is `null`; of a body, only the object of the holder's type is used.
 * Source: the sub account holder record and operations of the platform's v2 reference; decisions
 * `holder-status-changes`, `holder-update` and `unmatched-filters` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { readAt, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { HolderCondition } from '../../model/filters.ts';
import type { Program } from '../../model/records.ts';
import { HOLDER_STATUSES, HOLDER_TYPES } from '../../model/vocabulary.ts';
import type {
  HolderChange,
  HolderWithMembers,
  NewHolder,
  OwnVerification as OwnVerificationInput,
} from '../../verbs/inputs.ts';
import { tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import { type Viewer, viewV2 } from '../view.ts';
import { formatAttachments } from './attachments.ts';
import { ADDRESS, PERSON } from './examples.ts';
import {
  Attachments,
  body,
  bodyObject,
  enumOf,
  formatId,
  formatOfac,
  formatOwner,
  IdInput,
  IdText,
  ifPresent,
  METADATA,
  nullable,
  Ofac,
  object,
  parseId,
  record,
  TextInput,
  Time,
  Timestamp,
  WORDS,
} from './fields.ts';
import { formatPage, listOf, PageQuery, parsePageRequest } from './paging.ts';
import {
  Business,
  BusinessChange,
  BusinessInput,
  formatBusiness,
  formatPerson,
  Person,
  PersonInput,
  pagesOf,
  parseBusiness,
  parseBusinessChange,
  parseMember,
  parseMemberChange,
  parsePerson,
  parsePersonChange,
} from './people.ts';

export const SubAccountHolder = record(
  'SubAccountHolder',
  'A person or a business that can own sub accounts; the object of the other type is null.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    master_account_id: IdText,
    type: enumOf(HOLDER_TYPES),
    person: nullable(Person),
    business: nullable(Business),
    ofac: Ofac,
    ...WORDS.outputs,
    attachments: Attachments,
    ...METADATA.outputs,
    status: enumOf(HOLDER_STATUSES),
    timestamps: object({ created_at: Timestamp, updated_at: Timestamp, deactivated_at: Time }),
  },
);

const SubAccountHolderList = listOf('SubAccountHolderList', SubAccountHolder);
// An empty filter is ignored.
const Filter = Type.Optional(Type.String({ maxLength: 200 }));

const SubAccountHolderQuery = Type.Object({
  ...PageQuery.properties,
  master_account_id: Filter,
  sub_account_id: Filter,
  external_reference_id: Filter,
});

const OwnVerification = bodyObject({
  status: enumOf(['pass', 'fail']),
  method: Type.Optional(TextInput),
  url: Type.Optional(TextInput),
});

const NewSubAccountHolder = body(
  'NewSubAccountHolder',
  'The fields of a new holder.',
  {
    master_account_id: IdInput,
    type: enumOf(HOLDER_TYPES),
    person: Type.Optional(PersonInput),
    business: Type.Optional(BusinessInput),
    verification: Type.Optional(OwnVerification),
    ...WORDS.inputs,
    ...METADATA.inputs,
  },
  { missing: { type: 'no type specified!' } },
);

/**
 * The statuses that a change may send: those of a holder and of an account, as in the reference. Pending and locked
 * are accepted only if they do not change the record. Decision `holder-status-changes` in docs/fidelity.md.
 */
const REQUESTED_STATUSES = {
  activated: 'activated',
  suspended: 'suspended',
  deactivated: 'deactivated',
  open: 'activated',
  blocked: 'suspended',
  credit_blocked: 'suspended',
  debit_blocked: 'suspended',
  closed: 'deactivated',
  pending_activation: 'pending_activation',
  locked: 'locked',
} as const satisfies Record<string, (typeof HOLDER_STATUSES)[number]>;

/** All fields are optional; the type and the master account cannot be changed. */
const SubAccountHolderUpdate = body(
  'SubAccountHolderUpdate',
  'The fields of a holder that can be updated; fields that are not sent keep their values.',
  {
    person: Type.Optional(PersonInput),
    business: Type.Optional(BusinessChange),
    verification: Type.Optional(OwnVerification),
    ...WORDS.inputs,
    ...METADATA.inputs,
    status: Type.Optional(
      enumOf(
        Object.keys(REQUESTED_STATUSES) as (keyof typeof REQUESTED_STATUSES)[],
        'A status of a holder or the corresponding status of an account; responses have the status of a holder.',
      ),
    ),
  },
);

type VerificationBody = NonNullable<Static<typeof NewSubAccountHolder>['verification']>;

const MEMBERS = 'business.members';

/** Parses a new holder. Refuses: `field_invalid`, `phone_invalid`, `master_account_not_found`. */
function parseNewHolder(body: Static<typeof NewSubAccountHolder>): NewHolder {
  const { type, person, business, verification } = body;
  if (body[type] === undefined) {
    throw refuse('field_invalid', {
      field: type,
      message: `a holder of type ${type} needs the object ${type}`,
    });
  }
  return {
    masterAccountId: parseId('master_account', body.master_account_id),
    ...(type === 'person' && person !== undefined && { person: readAt('person', () => parsePerson(person)) }),
    ...(type === 'business' && business !== undefined && parseNewBusiness(business)),
    ...ifPresent('verification', verification && parseVerification(verification)),
    ...WORDS.parse(body),
    ...METADATA.parse(body),
  };
}

function parseNewBusiness(body: Static<typeof BusinessInput>): Pick<NewHolder, 'business' | 'members'> {
  return {
    business: readAt('business', () => parseBusiness(body)),
    members: readAt(MEMBERS, () => (body.members ?? []).map(parseMember)),
  };
}

/** Parses the change of a holder. Refuses: `field_invalid`, `phone_invalid`, `member_not_found`. */
function parseHolderChange(body: Static<typeof SubAccountHolderUpdate>): HolderChange {
  const { person, business, verification } = body;
  return {
    ...ifPresent('person', person && readAt('person', () => parsePersonChange(person))),
    ...ifPresent('business', business && readAt('business', () => parseBusinessChange(business))),
    ...ifPresent('members', business && readAt(MEMBERS, () => business.members?.map(parseMemberChange))),
    ...((person ?? business) !== undefined && { fullSsn: true }),
    ...ifPresent('verification', verification && parseVerification(verification)),
    ...WORDS.parse(body),
    ...METADATA.parse(body),
    ...ifPresent('status', body.status && REQUESTED_STATUSES[body.status]),
  };
}

/** Parses the filters of the list; an id that does not exist matches no holder. */
function parseHolderFilters(
  query: Static<typeof SubAccountHolderQuery>,
  { masterAccountId }: Program,
): { where: HolderCondition[]; accountId?: Id } {
  const { master_account_id: master, sub_account_id: account, external_reference_id: reference } = query;
  const elsewhere = master && tryParseId('master_account', master) !== masterAccountId;
  return {
    where: [
      ...(elsewhere ? [on('id', { is: '' })] : []),
      ...(reference ? [on('externalReferenceId', { is: reference })] : []),
    ],
    ...(account && { accountId: tryParseId('account', account) ?? '' }),
  };
}

function parseVerification(body: VerificationBody): OwnVerificationInput {
  return { status: body.status, method: body.method ?? '', url: body.url ?? '' };
}

export const HOLDER_VIEW = viewV2('holder', formatHolder);

/** Formats a holder. */
export function formatHolder(
  file: HolderWithMembers,
  { program, attachments }: Viewer,
): Static<typeof SubAccountHolder> {
  const { holder, members } = file;
  const pages = pagesOf(program, holder);
  return {
    id: formatId('holder', holder.id),
    ...formatOwner(program),
    type: holder.type,
    person: holder.person && formatPerson(holder.person, holder.verification, holder.idv, pages),
    business: holder.business && formatBusiness(holder.business, holder.verification, members, pages),
    ofac: formatOfac(holder.ofacStatus, holder.ofacAt),
    ...WORDS.format(holder),
    attachments: formatAttachments(attachments, holder.id),
    ...METADATA.format(holder),
    status: holder.status,
    timestamps: {
      created_at: formatInstant(holder.createdAt),
      updated_at: formatInstant(holder.updatedAt),
      deactivated_at: formatInstantOrEmpty(holder.deactivatedAt),
    },
  };
}

export const HOLDER_OPERATIONS = [
  operation({
    id: 'v2_create_sub_account_holder',
    method: 'POST',
    path: '/v2/accounts/sub_account_holder',
    summary: 'Create a sub account holder',
    description:
      'Creates a holder of sub accounts: a person, or a business with its members. Unless a verification is sent along, the holder waits in `pending_activation` until its KYC or KYB is submitted and passes. Together, the members of a business can own at most 100 percent.',
    answer: 'The new holder, with its verification.',
    decisions: ['holder-status-changes', 'v2-kyc-timing'],
    status: 201,
    refuses: ['ownership_exceeded'],
    body: NewSubAccountHolder,
    response: SubAccountHolder,
    example: {
      body: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        type: 'business',
        business: {
          legal_name: 'Quill Press LLC',
          dba: 'Quill',
          entity_type: 'limited_liability_company',
          id_type: 'ein',
          id_number: '999999999',
          phone: '+15035550124',
          email: 'desk@quill.example',
          formation_date: '2015-02-28',
          address: ADDRESS,
          members: [
            { ...PERSON, ownership: '60.00', title: 'CEO', designation: 'president', control_person: 'true' },
          ],
        },
        person: PERSON,
        verification: { status: 'pass', method: 'alloy', url: 'https://alloy.example/1' },
        external_reference_id: 'crm-1',
        purpose: 'Operating',
        metadata: { team: 'north' },
      }),
    },
    run: ({ bank, show }, { body }) => show(HOLDER_VIEW, bank.holders.create(parseNewHolder(body))),
  }),

  operation({
    id: 'v2_list_sub_account_holders',
    method: 'GET',
    path: '/v2/accounts/sub_account_holder',
    summary: 'List sub account holders',
    description:
      'Lists holders, newest first: all of them, the holder of a sub account, or those with an external reference. Persons and businesses are in one list.',
    answer: 'A page of holders, newest first.',
    decisions: ['list-paging', 'unmatched-filters'],
    status: 200,
    query: SubAccountHolderQuery,
    response: SubAccountHolderList,
    example: {
      query: ({ seed }) => ({
        master_account_id: seed('master_account_id'),
        sub_account_id: seed('account_id'),
        external_reference_id: '',
        limit: '10',
      }),
    },
    run: ({ bank }, { query }) => {
      const window = parsePageRequest('holder', query);
      const { where, accountId } = parseHolderFilters(query, bank.program);
      return formatPage(
        'holder',
        bank.holders.list(where, window, accountId),
        window,
        (file) => formatHolder(file, bank),
        ({ holder }) => holder.id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_sub_account_holder',
    method: 'GET',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
    summary: 'Retrieve a sub account holder',
    description:
      'Retrieves a holder with its person or business. The status shows whether it can own accounts, and the verification shows why.',
    answer: 'The holder with its verification.',
    status: 200,
    response: SubAccountHolder,
    example: {
      params: ({ seed }) => ({ sub_account_holder_id: seed('person_holder_id') }),
    },
    run: ({ bank }, { params }) =>
      formatHolder(bank.holders.byId(parseId('holder', params.sub_account_holder_id)), bank),
  }),

  operation({
    id: 'v2_update_sub_account_holder',
    method: 'PATCH',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
    summary: 'Update a sub account holder',
    description:
      'Updates a holder: fields of its person or business, of its members and its status. A field that is not sent keeps its value. The name cannot change after the verification has passed, a holder can be activated only after it has passed, and `deactivated` is final.',
    answer: 'The holder after the change.',
    decisions: ['holder-status-changes', 'holder-update', 'verified-name'],
    status: 200,
    refuses: ['member_not_found', 'holder_not_verified', 'illegal_step'],
    body: SubAccountHolderUpdate,
    response: SubAccountHolder,
    example: {
      params: ({ seed }) => ({ sub_account_holder_id: seed('business_holder_id') }),
      body: ({ seed }) => ({
        person: PERSON,
        business: {
          legal_name: 'Quill & Sons Press LLC',
          dba: 'Quill',
          entity_type: 'limited_liability_company',
          id_type: 'ein',
          id_number: '999999999',
          phone: '+15035550124',
          email: 'desk@quill.example',
          formation_date: '2015-02-28',
          address: ADDRESS,
          members: [
            {
              ...PERSON,
              id: seed('business_member_id'),
              ownership: '55.00',
              title: 'Chair',
              designation: 'president',
              control_person: 'true',
            },
          ],
        },
        verification: { status: 'pass', method: 'alloy', url: 'https://alloy.example/2' },
        external_reference_id: 'crm-2',
        purpose: 'Operating',
        metadata: { team: 'south' },
        status: 'activated',
      }),
    },
    run: ({ bank, show }, { params, body }) => {
      const id = parseId('holder', params.sub_account_holder_id);
      return show(HOLDER_VIEW, bank.holders.change(id, parseHolderChange(body)));
    },
  }),

  operation({
    id: 'v2_submit_kyc',
    method: 'POST',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/kyc',
    summary: 'Submit a KYC',
    description:
      'Verifies a person; the result is in the response. The first digit of the id number decides: 0 fails, 1 leaves the KYC in review, 2 to 9 pass. A person that passes is `activated`. The request has no body, and a business is refused.',
    answer: 'The holder with the result of its KYC.',
    decisions: ['v2-kyc-timing', 'verification-digits', 'kyc-wrong-type'],
    status: 201,
    refuses: ['holder_type_wrong', 'illegal_step'],
    response: SubAccountHolder,
    example: {
      params: ({ seed }) => ({ sub_account_holder_id: seed('person_holder_id') }),
    },
    run: ({ bank, show }, { params }) =>
      show(HOLDER_VIEW, bank.holders.submitKyc(parseId('holder', params.sub_account_holder_id))),
  }),

  operation({
    id: 'v2_submit_kyb',
    method: 'POST',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/kyb',
    summary: 'Submit a KYB',
    description:
      'Verifies a business and its members; the result is in the response. The first digit of each id number decides: 0 fails, 1 leaves the KYB in review, 2 to 9 pass, and the worst result counts. The request has no body, and a person is refused.',
    answer: 'The holder with the result of its KYB.',
    decisions: ['v2-kyc-timing', 'verification-digits', 'kyc-wrong-type'],
    status: 201,
    refuses: ['holder_type_wrong', 'illegal_step'],
    response: SubAccountHolder,
    example: {
      params: ({ seed }) => ({ sub_account_holder_id: seed('business_holder_id') }),
    },
    run: ({ bank, show }, { params }) =>
      show(HOLDER_VIEW, bank.holders.submitKyb(parseId('holder', params.sub_account_holder_id))),
  }),

  operation({
    id: 'v2_submit_idv',
    method: 'POST',
    path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/idv',
    summary: 'Submit an IDV',
    description:
      "Starts the verification of a person's identity document. The response has the URL of the page for the person, and the check is in `review` until it is decided there or by the control plane. A pending or passed check is returned unchanged. The request has no body, and a business is refused.",
    answer: 'The holder, with the page for the person.',
    decisions: ['kyc-wrong-type', 'idv-life'],
    status: 201,
    refuses: ['holder_type_wrong', 'illegal_step'],
    response: SubAccountHolder,
    example: {
      params: ({ seed }) => ({ sub_account_holder_id: seed('person_holder_id') }),
    },
    run: ({ bank, show }, { params }) =>
      show(HOLDER_VIEW, bank.holders.submitIdv(parseId('holder', params.sub_account_holder_id))),
  }),
] as const;
