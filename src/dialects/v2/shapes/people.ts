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
  Flag,
  FlagInput,
  IdText,
  Ignored,
  nullable,
  PhoneInput,
  part,
  record,
  Text,
  TextInput,
  word,
} from './fields.ts';

const checkStatus = word(['pass', 'fail', 'review', 'not_started']);
const detailStatus = word(['', 'pass', 'fail', 'review', 'in_review'], '"" until the check has begun.');
const noReasons = Type.Null({ description: 'The sandbox gives no reasons.' });
const detail = part({ status: detailStatus, reasons: noReasons });
const kybDetail = part({ status: detailStatus, reason: noReasons });

export const Kyc = record('Kyc', {
  id: IdText,
  status: checkStatus,
  method: Text,
  url: Text,
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

export const Kyb = record('Kyb', {
  id: IdText,
  status: checkStatus,
  method: Text,
  url: Text,
  details: part({ name: kybDetail, address: kybDetail, watchlist: kybDetail, fraud: kybDetail }),
});

export const Idv = record('Idv', {
  id: IdText,
  status: checkStatus,
  method: Text,
  url: Text,
  reasons: noReasons,
});

const personFields = {
  first_name: Text,
  middle_name: Text,
  last_name: Text,
  id_type: Text,
  id_number: Text,
  date_of_birth: Text,
  phone: Text,
  email: Text,
  address: nullable(Address),
};

export const Person = record('Person', { ...personFields, kyc: nullable(Kyc), idv: nullable(Idv) });

export const Member = record('Member', {
  id: IdText,
  ...personFields,
  kyc: Kyc,
  idv: Idv,
  ownership: Type.String({ description: 'Percent with two decimals, like "60.00".' }),
  designation: Text,
  title: Text,
  control_person: Flag,
});

export const Business = record('Business', {
  legal_name: Text,
  dba: Text,
  entity_type: Text,
  id_type: Text,
  id_number: Text,
  phone: Text,
  email: Text,
  formation_date: Text,
  address: nullable(Address),
  kyb: nullable(Kyb),
  members: nullable(Type.Array(Member)),
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
export const PersonInput = body('PersonInput', personInputFields);

const memberInputFields = {
  ...personInputFields,
  ownership: Type.Optional(
    Type.Union([Type.Number(), Type.String({ minLength: 1 })], { description: 'Percent, 0 to 100.' }),
  ),
  designation: Type.Optional(TextInput),
  title: Type.Optional(TextInput),
  control_person: Type.Optional(FlagInput),
};

const businessInputFields = {
  legal_name: Type.Optional(TextInput),
  dba: Type.Optional(TextInput),
  entity_type: Type.Optional(word(ENTITY_TYPES)),
  id_type: Type.Optional(word(BUSINESS_ID_TYPES)),
  id_number: Type.Optional(TextInput),
  phone: Type.Optional(PhoneInput),
  email: Type.Optional(TextInput),
  formation_date: Type.Optional(DateInput),
  address: Type.Optional(AddressInput),
  kyb: Ignored,
};

const MAX_MEMBERS = { maxItems: 100 };

export const MemberInput = body('MemberInput', memberInputFields);
export const BusinessInput = body('BusinessInput', {
  ...businessInputFields,
  members: Type.Optional(Type.Array(MemberInput, MAX_MEMBERS)),
});

export const MemberChange = body('MemberChange', {
  id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The member to change; a member without it is a new one.' }),
  ),
  ...memberInputFields,
});
export const BusinessChange = body('BusinessChange', {
  ...businessInputFields,
  members: Type.Optional(Type.Array(MemberChange, MAX_MEMBERS)),
});
