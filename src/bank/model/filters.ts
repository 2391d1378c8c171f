/**
 * The filters of the bank's lists, each with its column or its path in a JSON column. Callers use only filter names,
 * and the bank maps them to columns. So renaming a column does not affect callers, and a misspelt filter does not
 * compile.
 */

import type { Column, Condition } from './conditions.ts';
import type {
  Account,
  Card,
  CardHolder,
  Counterparty,
  Family,
  Holder,
  Member,
  Transaction,
  Wallet,
} from './records.ts';

type Filters<R> = Readonly<Record<string, Column<R>>>;

/** The filters of every record with metadata. */
const COMMON = {
  id: 'id',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  metadata: 'metadata',
  externalId: 'metadata.externalId',
} as const;

export const HOLDER_FILTERS = {
  ...COMMON,
  type: 'type',
  status: 'status',
  name: 'name',
  createdBy: 'createdBy',
  idNumber: 'idNumber',
  externalReferenceId: 'externalReferenceId',
  personPhone: 'person.phone',
  personEmail: 'person.email',
  businessPhone: 'business.phone',
  businessEmail: 'business.email',
  industry: 'business.industry',
  entityType: 'business.entityType',
  verificationStatus: 'verification.status',
} as const satisfies Filters<Holder>;

export const MEMBER_FILTERS = {
  ...COMMON,
  holderId: 'holderId',
  familyId: 'familyId',
  personId: 'personId',
  isControlPerson: 'controlPerson',
  ownership: 'ownership',
} as const satisfies Filters<Member>;

export const FAMILY_FILTERS = {
  ...COMMON,
  phone: 'phone',
  email: 'email',
  status: 'status',
} as const satisfies Filters<Family>;

export const WALLET_FILTERS = {
  ...COMMON,
  accountId: 'accountId',
  currency: 'currency',
} as const satisfies Filters<Wallet>;

export const ACCOUNT_FILTERS = {
  ...COMMON,
  holderId: 'holderId',
  holderType: 'holderType',
  familyId: 'familyId',
  createdBy: 'createdBy',
  type: 'type',
  role: 'role',
  status: 'status',
  externalReferenceId: 'externalReferenceId',
} as const satisfies Filters<Account>;

export const CARD_HOLDER_FILTERS = { id: 'id' } as const satisfies Filters<CardHolder>;

export const CARD_FILTERS = {
  ...COMMON,
  accountId: 'accountId',
  cardHolderId: 'cardHolderId',
  type: 'type',
  status: 'status',
  theme: 'theme',
  last4: 'last4',
} as const satisfies Filters<Card>;

export const COUNTERPARTY_FILTERS = {
  ...COMMON,
  accountId: 'accountId',
  status: 'status',
  relation: 'relation',
  externalReferenceId: 'externalReferenceId',
  intraAccountNumber: 'rails.intraAccount.accountNumber',
  achAccountNumber: 'rails.ach.accountNumber',
  achRoutingNumber: 'rails.ach.routingNumber',
  domesticWireAccountNumber: 'rails.domesticWire.accountNumber',
  domesticWireRoutingNumber: 'rails.domesticWire.routingNumber',
  internationalWireAccountNumber: 'rails.internationalWire.accountNumber',
  internationalWireBankCode: 'rails.internationalWire.beneficiaryBank.identifierCode',
} as const satisfies Filters<Counterparty>;

export const TRANSACTION_FILTERS = {
  ...COMMON,
  accountId: 'accountId',
  holderId: 'holderId',
  holderType: 'holderType',
  personId: 'personId',
  cardId: 'cardId',
  counterpartyId: 'counterpartyId',
  parentId: 'parentId',
  externalReferenceId: 'externalReferenceId',
  rail: 'rail',
  method: 'method',
  direction: 'direction',
  status: 'status',
  amount: 'amount',
  title: 'title',
  description: 'description',
  otherSideName: 'otherSide.name',
  settledAt: 'settledAt',
  movedNothing: 'movedNothing',
  awaitsImages: 'details.awaitsImages',
  isAtm: 'details.atm',
} as const satisfies Filters<Transaction>;

export type HolderCondition = Condition<keyof typeof HOLDER_FILTERS>;
export type MemberCondition = Condition<keyof typeof MEMBER_FILTERS>;
export type FamilyCondition = Condition<keyof typeof FAMILY_FILTERS>;
export type WalletCondition = Condition<keyof typeof WALLET_FILTERS>;
export type AccountCondition = Condition<keyof typeof ACCOUNT_FILTERS>;
export type CardHolderCondition = Condition<keyof typeof CARD_HOLDER_FILTERS>;
export type CardCondition = Condition<keyof typeof CARD_FILTERS>;
export type CounterpartyCondition = Condition<keyof typeof COUNTERPARTY_FILTERS>;
export type TransactionCondition = Condition<keyof typeof TRANSACTION_FILTERS>;
/** A condition for every list of records with metadata. */
export type CommonCondition = Condition<keyof typeof COMMON>;

/** The conditions on the columns of a table. */
export function onColumns<F extends string, C extends string>(
  filters: Readonly<Record<F, C>>,
  where: readonly Condition<F>[],
): Condition<C>[] {
  return where.map((condition) =>
    'anyOf' in condition
      ? { anyOf: condition.anyOf.map((list) => onColumns(filters, list)) }
      : ({ ...condition, field: filters[condition.field] } as unknown as Condition<C>),
  );
}
