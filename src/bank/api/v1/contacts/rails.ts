/**
 * Parses and formats the details of a contact for each rail. A rail without details is `null`. A sent rail replaces
 * all details of that rail, and `null` removes them, so that a client can send a contact back as it was returned; a
 * rail that is not sent does not change. An account of this bank is identified by its number or its id, and the bank
 * looks up the other. v1 has both wires in one object. A debit card is set by a separate call.
 * Source: the contact object, "create a contact" and "update a contact" of the platform's v1 reference, and the debit card
 * of its public samples; decisions `contact-update` and `debit-card-kept` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { BLANK_BANK_ACCOUNT } from '../../../model/people.ts';
import type { Address as AddressRecord, CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import type { RailsChange } from '../../../verbs/inputs.ts';
import { as, codec, fields, plain, responseOnly } from '../../codec.ts';
import { formatV1, tryParseId } from '../../ids.ts';
import {
  AccountNumber,
  Address,
  AddressInput,
  addressCodec,
  filledText,
  formatAddress,
  IdText,
  Last4,
  Month,
  object,
  orNone,
  orNull,
  parseAddress,
  parseAddressOrNull,
  RoutingNumber,
  Text,
  text,
  wordCodec,
  Year,
} from '../fields.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';

const AccountNumberInput = filledText(34, 'the number of the account at its bank, not blank');
const name = Type.Optional(Type.String({ maxLength: 100 }));
const bankFields = {
  accountNumber: as('accountNumber', plain(AccountNumberInput, AccountNumber)),
  accountType: as('accountType', wordCodec(BANK_ACCOUNT_TYPES)),
  bankName: as('bankName', plain(Type.String({ maxLength: 100 }), Text)),
  last4: responseOnly('accountNumber', Last4, (number: string) => number.slice(-4)),
  routingNumber: as(
    'routingNumber',
    plain(Type.String({ pattern: '^\\d{9}$', description: 'nine digits' }), RoutingNumber),
  ),
};
const REQUIRED = ['accountNumber', 'routingNumber', 'accountType'] as const;

const ACH = fields(
  { ...bankFields, verified: responseOnly('verified', Type.Boolean(), (verified: boolean) => verified) },
  REQUIRED,
);
const DOMESTIC = fields({ ...bankFields, address: as('address', addressCodec('wire')) }, REQUIRED);

const InternationalInput = Type.Object({
  accountNumber: AccountNumberInput,
  accountType: name,
  bankIdentifierType: name,
  bankIdentifierCode: Type.String({ minLength: 1, maxLength: 100, description: 'a SWIFT code' }),
  beneficiaryBank: name,
  beneficiaryBankAddress: Type.Optional(orNull(AddressInput)),
  beneficiaryAddress: Type.Optional(orNull(AddressInput)),
  correspondentBank: name,
  correspondentBankAddress: Type.Optional(orNull(AddressInput)),
  correspondentBankIdentifierCode: Type.Optional(
    Type.String({ maxLength: 100, description: 'a SWIFT code' }),
  ),
});
const International = object({
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
});

const WIRES = fields({
  domestic: as(
    'domesticWire',
    orNone(
      codec(
        Type.Object(DOMESTIC.inputs),
        object(DOMESTIC.outputs),
        (sent) => ({ ...BLANK_BANK_ACCOUNT, address: null, ...DOMESTIC.parse(sent) }),
        DOMESTIC.format,
      ),
    ),
  ),
  international: as(
    'internationalWire',
    orNone(codec(InternationalInput, International, parseInternational, formatInternational)),
  ),
});
type Wires = Pick<CounterpartyRails, 'domesticWire' | 'internationalWire'>;

/** The address for a check or a card. */
const mailed = (what: 'check' | 'card') => {
  const { output, format } = addressCodec(what);
  return orNone(
    codec(
      Type.Object({ address: AddressInput }),
      object({ address: output }),
      ({ address }) => ({ address: parseAddress(address) }),
      ({ address }: { address: AddressRecord | null }) => ({ address: format(address) }),
    ),
  );
};

const Switch = object({ enabled: Type.Boolean() });
const DebitCard = object({
  cardNumber: text('A test number of 16 digits, or the token that stands for one.'),
  last4: Last4,
  expiryMonth: Month,
  expiryYear: Year,
  address: orNull(Address),
  pull: Switch,
  push: Switch,
  usageType: text('Always "": its values are not published.'),
});

const SHAPES = fields({
  intrabank: as(
    'intraAccount',
    orNone(
      codec(
        Type.Object({
          accountNumber: Type.Optional(Type.String({ description: 'the number of an account of this bank' })),
          accountId: Type.Optional(Type.String()),
        }),
        object({ accountId: IdText, accountNumber: AccountNumber }),
        parseIntrabank,
        ({ accountId, accountNumber }: NonNullable<CounterpartyRails['intraAccount']>) => ({
          accountId: formatV1('account', accountId),
          accountNumber,
        }),
      ),
    ),
  ),
  ach: as(
    'ach',
    orNone(
      codec(
        Type.Object(ACH.inputs),
        object(ACH.outputs),
        (sent) => ({ ...BLANK_BANK_ACCOUNT, ...ACH.parse(sent) }),
        ACH.format,
      ),
    ),
  ),
  wire: as(
    'wires',
    codec(
      orNull(Type.Object(WIRES.inputs)),
      orNull(object(WIRES.outputs)),
      (sent) => (sent === null ? { domesticWire: null, internationalWire: null } : WIRES.parse(sent)),
      (wires: Wires) =>
        wires.domesticWire === null && wires.internationalWire === null ? null : WIRES.format(wires),
    ),
  ),
  check: as('check', mailed('check')),
  card: as('card', mailed('card')),
  debitCard: responseOnly('debitCard', orNull(DebitCard), formatDebitCard),
});

/** The rails of a contact in the order of a response. */
export const RAILS = {
  inputs: SHAPES.inputs,
  outputs: SHAPES.outputs,
  /** Parses the rails. Refuses: `field_invalid`, `intra_account_unknown`. */
  parse(body: Parameters<typeof SHAPES.parse>[0]): RailsChange {
    const { wires, ...others } = SHAPES.parse(body);
    return { ...others, ...wires };
  },
  format: (rails: CounterpartyRails) => SHAPES.format({ ...rails, wires: rails }),
};

function parseIntrabank({ accountNumber, accountId }: { accountNumber?: string; accountId?: string }) {
  // A record from a response contains both; the platform's sample sends the number.
  if (accountNumber !== undefined && accountNumber !== '') return { accountNumber };
  if (accountId === undefined || accountId === '')
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'must have an accountNumber or an accountId',
    });
  const id = tryParseId('account', accountId);
  if (id === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount.accountId' });
  return { accountId: id };
}

type Abroad = NonNullable<CounterpartyRails['internationalWire']>;

function parseInternational(wire: Static<typeof InternationalInput>): Abroad {
  const correspondent: ForeignBank = {
    identifierCode: wire.correspondentBankIdentifierCode ?? '',
    name: wire.correspondentBank ?? '',
    address: parseAddressOrNull(wire.correspondentBankAddress),
  };
  return {
    accountNumber: wire.accountNumber,
    accountType: wire.accountType ?? '',
    identifierType: wire.bankIdentifierType || 'swift',
    beneficiaryAddress: parseAddressOrNull(wire.beneficiaryAddress),
    beneficiaryBank: {
      identifierCode: wire.bankIdentifierCode,
      name: wire.beneficiaryBank ?? '',
      address: parseAddressOrNull(wire.beneficiaryBankAddress),
    },
    correspondentBank:
      correspondent.identifierCode === '' && correspondent.name === '' && correspondent.address === null
        ? null
        : correspondent,
  };
}

function formatInternational(wire: Abroad): Static<typeof International> {
  const { beneficiaryBank: beneficiary, correspondentBank: correspondent } = wire;
  return {
    accountNumber: wire.accountNumber,
    accountType: wire.accountType,
    bankIdentifierCode: beneficiary?.identifierCode ?? '',
    bankIdentifierType: wire.identifierType,
    beneficiaryAddress: formatAddress('wire', wire.beneficiaryAddress),
    beneficiaryBank: beneficiary?.name ?? '',
    beneficiaryBankAddress: formatAddress('wire', beneficiary?.address ?? null),
    correspondentBank: correspondent?.name ?? '',
    correspondentBankAddress: formatAddress('wire', correspondent?.address ?? null),
    correspondentBankIdentifierCode: correspondent?.identifierCode ?? '',
  };
}

function formatDebitCard(card: CounterpartyRails['debitCard']): Static<typeof DebitCard> | null {
  return (
    card && {
      cardNumber: card.last4 === '' ? '' : `************${card.last4}`,
      last4: card.last4,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      address: formatAddress('card', card.address),
      pull: { enabled: card.pullEnabled },
      push: { enabled: card.pushEnabled },
      usageType: '',
    }
  );
}
