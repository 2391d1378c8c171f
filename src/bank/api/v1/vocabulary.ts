/**
 * Maps the enum words of the bank, which are those of v2, to the words of v1. Tables for request fields work in both
 * directions; the others only translate to v1, because several states of the bank may have the same word in v1.
 * Source: the enums of the platform's v1 reference; decisions `holder-status-changes`, `card-status-changes`,
 * `v1-card-test-decline` and `v1-review-codes` in docs/fidelity.md.
 */
import { ORDERED_RAILS, RAIL_NAMES, type RAILS, type RailName, railOf } from '../../model/rails/index.ts';
import type { Account, Reason } from '../../model/records.ts';
import { networkMessage, reasonOfReturn } from '../../model/return-codes.ts';
import type {
  AccountRole,
  AccountStatus,
  BankAccountType,
  BusinessIdType,
  CardStatus,
  EntityType,
  FamilyStatus,
  HolderStatus,
  LimitPeriod,
  MobileWallet,
  PersonIdType,
  TransactionMethod,
  VerificationStatus,
} from '../../model/vocabulary.ts';

/** A two-way table: it formats the bank's words as v1's, and parses v1's words. */
export interface WordTable<Word extends string, V1 extends string> {
  readonly v1: Readonly<Record<Word, V1>>;
  readonly words: V1[];
  /** The v1 word; `''` and unknown words of older banks are returned unchanged. */
  format(word: Word | ''): V1 | '';
  /** The bank's word for a word of v1. */
  parse(word: V1): Word;
}

function wordTable<Word extends string, V1 extends string>(
  table: Readonly<Record<Word, V1>>,
): WordTable<Word, V1> {
  const out = new Map<string, V1>(Object.entries<V1>(table));
  const back = new Map([...out].map(([bank, v1]) => [v1, bank as Word]));
  return {
    v1: table,
    words: [...out.values()],
    format: (word) => out.get(word) ?? (word as ''),
    parse: (word) => back.get(word) as Word,
  };
}

/** The type of an account at another bank. */
export const BANK_ACCOUNT_TYPES = wordTable({
  business_checking: 'businessChecking',
  business_savings: 'businessSavings',
  personal_checking: 'personalChecking',
  personal_savings: 'personalSavings',
} as const satisfies Record<BankAccountType, string>);

/** The speed of an ACH payment. */
export const ACH_TYPES = ['sameDay', 'nextDay'] as const;

/** The period of a card's limit: v1's `limitInterval`. */
export const LIMIT_INTERVALS = wordTable({
  daily: 'daily',
  weekly: 'weekly',
  monthly: 'monthly',
  yearly: 'yearly',
  all_time: 'allTime',
  per_transaction: 'perTransaction',
} as const satisfies Record<LimitPeriod, string>);

/** v1 publishes no words for the two professional forms, so they follow the pattern of the others. */
export const ENTITY_TYPES = wordTable({
  sole_proprietor: 'soleProprietor',
  single_member_llc: 'singleMemberLLC',
  limited_liability_company: 'limitedLiabilityCompany',
  general_partnership: 'generalPartnership',
  unlisted_corporation: 'unlistedCorporation',
  publicly_traded_corporation: 'publiclyTradedCorporation',
  association: 'association',
  non_profit: 'nonProfit',
  government_organization: 'governmentOrganization',
  revocable_trust: 'revocableTrust',
  irrevocable_trust: 'irrevocableTrust',
  estate: 'estate',
  professional_association: 'professionalAssociation',
  limited_partnership: 'limitedPartnership',
  limited_liability_partnership: 'limitedLiabilityPartnership',
  professional_corporation: 'professionalCorporation',
} as const satisfies Record<EntityType, string>);

export const PERSON_ID_TYPES = wordTable({
  ssn: 'ssn',
  passport: 'passport',
  other: 'otherId',
} as const satisfies Record<PersonIdType, string>);

/** A sole proprietor can have a social security number; v2 has no word for it and shows v1's. */
export const BUSINESS_ID_TYPES = wordTable({
  ein: 'ein',
  ssn: 'ssn',
  other: 'otherId',
} as const satisfies Record<BusinessIdType | 'ssn', string>);

/**
 * Statuses of a person or business. A holder that is not activated is active in v1, where only its verification shows
 * the difference.
 */
export const HOLDER_STATUSES = {
  pending_activation: 'active',
  activated: 'active',
  suspended: 'inactive',
  locked: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Record<HolderStatus, string>;

/** The statuses that a client may set for a person or a business; `deactivated` is final. */
export const HOLDER_STATUS_CHANGES = wordTable({
  activated: 'active',
  suspended: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Partial<Record<HolderStatus, string>>);

/** Statuses of a family, which needs no activation. */
export const FAMILY_STATUSES = {
  activated: 'active',
  suspended: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Record<FamilyStatus, string>;

/** The bank's words for a v1 word, to filter a list; empty if there is none. */
export function bankWords<Word extends string>(table: Readonly<Record<Word, string>>, word: string): Word[] {
  return (Object.keys(table) as Word[]).filter((bank) => table[bank] === word);
}

export const ACCOUNT_STATUSES = {
  open: 'active',
  credit_blocked: 'creditBlocked',
  debit_blocked: 'debitBlocked',
  blocked: 'blocked',
  locked: 'blocked',
  closed: 'closed',
} as const satisfies Record<AccountStatus, string>;

export const CARD_STATUSES = {
  pending_activation: 'pendingActivation',
  open: 'active',
  blocked: 'inactive',
  locked: 'inactive',
  closed: 'canceled',
} as const satisfies Record<CardStatus, string>;

/** The statuses that an update may set for a card; a deletion cancels it. */
export const CARD_STATUS_CHANGES = wordTable({
  open: 'active',
  blocked: 'inactive',
} as const satisfies Partial<Record<CardStatus, string>>);

/** v1 publishes words for wallets only in transactions. */
export const MOBILE_WALLETS = wordTable({
  apple_pay: 'applePay',
  google_pay: 'googlePay',
  samsung_pay: 'samsungPay',
} as const satisfies Record<MobileWallet, string>);

export const VERIFICATION_STATUSES = {
  not_started: 'notStarted',
  submitted: 'submitted',
  pass: 'approved',
  fail: 'declined',
  review: 'inReview',
} as const satisfies Record<VerificationStatus, string>;

/** Results of a part of a verification, or of an identity document, which is `notStarted` until it is decided. */
export const CHECK_RESULTS = {
  ...VERIFICATION_STATUSES,
  submitted: 'notStarted',
} as const satisfies Record<VerificationStatus, string>;

const CHECKING = { person: 'personalChecking', business: 'businessChecking' } as const;

type AccountKind = Pick<Account, 'holderType' | 'type' | 'role'>;

export const ROLES = wordTable({
  clearing: 'clearingAccount',
  fallback: 'fallbackAccount',
  funding: 'fundingAccount',
} as const satisfies Record<AccountRole, string>);

/** The type of an account in v1: its role, or the type of its owner. The type in v2 is that of its money. */
export function accountType({ holderType: holder, type, role }: AccountKind) {
  if (role !== '') return ROLES.v1[role];
  return type === 'prepaid' ? 'cardAccount' : CHECKING[holder];
}

/** `rtp` and `fednow` are newer than v1, but v1 shows payments that v2 made on them. */
export const TRANSFER_TYPES = {
  intra_account: 'intrabank',
  ach: 'ach',
  domestic_wire: 'domesticWire',
  international_wire: 'internationalWire',
  check: 'physicalCheck',
  fednow: 'fednow',
  rtp: 'rtp',
  debit_card: 'debitCard',
  card_issuing: 'card',
} as const satisfies Record<TransactionMethod, string>;

/** The word for money that is sent as a card, which moves within the bank. */
export const SOLID_CARD = 'solidCard';
export const SOLID_CARD_RAILS = RAIL_NAMES.filter((rail) => railOf(rail).v1.type === SOLID_CARD);

/** Whether a rail is for money that is sent as a card. */
export function isSolidCard(rail: RailName): boolean {
  return railOf(rail).v1.type === SOLID_CARD;
}

/** The transfer type of a transaction. */
export function transferTypeOf({ rail, method }: { rail: RailName; method: TransactionMethod }) {
  return isSolidCard(rail) ? SOLID_CARD : TRANSFER_TYPES[method];
}

/** The sub-types: who initiated a transaction, or its outcome. */
export const SUB_TYPES = Object.fromEntries(RAIL_NAMES.map((rail) => [rail, railOf(rail).v1.subType])) as {
  readonly [Name in RailName]: (typeof RAILS)[Name]['v1']['subType'];
};

const unique = <W extends string>(...lists: (readonly W[])[]): W[] => [...new Set(lists.flat())];

/** All published transfer types; types without a rail never occur in this bank. */
export const ALL_TRANSFER_TYPES = unique<string>(Object.values(TRANSFER_TYPES), [
  SOLID_CARD,
  'digitalCheck',
  'crossBorder',
  'buy',
  'sell',
  'send',
  'receive',
]);

/** All published sub-types; of those without a rail, only the ATM withdrawal occurs in this bank. */
export const ALL_SUB_TYPES = unique<string>(Object.values(SUB_TYPES), [
  'atm',
  'topup',
  'reward',
  'interest',
  'fees',
  'penalty',
  'promotionalCredit',
]);

/** The rails on which clients originate payments, which v1 calls transfers. */
export const ORIGINATED = ORDERED_RAILS;

/** Whether a client originated it. */
export function isOrdered({ rail }: { rail: RailName }): boolean {
  return ORIGINATED.some((one) => one === rail);
}

/** The v1 words for return codes. */
const REVIEW_CODES: Readonly<Record<string, string>> = {
  R01: 'insufficientFunds',
  R02: 'accountClosed',
  R03: 'accountNotFound',
  R04: 'invalidAccountNumber',
  R13: 'invalidRoutingNumber',
};

/** The message of a word: that of its code, or the one that the platform publishes. */
const REVIEW_MESSAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(REVIEW_CODES).map(([code, word]) => [word, reasonOfReturn(code).message]),
  ),
  invalidRoutingNumber: 'invalid routing number',
  invalidCheckAddress: 'invalid check address',
  transferLimitExceeded: 'allowed transfer limit reached',
  sendLimitExceeded: 'amount greater than allowed send limit',
};

/**
 * Formats the review fields of a reason. A code without a v1 word is shown unchanged, and a word or code without a
 * message has the reason's own message.
 */
export function formatReview(reason: Reason | null): { reviewCode: string; reviewMessage: string } {
  const { code, message } = reason ?? { code: '', message: '' };
  const reviewCode = REVIEW_CODES[code] ?? code;
  return {
    reviewCode,
    reviewMessage: REVIEW_MESSAGES[reviewCode] ?? networkMessage({ code, message }) ?? message,
  };
}
