/**
 * Reads the bodies that make and change a counterparty, and the filters of the list. What v2 has no word for is not said
 * at all, so that the bank keeps what v1 said of it.
 * Source: the counterparty operations of the platform's v2 reference; rows 161 to 165 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyChange, NewCounterparty, NewDebitCard, RailsChange } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { BankDetails, ForeignBank } from '../../../model/records.ts';
import { HOLDER_TYPES, type HolderType } from '../../../model/vocabulary.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../ids.ts';
import { readId, sent } from '../fields.ts';
import { readAddress, readBusiness, readBusinessChange, readPerson, readPersonChange } from '../people.ts';
import type {
  BankAccountInput,
  BusinessPartyInput,
  CheckedBankAccountInput,
  CounterpartyQuery,
  CounterpartyUpdate,
  DebitCardInput,
  ForeignBankInput,
  InternationalWireInput,
  NewCounterparty as NewCounterpartyShape,
  PersonPartyInput,
} from './shapes.ts';

type Body = Static<typeof CounterpartyUpdate>;
type Rail<R extends keyof RailsChange> = NonNullable<RailsChange[R]>;

/** Reads a new counterparty. Refuses: `account_not_found`, `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function readNewCounterparty(body: Static<typeof NewCounterpartyShape>): NewCounterparty {
  const accountId = readId('account', body.sub_account_id);
  return {
    accountId,
    ...readOwn(body),
    rails: readRails(body),
    ...readWords(body),
  };
}

/** Reads a change. Refuses: `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function readCounterpartyChange(body: Body): CounterpartyChange {
  const rails = readRails(body);
  return {
    ...sent('type', body.type === undefined ? undefined : readType(body.type)),
    ...sent('person', body.person ? readPersonChange(saidOfPerson(body.person)) : undefined),
    ...sent('business', body.business ? readBusinessChange(saidOfBusiness(body.business)) : undefined),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...readWords(body),
    ...sent('status', body.status),
  };
}

/** Reads the filters of the list. A filter that names nothing finds nothing, and an empty one asks nothing. */
export function readCounterpartyFilters(query: Static<typeof CounterpartyQuery>): Condition[] {
  const { sub_account_id: account = '', external_reference_id: reference = '', status } = query;
  return [
    ...(account === '' ? [] : [{ field: 'accountId', is: parseId('account', account) ?? '' }]),
    ...(reference === '' ? [] : [{ field: 'externalReferenceId', is: reference }]),
    ...(status === undefined ? [] : [{ field: 'status', is: status }]),
  ];
}

/** The type, and the object of that type; the other one is none of its business. */
function readOwn({ type: text = '', person, business }: Body): Pick<NewCounterparty, 'type' | HolderType> {
  const type = readType(text);
  if (type === 'person' && person) return { type, person: readPerson(saidOfPerson(person)) };
  if (type === 'business' && business) return { type, business: readBusiness(saidOfBusiness(business)) };
  throw refuse('field_invalid', {
    field: type,
    message: `a counterparty of type ${type} needs the object ${type}`,
  });
}

/** Without what an answer shows as unset. */
function saidOfPerson({ id_type: idType, address, ...rest }: Static<typeof PersonPartyInput>) {
  return { ...rest, ...(idType && { id_type: idType }), ...(address && { address }) };
}

function saidOfBusiness(business: Static<typeof BusinessPartyInput>) {
  const { id_type: idType, entity_type: entityType, address, ...rest } = business;
  return {
    ...rest,
    ...(idType && { id_type: idType }),
    ...(entityType && { entity_type: entityType }),
    ...(address && { address }),
  };
}

/** The platform names no field here. */
function readType(text: string): HolderType {
  const type = HOLDER_TYPES.find((known) => known === text);
  if (type === undefined) throw refuse('field_invalid', { message: 'type must be properly set' });
  return type;
}

function readWords(body: Body) {
  return {
    ...sent('label', body.label),
    ...sent('purpose', body.purpose),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('metadata', body.metadata ?? undefined),
  };
}

function readRails(body: Body): RailsChange {
  const { intra_account: intra, ach, domestic_wire: wire, international_wire: abroad } = body;
  const { rtp, fednow, check, debit_card: card } = body;
  return {
    ...(intra !== undefined && { intraAccount: intra && readIntraAccount(intra) }),
    ...(ach !== undefined && { ach: ach && readAch(ach) }),
    ...(wire !== undefined && { domesticWire: wire && readBankAccount(wire) }),
    ...(abroad !== undefined && { internationalWire: abroad && readInternationalWire(abroad) }),
    ...(rtp !== undefined && { rtp: rtp && readBankAccount(rtp) }),
    ...(fednow !== undefined && { fednow: fednow && readBankAccount(fednow) }),
    ...(check !== undefined && { check: check && { address: readAddress(check.address) } }),
    ...(card !== undefined && { debitCard: card && readDebitCard(card) }),
  };
}

function readIntraAccount(intra: NonNullable<Body['intra_account']>): Rail<'intraAccount'> {
  const { sub_account_number: accountNumber = '', sub_account_id: id = '' } = intra;
  // A record that was read carries both.
  if (accountNumber !== '') return { accountNumber, maySelf: true };
  if (id === '') {
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'intra_account names a sub_account_number or a sub_account_id',
    });
  }
  const accountId = parseId('account', id);
  if (accountId === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount' });
  return { accountId, maySelf: true };
}

function readBankAccount(bank: Static<typeof BankAccountInput>): BankDetails {
  return {
    accountNumber: bank.account_number,
    routingNumber: bank.routing_number,
    accountType: bank.account_type ?? '',
    bankName: bank.bank_name ?? '',
  };
}

function readAch(ach: Static<typeof CheckedBankAccountInput>): Rail<'ach'> {
  return { ...readBankAccount(ach), verified: (ach.verification_status ?? 'pass') === 'pass' };
}

function readInternationalWire(wire: Static<typeof InternationalWireInput>): Rail<'internationalWire'> {
  return {
    accountNumber: wire.account_number,
    identifierType: 'swift',
    beneficiaryBank: readForeignBank(wire.beneficiary_bank),
    correspondentBank: readForeignBank(wire.correspondent_bank),
  };
}

function readForeignBank(bank: Static<typeof ForeignBankInput> | null | undefined): ForeignBank | null {
  return bank
    ? {
        identifierCode: bank.identifier_code ?? '',
        name: bank.name ?? '',
        address: bank.address ? readAddress(bank.address) : null,
      }
    : null;
}

function readDebitCard(card: Static<typeof DebitCardInput>): NewDebitCard {
  return {
    cardNumber: card.card_number,
    ...sent('last4', card.last4),
    expiryMonth: card.expiry_month ?? '',
    expiryYear: card.expiry_year ?? '',
    address: card.address ? readAddress(card.address) : null,
  };
}
