/**
 * Reads what makes and changes a contact, its debit card, and the filters of lists. What is not sent stays; a rail that
 * is sent replaces the rail's details whole, and `null` takes them away, so that a record which was read may be sent
 * back. An account of this bank is named by its number or its id, and the bank looks the other up.
 * Source: "create a contact", "update a contact" and "list all contacts" of the platform's v1 reference; rows 45d and 93
 * of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyChange, NewCounterparty, NewDebitCard, RailsChange } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../ids.ts';
import { readAddress, readAddressOrNull, readEmail, readId, readPhone, sent } from '../fields.ts';
import { idFilter, readCommonFilters, textFilters } from '../paging.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';
import type {
  AchInput,
  ContactChangeBody,
  ContactQuery,
  DebitCardBody,
  DomesticWireInput,
  InternationalWireInput,
  NewContactBody,
} from './shapes.ts';

type Body = Static<typeof ContactChangeBody>;
type Query = Static<typeof ContactQuery>;

/** Where the bank keeps what a list may ask for. */
const FILTERS: Readonly<Partial<Record<keyof Query, string>>> = {
  type: 'relation',
  intrabankAccountNumber: 'rails.intraAccount.accountNumber',
  achAccountNumber: 'rails.ach.accountNumber',
  achRoutingNumber: 'rails.ach.routingNumber',
  wireDomesticAccountNumber: 'rails.domesticWire.accountNumber',
  wireDomesticRoutingNumber: 'rails.domesticWire.routingNumber',
  wireInternationalAccountNumber: 'rails.internationalWire.accountNumber',
  wireInternationalBankIdentifierCode: 'rails.internationalWire.beneficiaryBank.identifierCode',
};

/** Refuses: `account_not_found`, and as `readContactChange` does. */
export function readNewContact(body: Static<typeof NewContactBody>): NewCounterparty {
  return {
    accountId: readId('account', body.accountId, 'accountId'),
    name: body.name,
    ...sent(body, ['label']),
    relation: body.type ?? 'others',
    rails: readRails(body),
    ...readWords(body),
  };
}

/** Refuses: `phone_invalid`, `field_invalid`, `intra_account_unknown`. */
export function readContactChange(body: Body): CounterpartyChange {
  const rails = readRails(body);
  return {
    ...sent(body, ['name']),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...readWords(body),
  };
}

/** Reads a debit card. */
export function readDebitCard({ debitCard }: Static<typeof DebitCardBody>): NewDebitCard {
  const { cardNumber, expiryMonth, expiryYear, address } = debitCard;
  return { cardNumber, expiryMonth, expiryYear, address: readAddressOrNull(address) };
}

/** The conditions of a list, which has what was deleted only when it is asked for. Refuses: `field_invalid`. */
export function readContactFilters(query: Query): Condition[] {
  return [
    ...idFilter('id', 'counterparty', query.id),
    ...idFilter('accountId', 'account', query.accountId),
    query.status === 'deleted'
      ? { field: 'status', is: 'deactivated' }
      : { field: 'status', not: 'deactivated' },
    ...textFilters(query, FILTERS),
    ...readCommonFilters(query),
  ];
}

type Words = Pick<Body, 'email' | 'phone' | 'metadata'>;

function readWords(body: Words) {
  return {
    ...(body.email !== undefined && { email: readEmail('email', body.email) }),
    ...(body.phone !== undefined && { phone: readPhone('phone', body.phone) }),
    ...(body.metadata != null && { metadata: body.metadata }),
  };
}

function readRails({ intrabank, ach, wire, check, card }: Body): RailsChange {
  const domestic = wire === null ? null : wire?.domestic;
  const international = wire === null ? null : wire?.international;
  return {
    ...(intrabank !== undefined && { intraAccount: intrabank && readIntrabank(intrabank) }),
    ...(ach !== undefined && { ach: ach && readBankDetails(ach) }),
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
    accountType: accountType === '' ? accountType : BANK_ACCOUNT_TYPES.read(accountType),
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
    identifierType: wire.bankIdentifierType || 'swift',
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
