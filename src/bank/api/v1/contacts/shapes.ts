/**
 * The shapes of a contact, of the bodies that create and change one, and of its list. A rail without details is
 * `null`; a rail that a change does not contain does not change. `label`, `type` and the account cannot be changed. A
 * debit card is set by a separate call with a token instead of the key.
 * Source: the contact object, "create a contact", "update a contact" and "list all contacts" of the platform's v1
 * reference; the debit card of its public samples.
 */
import { Type } from '@sinclair/typebox';
import { BANK_NUMBER_TYPES, BANK_PAYMENT_METHODS } from '../../../model/banks.ts';
import { as, fields, plain } from '../../codec.ts';
import {
  Address,
  AddressInput,
  anyEmail,
  body,
  enumOf,
  filledText,
  IdText,
  METADATA,
  orNull,
  phoneCodec,
  RoutingNumber,
  record,
  Text,
  Timestamp,
  text,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { RAILS } from './rails.ts';

const RELATIONS = ['others', 'selfAch', 'selfIntrabank'] as const;
const STATUSES = ['active', 'deleted'] as const;

export const NAMES = fields(
  {
    name: as('name', plain(filledText(100), Text)),
    label: as('label', plain(filledText(100, 'a text that is not blank; default: the name'), Text)),
  },
  ['name'],
);
/** The email and phone of a contact. */
export const REACHED = fields({
  email: as('email', anyEmail),
  phone: as('phone', phoneCodec(Type.String({ description: 'E.164 with a leading +' }))),
});

export const Contact = record('Contact', 'The other party of transfers; a rail without details is null.', {
  id: IdText,
  accountId: IdText,
  programId: IdText,
  ...NAMES.outputs,
  ...REACHED.outputs,
  type: enumOf(RELATIONS),
  status: enumOf(STATUSES),
  ...RAILS.outputs,
  /** Its fields are not published, so it is always `null`. */
  crossBorder: Type.Null(),
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const CONTACT_DETAILS = { ...REACHED.inputs, ...RAILS.inputs, ...METADATA.inputs };

export const NewContactBody = body('NewContact', 'The fields of a new contact, with its rails.', {
  accountId: Type.String({ description: 'the account that the contact belongs to' }),
  ...NAMES.inputs,
  type: Type.Optional(enumOf(RELATIONS)),
  ...CONTACT_DETAILS,
});

/** All fields are optional. A rail that is sent as `null` is removed. */
export const ContactChangeBody = body(
  'ContactChange',
  'The fields of a contact that can be updated; fields that are not sent keep their values, and null removes a rail.',
  {
    accountId: Type.Optional(Type.String({ description: 'the account of the contact; it cannot change' })),
    name: NAMES.changes.name,
    ...CONTACT_DETAILS,
  },
);

export const ContactList = listOf('ContactList', Contact);

export const ContactQuery = listQuery({
  id: Filter,
  status: Type.Optional(enumOf(STATUSES)),
  type: Type.Optional(enumOf(RELATIONS)),
  accountId: Filter,
  intrabankAccountNumber: Filter,
  achAccountNumber: Filter,
  achRoutingNumber: Filter,
  wireDomesticAccountNumber: Filter,
  wireDomesticRoutingNumber: Filter,
  wireInternationalAccountNumber: Filter,
  wireInternationalBankIdentifierCode: Filter,
});

export const DeletedContact = record('DeletedContact', 'A deleted contact.', {
  id: IdText,
  status: enumOf(['deleted']),
});

export const DebitCardToken = record('DebitCardToken', 'A token that sets the debit card of a contact.', {
  id: IdText,
  debitCardToken: text('Sets the debit card within five minutes, once.'),
});

export const DebitCardBody = body('ContactDebitCard', "The contact's debit card.", {
  debitCard: Type.Object({
    cardNumber: Type.String({ minLength: 1, maxLength: 100, description: '12 to 19 digits' }),
    expiryMonth: Type.String({ pattern: '^(0[1-9]|1[0-2])$', description: 'two digits' }),
    expiryYear: Type.String({ pattern: '^(20)?\\d{2}$', description: 'two or four digits' }),
    cvv: Type.Optional(Type.String({ maxLength: 100, description: 'accepted but not stored' })),
    address: Type.Optional(orNull(AddressInput)),
  }),
});

export const BankQuery = Type.Object({
  type: enumOf(BANK_NUMBER_TYPES),
  routingNumber: Type.String({ maxLength: 40, description: 'a routing number, or a SWIFT code' }),
});

export const BankInfo = record('BankInfo', 'The bank of a routing number or SWIFT code, if known.', {
  routingNumber: RoutingNumber,
  bankName: Text,
  type: enumOf(BANK_NUMBER_TYPES),
  paymentMethods: Type.Array(enumOf(BANK_PAYMENT_METHODS), {
    description: 'The rails that the bank supports.',
  }),
  address: orNull(Address),
});
