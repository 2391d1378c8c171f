/**
 * Parses the bodies that create and change a counterparty, and the filters of the list. Fields that v2 does not have
 * are left out, so that the bank keeps the values of v1.
 * Source: the counterparty operations of the platform's v2 reference; decisions `counterparty-needs`,
 * `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty` and `debit-card-kept` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyChange, NewCounterparty, NewDebitCard, RailsChange } from '../../../bank/inputs.ts';
import { readAt, refuse } from '../../../kernel/refusal.ts';
import type { BankDetails, ForeignBank } from '../../../model/records.ts';
import { HOLDER_TYPES, type HolderType } from '../../../model/vocabulary.ts';
import type { Condition } from '../../../store/lists.ts';
import { tryParseId } from '../../ids.ts';
import { ifPresent, parseId } from '../fields.ts';
import {
  parseAddress,
  parseBusiness,
  parseBusinessChange,
  parsePerson,
  parsePersonChange,
} from '../people.ts';
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

/** Parses a new counterparty. Refuses: `account_not_found`, `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function parseNewCounterparty(body: Static<typeof NewCounterpartyShape>): NewCounterparty {
  const accountId = parseId('account', body.sub_account_id);
  return {
    accountId,
    ...parseOwn(body),
    rails: parseRails(body),
    ...parseWords(body),
  };
}

/** Parses a change. Refuses: `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function parseCounterpartyChange(body: Body): CounterpartyChange {
  const { person, business } = body;
  const rails = parseRails(body);
  return {
    ...ifPresent('type', body.type === undefined ? undefined : parseType(body.type)),
    ...ifPresent(
      'person',
      person ? readAt('person', () => parsePersonChange(setFieldsOfPerson(person))) : undefined,
    ),
    ...ifPresent(
      'business',
      business ? readAt('business', () => parseBusinessChange(setFieldsOfBusiness(business))) : undefined,
    ),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...parseWords(body),
    ...ifPresent('status', body.status),
  };
}

/** Parses the filters of the list. A filter by an id that does not exist finds nothing; an empty one is ignored. */
export function parseCounterpartyFilters(query: Static<typeof CounterpartyQuery>): Condition[] {
  const { sub_account_id: account = '', external_reference_id: reference = '', status } = query;
  return [
    ...(account === '' ? [] : [{ field: 'accountId', is: tryParseId('account', account) ?? '' }]),
    ...(reference === '' ? [] : [{ field: 'externalReferenceId', is: reference }]),
    ...(status === undefined ? [] : [{ field: 'status', is: status }]),
  ];
}

/** The type, and the object of that type; the other one is none of its business. */
function parseOwn({ type: text = '', person, business }: Body): Pick<NewCounterparty, 'type' | HolderType> {
  const type = parseType(text);
  if (type === 'person' && person) {
    return { type, person: readAt('person', () => parsePerson(setFieldsOfPerson(person))) };
  }
  if (type === 'business' && business) {
    return { type, business: readAt('business', () => parseBusiness(setFieldsOfBusiness(business))) };
  }
  throw refuse('field_invalid', {
    field: type,
    message: `a counterparty of type ${type} needs the object ${type}`,
  });
}

/** Without what an answer shows as unset. */
function setFieldsOfPerson({ id_type: idType, address, ...rest }: Static<typeof PersonPartyInput>) {
  return { ...rest, ...(idType && { id_type: idType }), ...(address && { address }) };
}

function setFieldsOfBusiness(business: Static<typeof BusinessPartyInput>) {
  const { id_type: idType, entity_type: entityType, address, ...rest } = business;
  return {
    ...rest,
    ...(idType && { id_type: idType }),
    ...(entityType && { entity_type: entityType }),
    ...(address && { address }),
  };
}

/** The platform names no field here. */
function parseType(text: string): HolderType {
  const type = HOLDER_TYPES.find((known) => known === text);
  if (type === undefined) throw refuse('field_invalid', { message: 'type must be properly set' });
  return type;
}

function parseWords(body: Body) {
  return {
    ...ifPresent('label', body.label),
    ...ifPresent('purpose', body.purpose),
    ...ifPresent('externalReferenceId', body.external_reference_id),
    ...ifPresent('metadata', body.metadata ?? undefined),
  };
}

function parseRails(body: Body): RailsChange {
  const { intra_account: intra, ach, domestic_wire: wire, international_wire: abroad } = body;
  const { rtp, fednow, check, debit_card: card } = body;
  return {
    ...(intra !== undefined && { intraAccount: intra && parseIntraAccount(intra) }),
    ...(ach !== undefined && { ach: ach && parseAch(ach) }),
    ...(wire !== undefined && { domesticWire: wire && parseBankAccount(wire) }),
    ...(abroad !== undefined && { internationalWire: abroad && parseInternationalWire(abroad) }),
    ...(rtp !== undefined && { rtp: rtp && parseBankAccount(rtp) }),
    ...(fednow !== undefined && { fednow: fednow && parseBankAccount(fednow) }),
    ...(check !== undefined && { check: check && { address: parseAddress(check.address) } }),
    ...(card !== undefined && { debitCard: card && parseDebitCard(card) }),
  };
}

function parseIntraAccount(intra: NonNullable<Body['intra_account']>): Rail<'intraAccount'> {
  const { sub_account_number: accountNumber = '', sub_account_id: id = '' } = intra;
  // A record that was read carries both.
  if (accountNumber !== '') return { accountNumber, maySelf: true };
  if (id === '') {
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'intra_account names a sub_account_number or a sub_account_id',
    });
  }
  const accountId = tryParseId('account', id);
  if (accountId === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount' });
  return { accountId, maySelf: true };
}

function parseBankAccount(bank: Static<typeof BankAccountInput>): BankDetails {
  return {
    accountNumber: bank.account_number,
    routingNumber: bank.routing_number,
    accountType: bank.account_type ?? '',
    bankName: bank.bank_name ?? '',
  };
}

function parseAch(ach: Static<typeof CheckedBankAccountInput>): Rail<'ach'> {
  return { ...parseBankAccount(ach), verified: (ach.verification_status ?? 'pass') === 'pass' };
}

function parseInternationalWire(wire: Static<typeof InternationalWireInput>): Rail<'internationalWire'> {
  return {
    accountNumber: wire.account_number,
    identifierType: 'swift',
    beneficiaryBank: parseForeignBank(wire.beneficiary_bank),
    correspondentBank: parseForeignBank(wire.correspondent_bank),
  };
}

function parseForeignBank(bank: Static<typeof ForeignBankInput> | null | undefined): ForeignBank | null {
  return bank
    ? {
        identifierCode: bank.identifier_code ?? '',
        name: bank.name ?? '',
        address: bank.address ? parseAddress(bank.address) : null,
      }
    : null;
}

function parseDebitCard(card: Static<typeof DebitCardInput>): NewDebitCard {
  return {
    cardNumber: card.card_number,
    ...ifPresent('last4', card.last4),
    expiryMonth: card.expiry_month ?? '',
    expiryYear: card.expiry_year ?? '',
    address: card.address ? parseAddress(card.address) : null,
  };
}
