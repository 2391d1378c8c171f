/**
 * People and businesses, and the checks of them: the objects that holders, card holders and counterparties share. A
 * new one takes `""` for every text that was not sent, a change holds only what was sent, and an address is always
 * replaced whole. A holder's person shows its checks; that of a card holder or counterparty has `null` there. The
 * outcome of a check stands at the details that its reasons are about, and at all of them where it has none; a check of
 * v1 that is still pending is a review here, because v2 has no word for it.
 * Source: the person, business, address, kyc, kyb and idv objects of the platform's v2 reference; the details of a
 * KYB have `reason`, all others `reasons`; decision `verification-reasons` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { CheckRef } from '../../bank/holders/verification.ts';
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { BLANK_BUSINESS, BLANK_PERSON, requireFullSsn } from '../../model/people.ts';
import type {
  Address as AddressRecord,
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
import type { Viewer } from './attachments.ts';
import {
  Address,
  AddressInput,
  body,
  DateInput,
  DateText,
  enumOf,
  Flag,
  FlagInput,
  formatAddress,
  formatFlag,
  formatId,
  IdNumber,
  IdText,
  Ignored,
  ifPresent,
  nullable,
  object,
  PhoneInput,
  PhoneText,
  parseDate,
  parsePhone,
  record,
  Text,
  TextInput,
  text,
} from './fields.ts';

/** Who checks: the platform itself. */
const METHOD = 'solid';

const method = text('How it was checked: by the bank, or as the client says of its own verification.');
const url = text('The page on which the check is decided; "" until it has begun. Append `&redirect-uri=`.');
const checkStatus = enumOf(['pass', 'fail', 'review', 'not_started']);
const detailStatus = enumOf(['', 'pass', 'fail', 'review', 'in_review'], '"" until the check has begun.');
const reasons = nullable(
  Type.Array(object({ code: text('Like "N001".'), description: text('The same in a sentence.') }), {
    description: 'Why, for each code of GET /_sandbox/verification_reasons; null for none.',
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
  first_name: Text,
  middle_name: Text,
  last_name: Text,
  id_type: enumOf([...PERSON_ID_TYPES, '']),
  id_number: IdNumber,
  date_of_birth: DateText,
  phone: PhoneText,
  email: Text,
  address: nullable(Address),
};

export const Person = record('Person', 'A natural person; who is not verified has null for the checks.', {
  ...personFields,
  kyc: nullable(Kyc),
  idv: nullable(Idv),
});

const Member = record('Member', 'An owner or the control person of a business.', {
  id: IdText,
  ...personFields,
  kyc: Kyc,
  idv: Idv,
  ownership: Type.String({ description: 'Percent with two decimals, like "60.00".' }),
  designation: text('What they are to the business.'),
  title: text('Their title, like "CEO".'),
  control_person: Flag,
});

export const Business = record('Business', 'A business; one that is not verified has null for the check.', {
  legal_name: text('As it is registered.'),
  dba: text('The name that it does business under.'),
  entity_type: enumOf([...ENTITY_TYPES, '']),
  id_type: enumOf([...BUSINESS_ID_TYPES, 'ssn', ''], 'A business of v1 may go by a social security number.'),
  id_number: IdNumber,
  phone: PhoneText,
  email: Text,
  formation_date: DateText,
  address: nullable(Address),
  kyb: nullable(Kyb),
  members: nullable(Type.Array(Member, { description: 'Owners and the control person; null for none.' })),
});

const personInputFields = {
  first_name: Type.Optional(TextInput),
  middle_name: Type.Optional(TextInput),
  last_name: Type.Optional(TextInput),
  id_type: Type.Optional(enumOf(PERSON_ID_TYPES)),
  id_number: Type.Optional({ ...TextInput, description: 'Of the type ssn: nine digits, without dashes.' }),
  date_of_birth: Type.Optional(DateInput),
  phone: Type.Optional(PhoneInput),
  email: Type.Optional(TextInput),
  address: Type.Optional(AddressInput),
  kyc: Ignored,
  idv: Ignored,
};

/** The platform flags nothing inside a person as required; a check requires its own fields. */
export const PersonInput = body('PersonInput', 'What is said of a person.', personInputFields);

const memberInputFields = {
  ...personInputFields,
  ownership: Type.Optional(
    Type.Union([Type.Number(), Type.String({ minLength: 1 })], { description: 'Percent, 0 to 100.' }),
  ),
  designation: Type.Optional({ ...TextInput, description: 'What they are to the business.' }),
  title: Type.Optional({ ...TextInput, description: 'Their title, like "CEO".' }),
  control_person: Type.Optional(FlagInput),
};

const businessInputFields = {
  legal_name: Type.Optional({ ...TextInput, description: 'As it is registered.' }),
  dba: Type.Optional({ ...TextInput, description: 'The name that it does business under.' }),
  entity_type: Type.Optional(enumOf(ENTITY_TYPES)),
  id_type: Type.Optional(enumOf(BUSINESS_ID_TYPES)),
  id_number: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Of the type ein: nine digits, without a dash.' }),
  ),
  phone: Type.Optional(PhoneInput),
  email: Type.Optional(TextInput),
  formation_date: Type.Optional(DateInput),
  address: Type.Optional(AddressInput),
  kyb: Ignored,
};

const MAX_MEMBERS = { maxItems: 100 };

export const MemberInput = body('MemberInput', 'What is said of a member of a business.', memberInputFields);
export const BusinessInput = body('BusinessInput', 'What is said of a business.', {
  ...businessInputFields,
  members: Type.Optional(Type.Array(MemberInput, MAX_MEMBERS)),
});

export const MemberChange = body('MemberChange', 'A member to change, or a new one.', {
  id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The member to change; a member without it is a new one.' }),
  ),
  ...memberInputFields,
});
export const BusinessChange = body(
  'BusinessChange',
  'What of a business can be changed; what is left out stays.',
  {
    ...businessInputFields,
    members: Type.Optional(Type.Array(MemberChange, MAX_MEMBERS)),
  },
);

type PersonBody = Static<typeof PersonInput>;
type BusinessBody = Omit<Static<typeof BusinessChange>, 'members'>;

/** Parses a person. Refuses: `field_invalid`, `phone_invalid`. */
export function parsePerson(body: PersonBody): PersonRecord {
  const person = { ...BLANK_PERSON, ...parsePersonChange(body) };
  requireFullSsn(null, person, 'idNumber');
  return person;
}

/** Parses the change of a person, with its id number checked against what is known. Refuses as `parsePerson` does. */
export function parsePersonChange(body: PersonBody): Partial<PersonRecord> {
  return {
    ...ifPresent('firstName', body.first_name),
    ...ifPresent('middleName', body.middle_name),
    ...ifPresent('lastName', body.last_name),
    ...parseShared(body),
    ...ifPresent(
      'dateOfBirth',
      parseOptional(body.date_of_birth, (text) => parseDate('date_of_birth', text)),
    ),
  };
}

/** Parses a business, without its members. Refuses: `field_invalid`, `phone_invalid`. */
export function parseBusiness(body: BusinessBody): BusinessRecord {
  return { ...BLANK_BUSINESS, ...parseBusinessChange(body) };
}

/** Parses the change of a business, without its members. Refuses as `parseBusiness` does. */
export function parseBusinessChange(body: BusinessBody): Partial<BusinessRecord> {
  return {
    ...ifPresent('legalName', body.legal_name),
    ...ifPresent('dba', body.dba),
    ...ifPresent('entityType', body.entity_type),
    ...parseShared(body),
    ...ifPresent(
      'formationDate',
      parseOptional(body.formation_date, (text) => parseDate('formation_date', text)),
    ),
  };
}

const HUNDREDTHS = /^\d{1,3}(\.\d{1,2})?$/;
const WHOLE = 10_000;

/** The platform's reference requires a number and shows a text; both are accepted. Refuses: `field_invalid`. */
export function parseOwnership(value: number | string): number {
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

/** Parses an address. */
export function parseAddress(body: Static<typeof AddressInput>): AddressRecord {
  return {
    line1: body.line1 ?? '',
    line2: body.line2 ?? '',
    city: body.city ?? '',
    state: body.state ?? '',
    country: body.country ?? '',
    postalCode: body.postal_code ?? '',
  };
}

type Shared<T> = Pick<PersonBody & BusinessBody, 'id_number' | 'phone' | 'email' | 'address'> & {
  id_type?: T;
};

/** What a person and a business have alike. */
function parseShared<T extends string>(body: Shared<T>) {
  return {
    ...ifPresent('idType', body.id_type),
    ...ifPresent('idNumber', body.id_number),
    ...ifPresent('phone', parseOptional(body.phone, parsePhone)),
    ...ifPresent('email', body.email),
    ...ifPresent('address', parseOptional(body.address, parseAddress)),
  };
}

function parseOptional<A, B>(value: A | undefined, read: (value: A) => B): B | undefined {
  return value === undefined ? undefined : read(value);
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

/** The pages of the checks of a holder, and of the persons beside it. */
interface Pages {
  readonly of: PageOf;
  ofPerson(id: Id): Pages;
}

const NO_PAGES: Pages = { of: () => '', ofPerson: () => NO_PAGES };

/** The pages of a holder, where its checks can be decided. */
export function pagesOf(viewer: Viewer, holder: CheckRef['holder']): Pages {
  return {
    of: (kind, id) => viewer.checkPage?.({ version: 'v2', holder, kind, id }) ?? '',
    ofPerson: (id) => pagesOf(viewer, { id, type: 'person' }),
  };
}

/** The fields that every check has. One that the client did elsewhere has the client's page, and one that has not begun none. */
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

/** Where the parts of a check stand; what v2 has no detail for counts as a risk of fraud. */
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

/** A detail with its result; of a check with reasons, all that no reason is about has passed. */
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

/** Formats the check of a business; its details have `reason` where all others have `reasons`. */
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

/** Formats a person with its checks; a person who is not checked has none. */
export function formatPerson(
  person: PersonRecord,
  kyc: Verification | null,
  idv: Verification | null,
  { of: pageOf }: Pages = NO_PAGES,
): Static<typeof Person> {
  return {
    ...formatPersonFields(person),
    kyc: kyc === null ? null : formatKyc(kyc, pageOf),
    idv: idv === null ? null : formatIdv(idv, pageOf),
  };
}

/** Formats a business with its check and its members; a business that is not checked has neither. */
export function formatBusiness(
  business: BusinessRecord,
  kyb: Verification | null,
  members: readonly MemberRecord[],
  pages: Pages = NO_PAGES,
): Static<typeof Business> {
  /** One who is no person of the bank is checked with the business, on its page. */
  const pageOfMember = ({ personId }: MemberRecord): PageOf =>
    personId === '' ? () => (kyb === null ? '' : pages.of('kyb', kyb.id)) : pages.ofPerson(personId).of;
  return {
    legal_name: business.legalName,
    dba: business.dba,
    // The bank stores the enum values of the bodies, which are these.
    entity_type: business.entityType,
    id_type: business.idType,
    id_number: business.idNumber,
    phone: business.phone,
    email: business.email,
    formation_date: business.formationDate,
    address: formatAddress(business.address),
    kyb: kyb === null ? null : formatKyb(kyb, pages.of),
    members:
      members.length === 0 ? null : members.map((member) => formatMember(member, pageOfMember(member))),
  };
}

function formatMember(member: MemberRecord, pageOf: PageOf): Static<typeof Member> {
  return {
    id: formatId('member', member.id),
    ...formatPersonFields(member.person),
    kyc: formatKyc(member.kyc, pageOf),
    idv: formatIdv(member.idv, pageOf),
    // Hundredths of a percent are written as cents are.
    ownership: formatMoney(member.ownership),
    designation: member.designation,
    title: member.title,
    control_person: formatFlag(member.controlPerson),
  };
}

function formatPersonFields(person: PersonRecord) {
  return {
    first_name: person.firstName,
    middle_name: person.middleName,
    last_name: person.lastName,
    id_type: person.idType,
    id_number: person.idNumber,
    date_of_birth: person.dateOfBirth,
    phone: person.phone,
    email: person.email,
    address: formatAddress(person.address),
  };
}
