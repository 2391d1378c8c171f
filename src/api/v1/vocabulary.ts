/**
 * The words of v1 for the words of the bank, which are those of v2. A table for the words of requests works both ways;
 * the others only translate to v1, because several states of the bank are one word of v1.
 * Source: the enums of the platform's v1 reference; decisions `holder-status-changes`, `card-status-changes`,
 * `v1-card-test-decline` and `v1-review-codes` in docs/fidelity.md.
 */
import { ORDERED_RAILS, RAIL_NAMES, type RAILS, type RailName, railOf } from '../../model/rails/index.ts';
import type { Account, Reason } from '../../model/records.ts';
import { reasonOfReturn, returnCode } from '../../model/return-codes.ts';
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
  PersonIdType,
  TransactionMethod,
  VerificationStatus,
  Wallet,
} from '../../model/vocabulary.ts';

/** A table of words that works both ways: it writes the bank's words as v1's, and reads v1's as the bank's. */
export interface WordTable<Word extends string, V1 extends string> {
  readonly v1: Readonly<Record<Word, V1>>;
  readonly words: V1[];
  /** v1's word; `''` stays as it is, and so does what an older bank may hold. */
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

/** How fast an ACH order is. */
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

/** v1 publishes no word for the two professional forms; theirs follow the pattern of the others. */
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

/** A sole proprietor may go by a social security number; v2 has no word for that, and shows v1's. */
export const BUSINESS_ID_TYPES = wordTable({
  ein: 'ein',
  ssn: 'ssn',
  other: 'otherId',
} as const satisfies Record<BusinessIdType | 'ssn', string>);

/**
 * A person or a business. A holder that is not activated is active in v1, where only its verification shows the
 * difference.
 */
export const HOLDER_STATUSES = {
  pending_activation: 'active',
  activated: 'active',
  suspended: 'inactive',
  locked: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Record<HolderStatus, string>;

/** The states that a client may set for a person or a business: active, inactive, or deactivated for good. */
export const HOLDER_STATUS_CHANGES = wordTable({
  activated: 'active',
  suspended: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Partial<Record<HolderStatus, string>>);

/** A family, which needs no activation. */
export const FAMILY_STATUSES = {
  activated: 'active',
  suspended: 'inactive',
  deactivated: 'deactivated',
} as const satisfies Record<FamilyStatus, string>;

/** The bank's words that are this word of v1, to filter a list by; none for a word that the bank does not have. */
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

/** The states that an update may set for a card: it is canceled by a deletion. */
export const CARD_STATUS_CHANGES = wordTable({
  open: 'active',
  blocked: 'inactive',
} as const satisfies Partial<Record<CardStatus, string>>);

/** v1 publishes no words for the wallets of phones but in its transactions. */
export const WALLETS = wordTable({
  apple_pay: 'applePay',
  google_pay: 'googlePay',
  samsung_pay: 'samsungPay',
} as const satisfies Record<Wallet, string>);

export const VERIFICATION_STATUSES = {
  not_started: 'notStarted',
  submitted: 'submitted',
  pass: 'approved',
  fail: 'declined',
  review: 'inReview',
} as const satisfies Record<VerificationStatus, string>;

/** One check of a verification, or of an identity document: it stays `notStarted` until decided. */
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

/** The type of an account: what it was opened for, or the kind of its owner; v2 names the kind of its money. */
export function accountType({ holderType: holder, type, role }: AccountKind) {
  if (role !== '') return ROLES.v1[role];
  return type === 'prepaid' ? 'cardAccount' : CHECKING[holder];
}

/** `rtp` and `fednow` are younger than v1; a payment that v2 made on them still has to be shown. */
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

/** Money that is sent as a card moves within the bank, and v1 has a word of its own for that. */
export const SOLID_CARD = 'solidCard';
export const SOLID_CARD_RAILS = RAIL_NAMES.filter((rail) => railOf(rail).v1.type === SOLID_CARD);

/** Whether a rail is one of a card that is sent as money. */
export function isSolidCard(rail: RailName): boolean {
  return railOf(rail).v1.type === SOLID_CARD;
}

/** How the money of a row moves. */
export function transferTypeOf({ rail, method }: { rail: RailName; method: TransactionMethod }) {
  return isSolidCard(rail) ? SOLID_CARD : TRANSFER_TYPES[method];
}

/** Who began it, or what became of it. */
export const SUB_TYPES = Object.fromEntries(RAIL_NAMES.map((rail) => [rail, railOf(rail).v1.subType])) as {
  readonly [Name in RailName]: (typeof RAILS)[Name]['v1']['subType'];
};

const unique = <W extends string>(...lists: (readonly W[])[]): W[] => [...new Set(lists.flat())];

/** Every published word for how money moves; those that are not of a rail are never written here. */
export const ALL_TRANSFER_TYPES = unique<string>(Object.values(TRANSFER_TYPES), [
  SOLID_CARD,
  'digitalCheck',
  'crossBorder',
  'buy',
  'sell',
  'send',
  'receive',
]);

/** Every published sub type; of those that no rail has, only a withdrawal from a cash machine is written here. */
export const ALL_SUB_TYPES = unique<string>(Object.values(SUB_TYPES), [
  'atm',
  'accountClosing',
  'topup',
  'reward',
  'interest',
  'fees',
  'penalty',
  'promotionalCredit',
]);

/** The rails on which a client orders: what v1 calls a transfer. */
export const ORIGINATED = ORDERED_RAILS;

/** Whether a client ordered it. */
export function isOrdered({ rail }: { rail: RailName }): boolean {
  return ORIGINATED.some((one) => one === rail);
}

/** Why a payment was refused or sent back: v1 has a word where the clearing house has a code. */
const REVIEW_CODES: Readonly<Record<string, string>> = {
  R01: 'insufficientFunds',
  R02: 'accountClosed',
  R03: 'accountNotFound',
  R04: 'invalidAccountNumber',
  R13: 'invalidRoutingNumber',
};

/** The text that belongs to a word: that of its code, or the one that the platform publishes with it. */
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
 * The review fields for a reason: a code for which v1 has no word is shown as it is, and a word or code without a text
 * with the reason's own.
 */
export function formatReview(reason: Reason | null): { reviewCode: string; reviewMessage: string } {
  const { code, message } = reason ?? { code: '', message: '' };
  const reviewCode = REVIEW_CODES[code] ?? code;
  const returned = returnCode(code) === undefined ? message : reasonOfReturn(code).message;
  return { reviewCode, reviewMessage: REVIEW_MESSAGES[reviewCode] ?? returned };
}
