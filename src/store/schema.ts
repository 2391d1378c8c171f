/**
 * The tables of `migrations/`, as Drizzle knows them. A row is the record of `model/records.ts`, column for column, so
 * nothing has to be mapped by hand between the store and the bank; a compile-time check at the end holds them together.
 */
import type { Decision, RtaDecision } from '../model/decisions.ts';
import type {
  Account,
  Attachment,
  BusinessProfile,
  Card,
  CardHolder,
  Counterparty,
  Document,
  Family,
  Holder,
  MasterAccount,
  Member,
  Token,
  Transaction,
  Webhook,
} from '../model/records.ts';
import { blob, customType, integer, sqliteTable, text } from './drizzle.ts';

/** A value kept as JSON text. Placeholders reach the encoder with `null` too, which Drizzle's own mode would quote. */
const json = <T>(name: string) =>
  customType<{ data: T; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (value) => JSON.parse(value as string) as T,
  })(name);

const flag = (name: string) =>
  customType<{ data: boolean; driverData: number }>({
    dataType: () => 'integer',
    toDriver: (value) => (value ? 1 : 0),
    fromDriver: (value) => value === 1,
  })(name);

/** Words separated by spaces. */
const words = (name: string) =>
  customType<{ data: readonly string[]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => value.join(' '),
    fromDriver: (value) => (value === '' ? [] : value.split(' ')),
  })(name);

const word = <T extends string>(name: string) => text(name).$type<T>();

export const meta = sqliteTable('meta', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

export const masterAccounts = sqliteTable('master_accounts', {
  id: text('id').primaryKey(),
  label: text('label').notNull(),
  accountNumber: text('account_number').notNull(),
  status: word<MasterAccount['status']>('status').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  closedAt: integer('closed_at'),
});

export const holders = sqliteTable('holders', {
  id: text('id').primaryKey(),
  type: word<Holder['type']>('type').notNull(),
  name: text('name').notNull(),
  person: json<Holder['person']>('person'),
  business: json<Holder['business']>('business'),
  idNumber: text('id_number').notNull(),
  verification: json<Holder['verification']>('verification').notNull(),
  idv: json<Holder['idv']>('idv'),
  ofacStatus: word<Holder['ofacStatus']>('ofac_status').notNull(),
  ofacAt: integer('ofac_at').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json<Holder['metadata']>('metadata'),
  status: word<Holder['status']>('status').notNull(),
  lockedFrom: word<Holder['status']>('locked_from'),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deactivatedAt: integer('deactivated_at'),
});

export const families = sqliteTable('families', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  phone: text('phone').notNull(),
  email: text('email').notNull(),
  address: json<Family['address']>('address'),
  metadata: json<Family['metadata']>('metadata'),
  status: word<Family['status']>('status').notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const members = sqliteTable('members', {
  id: text('id').primaryKey(),
  holderId: text('holder_id'),
  familyId: text('family_id'),
  person: json<Member['person']>('person').notNull(),
  kyc: json<Member['kyc']>('kyc').notNull(),
  idv: json<Member['idv']>('idv').notNull(),
  ownership: integer('ownership').notNull(),
  title: text('title').notNull(),
  designation: text('designation').notNull(),
  controlPerson: flag('control_person').notNull(),
  personId: text('person_id').notNull(),
  metadata: json<Member['metadata']>('metadata'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  holderId: text('holder_id').notNull(),
  holderType: word<Account['holderType']>('holder_type').notNull(),
  holderName: text('holder_name').notNull(),
  createdBy: text('created_by').notNull(),
  familyId: text('family_id').notNull(),
  label: text('label').notNull(),
  type: word<Account['type']>('type').notNull(),
  accountNumber: text('account_number').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json<Account['metadata']>('metadata'),
  config: json<NonNullable<Account['config']>>('config'),
  status: word<Account['status']>('status').notNull(),
  lockedFrom: word<Account['status']>('locked_from'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  closedAt: integer('closed_at'),
});

export const cardHolders = sqliteTable('card_holders', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  holderId: text('holder_id').notNull(),
  personId: text('person_id').notNull(),
  person: json<CardHolder['person']>('person').notNull(),
  ofacStatus: word<CardHolder['ofacStatus']>('ofac_status').notNull(),
  ofacAt: integer('ofac_at').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json<CardHolder['metadata']>('metadata'),
  status: word<CardHolder['status']>('status').notNull(),
  lockedFrom: word<CardHolder['status']>('locked_from'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deactivatedAt: integer('deactivated_at'),
});

export const cards = sqliteTable('cards', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  holderId: text('holder_id').notNull(),
  holderType: word<Card['holderType']>('holder_type').notNull(),
  familyId: text('family_id').notNull(),
  cardHolderId: text('card_holder_id').notNull(),
  label: text('label').notNull(),
  product: word<Card['product']>('product').notNull(),
  theme: text('theme').notNull(),
  type: word<Card['type']>('type').notNull(),
  bin: word<Card['bin']>('bin').notNull(),
  number: text('number').notNull(),
  cvv: text('cvv').notNull(),
  last4: text('last4').notNull(),
  expiryMonth: text('expiry_month').notNull(),
  expiryYear: text('expiry_year').notNull(),
  shipment: json<Card['shipment']>('shipment'),
  billingAddress: json<Card['billingAddress']>('billing_address'),
  controls: json<Card['controls']>('controls').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  metadata: json<Card['metadata']>('metadata'),
  status: word<Card['status']>('status').notNull(),
  lockedFrom: word<Card['status']>('locked_from'),
  replacedBy: text('replaced_by').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  activatedAt: integer('activated_at'),
  pinSetAt: integer('pin_set_at'),
  closedAt: integer('closed_at'),
});

export const cardUsage = sqliteTable('card_usage', {
  cardId: text('card_id').notNull(),
  day: text('day').notNull(),
  amount: integer('amount').notNull(),
  count: integer('count').notNull(),
});

export const counterparties = sqliteTable('counterparties', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  holderId: text('holder_id').notNull(),
  name: text('name').notNull(),
  label: text('label').notNull(),
  type: word<Counterparty['type']>('type').notNull(),
  relation: word<Counterparty['relation']>('relation').notNull(),
  person: json<Counterparty['person']>('person'),
  business: json<Counterparty['business']>('business'),
  email: text('email').notNull(),
  phone: text('phone').notNull(),
  rails: json<Counterparty['rails']>('rails').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  ofacStatus: word<Counterparty['ofacStatus']>('ofac_status').notNull(),
  ofacAt: integer('ofac_at').notNull(),
  metadata: json<Counterparty['metadata']>('metadata'),
  status: word<Counterparty['status']>('status').notNull(),
  lockedFrom: word<Counterparty['status']>('locked_from'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deactivatedAt: integer('deactivated_at'),
  deletedAt: integer('deleted_at'),
});

export const ledgerAccounts = sqliteTable('ledger_accounts', {
  id: text('id').primaryKey(),
  kind: word<'master_account' | 'sub_account' | 'suspense'>('kind').notNull(),
  debitsPending: integer('debits_pending').notNull(),
  debitsPosted: integer('debits_posted').notNull(),
  creditsPending: integer('credits_pending').notNull(),
  creditsPosted: integer('credits_posted').notNull(),
});

export const transfers = sqliteTable('transfers', {
  id: integer('id').primaryKey(),
  kind: word<'post' | 'hold' | 'settle' | 'release'>('kind').notNull(),
  debitAccount: text('debit_account').notNull(),
  creditAccount: text('credit_account').notNull(),
  amount: integer('amount').notNull(),
  holdId: integer('hold_id'),
  transactionId: text('transaction_id').notNull(),
  debitAvailableAfter: integer('debit_available_after').notNull(),
  creditAvailableAfter: integer('credit_available_after').notNull(),
  at: integer('at').notNull(),
});

export const transactions = sqliteTable('transactions', {
  id: text('id').primaryKey(),
  accountId: text('account_id'),
  holderId: text('holder_id'),
  holderType: word<NonNullable<Transaction['holderType']>>('holder_type'),
  familyId: text('family_id').notNull(),
  personId: text('person_id').notNull(),
  accountSeq: integer('account_seq').notNull(),
  rail: word<Transaction['rail']>('rail').notNull(),
  status: word<Transaction['status']>('status').notNull(),
  amount: integer('amount').notNull(),
  direction: word<Transaction['direction']>('direction').notNull(),
  method: word<Transaction['method']>('method').notNull(),
  type: word<Transaction['type']>('type').notNull(),
  message: word<Transaction['message']>('message').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  availableBalance: integer('available_balance').notNull(),
  pendingCredits: integer('pending_credits').notNull(),
  pendingDebits: integer('pending_debits').notNull(),
  counterpartyId: text('counterparty_id').notNull(),
  otherSide: json<Transaction['otherSide']>('other_side'),
  details: json<Transaction['details']>('details').notNull(),
  cardId: text('card_id').notNull(),
  parentId: text('parent_id').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json<Transaction['metadata']>('metadata'),
  reason: json<Transaction['reason']>('reason'),
  outcome: json<Transaction['outcome']>('outcome'),
  holdId: integer('hold_id'),
  masterId: text('master_id').notNull(),
  masterTotals: json<NonNullable<Transaction['masterTotals']>>('master_totals'),
  subLedger: json<NonNullable<Transaction['subLedger']>>('sub_ledger'),
  dueAt: integer('due_at'),
  movedNothing: flag('moved_nothing').notNull(),
  bookedAt: integer('booked_at'),
  bookedBalance: integer('booked_balance').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  settledAt: integer('settled_at'),
});

export const agenda = sqliteTable('agenda', {
  dueAt: integer('due_at').notNull(),
  subjectId: text('subject_id').notNull(),
  task: word<'transaction' | 'verification'>('task').notNull(),
  event: text('event').notNull(),
});

export const documents = sqliteTable('documents', {
  id: text('id').primaryKey(),
  holderId: text('holder_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  docType: text('doc_type').notNull(),
  documentNumber: text('document_number').notNull(),
  expirationDate: text('expiration_date').notNull(),
  issuingCountry: text('issuing_country').notNull(),
  issuingState: text('issuing_state').notNull(),
  status: word<Document['status']>('status').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const businessProfiles = sqliteTable('business_profiles', {
  holderId: text('holder_id').primaryKey(),
  projection: json<NonNullable<BusinessProfile['projection']>>('projection'),
  disclosure: json<NonNullable<BusinessProfile['disclosure']>>('disclosure'),
});

export const attachments = sqliteTable('attachments', {
  id: text('id').primaryKey(),
  kind: word<Attachment['kind']>('kind').notNull(),
  referenceId: text('reference_id').notNull(),
  label: text('label').notNull(),
  createdAt: integer('created_at').notNull(),
  deletedAt: integer('deleted_at'),
});

export const tokens = sqliteTable('tokens', {
  token: text('token').primaryKey(),
  purpose: word<Token['purpose']>('purpose').notNull(),
  subjectId: text('subject_id').notNull(),
  expiresAt: integer('expires_at').notNull(),
  usedAt: integer('used_at'),
});

export const files = sqliteTable('files', {
  id: text('id').primaryKey(),
  contentType: text('content_type').notNull(),
  content: blob('content', { mode: 'buffer' }).notNull(),
  updatedAt: integer('updated_at').notNull(),
});

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  dialect: word<Webhook['dialect']>('dialect').notNull(),
  url: text('url').notNull(),
  description: text('description').notNull(),
  events: json<Webhook['events']>('events').notNull(),
  secret: text('secret').notNull(),
  previousSecret: text('previous_secret'),
  previousSecretUntil: integer('previous_secret_until'),
  madeAfterFact: integer('made_after_fact').notNull(),
  status: word<Webhook['status']>('status').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  deletedAt: integer('deleted_at'),
});

export const facts = sqliteTable('facts', {
  seq: integer('seq').primaryKey(),
  at: integer('at').notNull(),
  resource: text('resource').notNull(),
  resourceId: text('resource_id').notNull(),
  change: text('change').notNull(),
  kindsV1: words('kinds_v1').notNull(),
  kindsV2: words('kinds_v2').notNull(),
  moved: integer('moved'),
  record: json<unknown>('record').notNull(),
});

export const deliveries = sqliteTable('deliveries', {
  seq: integer('seq').primaryKey(),
  webhookId: text('webhook_id').notNull(),
  factSeq: integer('fact_seq').notNull(),
  kind: text('kind').notNull(),
  ordinal: integer('ordinal').notNull(),
  state: word<'waiting' | 'delivered' | 'exhausted' | 'dropped'>('state').notNull(),
  attempts: integer('attempts').notNull(),
  dueAt: integer('due_at').notNull(),
  lastStatus: integer('last_status'),
});

export const deliveryAttempts = sqliteTable('delivery_attempts', {
  deliverySeq: integer('delivery_seq').notNull(),
  number: integer('number').notNull(),
  at: integer('at').notNull(),
  status: integer('status'),
  durationMs: integer('duration_ms').notNull(),
  error: text('error').notNull(),
});

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  key: text('key').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  status: integer('status').notNull(),
  body: text('body').notNull(),
  createdAt: integer('created_at').notNull(),
});

export const decisions = sqliteTable('decisions', {
  subjectId: text('subject_id').notNull(),
  number: integer('number').notNull(),
  at: integer('at').notNull(),
  source: word<Decision['source']>('source').notNull(),
  name: text('name').notNull(),
  effect: text('effect').notNull(),
  message: text('message').notNull(),
  numbers: json<Decision['numbers']>('numbers').notNull(),
});

export const rtaDecisions = sqliteTable('rta_decisions', {
  id: text('id').primaryKey(),
  kind: word<RtaDecision['kind']>('kind').notNull(),
  accountId: text('account_id').notNull(),
  cardId: text('card_id').notNull(),
  transactionId: text('transaction_id').notNull(),
  amount: integer('amount').notNull(),
  answer: word<RtaDecision['answer']>('answer').notNull(),
  decidedBy: word<RtaDecision['decidedBy']>('decided_by').notNull(),
  httpStatus: integer('http_status'),
  durationMs: integer('duration_ms').notNull(),
  error: text('error').notNull(),
  askedAt: integer('asked_at').notNull(),
});

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Row<T extends { $inferSelect: unknown }> = T['$inferSelect'];
/**
 * Fails to compile when a record and its table drift apart.
 * @public
 */
export const RECORDS_ARE_ROWS: [
  Same<Holder, Row<typeof holders>>,
  Same<Family, Row<typeof families>>,
  Same<Member, Row<typeof members>>,
  Same<Account, Row<typeof accounts>>,
  Same<MasterAccount, Row<typeof masterAccounts>>,
  Same<CardHolder, Row<typeof cardHolders>>,
  Same<Card, Row<typeof cards>>,
  Same<Counterparty, Row<typeof counterparties>>,
  Same<Transaction, Omit<Row<typeof transactions>, 'accountSeq'>>,
  Same<Webhook, Row<typeof webhooks>>,
  Same<Document, Row<typeof documents>>,
  Same<BusinessProfile, Row<typeof businessProfiles>>,
  Same<Attachment, Row<typeof attachments>>,
  Same<Token, Row<typeof tokens>>,
  Same<Decision, Row<typeof decisions>>,
  Same<RtaDecision, Row<typeof rtaDecisions>>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
