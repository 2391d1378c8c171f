/**
 * A contact, the bodies that create and change one, and its list. A rail without details is `null`; a rail that a
 * change does not name stays as it is. `label`, `type` and the account cannot be changed. A debit card is set by a call
 * of its own, which takes a token in place of the key.
 * Source: the contact object, "create a contact", "update a contact" and "list all contacts" of the platform's v1
 * reference; the debit card of its public samples.
 */
import { Type } from '@sinclair/typebox';
import { BANK_NUMBER_TYPES, BANK_PAYMENT_METHODS } from '../../../model/banks.ts';
import {
  AccountNumber,
  Address,
  AddressInput,
  body,
  EMAIL_OR_EMPTY,
  EmailText,
  enumOf,
  IdText,
  Last4,
  Metadata,
  MetadataInput,
  Month,
  object,
  orNull,
  PhoneText,
  RoutingNumber,
  record,
  Text,
  Timestamp,
  text,
  Year,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';

const BankAccountType = enumOf([...BANK_ACCOUNT_TYPES.words, '']);
const Switch = object({ enabled: Type.Boolean() });
const RELATIONS = ['others', 'selfAch', 'selfIntrabank'] as const;
const STATUSES = ['active', 'deleted'] as const;

export const Contact = record(
  'Contact',
  'The other party of transfers; a rail that it has no details for is null.',
  {
    id: IdText,
    accountId: IdText,
    programId: IdText,
    name: Text,
    label: Text,
    email: EmailText,
    phone: PhoneText,
    type: enumOf(RELATIONS),
    status: enumOf(STATUSES),
    intrabank: orNull(object({ accountId: IdText, accountNumber: AccountNumber })),
    ach: orNull(
      object({
        accountNumber: AccountNumber,
        accountType: BankAccountType,
        bankName: Text,
        last4: Last4,
        routingNumber: RoutingNumber,
        verified: Type.Boolean(),
      }),
    ),
    wire: orNull(
      object({
        domestic: orNull(
          object({
            accountNumber: AccountNumber,
            accountType: BankAccountType,
            address: orNull(Address),
            bankName: Text,
            last4: Last4,
            routingNumber: RoutingNumber,
          }),
        ),
        international: orNull(
          object({
            accountNumber: AccountNumber,
            accountType: Text,
            bankIdentifierCode: text('A SWIFT code.'),
            bankIdentifierType: Text,
            beneficiaryAddress: orNull(Address),
            beneficiaryBank: Text,
            beneficiaryBankAddress: orNull(Address),
            correspondentBank: Text,
            correspondentBankAddress: orNull(Address),
            correspondentBankIdentifierCode: text('A SWIFT code.'),
          }),
        ),
      }),
    ),
    check: orNull(object({ address: orNull(Address) })),
    card: orNull(object({ address: orNull(Address) })),
    debitCard: orNull(
      object({
        cardNumber: text('A test number of 16 digits, or the token that stands for one.'),
        last4: Last4,
        expiryMonth: Month,
        expiryYear: Year,
        address: orNull(Address),
        pull: Switch,
        push: Switch,
        usageType: text('Nothing is published of it: "".'),
      }),
    ),
    /** Its fields are published nowhere, so no contact has one. */
    crossBorder: Type.Null(),
    metadata: Metadata,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  },
);

const AccountNumberInput = Type.String({
  minLength: 1,
  maxLength: 34,
  description: 'The number of the account at its bank.',
});
const BankAccountInput = {
  accountNumber: AccountNumberInput,
  routingNumber: Type.String({ pattern: '^\\d{9}$', description: 'nine digits' }),
  accountType: BankAccountType,
  bankName: Type.Optional(Type.String({ maxLength: 100 })),
};

export const AchInput = Type.Object(BankAccountInput);
export const DomesticWireInput = Type.Object({
  ...BankAccountInput,
  address: Type.Optional(orNull(AddressInput)),
});
export const InternationalWireInput = Type.Object({
  accountNumber: AccountNumberInput,
  accountType: Type.Optional(Type.String({ maxLength: 100 })),
  bankIdentifierType: Type.Optional(Type.String({ maxLength: 100 })),
  bankIdentifierCode: Type.String({ minLength: 1, maxLength: 100, description: 'a SWIFT code' }),
  beneficiaryBank: Type.Optional(Type.String({ maxLength: 100 })),
  beneficiaryBankAddress: Type.Optional(orNull(AddressInput)),
  beneficiaryAddress: Type.Optional(orNull(AddressInput)),
  correspondentBank: Type.Optional(Type.String({ maxLength: 100 })),
  correspondentBankAddress: Type.Optional(orNull(AddressInput)),
  correspondentBankIdentifierCode: Type.Optional(
    Type.String({ maxLength: 100, description: 'a SWIFT code' }),
  ),
});

const Name = Type.String({ minLength: 1, maxLength: 100 });
const CONTACT_DETAILS = {
  email: Type.Optional(Type.String({ maxLength: 100, ...EMAIL_OR_EMPTY })),
  phone: Type.Optional(Type.String({ description: 'E.164 with a leading +' })),
  intrabank: Type.Optional(
    orNull(
      Type.Object({
        accountNumber: Type.Optional(Type.String({ description: 'the number of an account of this bank' })),
        accountId: Type.Optional(Type.String()),
      }),
    ),
  ),
  ach: Type.Optional(orNull(AchInput)),
  wire: Type.Optional(
    orNull(
      Type.Object({
        domestic: Type.Optional(orNull(DomesticWireInput)),
        international: Type.Optional(orNull(InternationalWireInput)),
      }),
    ),
  ),
  check: Type.Optional(orNull(Type.Object({ address: AddressInput }))),
  card: Type.Optional(orNull(Type.Object({ address: AddressInput }))),
  metadata: Type.Optional(orNull(MetadataInput)),
};

export const NewContactBody = body(
  'NewContact',
  'What makes a contact, with the rails that it can be paid on.',
  {
    accountId: Type.String({ description: 'the account that the contact belongs to' }),
    name: Name,
    label: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'the name, when not sent' }),
    ),
    type: Type.Optional(enumOf(RELATIONS)),
    ...CONTACT_DETAILS,
  },
);

/** Everything may be left out. A rail that is sent as `null` is taken away. */
export const ContactChangeBody = body(
  'ContactChange',
  'What of a contact can be changed; what is left out stays, and null takes a rail away.',
  {
    accountId: Type.Optional(
      Type.String({ description: 'the account of the contact; it cannot be another' }),
    ),
    name: Type.Optional(Name),
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

export const DeletedContact = record('DeletedContact', 'A contact that was deleted.', {
  id: IdText,
  status: enumOf(['deleted']),
});

export const DebitCardToken = record('DebitCardToken', 'A token that sets the debit card of a contact.', {
  id: IdText,
  debitCardToken: text('Sets the debit card within five minutes, once.'),
});

export const DebitCardBody = body('ContactDebitCard', "A debit card of the contact's own.", {
  debitCard: Type.Object({
    cardNumber: Type.String({ minLength: 1, maxLength: 100, description: '12 to 19 digits' }),
    expiryMonth: Type.String({ pattern: '^(0[1-9]|1[0-2])$', description: 'two digits' }),
    expiryYear: Type.String({ pattern: '^(20)?\\d{2}$', description: 'two or four digits' }),
    cvv: Type.Optional(Type.String({ maxLength: 100, description: 'taken and not kept' })),
    address: Type.Optional(orNull(AddressInput)),
  }),
});

export const BankQuery = Type.Object({
  type: enumOf(BANK_NUMBER_TYPES),
  routingNumber: Type.String({ maxLength: 40, description: 'a routing number, or a SWIFT code' }),
});

export const BankInfo = record(
  'BankInfo',
  'The bank of a routing number or SWIFT code, as far as it is known.',
  {
    routingNumber: RoutingNumber,
    bankName: Text,
    type: enumOf(BANK_NUMBER_TYPES),
    paymentMethods: Type.Array(enumOf(BANK_PAYMENT_METHODS), {
      description: 'The rails that the bank takes.',
    }),
    address: orNull(Address),
  },
);
