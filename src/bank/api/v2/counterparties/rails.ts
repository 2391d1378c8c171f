/**
 * Parses and formats the details of a v2 counterparty for each rail. A rail without details is `null`, and a body may
 * repeat a response: `null` means "none" in a new counterparty, and removes the rail in a change. The bank checks ACH
 * accounts only; an account on an instant rail counts as valid, as in the platform's sandbox.
 * Source: the counterparty record and operations of the platform's v2 reference; decisions `bank-numbers`,
 * `own-account-counterparty` and `debit-card-kept` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { BLANK_BANK_ACCOUNT } from '../../../model/people.ts';
import type { Address as AddressRecord, BankDetails, ForeignBank } from '../../../model/records.ts';
import { ACCOUNT_CHECKS, BANK_ACCOUNT_TYPES } from '../../../model/vocabulary.ts';
import type { RailsChange } from '../../../verbs/inputs.ts';
import { always, as, codec, fields, plain, shown } from '../../codec.ts';
import { tryParseId } from '../../ids.ts';
import {
  AccountNumber,
  Address,
  AddressInput,
  AnyAddressInput,
  addressCodec,
  body,
  bodyObject,
  enumOf,
  Flag,
  filledText,
  formatFlag,
  formatId,
  IdInput,
  IdText,
  Ignored,
  Last4,
  Month,
  nullable,
  object,
  orNone,
  parseAddress,
  RoutingNumber,
  record,
  Text,
  TextInput,
  text,
  Year,
} from '../fields.ts';

export const Label = Type.String({ maxLength: 100 });

const accountNumber = as(
  'accountNumber',
  plain(filledText(34, 'The number of the account at its bank, not blank.'), AccountNumber),
);
const anyAddress = { ...addressCodec, input: AnyAddressInput };

const bankFields = {
  account_number: accountNumber,
  routing_number: as(
    'routingNumber',
    plain(Type.String({ description: 'Nine digits, of which the last is a check digit.' }), RoutingNumber),
  ),
  account_type: as(
    'accountType',
    plain(enumOf([...BANK_ACCOUNT_TYPES, '']), enumOf([...BANK_ACCOUNT_TYPES, ''])),
  ),
  bank_name: as('bankName', plain(Label, Text)),
};
const NUMBERS = ['account_number', 'routing_number'] as const;
const verificationStatus = enumOf(ACCOUNT_CHECKS);

const BANK = fields(bankFields, NUMBERS);
const INSTANT = fields(
  { ...bankFields, verification_status: always(verificationStatus, verificationStatus, 'pass') },
  NUMBERS,
);
const ACH = fields(
  {
    ...bankFields,
    verification_status: as(
      'verified',
      codec(
        verificationStatus,
        verificationStatus,
        (status) => status === 'pass',
        (verified: boolean): 'pass' | 'review' => (verified ? 'pass' : 'review'),
      ),
    ),
  },
  NUMBERS,
);

const CheckedBankAccountInput = body(
  'CheckedBankAccountInput',
  'An account at another bank, and whether it is verified.',
  ACH.inputs,
);
const bankCodec = codec(
  body('BankAccountInput', 'An account at another bank.', BANK.inputs),
  object(BANK.outputs),
  (sent): BankDetails => ({ ...BLANK_BANK_ACCOUNT, ...BANK.parse(sent) }),
  BANK.format,
);
const instantCodec = codec(
  CheckedBankAccountInput,
  object(INSTANT.outputs),
  (sent): BankDetails => ({ ...BLANK_BANK_ACCOUNT, ...INSTANT.parse(sent) }),
  INSTANT.format,
);
const achCodec = codec(
  CheckedBankAccountInput,
  object(ACH.outputs),
  (sent) => ({ ...BLANK_BANK_ACCOUNT, verified: true, ...ACH.parse(sent) }),
  ACH.format,
);

const FOREIGN_BANK = fields({
  identifier_code: as(
    'identifierCode',
    plain(Type.String({ maxLength: 11, description: 'A SWIFT code.' }), text('A SWIFT code.')),
  ),
  name: as('name', plain(Label, Text)),
  address: as(
    'address',
    codec(nullable(AnyAddressInput), nullable(Address), parseAddressOrNull, addressCodec.format),
  ),
});
/** A foreign bank, identified by its SWIFT code. */
const ForeignBankShape = record('ForeignBank', 'A bank abroad, by its SWIFT code.', FOREIGN_BANK.outputs);
export const foreignBankCodec = orNone(
  codec(
    body('ForeignBankInput', 'A bank abroad, by its SWIFT code.', FOREIGN_BANK.inputs),
    ForeignBankShape,
    (sent): ForeignBank => ({ identifierCode: '', name: '', address: null, ...FOREIGN_BANK.parse(sent) }),
    FOREIGN_BANK.format,
  ),
);
const INTERNATIONAL_WIRE = fields(
  {
    account_number: accountNumber,
    beneficiary_bank: as('beneficiaryBank', foreignBankCodec),
    correspondent_bank: as('correspondentBank', foreignBankCodec),
  },
  ['account_number'],
);

const DEBIT_CARD = fields(
  {
    card_number: as(
      'cardNumber',
      plain(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'A token of the card, or its number, of which only the last four digits are stored.',
        }),
        text('A token that stands for the card.'),
      ),
    ),
    last4: as(
      'last4',
      plain(
        Type.String({ pattern: '^$|^\\d{4}$', description: 'The last four digits of the card number.' }),
        Last4,
      ),
    ),
    expiry_month: as(
      'expiryMonth',
      plain(
        Type.String({ pattern: '^$|^(0[1-9]|1[0-2])$', description: 'Two digits, "01" to "12".' }),
        Month,
      ),
    ),
    expiry_year: as(
      'expiryYear',
      plain(Type.String({ pattern: '^$|^(20)?\\d{2}$', description: 'Two or four digits.' }), Year),
    ),
    // It is not stored.
    cvv: always(
      Type.String({ maxLength: 100, description: 'Accepted but not stored.' }),
      text('Three digits.'),
      '',
    ),
    address: as(
      'address',
      codec(nullable(AddressInput), nullable(Address), parseAddressOrNull, addressCodec.format),
    ),
    pull_enabled: shown('pullEnabled', { input: Ignored, output: Flag, format: formatFlag }),
    push_enabled: shown('pushEnabled', { input: Ignored, output: Flag, format: formatFlag }),
  },
  ['card_number'],
);

const CHECK = fields({ address: as('address', anyAddress) }, ['address']);

const IntraAccountInput = bodyObject({
  sub_account_number: Type.Optional({ ...TextInput, description: 'The number of an account of this bank.' }),
  sub_account_id: Type.Optional(IdInput),
});

/** The rails in the order of a response. */
export const RAILS = fields({
  intra_account: as(
    'intraAccount',
    orNone(
      codec(
        IntraAccountInput,
        object({ sub_account_number: AccountNumber, sub_account_id: IdText }),
        parseIntraAccount,
        (intra: { accountNumber: string; accountId: string }) => ({
          sub_account_number: intra.accountNumber,
          sub_account_id: formatId('account', intra.accountId),
        }),
      ),
    ),
  ),
  ach: as('ach', orNone(achCodec)),
  domestic_wire: as('domesticWire', orNone(bankCodec)),
  international_wire: as(
    'internationalWire',
    orNone(
      codec(
        body('InternationalWireInput', 'An account abroad.', INTERNATIONAL_WIRE.inputs),
        object(INTERNATIONAL_WIRE.outputs),
        (sent): NonNullable<RailsChange['internationalWire']> => ({
          accountNumber: '',
          identifierType: 'swift',
          beneficiaryBank: null,
          correspondentBank: null,
          ...INTERNATIONAL_WIRE.parse(sent),
        }),
        INTERNATIONAL_WIRE.format,
      ),
    ),
  ),
  rtp: as('rtp', orNone(instantCodec)),
  fednow: as('fednow', orNone(instantCodec)),
  check: as(
    'check',
    orNone(
      codec(
        bodyObject(CHECK.inputs),
        object(CHECK.outputs),
        (sent) => ({ address: null, ...CHECK.parse(sent) }),
        CHECK.format,
      ),
    ),
  ),
  debit_card: as(
    'debitCard',
    orNone(
      codec(
        body('DebitCardInput', "The counterparty's debit card.", DEBIT_CARD.inputs),
        object(DEBIT_CARD.outputs),
        (sent): NonNullable<RailsChange['debitCard']> => ({
          cardNumber: '',
          expiryMonth: '',
          expiryYear: '',
          address: null,
          ...DEBIT_CARD.parse(sent),
        }),
        DEBIT_CARD.format,
      ),
    ),
  ),
});

function parseAddressOrNull(address: Static<typeof AnyAddressInput> | null): AddressRecord | null {
  return address && parseAddress(address);
}

/** A record from a response contains both the number and the id. */
function parseIntraAccount({
  sub_account_number: accountNumber = '',
  sub_account_id: id = '',
}: Static<typeof IntraAccountInput>): NonNullable<RailsChange['intraAccount']> {
  if (accountNumber !== '') return { accountNumber, maySelf: true };
  if (id === '') {
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'intra_account requires a sub_account_number or a sub_account_id',
    });
  }
  const accountId = tryParseId('account', id);
  if (accountId === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount' });
  return { accountId, maySelf: true };
}
