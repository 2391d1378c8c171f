/**
 * The nouns of the bank, as its rooms pass them to one another and as the store keeps them: typed values, never wire
 * strings. Amounts are cents, times are instants, an unset text is `''`, an unset object is `null`, ids carry no prefix.
 */

import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { RailEvent, RailName } from './rails/index.ts';
import type {
  AccountCheck,
  AccountStatus,
  AccountType,
  AuthMethod,
  BankAccountType,
  BusinessIdType,
  CardBin,
  CardProduct,
  CardStatus,
  CardType,
  CounterpartyStatus,
  Direction,
  EntityType,
  FamilyStatus,
  HolderStatus,
  HolderType,
  LimitPeriod,
  OfacStatus,
  PersonIdType,
  TrackingStatus,
  TransactionMethod,
  TransactionStatus,
  TransactionType,
  VerificationStatus,
  Wallet,
  WebhookStatus,
} from './vocabulary.ts';

export interface Address {
  line1: string;
  line2: string;
  city: string;
  state: string;
  country: string;
  postalCode: string;
}

/** Free-form pairs that belong to the client; `null` until the first is set. */
export type Metadata = Record<string, string> | null;

/** The client's side of the bank: made once per sandbox. */
export interface Program {
  clientId: Id;
  programId: Id;
  masterAccountHolderId: Id;
  masterAccountId: Id;
  name: string;
  sponsorBank: string;
  routingNumber: string;
}

/** A natural person's own details. `idNumber` is kept whole: v2 shows it, logs mask it. */
export interface Person {
  firstName: string;
  middleName: string;
  lastName: string;
  idType: PersonIdType | '';
  idNumber: string;
  dateOfBirth: string;
  phone: string;
  email: string;
  address: Address | null;
}

export interface Business {
  legalName: string;
  dba: string;
  entityType: EntityType | '';
  /** A sole proprietor of v1 may go by a social security number. */
  idType: BusinessIdType | 'ssn' | '';
  idNumber: string;
  phone: string;
  email: string;
  formationDate: string;
  address: Address | null;
  website: string;
  about: string;
  industry: string;
  naicsCode: string;
}

/** One KYC, KYB or identity document check. */
export interface Verification {
  id: Id;
  status: VerificationStatus;
  method: string;
  url: string;
  createdAt: Instant;
  updatedAt: Instant;
}

/** A sub account holder of v2; a person or a business of v1. */
export interface Holder {
  id: Id;
  type: HolderType;
  /** What the holder is called on accounts: first and last name, or the legal name. */
  name: string;
  person: Person | null;
  business: Business | null;
  idNumber: string;
  /** The KYC of a person, the KYB of a business. */
  verification: Verification;
  idv: Verification | null;
  ofacStatus: OfacStatus;
  ofacAt: Instant;
  externalReferenceId: string;
  purpose: string;
  metadata: Metadata;
  status: HolderStatus;
  /** The state that an unlock goes back to; `null` unless locked. */
  lockedFrom: HolderStatus | null;
  /** v1: the person on whose behalf a business was made. */
  createdBy: Id | '';
  createdAt: Instant;
  updatedAt: Instant;
  deactivatedAt: Instant | null;
}

/** v1: several persons who share accounts. v2 knows only the person who opened such an account. */
export interface Family {
  id: Id;
  name: string;
  phone: string;
  email: string;
  address: Address | null;
  metadata: Metadata;
  status: FamilyStatus;
  createdBy: Id | '';
  createdAt: Instant;
  updatedAt: Instant;
}

/** A member of a business (an owner or controller) or of a family. */
export interface Member {
  id: Id;
  /** The business; `null` for a member of a family. */
  holderId: Id | null;
  familyId: Id | null;
  person: Person;
  kyc: Verification;
  idv: Verification;
  /** Hundredths of a percent: 6000 is `"60.00"`. */
  ownership: number;
  title: string;
  designation: string;
  controlPerson: boolean;
  /** v1: the person record that the member was made from. */
  personId: Id | '';
  metadata: Metadata;
  createdAt: Instant;
  updatedAt: Instant;
}

/** What the ledger knows of one account, in cents. */
export interface Balance {
  debitsPending: Cents;
  debitsPosted: Cents;
  creditsPending: Cents;
  creditsPosted: Cents;
}

/** The three figures of the wire. */
export interface Totals {
  availableBalance: Cents;
  pendingCredits: Cents;
  pendingDebits: Cents;
}

/** A sub account. Its balance is the ledger's and is read with it. */
export interface Account {
  id: Id;
  holderId: Id;
  holderType: HolderType;
  holderName: string;
  /** v1: the person who opened it, or made the business for which nobody is known to have opened it. */
  createdBy: Id | '';
  /** v1: the family that it belongs to. */
  familyId: Id | '';
  label: string;
  type: AccountType;
  accountNumber: string;
  externalReferenceId: string;
  purpose: string;
  metadata: Metadata;
  /** What it may do and how much; `null` is what the program allows. */
  config: AccountConfig | null;
  status: AccountStatus;
  lockedFrom: AccountStatus | null;
  createdAt: Instant;
  updatedAt: Instant;
  closedAt: Instant | null;
}

/** The ways out of and into an account that may be switched off, or limited, each on its own. */
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
export type SendWay = (typeof SEND_WAYS)[number];
export type ReceiveWay = (typeof RECEIVE_WAYS)[number];

/** The most that may move in a UTC day and in a UTC month; `null` does not limit. */
export interface MoneyLimit {
  daily: Cents | null;
  monthly: Cents | null;
}

/** What differs from the program's own configuration; what is absent is as the program has it. */
export interface AccountConfig {
  /** Ways that are switched off or on. */
  send: Partial<Record<SendWay, { enabled: boolean; sameDay?: boolean }>>;
  receive: Partial<Record<ReceiveWay, { enabled: boolean; sameDay?: boolean }>>;
  cards: Partial<Record<CardType, { enabled: boolean; count: number }>>;
  limits: {
    send: { overall?: MoneyLimit; ways: Partial<Record<SendWay, MoneyLimit>> };
    receive: { overall?: MoneyLimit; ways: Partial<Record<ReceiveWay, MoneyLimit>> };
  };
  /** What other banks may pull, by the name or the routing number of who asks. */
  achPull: { enabled: boolean; allowedOriginators: string[]; blockedOriginators: string[] };
}

export interface MasterAccount {
  id: Id;
  label: string;
  accountNumber: string;
  status: AccountStatus;
  createdAt: Instant;
  updatedAt: Instant;
  closedAt: Instant | null;
}

export interface CardHolder {
  id: Id;
  accountId: Id;
  holderId: Id;
  /** v1: the person record that it was made from. */
  personId: Id | '';
  person: Person;
  ofacStatus: OfacStatus;
  ofacAt: Instant;
  externalReferenceId: string;
  purpose: string;
  metadata: Metadata;
  status: HolderStatus;
  lockedFrom: HolderStatus | null;
  createdAt: Instant;
  updatedAt: Instant;
  deactivatedAt: Instant | null;
}

export interface ControlList {
  merchants: string[];
  categories: string[];
  countries: string[];
}

/** A card's spending limit; an amount or count that is `null` does not limit. */
export interface CardLimit {
  period: LimitPeriod | '';
  maxSpendAmount: Cents | null;
  maxSpendPerTransaction: Cents | null;
  maxSpendCount: number | null;
}

export interface CardControls {
  allowed: ControlList;
  blocked: ControlList;
  limit: CardLimit;
  atmEnabled: boolean;
}

export interface Shipment {
  cardHolderName: string;
  businessName: string;
  shippingAddress: Address | null;
  trackingStatus: TrackingStatus;
  eta: string;
  number: string;
  url: string;
  provider: string;
}

export interface Card {
  id: Id;
  accountId: Id;
  holderId: Id;
  holderType: HolderType;
  /** v1: the family of its account. */
  familyId: Id | '';
  cardHolderId: Id;
  label: string;
  product: CardProduct;
  theme: string;
  type: CardType;
  /** v1: what it is said to be; it spends the money of its account either way. */
  bin: CardBin;
  /** A test number that passes the Luhn check; never shown in a record. */
  number: string;
  cvv: string;
  last4: string;
  expiryMonth: string;
  expiryYear: string;
  shipment: Shipment | null;
  billingAddress: Address | null;
  controls: CardControls;
  externalReferenceId: string;
  metadata: Metadata;
  status: CardStatus;
  lockedFrom: CardStatus | null;
  /** The card that took this one's place. */
  replacedBy: Id | '';
  createdAt: Instant;
  updatedAt: Instant;
  activatedAt: Instant | null;
  /** When its PIN was set; the PIN itself is not kept. */
  pinSetAt: Instant | null;
  closedAt: Instant | null;
}

export interface BankDetails {
  accountNumber: string;
  routingNumber: string;
  accountType: BankAccountType | '';
  bankName: string;
}

export interface ForeignBank {
  identifierCode: string;
  name: string;
  address: Address | null;
}

/** A counterparty's details for each rail; `null` where it has none. */
export interface CounterpartyRails {
  intraAccount: { accountId: Id; accountNumber: string } | null;
  ach: (BankDetails & { verified: boolean }) | null;
  domesticWire: (BankDetails & { address: Address | null }) | null;
  internationalWire: {
    accountNumber: string;
    accountType: string;
    identifierType: string;
    beneficiaryAddress: Address | null;
    beneficiaryBank: ForeignBank | null;
    correspondentBank: ForeignBank | null;
  } | null;
  rtp: BankDetails | null;
  fednow: BankDetails | null;
  check: { address: Address | null } | null;
  card: { address: Address | null } | null;
  debitCard: {
    cardNumber: string;
    last4: string;
    expiryMonth: string;
    expiryYear: string;
    address: Address | null;
    pullEnabled: boolean;
    pushEnabled: boolean;
  } | null;
}

/** The other side of a payment: a counterparty of v2, a contact of v1. */
export interface Counterparty {
  id: Id;
  accountId: Id;
  holderId: Id;
  name: string;
  label: string;
  type: HolderType;
  /** v1: others, selfAch or selfIntrabank. */
  relation: 'others' | 'selfAch' | 'selfIntrabank';
  person: Person | null;
  business: Business | null;
  email: string;
  phone: string;
  rails: CounterpartyRails;
  externalReferenceId: string;
  purpose: string;
  ofacStatus: OfacStatus;
  ofacAt: Instant;
  metadata: Metadata;
  status: CounterpartyStatus;
  lockedFrom: CounterpartyStatus | null;
  createdAt: Instant;
  updatedAt: Instant;
  deactivatedAt: Instant | null;
  /** v1: a deleted contact stays readable but takes no change. */
  deletedAt: Instant | null;
}

/** The other side as it was when the payment was made. */
export interface OtherSide {
  id: Id | '';
  name: string;
  verificationStatus: AccountCheck | '';
  accountNumber: string;
  routingNumber: string;
  accountType: BankAccountType | '';
  bankName: string;
  beneficiaryBank: ForeignBank | null;
  correspondentBank: ForeignBank | null;
  address: Address | null;
}

export interface AchDetails {
  kind: 'ach';
  sameDay: boolean;
  effectiveDate: string;
  companyDiscretionaryData: string;
  companyEntryDescription: string;
  traceNumber: string;
  returnCode: string;
  rtaId: Id | '';
}

export interface WireDetails {
  kind: 'wire';
  imad: string;
  omad: string;
}

/** RTP and FedNow. */
export interface InstantDetails {
  kind: 'instant';
  referenceNumber: string;
}

export interface CheckDetails {
  kind: 'check';
  checkNumber: string;
  cashed: boolean;
  trackingStatus: TrackingStatus | '';
  eta: string;
  attachment: string;
  /** The files of the two sides of a deposited check; `''` while there are none. */
  frontId: Id | '';
  backId: Id | '';
  /** A deposit that stands still until both images are there. */
  awaitsImages: boolean;
}

export interface Merchant {
  name: string;
  city: string;
  state: string;
  country: string;
  postalCode: string;
  category: string;
  /** Four digits of ISO 18245. */
  mcc: string;
  id: string;
}

/** What is left of a card's limit after a card transaction. */
export interface AvailableLimit {
  period: LimitPeriod;
  amount: Cents | null;
  count: number | null;
}

export interface CardDetails {
  kind: 'card';
  cardId: Id;
  cardHolderId: Id;
  cardLabel: string;
  merchant: Merchant;
  authMethod: AuthMethod;
  wallet: Wallet | '';
  atm: boolean;
  rtaId: Id | '';
  availableLimit: AvailableLimit | null;
  networkSettlementAt: Instant | null;
  /** What the merchant asked for at first, once an update has changed the amount of the authorization. */
  localAmount?: Cents;
  /** A client has described the row; until then its description is the merchant's name. */
  described?: true;
}

export interface IntraDetails {
  kind: 'intra';
  /** The row of the same transfer on the other account; `''` when the payment was declined. */
  partnerId: Id | '';
  /** The card that was sent with the money; absent where none was. */
  sentCardId?: Id;
}

export interface PlainDetails {
  kind: 'none';
}

export type RailDetails =
  | AchDetails
  | WireDetails
  | InstantDetails
  | CheckDetails
  | CardDetails
  | IntraDetails
  | PlainDetails;

/** Why a transaction was declined, returned, reversed or put in review. */
export interface Reason {
  code: string;
  message: string;
}

/** One movement on one sub account: v2's transaction, v1's transaction and (with a client's order) its transfer. */
export interface Transaction {
  id: Id;
  /** `null` while incoming money names no sub account. */
  accountId: Id | null;
  holderId: Id | null;
  holderType: HolderType | null;
  /** v1: the family of its account. */
  familyId: Id | '';
  /** v1: the person with whom it is shown: who uses the card, else who opened the account. */
  personId: Id | '';
  rail: RailName;
  status: TransactionStatus;
  amount: Cents;
  direction: Direction;
  method: TransactionMethod;
  type: TransactionType;
  message: 'incoming' | 'outgoing';
  /** v1: what its client calls it; `''` when it gave no title. */
  title: string;
  description: string;
  availableBalance: Cents;
  pendingCredits: Cents;
  pendingDebits: Cents;
  counterpartyId: Id | '';
  otherSide: OtherSide | null;
  details: RailDetails;
  cardId: Id | '';
  parentId: Id | '';
  externalReferenceId: string;
  purpose: string;
  metadata: Metadata;
  reason: Reason | null;
  /** What is decided to go otherwise than the timetable's normal course. */
  outcome: PlannedOutcome | null;
  /** The open hold of this transaction in the ledger. */
  holdId: number | null;
  /** The id of the movement's entry in the master account, once there is one. */
  masterId: Id | '';
  /** What the master account had after that entry; `null` where the entry is another row's, which tells of it. */
  masterTotals: Totals | null;
  /** Of money that waits on the master account: what of it went to which sub account, `null` until some has. */
  subLedger: SubLedgered[] | null;
  /** When the timetable moves it next; `null` when nothing is planned. */
  dueAt: Instant | null;
  /** Nothing was ever held or posted for it: it was declined when it was made, or received to be sent back. */
  movedNothing: boolean;
  /** When it was booked on its account, as its rail has it; `null` until then. */
  bookedAt: Instant | null;
  /** What the account had available right after it was booked; until then, right after it was made. */
  bookedBalance: Cents;
  createdAt: Instant;
  updatedAt: Instant;
  settledAt: Instant | null;
}

/** A part of an entry in the master account that was ledgered in a sub account. */
export interface SubLedgered {
  accountId: Id;
  transactionId: Id;
  amount: Cents;
}

/** A deviation from the normal course: when the transaction is in `status`, `event` happens instead. */
export interface PlannedOutcome {
  status: TransactionStatus;
  event: RailEvent;
  reason: Reason | null;
  /** Then `event` happens at this instant, in whatever state allows it; until then all takes its normal course. */
  at?: Instant;
  /** A return that keeps to no window: another bank breaks the rule. */
  late?: true;
  /** What is decided for the time after a review. */
  afterReview?: PlannedOutcome | null;
}

export interface Webhook {
  id: Id;
  /** The generation whose kinds it subscribes to and whose envelope it gets. */
  dialect: 'v1' | 'v2';
  url: string;
  description: string;
  events: string[];
  secret: string;
  /** After a rotation the secret before, which signs as well until the instant `previousSecretUntil`. */
  previousSecret: string | null;
  previousSecretUntil: Instant | null;
  /** The seq of the newest fact when it was made: it was never to be told of that one and those before. */
  madeAfterFact: number;
  status: WebhookStatus;
  createdAt: Instant;
  updatedAt: Instant;
  deletedAt: Instant | null;
}

/** v1: what a business expects to move, as the client wrote it, and the disclosure of who owns it. */
export interface BusinessProfile {
  holderId: Id;
  projection: Record<string, unknown> | null;
  disclosure: OwnershipDisclosure | null;
}

/** A disclosure that is to be signed at a link of this server. */
export interface OwnershipDisclosure {
  status: 'pending' | 'completed';
  /** Where the signer is sent afterwards; `''` for nowhere. */
  redirectUri: string;
  /** Counts the links that were made: a new one ends those before. */
  generation: number;
  /** When the present link was made. */
  linkedAt: Instant;
  updatedAt: Instant;
}

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

/** A file that is attached to a record (v2). */
export interface Attachment {
  id: Id;
  kind: (typeof ATTACHABLE)[number];
  referenceId: Id;
  label: string;
  createdAt: Instant;
  deletedAt: Instant | null;
}

/** Opens something once, until it expires. */
export interface Token {
  token: string;
  purpose: 'show_card' | 'set_pin' | 'set_debit_card';
  subjectId: Id;
  expiresAt: Instant;
  usedAt: Instant | null;
}

/** A document of a person or business (v1). */
export interface Document {
  id: Id;
  holderId: Id;
  name: string;
  description: string;
  docType: string;
  documentNumber: string;
  expirationDate: string;
  issuingCountry: string;
  issuingState: string;
  status: 'active';
  createdAt: Instant;
  updatedAt: Instant;
}
