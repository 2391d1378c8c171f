/**
 * A contact, and the change of one. A rail that the contact has no details for is `null`; a rail that a change does
 * not name stays as it is. `label`, `type` and the account cannot be changed, and card numbers come through a vault.
 * Source: the contact object and "update a contact" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';
import { Address, AddressInput } from './address.ts';
import { body, Metadata, MetadataInput, orNull, part, record, Text, Timestamp, wordOf } from './scalars.ts';

const BankAccountType = wordOf([...BANK_ACCOUNT_TYPES.words, '']);
const Switch = part({ enabled: Type.Boolean() });

export const Contact = record('Contact', {
  id: Text,
  accountId: Text,
  programId: Text,
  name: Text,
  label: Text,
  email: Text,
  phone: Text,
  type: wordOf(['others', 'selfAch', 'selfIntrabank']),
  status: wordOf(['active', 'deleted']),
  intrabank: orNull(part({ accountId: Text, accountNumber: Text })),
  ach: orNull(
    part({
      accountNumber: Text,
      accountType: BankAccountType,
      bankName: Text,
      last4: Text,
      routingNumber: Text,
      verified: Type.Boolean(),
    }),
  ),
  wire: orNull(
    part({
      domestic: orNull(
        part({
          accountNumber: Text,
          accountType: BankAccountType,
          address: orNull(Address),
          bankName: Text,
          last4: Text,
          routingNumber: Text,
        }),
      ),
      international: orNull(
        part({
          accountNumber: Text,
          accountType: Text,
          bankIdentifierCode: Text,
          bankIdentifierType: Text,
          beneficiaryAddress: orNull(Address),
          beneficiaryBank: Text,
          beneficiaryBankAddress: orNull(Address),
          correspondentBank: Text,
          correspondentBankAddress: orNull(Address),
          correspondentBankIdentifierCode: Text,
        }),
      ),
    }),
  ),
  check: orNull(part({ address: orNull(Address) })),
  card: orNull(part({ address: orNull(Address) })),
  debitCard: orNull(
    part({
      cardNumber: Text,
      last4: Text,
      expiryMonth: Text,
      expiryYear: Text,
      address: orNull(Address),
      pull: Switch,
      push: Switch,
      usageType: Text,
    }),
  ),
  /** Its fields are published nowhere, so no contact has one. */
  crossBorder: Type.Null(),
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const AccountNumber = Type.String({ minLength: 1, maxLength: 34 });
const BankAccountInput = {
  accountNumber: AccountNumber,
  routingNumber: Type.String({ pattern: '^\\d{9}$', description: 'nine digits' }),
  accountType: wordOf(BANK_ACCOUNT_TYPES.words),
  bankName: Type.Optional(Type.String({ maxLength: 100 })),
};

export const AchInput = Type.Object(BankAccountInput);
export const DomesticWireInput = Type.Object({
  ...BankAccountInput,
  address: Type.Optional(orNull(AddressInput)),
});
export const InternationalWireInput = Type.Object({
  accountNumber: AccountNumber,
  accountType: Type.Optional(Type.String({ maxLength: 100 })),
  bankIdentifierType: Type.Optional(Type.String({ maxLength: 100 })),
  bankIdentifierCode: Type.String({ minLength: 1, maxLength: 100 }),
  beneficiaryBank: Type.Optional(Type.String({ maxLength: 100 })),
  beneficiaryBankAddress: Type.Optional(orNull(AddressInput)),
  beneficiaryAddress: Type.Optional(orNull(AddressInput)),
  correspondentBank: Type.Optional(Type.String({ maxLength: 100 })),
  correspondentBankAddress: Type.Optional(orNull(AddressInput)),
  correspondentBankIdentifierCode: Type.Optional(Type.String({ maxLength: 100 })),
});

/** Everything may be left out. A rail that is sent as `null` is taken away. */
export const ContactChangeBody = body('ContactChange', {
  accountId: Type.Optional(Type.String({ description: 'the account of the contact; it cannot be another' })),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 100 })),
  phone: Type.Optional(Type.String({ description: 'E.164 with a leading +' })),
  intrabank: Type.Optional(
    orNull(
      Type.Object({
        accountNumber: Type.Optional(Type.String()),
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
});
