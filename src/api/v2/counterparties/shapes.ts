/**
 * The shapes of a v2 counterparty: the other party of payments, with the details of each rail on which it can be
 * paid. A rail without details is `null`, and a body may send what an answer shows: `null` means "none" in a new
 * counterparty, and removes the rail in a change.
 * Source: the counterparty operations of the platform's v2 reference; decisions `bank-numbers`, `counterparty-needs`,
 * `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty` and `debit-card-kept` in
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { BANK_NUMBER_TYPES, BANK_PAYMENT_METHODS } from '../../../model/banks.ts';
import {
  ACCOUNT_CHECKS,
  BANK_ACCOUNT_TYPES,
  BUSINESS_ID_TYPES,
  ENTITY_TYPES,
  HOLDER_STATUSES,
  HOLDER_TYPES,
  PERSON_ID_TYPES,
} from '../../../model/vocabulary.ts';
import {
  AccountNumber,
  Address,
  AddressInput,
  Attachments,
  body,
  bodyObject,
  ExternalId,
  ExternalIdInput,
  enumOf,
  Flag,
  IdInput,
  IdText,
  Ignored,
  Last4,
  Metadata,
  MetadataInput,
  Month,
  nullable,
  Ofac,
  object,
  Purpose,
  PurposeInput,
  RoutingNumber,
  record,
  Text,
  TextInput,
  Time,
  text,
  Year,
} from '../fields.ts';
import { listOf, PageQuery } from '../paging.ts';
import { Business, BusinessInput, Person, PersonInput } from '../people.ts';

/** A bank abroad, named by its SWIFT code. */
export const ForeignBank = record('ForeignBank', 'A bank abroad, by its SWIFT code.', {
  identifier_code: text('A SWIFT code.'),
  name: Text,
  address: nullable(Address),
});

const verificationStatus = enumOf(ACCOUNT_CHECKS);
const accountType = enumOf([...BANK_ACCOUNT_TYPES, '']);

const checkedBankAccount = object({
  account_number: AccountNumber,
  routing_number: RoutingNumber,
  account_type: accountType,
  bank_name: Text,
  verification_status: verificationStatus,
});

export const Counterparty = record(
  'Counterparty',
  'The other party of payments; a rail that it has no details for is null.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    master_account_id: IdText,
    sub_account_holder_id: IdText,
    sub_account_id: IdText,
    label: Text,
    type: enumOf(HOLDER_TYPES),
    person: nullable(Person),
    business: nullable(Business),
    intra_account: nullable(object({ sub_account_number: AccountNumber, sub_account_id: IdText })),
    ach: nullable(checkedBankAccount),
    domestic_wire: nullable(
      object({
        account_number: AccountNumber,
        routing_number: RoutingNumber,
        account_type: accountType,
        bank_name: Text,
      }),
    ),
    international_wire: nullable(
      object({
        account_number: AccountNumber,
        beneficiary_bank: nullable(ForeignBank),
        correspondent_bank: nullable(ForeignBank),
      }),
    ),
    rtp: nullable(checkedBankAccount),
    fednow: nullable(checkedBankAccount),
    check: nullable(object({ address: nullable(Address) })),
    debit_card: nullable(
      object({
        card_number: text('A token that stands for the card.'),
        last4: Last4,
        expiry_month: Month,
        expiry_year: Year,
        cvv: text('Three digits.'),
        address: nullable(Address),
        pull_enabled: Flag,
        push_enabled: Flag,
      }),
    ),
    purpose: Purpose,
    external_reference_id: ExternalId,
    ofac: Ofac,
    attachments: Attachments,
    metadata: Metadata,
    status: enumOf(HOLDER_STATUSES),
    timestamps: object({ created_at: Time, updated_at: Time, deactivated_at: Time }),
  },
);

export const CounterpartyList = listOf('CounterpartyList', Counterparty);

/** The states that a client may name. */
const namedStatus = enumOf(['pending_activation', 'activated', 'suspended', 'deactivated']);

export const CounterpartyQuery = Type.Object({
  ...PageQuery.properties,
  sub_account_id: Type.Optional(IdInput),
  external_reference_id: Type.Optional(ExternalIdInput),
  status: Type.Optional(namedStatus),
});

// In requests.
const Label = Type.String({ maxLength: 100 });
const AccountNumberInput = Type.String({
  minLength: 1,
  maxLength: 34,
  description: 'The number of the account at its bank.',
});
const RoutingNumberInput = Type.String({ description: 'Nine digits, of which the last checks the others.' });
const unused = 'Taken and not kept.';

/** Places abroad have states of any length. */
const AnyAddressInput = {
  ...bodyObject({ ...AddressInput.properties, state: Type.Optional(TextInput) }),
  isAddress: true,
};

const bankAccountFields = {
  account_number: AccountNumberInput,
  routing_number: RoutingNumberInput,
  account_type: Type.Optional(accountType),
  bank_name: Type.Optional(Label),
};
export const BankAccountInput = body('BankAccountInput', 'An account at another bank.', bankAccountFields);
export const CheckedBankAccountInput = body(
  'CheckedBankAccountInput',
  'An account at another bank, and whether it was checked.',
  {
    ...bankAccountFields,
    verification_status: Type.Optional(verificationStatus),
  },
);

export const ForeignBankInput = body('ForeignBankInput', 'A bank abroad, by its SWIFT code.', {
  identifier_code: Type.Optional(Type.String({ maxLength: 11, description: 'A SWIFT code.' })),
  name: Type.Optional(Label),
  address: Type.Optional(nullable(AnyAddressInput)),
});
export const InternationalWireInput = body('InternationalWireInput', 'An account abroad.', {
  account_number: AccountNumberInput,
  beneficiary_bank: Type.Optional(nullable(ForeignBankInput)),
  correspondent_bank: Type.Optional(nullable(ForeignBankInput)),
});

export const DebitCardInput = body('DebitCardInput', "A debit card of the counterparty's own.", {
  card_number: Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'A text that stands for the card, or its number, of which only the last four digits are kept.',
  }),
  last4: Type.Optional(
    Type.String({ pattern: '^$|^\\d{4}$', description: 'The last four digits of the card number.' }),
  ),
  expiry_month: Type.Optional(
    Type.String({ pattern: '^$|^(0[1-9]|1[0-2])$', description: 'Two digits, "01" to "12".' }),
  ),
  expiry_year: Type.Optional(
    Type.String({ pattern: '^$|^(20)?\\d{2}$', description: 'Two or four digits.' }),
  ),
  cvv: Type.Optional(Type.String({ maxLength: 100, description: unused })),
  address: Type.Optional(nullable(AddressInput)),
  pull_enabled: Ignored,
  push_enabled: Ignored,
});

/** A person or business may be sent as an answer shows it: an unset address is `null`, an unset enum value empty. */
export const PersonPartyInput = body('PersonPartyInput', 'A counterparty that is a person.', {
  ...PersonInput.properties,
  id_type: Type.Optional(enumOf([...PERSON_ID_TYPES, ''])),
  address: Type.Optional(nullable(AddressInput)),
});
export const BusinessPartyInput = body('BusinessPartyInput', 'A counterparty that is a business.', {
  ...BusinessInput.properties,
  members: Ignored,
  entity_type: Type.Optional(enumOf([...ENTITY_TYPES, ''])),
  id_type: Type.Optional(enumOf([...BUSINESS_ID_TYPES, ''])),
  address: Type.Optional(nullable(AddressInput)),
});

const changeable = {
  label: Type.Optional(Label),
  // Its reader refuses any other, in the platform's own words.
  type: Type.Optional(Type.String({ words: [...HOLDER_TYPES] })),
  person: Type.Optional(nullable(PersonPartyInput)),
  business: Type.Optional(nullable(BusinessPartyInput)),
  intra_account: Type.Optional(
    nullable(
      bodyObject({
        sub_account_number: Type.Optional({
          ...TextInput,
          description: 'The number of an account of this bank.',
        }),
        sub_account_id: Type.Optional(IdInput),
      }),
    ),
  ),
  ach: Type.Optional(nullable(CheckedBankAccountInput)),
  domestic_wire: Type.Optional(nullable(BankAccountInput)),
  international_wire: Type.Optional(nullable(InternationalWireInput)),
  rtp: Type.Optional(nullable(CheckedBankAccountInput)),
  fednow: Type.Optional(nullable(CheckedBankAccountInput)),
  check: Type.Optional(nullable(bodyObject({ address: AnyAddressInput }))),
  debit_card: Type.Optional(nullable(DebitCardInput)),
  purpose: Type.Optional(PurposeInput),
  external_reference_id: Type.Optional(ExternalIdInput),
  metadata: Type.Optional(nullable(MetadataInput)),
};

export const NewCounterparty = body(
  'NewCounterparty',
  'What makes a counterparty, with the rails that it can be paid on.',
  { sub_account_id: IdInput, ...changeable },
);

export const CounterpartyUpdate = body(
  'CounterpartyUpdate',
  'What of a counterparty can be changed; what is left out stays, and null takes a rail away.',
  {
    ...changeable,
    status: Type.Optional(namedStatus),
  },
);

export const BankQuery = Type.Object({
  type: enumOf(BANK_NUMBER_TYPES),
  routing_number: Type.String({ maxLength: 40, description: 'A routing number, or a SWIFT code.' }),
});

export const BankInfo = record(
  'BankInfo',
  'The bank of a routing number or SWIFT code, as far as it is known.',
  {
    routing_number: RoutingNumber,
    bank_name: Type.String({ description: '"" for a bank that is not in the table.' }),
    type: enumOf(BANK_NUMBER_TYPES),
    payment_methods: Type.Array(enumOf(BANK_PAYMENT_METHODS), {
      description: 'The rails that the bank takes.',
    }),
    address: nullable(Address),
  },
);
