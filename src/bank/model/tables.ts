/**
 * The tables of `migrations/`, column by column. This is the only definition of records: their types (`records.ts`)
 * and the schemas of imported rows follow from it.
 */
import { Type } from '@sinclair/typebox';
import {
  amount,
  bytes,
  cents,
  count,
  flag,
  id,
  idOrNone,
  instant,
  integer,
  json,
  table,
  text,
  word,
  words,
} from './columns.ts';
import {
  AccountConfig,
  Address,
  Business,
  CardControls,
  CounterpartyRails,
  CounterpartySnapshot,
  Metadata,
  OwnershipDisclosure,
  Person,
  PlannedOutcome,
  RailDetails,
  Reason,
  Shipment,
  SubLedgered,
  Text,
  Totals,
  Verification,
} from './parts.ts';
import { RAILS, type RailName } from './rails/index.ts';
import { VIEW_NAMES } from './views.ts';
import * as Words from './vocabulary.ts';

export const meta = table('meta', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

/** The surroundings of the bank: faults, chaos, the responses of the built-in receiver. JSON, by name. */
export const surroundings = table('surroundings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** Some entries in a row of the journal or of the built-in receiver, as compressed JSON. */
export const journalParts = table('journal_parts', {
  tape: word('tape', ['requests', 'calls', 'deliveries']).notNull(),
  first: count('first').notNull(),
  upTo: count('up_to').notNull(),
  characters: count('characters').notNull(),
  entries: bytes('entries').notNull(),
});

export const masterAccounts = table('master_accounts', {
  id: id('id').primaryKey(),
  label: text('label').notNull(),
  accountNumber: text('account_number').notNull(),
  status: word('status', Words.ACCOUNT_STATUSES).notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  closedAt: instant('closed_at'),
});

/** A sub account holder of v2; a person or a business of v1. */
export const holders = table('holders', {
  id: id('id').primaryKey(),
  type: word('type', Words.HOLDER_TYPES).notNull(),
  /** The name of the holder on accounts: first and last name, or the legal name. */
  name: text('name').notNull(),
  person: json('person', Person),
  business: json('business', Business),
  idNumber: text('id_number').notNull(),
  /** The KYC of a person, the KYB of a business. */
  verification: json('verification', Verification).notNull(),
  idv: json('idv', Verification),
  ofacStatus: word('ofac_status', ['pass', 'fail']).notNull(),
  ofacAt: instant('ofac_at').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json('metadata', Metadata),
  status: word('status', Words.HOLDER_STATUSES).notNull(),
  /** The state that an unlock restores; `null` unless locked. */
  lockedFrom: word('locked_from', Words.HOLDER_STATUSES),
  /** v1: the person on whose behalf a business was created. */
  createdBy: idOrNone('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  deactivatedAt: instant('deactivated_at'),
});

/** v1: several persons who share accounts. v2 shows only the person who opened such an account. */
export const families = table('families', {
  id: id('id').primaryKey(),
  name: text('name').notNull(),
  phone: text('phone').notNull(),
  email: text('email').notNull(),
  address: json('address', Address),
  metadata: json('metadata', Metadata),
  status: word('status', ['activated', 'suspended', 'deactivated']).notNull(),
  createdBy: idOrNone('created_by').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** v1: the place of another currency beside an account. v2 has none. */
export const wallets = table('wallets', {
  id: id('id').primaryKey(),
  accountId: id('account_id').notNull(),
  label: text('label').notNull(),
  currency: word('currency', Words.WALLET_CURRENCIES).notNull(),
  status: word('status', ['active']).notNull(),
  metadata: json('metadata', Metadata),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** A member of a business (an owner or controller) or of a family. */
export const members = table('members', {
  id: id('id').primaryKey(),
  /** The business; `null` for a member of a family. */
  holderId: id('holder_id'),
  familyId: id('family_id'),
  person: json('person', Person).notNull(),
  kyc: json('kyc', Verification).notNull(),
  idv: json('idv', Verification).notNull(),
  /** Hundredths of a percent: 6000 is `"60.00"`; `null` for a first member until it is set. */
  ownership: integer('ownership', Type.Integer({ minimum: 0, maximum: 10_000 })),
  title: text('title').notNull(),
  designation: text('designation').notNull(),
  controlPerson: flag('control_person').notNull(),
  /** v1: the person record of the member. */
  personId: idOrNone('person_id').notNull(),
  metadata: json('metadata', Metadata),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** A sub account. Its balance is in the ledger and is read together with it. */
export const accounts = table('accounts', {
  id: id('id').primaryKey(),
  holderId: id('holder_id').notNull(),
  holderType: word('holder_type', Words.HOLDER_TYPES).notNull(),
  holderName: text('holder_name').notNull(),
  /** v1: the person who opened it, or, if unknown, the person who created the business. */
  createdBy: idOrNone('created_by').notNull(),
  /** v1: the family that it belongs to. */
  familyId: idOrNone('family_id').notNull(),
  label: text('label').notNull(),
  type: word('type', Words.ACCOUNT_TYPES).notNull(),
  /** v1: its role; `''` for an ordinary account. A fallback account covers other accounts of its holder. */
  role: word('role', ['', ...Words.ACCOUNT_ROLES]).notNull(),
  accountNumber: text('account_number').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json('metadata', Metadata),
  /** Its configuration; `null` for that of the program. */
  config: json('config', AccountConfig),
  status: word('status', Words.ACCOUNT_STATUSES).notNull(),
  lockedFrom: word('locked_from', Words.ACCOUNT_STATUSES),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  closedAt: instant('closed_at'),
});

export const cardHolders = table('card_holders', {
  id: id('id').primaryKey(),
  accountId: id('account_id').notNull(),
  holderId: id('holder_id').notNull(),
  /** v1: the person record that it was made from. */
  personId: idOrNone('person_id').notNull(),
  person: json('person', Person).notNull(),
  ofacStatus: word('ofac_status', ['pass', 'fail']).notNull(),
  ofacAt: instant('ofac_at').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json('metadata', Metadata),
  status: word('status', Words.HOLDER_STATUSES).notNull(),
  lockedFrom: word('locked_from', Words.HOLDER_STATUSES),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  deactivatedAt: instant('deactivated_at'),
});

export const cards = table('cards', {
  id: id('id').primaryKey(),
  accountId: id('account_id').notNull(),
  holderId: id('holder_id').notNull(),
  holderType: word('holder_type', Words.HOLDER_TYPES).notNull(),
  /** v1: the family of its account. */
  familyId: idOrNone('family_id').notNull(),
  cardHolderId: id('card_holder_id').notNull(),
  label: text('label').notNull(),
  product: word('product', Words.CARD_PRODUCTS).notNull(),
  theme: text('theme').notNull(),
  type: word('type', Words.CARD_TYPES).notNull(),
  /** v1: the value that the client sent; it has no effect. */
  bin: word('bin', Words.CARD_BINS).notNull(),
  /** A test number with a valid Luhn check digit; never shown in a record. */
  number: text('number').notNull(),
  cvv: text('cvv').notNull(),
  last4: text('last4').notNull(),
  expiryMonth: text('expiry_month').notNull(),
  expiryYear: text('expiry_year').notNull(),
  shipment: json('shipment', Shipment),
  billingAddress: json('billing_address', Address),
  controls: json('controls', CardControls).notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  metadata: json('metadata', Metadata),
  status: word('status', Words.CARD_STATUSES).notNull(),
  lockedFrom: word('locked_from', Words.CARD_STATUSES),
  /** The replacement card. */
  replacedBy: idOrNone('replaced_by').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  activatedAt: instant('activated_at'),
  /** When its PIN was set; the PIN itself is not stored. */
  pinSetAt: instant('pin_set_at'),
  closedAt: instant('closed_at'),
});

export const cardUsage = table('card_usage', {
  cardId: text('card_id').notNull(),
  day: text('day').notNull(),
  amount: integer('amount').notNull(),
  count: integer('count').notNull(),
});

/** The other party of payments: a counterparty of v2, a contact of v1. */
export const counterparties = table('counterparties', {
  id: id('id').primaryKey(),
  accountId: id('account_id').notNull(),
  holderId: id('holder_id').notNull(),
  name: text('name').notNull(),
  label: text('label').notNull(),
  type: word('type', Words.HOLDER_TYPES).notNull(),
  /** v1: others, selfAch or selfIntrabank. */
  relation: word('relation', ['others', 'selfAch', 'selfIntrabank']).notNull(),
  person: json('person', Person),
  business: json('business', Business),
  email: text('email').notNull(),
  phone: text('phone').notNull(),
  rails: json('rails', CounterpartyRails).notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  ofacStatus: word('ofac_status', ['pass', 'fail']).notNull(),
  ofacAt: instant('ofac_at').notNull(),
  metadata: json('metadata', Metadata),
  status: word('status', Words.HOLDER_STATUSES).notNull(),
  lockedFrom: word('locked_from', Words.HOLDER_STATUSES),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  deactivatedAt: instant('deactivated_at'),
  /** v1: a deleted contact stays readable but cannot be updated. */
  deletedAt: instant('deleted_at'),
});

export const ledgerAccounts = table('ledger_accounts', {
  id: text('id').primaryKey(),
  kind: word('kind', ['master_account', 'sub_account', 'suspense']).notNull(),
  debitsPending: integer('debits_pending').notNull(),
  debitsPosted: integer('debits_posted').notNull(),
  creditsPending: integer('credits_pending').notNull(),
  creditsPosted: integer('credits_posted').notNull(),
});

export const transfers = table('transfers', {
  id: integer('id').primaryKey(),
  kind: word('kind', ['post', 'hold', 'settle', 'release']).notNull(),
  debitAccount: text('debit_account').notNull(),
  creditAccount: text('credit_account').notNull(),
  amount: integer('amount').notNull(),
  holdId: integer('hold_id'),
  transactionId: text('transaction_id').notNull(),
  debitAvailableAfter: integer('debit_available_after').notNull(),
  creditAvailableAfter: integer('credit_available_after').notNull(),
  at: instant('at').notNull(),
});

/** A transaction of one sub account: a transaction in v2 and v1, and for an origination also a transfer in v1. */
export const transactions = table('transactions', {
  id: id('id').primaryKey(),
  /** `null` for incoming money without a sub account. */
  accountId: id('account_id'),
  holderId: id('holder_id'),
  holderType: word('holder_type', Words.HOLDER_TYPES),
  /** v1: the family of its account. */
  familyId: idOrNone('family_id').notNull(),
  /** v1: the person who is shown with it: the card holder, otherwise the person who opened the account. */
  personId: idOrNone('person_id').notNull(),
  /** Its position in the account's list, used only by the store; the record does not contain it. */
  accountSeq: integer('account_seq').notNull(),
  rail: word('rail', Object.keys(RAILS) as RailName[]).notNull(),
  status: word('status', Words.TRANSACTION_STATUSES).notNull(),
  amount: amount('amount').notNull(),
  direction: word('direction', ['debit', 'credit']).notNull(),
  method: word('method', Words.TRANSACTION_METHODS).notNull(),
  type: word('type', Words.TRANSACTION_TYPES).notNull(),
  message: word('message', ['incoming', 'outgoing']).notNull(),
  /** v1: the title that the client sent; `''` for none. */
  title: text('title').notNull(),
  description: text('description').notNull(),
  availableBalance: cents('available_balance').notNull(),
  pendingCredits: cents('pending_credits').notNull(),
  pendingDebits: cents('pending_debits').notNull(),
  counterpartyId: idOrNone('counterparty_id').notNull(),
  otherSide: json('other_side', CounterpartySnapshot),
  details: json('details', RailDetails).notNull(),
  cardId: idOrNone('card_id').notNull(),
  parentId: idOrNone('parent_id').notNull(),
  externalReferenceId: text('external_reference_id').notNull(),
  purpose: text('purpose').notNull(),
  metadata: json('metadata', Metadata),
  reason: json('reason', Reason),
  /** The planned deviation from the ordinary steps. */
  outcome: json('outcome', PlannedOutcome),
  /** The open hold of this transaction in the ledger. */
  holdId: count('hold_id'),
  /** The id of the transaction's entry in the master account, once there is one. */
  masterId: idOrNone('master_id').notNull(),
  /** The balances of the master account after that entry; `null` if the entry belongs to another transaction. */
  masterTotals: json('master_totals', Totals),
  /** For money in suspense on the master account: the parts that were sub-ledgered, and to which sub account; `null` before the first. */
  subLedger: json('sub_ledger', Type.Array(SubLedgered)),
  /** The time of the next scheduled step; `null` if there is none. */
  dueAt: instant('due_at'),
  /** Nothing was ever held or posted for it: it was declined at its creation, or received in order to be returned. */
  movedNothing: flag('moved_nothing').notNull(),
  /** When it was booked; `null` until then. */
  bookedAt: instant('booked_at'),
  /** The available balance right after it was booked; until then, right after it was made. */
  bookedBalance: cents('booked_balance').notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  settledAt: instant('settled_at'),
});

export const agenda = table('agenda', {
  dueAt: instant('due_at').notNull(),
  subjectId: text('subject_id').notNull(),
  task: word('task', ['transaction', 'verification']).notNull(),
  event: text('event').notNull(),
});

/** A document of a person or business (v1). */
export const documents = table('documents', {
  id: id('id').primaryKey(),
  holderId: id('holder_id').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  docType: text('doc_type').notNull(),
  documentNumber: text('document_number').notNull(),
  expirationDate: text('expiration_date').notNull(),
  issuingCountry: text('issuing_country').notNull(),
  issuingState: text('issuing_state').notNull(),
  status: word('status', ['active']).notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** v1: the projections of a business, as the client sent them, and its ownership disclosure. */
export const businessProfiles = table('business_profiles', {
  holderId: id('holder_id').primaryKey(),
  projection: json('projection', Type.Record(Type.String(), Type.Unknown())),
  disclosure: json('disclosure', OwnershipDisclosure),
});

/** A file that is attached to a record (v2). */
export const attachments = table('attachments', {
  id: id('id').primaryKey(),
  kind: word('kind', Words.ATTACHABLE).notNull(),
  referenceId: id('reference_id').notNull(),
  label: text('label').notNull(),
  createdAt: instant('created_at').notNull(),
  deletedAt: instant('deleted_at'),
});

/** A token that authorizes one action until it expires. */
export const tokens = table('tokens', {
  token: text('token').primaryKey(),
  purpose: word('purpose', ['show_card', 'set_pin', 'set_debit_card']).notNull(),
  subjectId: id('subject_id').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

export const files = table('files', {
  id: text('id').primaryKey(),
  contentType: text('content_type').notNull(),
  content: bytes('content').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const webhooks = table('webhooks', {
  id: id('id').primaryKey(),
  /** The API version of its kinds and envelopes. */
  apiVersion: word('api_version', ['v1', 'v2']).notNull(),
  url: text('url').notNull(),
  description: text('description').notNull(),
  events: json('events', Type.Array(Text)).notNull(),
  secret: text('secret').notNull(),
  /** After a rotation, the previous secret, which also signs until `previousSecretUntil`. */
  previousSecret: text('previous_secret'),
  previousSecretUntil: instant('previous_secret_until'),
  /** The seq of the newest fact at its creation: that fact and earlier ones are never sent to it. */
  madeAfterFact: count('made_after_fact').notNull(),
  status: word('status', Words.WEBHOOK_STATUSES).notNull(),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  deletedAt: instant('deleted_at'),
});

export const facts = table('facts', {
  seq: integer('seq').primaryKey(),
  at: instant('at').notNull(),
  resource: text('resource').notNull(),
  resourceId: text('resource_id').notNull(),
  change: text('change').notNull(),
  kindsV1: words('kinds_v1').notNull(),
  kindsV2: words('kinds_v2').notNull(),
  moved: integer('moved'),
  record: json('record', Type.Unknown()).notNull(),
});

/** A part of the log for which no deliveries to a webhook were created yet. */
export const backlogs = table('backlogs', {
  id: integer('id').primaryKey(),
  webhookId: text('webhook_id').notNull(),
  afterFact: count('after_fact').notNull(),
  /** `null` while it includes every new fact. */
  upToFact: count('up_to_fact'),
  events: json('events', Type.Array(Text)).notNull(),
  dropped: flag('dropped').notNull(),
});

export const deliveries = table('deliveries', {
  seq: integer('seq').primaryKey(),
  webhookId: text('webhook_id').notNull(),
  factSeq: integer('fact_seq').notNull(),
  kind: text('kind').notNull(),
  ordinal: integer('ordinal').notNull(),
  state: word('state', ['waiting', 'delivered', 'exhausted', 'dropped']).notNull(),
  attempts: integer('attempts').notNull(),
  dueAt: instant('due_at').notNull(),
  lastStatus: integer('last_status'),
});

export const deliveryAttempts = table('delivery_attempts', {
  deliverySeq: integer('delivery_seq').notNull(),
  number: integer('number').notNull(),
  at: instant('at').notNull(),
  status: integer('status'),
  durationMs: integer('duration_ms').notNull(),
  error: text('error').notNull(),
  /** As a JSON object; `''` without a response. */
  answerHeaders: text('answer_headers').notNull(),
  /** The beginning of the body. */
  answerBody: text('answer_body').notNull(),
});

export const idempotencyKeys = table('idempotency_keys', {
  key: text('key').primaryKey(),
  fingerprint: text('fingerprint').notNull(),
  status: integer('status').notNull(),
  /** The text of the response; `''` for none, and for a view. */
  body: text('body').notNull(),
  createdAt: instant('created_at').notNull(),
  /** For a response that consists of a view: the fact of its record, and the name of the view. */
  factSeq: count('fact_seq'),
  view: word('view', ['', ...VIEW_NAMES]).notNull(),
});

/** One decision about a transaction, a card, a holder or an account. */
export const decisions = table('decisions', {
  subjectId: id('subject_id').notNull(),
  /** Its number among the decisions about the same record, from 1. */
  number: count('number').notNull(),
  at: instant('at').notNull(),
  source: word('source', ['simulate', 'rule', 'magic', 'control', 'real_time_authorization']).notNull(),
  /** Its name: `rule 2`, `v1_receive_ach`, `limit.max_spend_amount`, `return`. */
  name: text('name').notNull(),
  /** Its effect, or planned effect: `declined: spendLimit`, `return R01 in clearing`. */
  effect: text('effect').notNull(),
  message: text('message').notNull(),
  /** The figures of the decision, as in API responses. */
  numbers: json('numbers', Type.Record(Type.String(), Text)).notNull(),
});

/** The answer of a client in real time, or the default decision. */
export const rtaDecisions = table('rta_decisions', {
  id: id('id').primaryKey(),
  kind: word('kind', ['card', 'ach']).notNull(),
  accountId: id('account_id').notNull(),
  cardId: idOrNone('card_id').notNull(),
  transactionId: id('transaction_id').notNull(),
  amount: amount('amount').notNull(),
  answer: word('answer', ['approved', 'declined']).notNull(),
  decidedBy: word('decided_by', ['receiver', 'stand_in']).notNull(),
  /** `null` without an answer. */
  httpStatus: count('http_status'),
  durationMs: cents('duration_ms').notNull(),
  error: text('error').notNull(),
  askedAt: instant('asked_at').notNull(),
});
