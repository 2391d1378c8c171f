/**
 * What the two generations say of the same thing, side by side: each pair of fields that must agree, and the words by which
 * they say so. The words are written out here a second time.
 */
import { expect } from 'vitest';
import { valueAt } from '../../server/http/support.ts';

/** One thing, as each API version shows it. */
export interface Pair {
  readonly v1: unknown;
  readonly v2: unknown;
}

type Words = Readonly<Record<string, string>>;
/** A field of v1, one of v2, and how the word of v2 is said in v1; the same word unless told. */
type Rule = readonly [v1: string, v2: string, word?: Words | ((value: unknown, record: unknown) => unknown)];

/** The digits of an id with the dashes of v1; those that have them stay as they are. */
export const dashed = (id: string): string =>
  id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
/** The id of v2 with the prefix of v1; an unset one stays so. */
const id =
  (prefix: string) =>
  (value: unknown): unknown =>
    typeof value === 'string' && value !== '' ? `${prefix}-${dashed(value.slice(4))}` : value;

/** Fails with every pair of fields that disagree. */
export function expectSame(pair: Pair, rules: readonly Rule[]): void {
  const sides = rules.map(([v1, v2, text]) => {
    const value = valueAt(pair.v2, v2);
    const expected = typeof text === 'function' ? text(value, pair.v2) : (text?.[String(value)] ?? value);
    return { field: `${v1} and ${v2}`, v1: valueAt(pair.v1, v1), v2: expected };
  });
  expect(sides.map(({ field, v1 }) => [field, v1])).toEqual(sides.map(({ field, v2 }) => [field, v2]));
  const missing = sides.filter(({ v1 }) => v1 === undefined).map(({ field }) => field);
  expect(missing, 'a pair that is in neither record proves nothing').toEqual([]);
}

const HOLDER: Words = {
  pending_activation: 'active',
  activated: 'active',
  suspended: 'inactive',
  locked: 'inactive',
};
const CHECK: Words = { not_started: 'notStarted', pass: 'approved', fail: 'declined', review: 'inReview' };
const ACCOUNT: Words = {
  open: 'active',
  credit_blocked: 'creditBlocked',
  debit_blocked: 'debitBlocked',
  locked: 'blocked',
};
const CARD: Words = { open: 'active', blocked: 'inactive', closed: 'canceled' };
const PERIODS: Words = { all_time: 'allTime', per_transaction: 'perTransaction' };
const ENTITIES: Words = { limited_liability_company: 'limitedLiabilityCompany', non_profit: 'nonProfit' };
const METHODS: Words = {
  intra_account: 'intrabank',
  domestic_wire: 'domesticWire',
  international_wire: 'internationalWire',
  check: 'physicalCheck',
  debit_card: 'debitCard',
  card_issuing: 'card',
};
const BANK_ACCOUNTS: Words = {
  business_checking: 'businessChecking',
  business_savings: 'businessSavings',
  personal_checking: 'personalChecking',
  personal_savings: 'personalSavings',
};

const address = (v1: string, v2: string): readonly Rule[] => [
  [`${v1}.line1`, `${v2}.line1`],
  [`${v1}.city`, `${v2}.city`],
  [`${v1}.state`, `${v2}.state`],
  [`${v1}.country`, `${v2}.country`],
  [`${v1}.postalCode`, `${v2}.postal_code`],
];

export const PERSON: readonly Rule[] = [
  ['id', 'id', id('per')],
  ['firstName', 'person.first_name'],
  ['middleName', 'person.middle_name'],
  ['lastName', 'person.last_name'],
  ['phone', 'person.phone'],
  ['email', 'person.email'],
  ['dateOfBirth', 'person.date_of_birth'],
  ['idType', 'person.id_type', { other: 'otherId' }],
  ['idNumber', 'person.id_number'],
  ['kyc.id', 'person.kyc.id', id('kyc')],
  ['kyc.status', 'person.kyc.status', CHECK],
  ['status', 'status', HOLDER],
  ['metadata', 'metadata'],
  ['createdAt', 'timestamps.created_at'],
  ['modifiedAt', 'timestamps.updated_at'],
  ...address('address', 'person.address'),
];

export const BUSINESS: readonly Rule[] = [
  ['id', 'id', id('bus')],
  ['legalName', 'business.legal_name'],
  ['dba', 'business.dba'],
  ['entityType', 'business.entity_type', ENTITIES],
  ['idType', 'business.id_type', { other: 'otherId' }],
  ['idNumber', 'business.id_number'],
  ['phone', 'business.phone'],
  ['email', 'business.email'],
  ['formationDate', 'business.formation_date'],
  ['kyb.id', 'business.kyb.id', id('kyb')],
  ['kyb.status', 'business.kyb.status', CHECK],
  ['status', 'status', HOLDER],
  ['metadata', 'metadata'],
  ...address('address', 'business.address'),
];

export const SUB_ACCOUNT: readonly Rule[] = [
  ['id', 'id', id('acc')],
  ['label', 'label'],
  ['accountNumber', 'account_number'],
  ['routingNumber', 'routing_number'],
  ['sponsorBankName', 'sponsor_bank'],
  ['availableBalance', 'available_balance'],
  ['pendingCredit', 'pending_credits'],
  ['pendingDebit', 'pending_debits'],
  ['currency', 'currency', { usd: 'USD' }],
  ['status', 'status', ACCOUNT],
  ['metadata', 'metadata'],
  ['createdAt', 'timestamps.created_at'],
  ['modifiedAt', 'timestamps.updated_at'],
];

export const COUNTERPARTY: readonly Rule[] = [
  ['id', 'id', id('con')],
  ['accountId', 'sub_account_id', id('acc')],
  ['label', 'label'],
  ['ach.accountNumber', 'ach.account_number'],
  ['ach.routingNumber', 'ach.routing_number'],
  ['ach.accountType', 'ach.account_type', BANK_ACCOUNTS],
  ['ach.bankName', 'ach.bank_name'],
  ['ach.verified', 'ach.verification_status', (value) => value === 'pass'],
  ['wire.domestic.accountNumber', 'domestic_wire.account_number'],
  ['wire.domestic.routingNumber', 'domestic_wire.routing_number'],
  ['wire.international.accountNumber', 'international_wire.account_number'],
  ['wire.international.bankIdentifierCode', 'international_wire.beneficiary_bank.identifier_code'],
  ['intrabank.accountId', 'intra_account.sub_account_id', id('acc')],
  ['intrabank.accountNumber', 'intra_account.sub_account_number'],
  ['status', 'status', { activated: 'active', suspended: 'active', deactivated: 'deleted' }],
  ['metadata', 'metadata'],
  ...address('check.address', 'check.address'),
];

/** A card; v2 has one word for a card that waits for its activation and one that the platform locked. */
const cardWhoseLockIs = (locked: string): readonly Rule[] => [
  ['id', 'id', id('crd')],
  ['accountId', 'sub_account_id', id('acc')],
  ['cardholder.id', 'card_holder_id', id('chd')],
  ['cardType', 'type'],
  ['label', 'label'],
  ['theme', 'theme'],
  ['expiryMonth', 'expiry_month'],
  ['expiryYear', 'expiry_year'],
  ['last4', 'last4'],
  ['limitAmount', 'controls.limit.max_spend_amount'],
  ['limitInterval', 'controls.limit.period', PERIODS],
  ['blockedMerchants', 'controls.blocked.merchants'],
  ['blockedCategories', 'controls.blocked.categories'],
  ['atmAccess', 'controls.atm_enabled', (value) => value === 'true'],
  ['cardStatus', 'status', { ...CARD, locked }],
  ['metadata', 'metadata'],
];

export const VIRTUAL_CARD = cardWhoseLockIs('inactive');
export const PHYSICAL_CARD: readonly Rule[] = [
  ...cardWhoseLockIs('pendingActivation'),
  ['embossingPerson', 'card_fulfilment.embossing.card_holder_name'],
  ['shipping.deliveryStatus', 'card_fulfilment.tracking.status'],
  // v1 says when a card is to arrive once it is on its way.
  [
    'shipping.eta',
    'card_fulfilment.tracking.eta',
    (eta, card) => (valueAt(card, 'card_fulfilment.tracking.status') === 'pending' ? '' : eta),
  ],
  ['shipping.trackingNumber', 'card_fulfilment.tracking.number'],
  ...address('shipping.shippingAddress', 'card_fulfilment.shipping_address'),
];

/** A debit is below zero in v1. */
const signed = (amount: unknown, record: unknown): unknown =>
  valueAt(record, 'direction') === 'debit' ? `-${String(amount)}` : amount;

/** An entry of an account; its description is the client's own. */
export const TRANSACTION: readonly Rule[] = [
  ['id', 'id', id('txn')],
  ['accountId', 'sub_account_id', id('acc')],
  ['txnType', 'direction'],
  ['amount', 'amount', signed],
  ['currency', 'currency', { usd: 'USD' }],
  ['transferType', 'method', METHODS],
  ['description', 'description'],
  ['parentTxnId', 'parent_transaction_id', id('txn')],
  ['metadata', 'metadata'],
  ['createdAt', 'timestamps.created_at'],
  ['modifiedAt', 'timestamps.updated_at'],
];

/** A transfer; its amount has no sign. */
export const TRANSFER: readonly Rule[] = [
  ['id', 'id', id('tra')],
  ['accountId', 'sub_account_id', id('acc')],
  ['contactId', 'counterparty.id', id('con')],
  ['name', 'counterparty.name'],
  ['txnType', 'direction'],
  ['amount', 'amount'],
  ['transferType', 'method', METHODS],
  ['description', 'description'],
  ['metadata', 'metadata'],
  ['createdAt', 'timestamps.created_at'],
  ['modifiedAt', 'timestamps.updated_at'],
];
