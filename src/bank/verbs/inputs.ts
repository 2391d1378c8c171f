/**
 * The inputs of the bank's verbs, as internal values; `parse...` of each API version creates them. A field that was
 * not sent is absent, so that a change can distinguish "keep" from "clear".
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { AccountConfigChange } from '../model/account-config.ts';
import type { ACCOUNT_EVENT_FOR } from '../model/machines.ts';
import type {
  Account,
  Address,
  Attachment,
  Balance,
  BankDetails,
  Business,
  Card,
  CardHolder,
  CardLimit,
  ControlList,
  Counterparty,
  CounterpartyRails,
  CounterpartySnapshot,
  Holder,
  MasterAccount,
  Member,
  Merchant,
  OwnershipDisclosure,
  Person,
  RtaDecision,
  Totals,
  Transaction,
  Webhook,
} from '../model/records.ts';
import type {
  AccountRole,
  AccountType,
  AuthMethod,
  CardBin,
  CardProduct,
  CardType,
  HolderType,
  MobileWallet,
  WALLET_CURRENCIES,
} from '../model/vocabulary.ts';
import type { Magic } from './transactions/outcomes.ts';

/** Key-value pairs to set; an empty value removes its key. */
export type MetadataChange = Record<string, string>;

/** A holder with the members of its business (none for a person). */
export interface HolderWithMembers {
  holder: Holder;
  members: Member[];
  /** The status of the ownership disclosure; absent until it was begun. */
  disclosure?: OwnershipDisclosure['status'];
}

/** A disclosure, `null` until it was begun, and the expiry of its current link, `null` if there is none. */
export interface DisclosureFile {
  businessId: Id;
  disclosure: OwnershipDisclosure | null;
  openUntil: Instant | null;
}

/** A member with its person record, or `null`. */
export interface MemberWithPerson {
  member: Member;
  person: Holder | null;
}

/** An account with its balance. */
export interface AccountWithBalance {
  account: Account;
  balance: Balance;
}

/** The master account with its balance and totals. */
export interface MasterAccountWithBalance {
  account: MasterAccount;
  balance: Balance;
  totals: Totals;
}

/** The amounts of a statement, in cents. */
export interface Statement {
  /** `YYYY-MM` */
  id: string;
  accountId: Id;
  from: Instant;
  /** The end of the period, exclusive. */
  until: Instant;
  /** The end of the month; for the current month the time of the request. */
  createdAt: Instant;
  opening: Cents;
  closing: Cents;
  credits: Cents;
  debits: Cents;
  count: number;
}

/** A statement with its transactions, oldest first, in slices because there can be many. */
export interface StatementFile {
  /** When it was made. */
  at: Instant;
  statement: Statement;
  account: AccountWithBalance;
  slices: Iterable<readonly Transaction[]>;
}

/** A card with the person who uses it. */
export interface CardWithHolder {
  card: Card;
  cardHolder: CardHolder;
  /** The rest of an all-time limit; absent if the card has none. */
  left?: Cents;
}

/** A transaction with the card that was sent with its money; absent if none was. */
export type TransactionWithCard = Transaction & { sentCard?: CardWithHolder };

export interface NewMember {
  person: Person;
  /** Hundredths of a percent. */
  ownership: number;
  title: string;
  designation: string;
  controlPerson: boolean;
  personId?: Id;
}

/** Changes of an existing member; absent fields stay. */
export interface MemberChange extends Partial<Omit<NewMember, 'person' | 'personId'>> {
  id: Id;
  person?: Partial<Person>;
}

/** A verification by the client. */
export interface OwnVerification {
  status: 'pass' | 'fail';
  method: string;
  url: string;
}

export interface NewHolder {
  masterAccountId?: Id;
  person?: Person;
  business?: Business;
  members?: NewMember[];
  verification?: OwnVerification;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  createdBy?: Id;
  /** v1: a phone belongs to one person. */
  uniquePhone?: boolean;
}

/** The object of the other type is ignored, as at the creation. */
export interface HolderChange {
  person?: Partial<Person>;
  business?: Partial<Business>;
  /** Members with an id are changed, others are added; members that are not sent stay. */
  members?: (NewMember | MemberChange)[];
  verification?: OwnVerification;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  /** A status that only the bank sets changes nothing if the holder has it, and is refused otherwise. */
  status?: Holder['status'];
  /** v1: a phone belongs to one person. */
  uniquePhone?: boolean;
  /** v1: a verified name cannot change. */
  lockNames?: boolean;
  /** v2: a new social security number must be complete, also that of a member. */
  fullSsn?: boolean;
}

/** v1: a new member of a business or of a family. */
export interface NewMembership {
  of: { businessId: Id } | { familyId: Id };
  /** An existing person, or a new one. */
  person: Id | NewHolder;
  /** Hundredths of a percent. */
  ownership?: number;
  title?: string;
  controlPerson?: boolean;
  metadata?: MetadataChange;
}

export type MembershipChange = Partial<
  Pick<NewMembership, 'ownership' | 'title' | 'controlPerson' | 'metadata'>
>;

export interface NewFamily {
  name: string;
  phone?: string;
  email?: string;
  address?: Address | null;
  metadata?: MetadataChange;
  createdBy?: Id;
}

/** v1: a new wallet; its label is by default its currency. */
export interface NewWallet {
  accountId: Id;
  currency: (typeof WALLET_CURRENCIES)[number];
  label?: string;
  metadata?: MetadataChange;
}

export type FamilyChange = Partial<Omit<NewFamily, 'createdBy'>>;

export interface NewAccount {
  holderId: Id;
  /** The required type of the holder; a holder of the other type is not found. */
  holderType?: HolderType;
  type: AccountType;
  role?: AccountRole;
  label?: string;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  createdBy?: Id;
  /** v1: the family for which the person opens it. */
  familyId?: Id;
  /** v1: the opening credit. */
  openingCredit?: Cents;
}

export interface AccountChange {
  label?: string;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  config?: AccountConfigChange;
  status?: keyof typeof ACCOUNT_EVENT_FOR;
  /** Whether a closing mails the balance to the holder. Default: it requires a balance of zero. */
  mailsBalance?: boolean;
}

export interface NewCardHolder {
  accountId: Id;
  person: Person;
  /** v1: its person record. */
  personId?: Id;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
}

export interface CardHolderChange {
  person?: Partial<Person>;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  status?: 'pending_activation' | 'activated' | 'suspended' | 'deactivated';
}

/** Controls to set: lists are replaced as a whole, limits field by field. */
export interface ControlsChange {
  allowed?: Partial<ControlList>;
  blocked?: Partial<ControlList>;
  limit?: Partial<CardLimit>;
  atmEnabled?: boolean;
}

export interface NewCard {
  cardHolderId: Id;
  type: CardType;
  /** v1; default: `debit`. */
  bin?: CardBin;
  product?: CardProduct;
  label?: string;
  theme?: string;
  embossing?: { cardHolderName: string; businessName: string };
  shippingAddress?: Address;
  billingAddress?: Address;
  controls?: ControlsChange;
  externalReferenceId?: string;
  metadata?: MetadataChange;
}

export interface CardChange {
  label?: string;
  controls?: ControlsChange;
  billingAddress?: Address | null;
  externalReferenceId?: string;
  metadata?: MetadataChange;
  status?: 'open' | 'closed' | 'blocked';
  /** v2: an update without effect, and the status of a card that waits for its activation, are refused. */
  strict?: true;
}

export interface CardReplacement {
  reason?: string;
  shippingAddress?: Address;
  /** v2: only an open card is replaced. v1 also replaces a blocked card and one that waits for its activation. */
  strict?: true;
}

/** A range for the rest of an all-time limit, in cents. */
export interface LeftRange {
  min?: Cents;
  max?: Cents;
}

/** The data for a wallet's SDK, by wallet. */
export type WalletPass = { paymentAccountReference: string } & (
  | { wallet: 'apple_pay'; activationData: string; encryptedPassData: string; ephemeralPublicKey: string }
  | { wallet: Exclude<MobileWallet, 'apple_pay'>; opaquePaymentCard: string }
);

/** The data printed on a card. */
export interface CardDetailsInput {
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
  last4: string;
}

/** A debit card from a client: its number, of which the last four digits are stored, or a token. */
export interface NewDebitCard {
  cardNumber: string;
  /** For a token; for a number they are its last digits. */
  last4?: string;
  expiryMonth: string;
  expiryYear: string;
  address: Address | null;
}

type InternationalWire = NonNullable<CounterpartyRails['internationalWire']>;

/**
 * Details of the rails in a change, each as a whole, `null` to remove a rail. Fields that only v1 has can be absent,
 * and then stay. The bank resolves an intra-account number.
 */
export type RailsChange = Partial<
  Omit<CounterpartyRails, 'intraAccount' | 'ach' | 'domesticWire' | 'internationalWire' | 'debitCard'>
> & {
  /** `maySelf` allows an account of the same holder, for callers that cannot mark it. */
  intraAccount?: { accountId?: Id; accountNumber?: string; maySelf?: true } | null;
  /** If `verified` is absent, an unchanged account keeps its verification, and a new one is unverified. */
  ach?: (BankDetails & { verified?: boolean }) | null;
  domesticWire?: (BankDetails & { address?: Address | null }) | null;
  internationalWire?:
    | (Pick<InternationalWire, 'accountNumber' | 'beneficiaryBank' | 'correspondentBank'> &
        Partial<InternationalWire>)
    | null;
  debitCard?: NewDebitCard | null;
};

export interface NewCounterparty {
  accountId: Id;
  /** Defaults to the person's or business's name. */
  name?: string;
  label?: string;
  type?: Counterparty['type'];
  relation?: Counterparty['relation'];
  person?: Person;
  business?: Business;
  email?: string;
  phone?: string;
  rails: RailsChange;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
}

export interface CounterpartyChange {
  name?: string;
  label?: string;
  /** Another type requires the object of that type. */
  type?: Counterparty['type'];
  /** Field by field; the object of the other type is ignored. */
  person?: Partial<Person>;
  business?: Partial<Business>;
  email?: string;
  phone?: string;
  rails?: RailsChange;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  status?: 'pending_activation' | 'activated' | 'suspended' | 'deactivated';
}

export interface Origination {
  accountId: Id;
  counterpartyId: Id;
  amount: Cents;
  title?: string;
  description?: string;
  externalReferenceId?: string;
  metadata?: MetadataChange;
  sameDay?: boolean;
  /** `YYYY-MM-DD`; the requested date on which an ACH payment posts at the other bank. */
  effectiveDate?: string;
  companyDiscretionaryData?: string;
  companyEntryDescription?: string;
  referenceNumber?: string;
  attachment?: string;
  /** The images of a deposited check. */
  images?: CheckImages;
  /** The deposit waits for its images, which are sent later. */
  awaitsImages?: true;
  /**
   * If the balance is too low, a limit is exceeded or a rule declines: a declined transaction is recorded, the payment
   * is refused and nothing is recorded, or only a rule's decline is recorded.
   */
  shortage: 'record' | 'refuse' | 'record_rules';
  /** The operation whose published magic values apply. */
  magic?: Magic;
}

/** v1: money that is sent as a card of this kind; default: `debit`. */
export interface CardOrder extends Origination {
  bin?: CardBin;
}

/** The images of both sides of a check. */
export interface CheckImages {
  front: UploadedFile;
  back: UploadedFile;
}

/** One transfer of a batch, with the client's label. */
export interface BatchItem {
  label: string;
  rail: 'intra_push' | 'intra_pull';
  order: Origination;
}

/** The fields of a transaction that a client can change. */
export interface TransactionChange {
  title?: string;
  description?: string;
  metadata?: MetadataChange;
}

/** A transaction in one of its two ledgers. */
export interface Leg {
  transaction: Transaction;
  ledger: 'sub_account' | 'master_account';
}

/** The part of an entry to sub-ledger, and its sub account. */
export interface SubLedgering {
  /** The id of an entry in the master account. */
  masterEntryId: Id;
  accountId: Id;
  amount: Cents;
}

export interface Incoming {
  /** `null`: it names no sub account, and stays in suspense on the master account. */
  accountId: Id | null;
  /** The account number that the other bank sent, if any. */
  accountNumber?: string;
  amount: Cents;
  description?: string;
  sender: Partial<CounterpartySnapshot>;
  /** The answer of the client in real time. */
  rta?: RtaAnswer;
  /** It is decided during the same request, so a returned payment was never on hold. */
  atOnce?: boolean;
}

export interface CardAuthorization {
  cardId: Id;
  amount: Cents;
  merchant?: Partial<Merchant>;
  authMethod?: AuthMethod;
  wallet?: MobileWallet | '';
  atm?: boolean;
  /** From the card test of v1, for which a setting can switch off the card's controls. */
  test?: boolean;
  /** The answer of the client in real time. */
  rta?: RtaAnswer;
}

/** A client's answer to a real-time request, or the default decision. */
export type RtaAnswer = Omit<RtaDecision, 'accountId' | 'cardId' | 'transactionId' | 'amount' | 'kind'>;

export interface NewDocument {
  holderId: Id;
  name?: string;
  description?: string;
  docType?: string;
  documentNumber?: string;
  expirationDate?: string;
  issuingCountry?: string;
  issuingState?: string;
}

/** An uploaded file. */
export interface UploadedFile {
  contentType: string;
  content: Buffer;
}

/** Changes of a document; absent fields stay. */
export type DocumentChange = Omit<Partial<NewDocument>, 'holderId'>;

export interface NewAttachment {
  kind: Attachment['kind'];
  referenceId: Id;
  label?: string;
}

export interface NewWebhook {
  apiVersion: Webhook['apiVersion'];
  url: string;
  events: string[];
  description?: string;
  status?: 'active' | 'paused';
}

export interface WebhookChange {
  url?: string;
  events?: string[];
  description?: string;
  status?: 'active' | 'paused' | 'deactivated';
}
