/**
 * The details of a counterparty. Its name follows its person or business until a client sets another name. The
 * details for a rail are replaced as a whole. The number of another bank must have a valid format, and a missing bank
 * name is looked up. An account of this bank is stored with its number and its id. Only the last four digits, the
 * expiry and a token of a debit card are stored.
 * Source: "retrieve bank info" of the platform's v2 reference; decisions `counterparty-needs`, `counterparty-name`,
 * `bank-numbers`, `contact-update`, `counterparty-in-bank`, `routing-number-banks`, `counterparty-kept-fields`,
 * `own-account-counterparty` and `debit-card-kept` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import {
  type BankNumberType,
  bankOfRoutingNumber,
  bankOfSwiftCode,
  isRoutingNumber,
  isSwiftCode,
  type PartnerBank,
} from '../../model/banks.ts';
import { BLANK_BUSINESS, BLANK_PERSON, requireFullSsn } from '../../model/people.ts';
import type {
  Account,
  BankDetails,
  Counterparty,
  CounterpartyRails,
  ForeignBank,
} from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { nameOf } from '../holders/changes.ts';
import type { CounterpartyChange, NewCounterparty, NewDebitCard, RailsChange } from '../inputs.ts';

type Details = Pick<Counterparty, 'type' | 'person' | 'business' | 'name'>;

/** The details of a new counterparty. */
export function detailsOfNew({ type, person, business, name, label }: NewCounterparty): Details {
  const details = { person: person ?? null, business: business ?? null };
  return {
    ...details,
    type: type ?? (business === undefined ? 'person' : 'business'),
    name: name ?? (ownName(details) || (label ?? '')),
  };
}

/** The details after a change. Refuses: `field_invalid` for another type without its object, and for an id number. */
export function detailsAfter(present: Details, change: CounterpartyChange): Details {
  const { type = present.type, person, business } = change;
  if (type !== present.type && change[type] === undefined) {
    throw refuse('field_invalid', {
      field: type,
      message: `a counterparty of type ${type} needs the object ${type}`,
    });
  }
  const details =
    type === 'person'
      ? { person: merge(BLANK_PERSON, present.person, person), business: null }
      : { person: null, business: merge(BLANK_BUSINESS, present.business, business) };
  requireFullSsn(present.person, details.person, 'person.idNumber');
  const follows = present.name === ownName(present);
  return { ...details, type, name: change.name ?? ((follows && ownName(details)) || present.name) };
}

function merge<T extends object>(unset: T, present: T | null, change: Partial<T> | undefined): T | null {
  return change === undefined ? present : { ...(present ?? unset), ...change };
}

function ownName({ person, business }: Pick<Details, 'person' | 'business'>): string {
  const details = person ?? business;
  return details === null ? '' : nameOf(details);
}

interface Kind {
  isGood(number: string): boolean;
  bankOf(number: string): PartnerBank;
  readonly rule: string;
}

const KINDS: Readonly<Record<BankNumberType, Kind>> = {
  aba: {
    isGood: isRoutingNumber,
    bankOf: bankOfRoutingNumber,
    rule: 'a routing number has nine digits, of which the last is a check digit',
  },
  swift: {
    isGood: isSwiftCode,
    bankOf: bankOfSwiftCode,
    rule: 'a SWIFT code has 8 or 11 letters and digits; the fifth and sixth are a country code',
  },
};

/** The bank of a number; its name can be unknown. Refuses: `field_invalid` for an invalid number. */
export function lookUpBank(type: BankNumberType, number: string, field: string): PartnerBank {
  const { isGood, bankOf, rule } = KINDS[type];
  if (!isGood(number))
    throw refuse('field_invalid', { field, message: `${rule}; got "${number.slice(0, 40)}"` });
  return bankOf(number);
}

type Rails = CounterpartyRails;
type Paid = Pick<Counterparty, 'rails' | 'relation'>;

export const NO_RAILS: Rails = {
  intraAccount: null,
  ach: null,
  domesticWire: null,
  internationalWire: null,
  rtp: null,
  fednow: null,
  check: null,
  card: null,
  debitCard: null,
};

const CARD_NUMBER = /^\d{12,19}$/;
const TOKEN_PREFIX = 'tok_test_';

/** The rails of a counterparty of the account `own` after a change, and its relation. Refuses as `create` does. */
export function railsAfter(
  dependencies: Dependencies,
  own: Account,
  present: Paid,
  change: RailsChange = {},
): Paid {
  const { intraAccount, ach, domesticWire, internationalWire, rtp, fednow, debitCard, ...rest } = change;
  const before = present.rails;
  const intra = resolve(dependencies, own, present, intraAccount);
  return {
    relation: intra.relation,
    rails: {
      ...before,
      ...rest,
      intraAccount: intra.found,
      ach: ach === undefined ? before.ach : ach && checkedAch(before.ach, ach),
      domesticWire:
        domesticWire === undefined
          ? before.domesticWire
          : domesticWire &&
            checked('domesticWire', { address: before.domesticWire?.address ?? null, ...domesticWire }),
      internationalWire:
        internationalWire === undefined
          ? before.internationalWire
          : internationalWire && abroad(before.internationalWire, internationalWire),
      rtp: rtp === undefined ? before.rtp : rtp && checked('rtp', rtp),
      fednow: fednow === undefined ? before.fednow : fednow && checked('fednow', fednow),
      debitCard:
        debitCard === undefined
          ? before.debitCard
          : debitCard && keepCard(dependencies, before.debitCard, debitCard),
    },
  };
}

/** Refuses: `field_invalid`. */
export function requireCardNumber({ cardNumber }: NewDebitCard): void {
  const digits = digitsOf(cardNumber);
  if (digits === '' || CARD_NUMBER.test(digits)) return;
  throw refuse('field_invalid', {
    field: 'debitCard.cardNumber',
    message: `a card number has 12 to 19 digits; got ${digits.length}`,
  });
}

function resolve(
  { store }: Dependencies,
  own: Account,
  { rails, relation }: Paid,
  requested: RailsChange['intraAccount'],
): { found: Rails['intraAccount']; relation: Counterparty['relation'] } {
  if (requested === undefined) return { found: rails.intraAccount, relation };
  if (requested === null) return { found: null, relation };
  const id = requested.accountId ?? store.accounts.idOfNumber(requested.accountNumber ?? '');
  const account = id === undefined ? undefined : store.accounts.byId(id);
  if (account === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount' });
  const isSelf = relation === 'others' && account.holderId === own.holderId;
  if (account.id === own.id || (isSelf && requested.maySelf !== true)) {
    throw refuse('intra_account_own', { field: 'intraAccount' });
  }
  return {
    found: { accountId: account.id, accountNumber: account.accountNumber },
    relation: isSelf ? 'selfIntrabank' : relation,
  };
}

function checked<T extends BankDetails>(rail: keyof Rails, details: T): T {
  const { name } = lookUpBank('aba', details.routingNumber, `${rail}.routingNumber`);
  return details.bankName === '' ? { ...details, bankName: name } : details;
}

function checkedAch(before: Rails['ach'], change: NonNullable<RailsChange['ach']>): Rails['ach'] {
  const { accountNumber, routingNumber } = change;
  const isKnown = before?.accountNumber === accountNumber && before.routingNumber === routingNumber;
  return { ...checked('ach', change), verified: change.verified ?? (isKnown && before.verified) };
}

function abroad(
  before: Rails['internationalWire'],
  change: NonNullable<RailsChange['internationalWire']>,
): Rails['internationalWire'] {
  const details = {
    accountType: '',
    identifierType: 'swift',
    beneficiaryAddress: null,
    ...before,
    ...change,
  };
  if (details.identifierType !== 'swift') return details;
  return {
    ...details,
    beneficiaryBank: checkedAbroad('identifierCode', details.beneficiaryBank),
    correspondentBank: checkedAbroad('correspondentIdentifierCode', details.correspondentBank),
  };
}

function checkedAbroad(field: string, bank: ForeignBank | null): ForeignBank | null {
  if (bank === null || bank.identifierCode === '') return bank;
  const identifierCode = bank.identifierCode.toUpperCase();
  const { name } = lookUpBank('swift', identifierCode, `internationalWire.${field}`);
  return { ...bank, identifierCode, name: bank.name || name };
}

function keepCard(
  { sequence, clock }: Dependencies,
  before: Rails['debitCard'],
  card: NewDebitCard,
): Rails['debitCard'] {
  requireCardNumber(card);
  const digits = digitsOf(card.cardNumber);
  // A returned record contains the token of its card, and a client can send it back.
  const knownLast4 = card.last4 || (card.cardNumber === before?.cardNumber ? before.last4 : '');
  return {
    cardNumber: digits === '' ? card.cardNumber : TOKEN_PREFIX + sequence.id(clock.now()),
    last4: digits === '' ? knownLast4 : digits.slice(-4),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear.length === 2 ? `20${card.expiryYear}` : card.expiryYear,
    address: card.address,
    pullEnabled: true,
    pushEnabled: true,
  };
}

/** The digits of a number with any grouping; `''` if the text is not a number. */
function digitsOf(text: string): string {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d+$/.test(digits) ? digits : '';
}
