/**
 * The platform's own values, verbatim: every enum that its documents publish. The bank uses the v2 words internally,
 * and the v1 module translates.
 * Source: the platform's public reference of v2, except where a line says otherwise.
 */

export const HOLDER_TYPES = ['person', 'business'] as const;
export const HOLDER_STATUSES = [
  'pending_activation',
  'activated',
  'suspended',
  'deactivated',
  'locked',
] as const;
export const ACCOUNT_STATUSES = [
  'open',
  'closed',
  'credit_blocked',
  'debit_blocked',
  'blocked',
  'locked',
] as const;
export const ACCOUNT_TYPES = ['cash', 'prepaid', 'checking'] as const;
/** Published by v1 as types of accounts; v2 has no such field. */
export const ACCOUNT_ROLES = ['clearing', 'fallback', 'funding'] as const;
/** `pending_activation` is ours: the platform's v2 shows it as `locked`, its v1 as `pendingActivation`. */
export const CARD_STATUSES = ['pending_activation', 'open', 'blocked', 'closed', 'locked'] as const;
export const CARD_TYPES = ['physical', 'virtual'] as const;
/** v1: the number range of a card. */
export const CARD_BINS = ['debit', 'credit'] as const;
export const CARD_PRODUCTS = [
  'business_spend',
  'consumer_debit',
  'business_debit',
  'consumer_gpr',
  'consumer_gpnr',
  'consumer_payroll',
  'consumer_hsa',
  'consumer_fsa',
  'consumer_govt_benefits',
] as const;
export const LIMIT_PERIODS = ['daily', 'weekly', 'monthly', 'yearly', 'all_time', 'per_transaction'] as const;
export const TRACKING_STATUSES = [
  'pending',
  'shipped',
  'delivered',
  'returned',
  'canceled',
  'failure',
] as const;
/** The currencies of v1's wallets. Only BTC is published; the others are ours. */
export const WALLET_CURRENCIES = ['BTC', 'ETH', 'USDC'] as const;
export const MOBILE_WALLETS = ['apple_pay', 'google_pay', 'samsung_pay'] as const;
export const BANK_ACCOUNT_TYPES = [
  'business_checking',
  'business_savings',
  'personal_checking',
  'personal_savings',
] as const;
export const PERSON_ID_TYPES = ['ssn', 'passport', 'other'] as const;
export const BUSINESS_ID_TYPES = ['ein', 'other'] as const;
export const ENTITY_TYPES = [
  'sole_proprietor',
  'single_member_llc',
  'limited_liability_company',
  'general_partnership',
  'unlisted_corporation',
  'publicly_traded_corporation',
  'association',
  'non_profit',
  'government_organization',
  'revocable_trust',
  'irrevocable_trust',
  'estate',
  'professional_association',
  'limited_partnership',
  'limited_liability_partnership',
  'professional_corporation',
] as const;
/** `submitted` is v1's word for a pending check; v2 checks are decided at once and never have it. */
export const VERIFICATION_STATUSES = ['not_started', 'submitted', 'pass', 'fail', 'review'] as const;
/** The parts of a check of a person or business. */
export const CHECK_PARTS = [
  'name',
  'address',
  'dateOfBirth',
  'idNumber',
  'phone',
  'email',
  'watchlist',
  'fraud',
  'bank',
  'people',
  'idv',
  'other',
] as const;
export const TRANSACTION_STATUSES = [
  'originated',
  'pending',
  'clearing',
  'cleared',
  'settled',
  'canceled',
  'in_review',
  'returned',
  'reversed',
  'received',
  'declined',
  'refunded',
] as const;
export const TRANSACTION_METHODS = [
  'intra_account',
  'ach',
  'domestic_wire',
  'international_wire',
  'check',
  'fednow',
  'rtp',
  'debit_card',
  'card_issuing',
] as const;
export const TRANSACTION_TYPES = [
  'push',
  'pull',
  'decline',
  'cancel',
  'return',
  'send',
  'deposit',
  'request',
  'auth',
  'adjust',
  'reverse',
  'refund',
] as const;
/** Published by v1. */
export const AUTH_METHODS = ['keyedIn', 'swipe', 'chip', 'online', 'contactless', 'other'] as const;
/** The result of verifying an account at another bank. */
export const ACCOUNT_CHECKS = ['pass', 'fail', 'review'] as const;
/** Published by v1. */
export const WEBHOOK_STATUSES = ['active', 'paused', 'deactivated', 'deleted'] as const;
/** The events of a transaction; our own words. */
export const RAIL_EVENTS = [
  'submit',
  'send',
  'clear',
  'settle',
  'return',
  'reverse',
  'cancel',
  'review',
  'approve',
  'decline',
  'expire',
  'refund',
  'dispute',
  'win_dispute',
  'lose_dispute',
  'charge_back',
] as const;
/** v1: the states of the dispute of a card purchase. */
export const DISPUTE_STATUSES = ['notInitiated', 'initiated', 'successful', 'declined'] as const;
/** The payment methods of an account that can be switched off or limited separately. */
export const SEND_WAYS = [
  'intrabank',
  'ach',
  'wire',
  'internationalWire',
  'check',
  'card',
  'debitCard',
] as const;
export const RECEIVE_WAYS = ['intrabank', 'ach', 'check', 'debitCard'] as const;
/** The payments that a fallback account can cover: debits by other banks, and card payments. */
export const COVERED_WAYS = ['ach', 'card'] as const;
/** The records that a file can be attached to. */
export const ATTACHABLE = [
  'holder',
  'account',
  'master_account',
  'card_holder',
  'card',
  'counterparty',
  'transaction',
] as const;

type Word<List extends readonly string[]> = List[number];
export type HolderType = Word<typeof HOLDER_TYPES>;
export type HolderStatus = Word<typeof HOLDER_STATUSES>;
export type AccountStatus = Word<typeof ACCOUNT_STATUSES>;
export type AccountType = Word<typeof ACCOUNT_TYPES>;
export type AccountRole = Word<typeof ACCOUNT_ROLES>;
export type CoveredWay = Word<typeof COVERED_WAYS>;
export type CardStatus = Word<typeof CARD_STATUSES>;
export type CardType = Word<typeof CARD_TYPES>;
export type CardBin = Word<typeof CARD_BINS>;
export type CardProduct = Word<typeof CARD_PRODUCTS>;
export type LimitPeriod = Word<typeof LIMIT_PERIODS>;
export type MobileWallet = Word<typeof MOBILE_WALLETS>;
export type CounterpartyStatus = HolderStatus;
/** A family is not verified, so it is never in `pending_activation`; the platform cannot lock one. */
export type FamilyStatus = Exclude<HolderStatus, 'pending_activation' | 'locked'>;
export type BankAccountType = Word<typeof BANK_ACCOUNT_TYPES>;
export type PersonIdType = Word<typeof PERSON_ID_TYPES>;
export type BusinessIdType = Word<typeof BUSINESS_ID_TYPES>;
export type EntityType = Word<typeof ENTITY_TYPES>;
export type VerificationStatus = Word<typeof VERIFICATION_STATUSES>;
export type CheckPart = Word<typeof CHECK_PARTS>;
export type TransactionStatus = Word<typeof TRANSACTION_STATUSES>;
export type TransactionMethod = Word<typeof TRANSACTION_METHODS>;
export type TransactionType = Word<typeof TRANSACTION_TYPES>;
export type AuthMethod = Word<typeof AUTH_METHODS>;
export type WebhookStatus = Word<typeof WEBHOOK_STATUSES>;
export type RailEvent = Word<typeof RAIL_EVENTS>;
export type DisputeStatus = Word<typeof DISPUTE_STATUSES>;
export type Direction = 'debit' | 'credit';
export type OfacStatus = 'pass' | 'fail';
/** What v2 does with a payment that an account cannot make. */
export type Shortfall = 'refused' | 'declined';
