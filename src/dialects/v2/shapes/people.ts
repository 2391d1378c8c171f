/**
 * People and businesses, and what was checked about them: the objects that holders, card holders and counterparties
 * share. A holder's person carries its checks; a card holder and a counterparty are not checked and have `null` there.
 * Source: the person, business, kyc, kyb and idv objects of the platform's v2 reference; the details of a KYB say
 * `reason`, all others `reasons`.
 */
import { Type } from '@sinclair/typebox';
import { BUSINESS_ID_TYPES, ENTITY_TYPES, PERSON_ID_TYPES } from '../../../model/vocabulary.ts';
import {
  Address,
  AddressInput,
  body,
  DateInput,
  DateText,
  Flag,
  FlagInput,
  IdNumber,
  IdText,
  Ignored,
  nullable,
  PhoneInput,
  PhoneText,
  part,
  record,
  Text,
  TextInput,
  text,
  word,
} from './fields.ts';

const method = text('How it was checked: by the bank, or as the client says of its own verification.');
const url = text('The page of the check; "" until it has begun.');
const checkStatus = word(['pass', 'fail', 'review', 'not_started']);
const detailStatus = word(['', 'pass', 'fail', 'review', 'in_review'], '"" until the check has begun.');
const noReasons = Type.Null({ description: 'The sandbox gives no reasons.' });
const detail = part({ status: detailStatus, reasons: noReasons });
const kybDetail = part({ status: detailStatus, reason: noReasons });

export const Kyc = record('Kyc', 'The check of a person, with the result of each of its parts.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  details: part({
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

export const Kyb = record('Kyb', 'The check of a business, with the result of each of its parts.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  details: part({ name: kybDetail, address: kybDetail, watchlist: kybDetail, fraud: kybDetail }),
});

export const Idv = record('Idv', 'The check of an identity document.', {
  id: IdText,
  status: checkStatus,
  method,
  url,
  reasons: noReasons,
});

const personFields = {
  first_name: Text,
  middle_name: Text,
  last_name: Text,
  id_type: word([...PERSON_ID_TYPES, '']),
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

export const Member = record('Member', 'An owner or the control person of a business.', {
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
  entity_type: word([...ENTITY_TYPES, '']),
  id_type: word([...BUSINESS_ID_TYPES, 'ssn', ''], 'A business of v1 may go by a social security number.'),
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
  id_type: Type.Optional(word(PERSON_ID_TYPES)),
  id_number: Type.Optional({ ...TextInput, description: 'Of the type ssn: nine digits, without dashes.' }),
  date_of_birth: Type.Optional(DateInput),
  phone: Type.Optional(PhoneInput),
  email: Type.Optional(TextInput),
  address: Type.Optional(AddressInput),
  kyc: Ignored,
  idv: Ignored,
};

/** The platform flags nothing inside a person as required; what a check needs is asked for by the check. */
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
  entity_type: Type.Optional(word(ENTITY_TYPES)),
  id_type: Type.Optional(word(BUSINESS_ID_TYPES)),
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
