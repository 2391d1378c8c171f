/**
 * Reads the change of a contact. What is not sent stays; a rail that is sent replaces the rail's details whole, and
 * `null` takes them away, so that a record which was read may be sent back. An account of this bank is named by its
 * number or its id, and the bank looks the other up.
 * Source: "update a contact" of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyChange, RailsChange } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Address, CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import { parseId } from '../../identifiers.ts';
import type { AddressInput } from '../shapes/address.ts';
import type {
  AchInput,
  ContactChangeBody,
  DomesticWireInput,
  InternationalWireInput,
} from '../shapes/contact.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';
import { readEmail, readPhone } from './values.ts';

type Body = Static<typeof ContactChangeBody>;

/** Refuses: `phone_invalid`, `field_invalid`, `intra_account_unknown`. */
export function readContactChange(body: Body): CounterpartyChange {
  const rails = readRails(body);
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.email !== undefined && { email: readEmail('email', body.email) }),
    ...(body.phone !== undefined && { phone: readPhone('phone', body.phone) }),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...(body.metadata != null && { metadata: body.metadata }),
  };
}

function readRails({ intrabank, ach, wire, check, card }: Body): RailsChange {
  const domestic = wire === null ? null : wire?.domestic;
  const international = wire === null ? null : wire?.international;
  return {
    ...(intrabank !== undefined && { intraAccount: intrabank && readIntrabank(intrabank) }),
    ...(ach !== undefined && { ach: ach && { ...readBankDetails(ach), verified: false } }),
    ...(domestic !== undefined && { domesticWire: domestic && readDomesticWire(domestic) }),
    ...(international !== undefined && {
      internationalWire: international && readForeignWire(international),
    }),
    ...(check !== undefined && { check: check && { address: readAddress(check.address) } }),
    ...(card !== undefined && { card: card && { address: readAddress(card.address) } }),
  };
}

type Intrabank = NonNullable<Body['intrabank']>;

function readIntrabank({ accountNumber, accountId }: Intrabank): NonNullable<RailsChange['intraAccount']> {
  // A record that was read carries both; the number is what the platform's own sample sends.
  if (accountNumber !== undefined && accountNumber !== '') return { accountNumber };
  if (accountId === undefined || accountId === '')
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'must name an accountNumber or an accountId',
    });
  const id = parseId('account', accountId);
  if (id === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount.accountId' });
  return { accountId: id };
}

function readBankDetails({ accountNumber, routingNumber, accountType, bankName }: Static<typeof AchInput>) {
  return {
    accountNumber,
    routingNumber,
    accountType: BANK_ACCOUNT_TYPES.read(accountType),
    bankName: bankName ?? '',
  };
}

function readDomesticWire(wire: Static<typeof DomesticWireInput>): CounterpartyRails['domesticWire'] {
  return { ...readBankDetails(wire), address: readAddressOrNull(wire.address) };
}

function readForeignWire(
  wire: Static<typeof InternationalWireInput>,
): CounterpartyRails['internationalWire'] {
  const correspondent: ForeignBank = {
    identifierCode: wire.correspondentBankIdentifierCode ?? '',
    name: wire.correspondentBank ?? '',
    address: readAddressOrNull(wire.correspondentBankAddress),
  };
  return {
    accountNumber: wire.accountNumber,
    accountType: wire.accountType ?? '',
    identifierType: wire.bankIdentifierType ?? 'swift',
    beneficiaryAddress: readAddressOrNull(wire.beneficiaryAddress),
    beneficiaryBank: {
      identifierCode: wire.bankIdentifierCode,
      name: wire.beneficiaryBank ?? '',
      address: readAddressOrNull(wire.beneficiaryBankAddress),
    },
    correspondentBank:
      correspondent.identifierCode === '' && correspondent.name === '' && correspondent.address === null
        ? null
        : correspondent,
  };
}

function readAddress(address: Static<typeof AddressInput>): Address {
  return {
    line1: address.line1,
    line2: address.line2 ?? '',
    city: address.city,
    state: address.state,
    country: address.country.toUpperCase(),
    postalCode: address.postalCode,
  };
}

function readAddressOrNull(address: Static<typeof AddressInput> | null | undefined): Address | null {
  return address == null ? null : readAddress(address);
}
