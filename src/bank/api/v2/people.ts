/**
 * People and businesses, and the checks of them: the objects that holders, card holders and counterparties share. In
 * a new record, every text that was not sent is `""`; a change contains only the sent fields, and an address is
 * always replaced as a whole. A holder's person has its checks; the person of a card holder or counterparty has
 * `null` instead. The outcome of a check is shown at the details that its reasons concern, or at all details if it
 * has no reasons. A pending check of v1 is shown as a review, because v2 has no status for it.
 * Source: the person, business, address, kyc, kyb and idv objects of the platform's v2 reference; the details of a
 * KYB have `reason`, all others `reasons`; decision `verification-reasons` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { BLANK_BUSINESS, BLANK_PERSON, requireFullSsn } from '../../model/people.ts';
import type {
  Business as BusinessRecord,
  Member as MemberRecord,
  Person as PersonRecord,
  Verification,
} from '../../model/records.ts';
import { reasonsBy } from '../../model/verification-reasons.ts';
import {
  BUSINESS_ID_TYPES,
  type CheckPart,
  ENTITY_TYPES,
  PERSON_ID_TYPES,
  type VerificationStatus,
} from '../../model/vocabulary.ts';
import type { CheckRef } from '../../verbs/holders/verification.ts';
import type { MemberChange as MemberChangeInput, NewMember } from '../../verbs/inputs.ts';
import { as, codec, fields, plain } from '../codec.ts';
import { tryParseId } from '../ids.ts';
import type { Viewer } from '../view.ts';
import {
  AddressInput,
  addressCodec,
  body,
  dateCodec,
  emailCodec,
  enumOf,
  flagCodec,
  formatId,
  IdNumber,
  IdText,
  Ignored,
  nullable,
  object,
  phoneCodec,
  record,
  Text,
  TextInput,
  text,
  URI_OR_EMPTY,
  unlessUnset,
} from './fields.ts';

/** The verification method: the platform itself. */
const METHOD = 'solid';

const method = text("The method: by the bank, or the client's own method.");
const url = text(
  'The page on which the check is decided; "" until it has begun. Append `&redirect-uri=`.',
  URI_OR_EMPTY,
);
const checkStatus = enumOf(['pass', 'fail', 'review', 'not_started']);
const detailStatus = enumOf(['', 'pass', 'fail', 'review', 'in_review'], '"" until the check has begun.');
const reasons = nullable(
  Type.Array(object({ code: text('Like "N001".'), description: text('The reason in a sentence.') }), {
    description: 'The reasons, with codes of GET /_sandbox/verification_reasons; null for none.',
  }),
);
const detail = object({ status: detailStatus, reasons });
const kybDetail = object({ status: detailStatus, reason: reasons });

const Kyc = record('Kyc', 'The check of a person, with the result of each of its parts.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  details: object({
    name: detail,
    address: detail,
    dob: detail,
    ssn: detail,
    phone: detail,
    email: detail,
    watchlist: detail,
    fraud: detail,
  }),
});

const Kyb = record('Kyb', 'The check of a business, with the result of each of its parts.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  details: object({ name: kybDetail, address: kybDetail, watchlist: kybDetail, fraud: kybDetail }),
});

const Idv = record('Idv', 'The check of an identity document.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  reasons,
});

const personFields = {
  first_name: as('firstName', plain(TextInput, Text)),
  middle_name: as('middleName', plain(TextInput, Text)),
  last_name: as('lastName', plain(TextInput, Text)),
  id_type: as('idType', plain(enumOf(PERSON_ID_TYPES), enumOf([...PERSON_ID_TYPES, '']))),
  id_number: as(
    'idNumber',
    plain({ ...TextInput, description: 'For the type ssn: nine digits, without dashes.' }, IdNumber),
  ),
  date_of_birth: as('dateOfBirth', dateCodec),
  phone: as('phone', phoneCodec),
  email: as('email', emailCodec),
  address: as('address', addressCodec),
};
const PERSON = fields(personFields);
/** The person of a counterparty; a body may repeat a response. */
const PARTY_PERSON = fields({
  ...personFields,
  id_type: as('idType', unlessUnset(enumOf([...PERSON_ID_TYPES, '']), personFields.id_type)),
  address: as('address', unlessUnset(nullable(AddressInput), addressCodec)),
});

const registeredName = 'The registered name.';
const tradeName = 'The trade name.';
const businessFields = {
  legal_name: as('legalName', plain({ ...TextInput, description: registeredName }, text(registeredName))),
  dba: as('dba', plain({ ...TextInput, description: tradeName }, text(tradeName))),
  entity_type: as('entityType', plain(enumOf(ENTITY_TYPES), enumOf([...ENTITY_TYPES, '']))),
  // The bank stores the enum values of request bodies.
  id_type: as(
    'idType',
    plain(
      enumOf(BUSINESS_ID_TYPES),
      enumOf([...BUSINESS_ID_TYPES, 'ssn', ''], 'A business of v1 can have a social security number.'),
    ),
  ),
  id_number: as(
    'idNumber',
    plain(
      { ...TextInput, description: 'Any text; the number of an employer (ein) has nine digits.' },
      IdNumber,
    ),
  ),
  phone: as('phone', phoneCodec),
  email: as('email', emailCodec),
  formation_date: as('formationDate', dateCodec),
  address: as('address', addressCodec),
};
const BUSINESS = fields(businessFields);
/** The business of a counterparty; a body may repeat a response. */
const PARTY_BUSINESS = fields({
  ...businessFields,
  entity_type: as('entityType', unlessUnset(enumOf([...ENTITY_TYPES, '']), businessFields.entity_type)),
  id_type: as('idType', unlessUnset(enumOf([...BUSINESS_ID_TYPES, '']), businessFields.id_type)),
  address: as('address', unlessUnset(nullable(AddressInput), addressCodec)),
});

const designation = 'The role in the business.';
const title = 'The title, like "CEO".';
/** The fields of a member besides its person. */
const MEMBER = fields({
  ownership: as(
    'ownership',
    codec(
      Type.Union([Type.Number(), Type.String({ minLength: 1 })], { description: 'Percent, 0 to 100.' }),
      Type.String({ description: 'Percent with two decimals, like "60.00".' }),
      parseOwnership,
      // Hundredths of a percent have the format of cents. Decision `first-member` in docs/fidelity.md.
      (ownership: number | null) => formatMoney(ownership ?? 0),
    ),
  ),
  designation: as('designation', plain({ ...TextInput, description: designation }, text(designation))),
  title: as('title', plain({ ...TextInput, description: title }, text(title))),
  control_person: as('controlPerson', flagCodec),
});

export const Person = record(
  'Person',
  'A natural person; the checks are null for a person who is not verified.',
  {
    ...PERSON.outputs,
    kyc: nullable(Kyc),
    idv: nullable(Idv),
  },
);

const Member = record('Member', 'An owner or the control person of a business.', {
  id: IdText,
  ...PERSON.outputs,
  kyc: Kyc,
  idv: Idv,
  ...MEMBER.outputs,
});

export const Business = record(
  'Business',
  'A business; the check is null for a business that is not verified.',
  {
    ...BUSINESS.outputs,
    kyb: nullable(Kyb),
    members: Type.Array(Member, { description: 'Owners and the control person.' }),
  },
);

const personInputs = { ...PERSON.inputs, kyc: Ignored, idv: Ignored };
const memberInputs = { ...personInputs, ...MEMBER.inputs };
const businessInputs = { ...BUSINESS.inputs, kyb: Ignored };

/** The platform flags nothing inside a person as required; a check requires its own fields. */
export const PersonInput = body('PersonInput', 'The fields of a person.', personInputs);
export const PersonPartyInput = body('PersonPartyInput', 'A counterparty that is a person.', {
  ...PARTY_PERSON.inputs,
  kyc: Ignored,
  idv: Ignored,
});
export const BusinessPartyInput = body('BusinessPartyInput', 'A counterparty that is a business.', {
  ...PARTY_BUSINESS.inputs,
  kyb: Ignored,
  members: Ignored,
});

const MAX_MEMBERS = { maxItems: 100 };

export const MemberInput = body('MemberInput', 'The fields of a member of a business.', memberInputs);
export const BusinessInput = body('BusinessInput', 'The fields of a business.', {
  ...businessInputs,
  members: Type.Optional(Type.Array(MemberInput, MAX_MEMBERS)),
});

export const MemberChange = body('MemberChange', 'A member to update or add.', {
  id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The member to update; a member without it is added.' }),
  ),
  ...memberInputs,
});
export const BusinessChange = body(
  'BusinessChange',
  'The fields of a business that can be updated; fields that are not sent keep their values.',
  {
    ...businessInputs,
    members: Type.Optional(Type.Array(MemberChange, MAX_MEMBERS)),
  },
);

type PersonBody = Static<typeof PersonInput>;
type BusinessBody = Omit<Static<typeof BusinessChange>, 'members'>;

/** Parses a person. Refuses: `field_invalid`, `phone_invalid`. */
export function parsePerson(body: PersonBody): PersonRecord {
  return wholePerson(PERSON.parse(body));
}

/** Parses the change of a person. Refuses like `parsePerson`. */
export function parsePersonChange(body: PersonBody): Partial<PersonRecord> {
  return PERSON.parse(body);
}

/** Parses a business, without its members. Refuses: `field_invalid`, `phone_invalid`. */
export function parseBusiness(body: BusinessBody): BusinessRecord {
  return { ...BLANK_BUSINESS, ...BUSINESS.parse(body) };
}

/** Parses the change of a business, without its members. Refuses like `parseBusiness`. */
export function parseBusinessChange(body: BusinessBody): Partial<BusinessRecord> {
  return BUSINESS.parse(body);
}

/** Parses the sent fields of the person or business of a counterparty. Refuses: `field_invalid`, `phone_invalid`. */
export const parseParty = {
  person: (body: Static<typeof PersonPartyInput>): PersonRecord => wholePerson(PARTY_PERSON.parse(body)),
  personChange: (body: Static<typeof PersonPartyInput>): Partial<PersonRecord> => PARTY_PERSON.parse(body),
  business: (body: Static<typeof BusinessPartyInput>): BusinessRecord => ({
    ...BLANK_BUSINESS,
    ...PARTY_BUSINESS.parse(body),
  }),
  businessChange: (body: Static<typeof BusinessPartyInput>): Partial<BusinessRecord> =>
    PARTY_BUSINESS.parse(body),
};

function wholePerson(sent: Partial<PersonRecord>): PersonRecord {
  const person = { ...BLANK_PERSON, ...sent };
  requireFullSsn(null, person, 'idNumber');
  return person;
}

const HUNDREDTHS = /^\d{1,3}(\.\d{1,2})?$/;
const WHOLE = 10_000;

/**
 * Parses the ownership. The platform's reference requires a number but shows a string, so both are accepted. Refuses:
 * `field_invalid`.
 */
function parseOwnership(value: number | string): number {
  const text = String(value);
  const hundredths = HUNDREDTHS.test(text) ? Math.round(Number(text) * 100) : WHOLE + 1;
  if (hundredths > WHOLE) {
    throw refuse('field_invalid', {
      field: 'ownership',
      message: 'ownership must be a percentage from 0 to 100 with at most two decimals',
    });
  }
  return hundredths;
}

/** Parses a member of a business. Refuses like `parsePerson`. */
export function parseMember(body: Static<typeof MemberInput>): NewMember {
  return {
    person: parsePerson(body),
    ownership: 0,
    title: '',
    designation: '',
    controlPerson: false,
    ...MEMBER.parse(body),
  };
}

/** Parses a member in a change: with the id of a member it changes that member, otherwise it adds one. */
export function parseMemberChange({
  id: text,
  ...body
}: Static<typeof MemberChange>): NewMember | MemberChangeInput {
  if (text === undefined || text === '') return parseMember(body);
  const id = found(tryParseId('member', text), 'member_not_found');
  return { id, person: PERSON.parse(body), ...MEMBER.parse(body) };
}

type CheckStatus = Static<typeof Kyc>['status'];
type DetailStatus = Static<typeof Kyc>['details']['name']['status'];

const CHECK_STATUS: Readonly<Record<VerificationStatus, CheckStatus>> = {
  not_started: 'not_started',
  submitted: 'review',
  pass: 'pass',
  fail: 'fail',
  review: 'review',
};

const DETAIL_STATUS: Readonly<Record<VerificationStatus, DetailStatus>> = {
  not_started: '',
  submitted: 'in_review',
  pass: 'pass',
  fail: 'fail',
  review: 'review',
};

/** The link to the page of a check. */
type PageOf = (kind: CheckRef['kind'], id: Id) => string;

/** The pages of the checks of a holder, and of its members. */
interface Pages {
  readonly of: PageOf;
  ofPerson(id: Id): Pages;
}

const NO_PAGES: Pages = { of: () => '', ofPerson: () => NO_PAGES };

/** The pages on which the checks of a holder can be decided. */
export function pagesOf(program: Viewer['program'], holder: CheckRef['holder']): Pages {
  return {
    of: (kind, id) => program.checkPage?.({ version: 'v2', holder, kind, id }) ?? '',
    ofPerson: (id) => pagesOf(program, { id, type: 'person' }),
  };
}

/**
 * Formats the common fields of a check. A check outside of the bank has the client's page, and a check that has not
 * begun has none.
 */
function formatCheck(kind: CheckRef['kind'], check: Verification, pageOf: PageOf) {
  const isOwn = check.method !== METHOD || (kind !== 'idv' && check.url !== '');
  return {
    id: formatId(kind, check.id),
    status: CHECK_STATUS[check.status],
    method: check.method,
    url: check.status === 'not_started' ? '' : isOwn ? check.url : pageOf(kind, check.id),
  };
}

const KYC_DETAILS = ['name', 'address', 'dob', 'ssn', 'phone', 'email', 'watchlist', 'fraud'] as const;
const KYB_DETAILS = ['name', 'address', 'watchlist', 'fraud'] as const;

/** The detail for each part of a check; parts without a detail in v2 are shown as fraud risk. */
const KYC_DETAIL_OF: Partial<Record<CheckPart, (typeof KYC_DETAILS)[number]>> = {
  name: 'name',
  address: 'address',
  dateOfBirth: 'dob',
  idNumber: 'ssn',
  phone: 'phone',
  email: 'email',
  watchlist: 'watchlist',
};
const KYB_DETAIL_OF: Partial<Record<CheckPart, (typeof KYB_DETAILS)[number]>> = {
  name: 'name',
  address: 'address',
  watchlist: 'watchlist',
};

type Reasons = { code: string; description: string }[];

const orNone = (list: Reasons): Reasons | null => (list.length === 0 ? null : list);

/** The result of a detail; if the check has reasons, details without a reason have passed. */
function resultOf({ status, finding }: Verification, list: Reasons): DetailStatus {
  return finding === undefined || list.length > 0 ? DETAIL_STATUS[status] : 'pass';
}

/** Formats the check of a person. */
function formatKyc(check: Verification, pageOf: PageOf): Static<typeof Kyc> {
  const lists = reasonsBy(KYC_DETAILS, check.finding, (part) => KYC_DETAIL_OF[part] ?? 'fraud');
  const detailOf = (name: (typeof KYC_DETAILS)[number]) => ({
    status: resultOf(check, lists[name]),
    reasons: orNone(lists[name]),
  });
  return {
    ...formatCheck('kyc', check, pageOf),
    details: {
      name: detailOf('name'),
      address: detailOf('address'),
      dob: detailOf('dob'),
      ssn: detailOf('ssn'),
      phone: detailOf('phone'),
      email: detailOf('email'),
      watchlist: detailOf('watchlist'),
      fraud: detailOf('fraud'),
    },
  };
}

/** Formats the check of a business; its details have `reason`, those of other checks `reasons`. */
function formatKyb(check: Verification, pageOf: PageOf): Static<typeof Kyb> {
  const lists = reasonsBy(KYB_DETAILS, check.finding, (part) => KYB_DETAIL_OF[part] ?? 'fraud');
  const detailOf = (name: (typeof KYB_DETAILS)[number]) => ({
    status: resultOf(check, lists[name]),
    reason: orNone(lists[name]),
  });
  return {
    ...formatCheck('kyb', check, pageOf),
    details: {
      name: detailOf('name'),
      address: detailOf('address'),
      watchlist: detailOf('watchlist'),
      fraud: detailOf('fraud'),
    },
  };
}

/** Formats the check of an identity document. */
function formatIdv(check: Verification, pageOf: PageOf): Static<typeof Idv> {
  const { idv } = reasonsBy(['idv'], check.finding, () => 'idv');
  return { ...formatCheck('idv', check, pageOf), reasons: orNone(idv) };
}

/** Formats a person with its checks, if it is checked. */
export function formatPerson(
  person: PersonRecord,
  kyc: Verification | null,
  idv: Verification | null,
  { of: pageOf }: Pages = NO_PAGES,
): Static<typeof Person> {
  return {
    ...PERSON.format(person),
    kyc: kyc === null ? null : formatKyc(kyc, pageOf),
    idv: idv === null ? null : formatIdv(idv, pageOf),
  };
}

/** Formats a business with its check and its members, if it is checked. */
export function formatBusiness(
  business: BusinessRecord,
  kyb: Verification | null,
  members: readonly MemberRecord[],
  pages: Pages = NO_PAGES,
): Static<typeof Business> {
  /** A member without a person of its own is checked with the business, on its page. */
  const pageOfMember = ({ personId }: MemberRecord): PageOf =>
    personId === '' ? () => (kyb === null ? '' : pages.of('kyb', kyb.id)) : pages.ofPerson(personId).of;
  return {
    ...BUSINESS.format(business),
    kyb: kyb === null ? null : formatKyb(kyb, pages.of),
    members: members.map((member) => formatMember(member, pageOfMember(member))),
  };
}

function formatMember(member: MemberRecord, pageOf: PageOf): Static<typeof Member> {
  return {
    id: formatId('member', member.id),
    ...PERSON.format(member.person),
    kyc: formatKyc(member.kyc, pageOf),
    idv: formatIdv(member.idv, pageOf),
    ...MEMBER.format(member),
  };
}
