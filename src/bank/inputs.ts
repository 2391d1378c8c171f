/**
 * What a client may ask of the bank, in the bank's own values: a version's readers make these from its wire shapes.
 * A field that was not sent is absent, so that a change can tell "leave it" from "empty it".
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
  Wallet,
} from '../model/vocabulary.ts';
import type { Magic } from './transactions/outcomes.ts';

/** Pairs to set; an empty value removes its key. */
export type MetadataChange = Record<string, string>;

/** A holder with the members of its business (none for a person). */
export interface HolderWithMembers {
  holder: Holder;
  members: Member[];
  /** How far the disclosure of who owns the business is; absent until it was begun. */
  disclosure?: OwnershipDisclosure['status'];
}

/** A disclosure, `null` until it was begun, and until when it can be signed at its present link, `null` for not now. */
export interface DisclosureFile {
  businessId: Id;
  disclosure: OwnershipDisclosure | null;
  openUntil: Instant | null;
}

/** A member with the person record that it was made from; `null` when it was made from none. */
export interface MemberWithPerson {
  member: Member;
  person: Holder | null;
}

/** An account with what the ledger says of it. */
export interface AccountWithBalance {
  account: Account;
  balance: Balance;
}

/** The master account with its balance, and what that comes to seen from its side of the books. */
export interface MasterAccountWithBalance {
  account: MasterAccount;
  balance: Balance;
  totals: Totals;
}

/** A month of an account in figures, in cents. */
export interface Statement {
  /** `YYYY-MM` */
  id: string;
  accountId: Id;
  from: Instant;
  /** The first instant that is no longer in it. */
  until: Instant;
  /** When it was over; the present one is made when it is asked for. */
  createdAt: Instant;
  opening: Cents;
  closing: Cents;
  credits: Cents;
  debits: Cents;
  count: number;
}

/** A statement with what was booked, oldest first and a slice at a time: there may be much of it. */
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
  /** What is left of a limit for all time; absent where the card has none. */
  left?: Cents;
}

/** A transaction with the card that was sent with its money; absent where none was. */
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

/** Changes of a member that there is; what is absent stays. */
export interface MemberChange extends Partial<Omit<NewMember, 'person' | 'personId'>> {
  id: Id;
  person?: Partial<Person>;
}

/** A verification that the client did itself, elsewhere. */
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

/** The object that the holder is not is ignored, as when it is made. */
export interface HolderChange {
  person?: Partial<Person>;
  business?: Partial<Business>;
  /** Those that are named by an id are changed, the others added; what is not named stays. */
  members?: (NewMember | MemberChange)[];
  verification?: OwnVerification;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  /** One that only the bank brings about is no change where the holder has it, and refused otherwise. */
  status?: Holder['status'];
  /** v1: a phone belongs to one person. */
  uniquePhone?: boolean;
  /** v1: a name that was verified stays. */
  lockNames?: boolean;
  /** v2: a social security number that changes is whole, that of a member too. */
  fullSsn?: boolean;
}

/** v1: somebody becomes a member of a business or of a family. */
export interface NewMembership {
  of: { businessId: Id } | { familyId: Id };
  /** A person that there is, or one who is made with the membership. */
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

export type FamilyChange = Partial<Omit<NewFamily, 'createdBy'>>;

export interface NewAccount {
  holderId: Id;
  /** What the holder is said to be; one of the other kind is none. */
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
  /** v1: what the sandbox gives it at once. */
  openingCredit?: Cents;
}

export interface AccountChange {
  label?: string;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  config?: AccountConfigChange;
  status?: keyof typeof ACCOUNT_EVENT_FOR;
}

export interface NewCardHolder {
  accountId: Id;
  person: Person;
  /** v1: the person record that it is made from. */
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

/** Controls to set: what is named is replaced, a list whole, a limit field by field. */
export interface ControlsChange {
  allowed?: Partial<ControlList>;
  blocked?: Partial<ControlList>;
  limit?: Partial<CardLimit>;
  atmEnabled?: boolean;
}

export interface NewCard {
  cardHolderId: Id;
  type: CardType;
  /** v1; `debit` unless given. */
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
}

/** Cents that are to be left of a limit for all time, at least and at most. */
export interface LeftRange {
  min?: Cents;
  max?: Cents;
}

/** What a wallet's own kit is handed, by the kind of the wallet. */
export type WalletPass = { paymentAccountReference: string } & (
  | { wallet: 'apple_pay'; activationData: string; encryptedPassData: string; ephemeralPublicKey: string }
  | { wallet: Exclude<Wallet, 'apple_pay'>; opaquePaymentCard: string }
);

/** What whoever has a card in hand reads off it. */
export interface CardDetailsInput {
  expiryMonth: string;
  /** Four digits. */
  expiryYear: string;
  last4: string;
}

/** A debit card as a client gives it: by its number, of which the last four digits are kept, or by a text that stands for it. */
export interface NewDebitCard {
  cardNumber: string;
  /** Of a text; those of a number are its own. */
  last4?: string;
  expiryMonth: string;
  expiryYear: string;
  address: Address | null;
}

type InternationalWire = NonNullable<CounterpartyRails['internationalWire']>;

/**
 * Details of the rails that were named, each whole, `null` for those that are taken away. What only v1 has a word for
 * may be absent, and then stays. An intra-account number is resolved by the bank.
 */
export type RailsChange = Partial<
  Omit<CounterpartyRails, 'intraAccount' | 'ach' | 'domesticWire' | 'internationalWire' | 'debitCard'>
> & {
  /** `maySelf` where the caller has no word for an account of the same holder, and it is taken all the same. */
  intraAccount?: { accountId?: Id; accountNumber?: string; maySelf?: true } | null;
  /** Without a word about it, an account is as verified as it was, and a new one is not. */
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
  /** One that it was not needs the object of that type. */
  type?: Counterparty['type'];
  /** Field by field; the object that the counterparty is not is ignored. */
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
  /** `YYYY-MM-DD`; the date on which an ACH is to post at the other bank. */
  effectiveDate?: string;
  companyDiscretionaryData?: string;
  companyEntryDescription?: string;
  referenceNumber?: string;
  attachment?: string;
  /** The two sides of a check that is deposited. */
  images?: CheckImages;
  /** A check that is deposited now and photographed later: it waits for its images. */
  awaitsImages?: true;
  /** Too little money: v2 records a declined transaction, v1 refuses and records nothing. */
  shortage: 'record' | 'refuse';
  /** The operation whose published magic values apply. */
  magic?: Magic;
}

/** v1: money that is sent as a card of this kind, `debit` unless given. */
export interface CardOrder extends Origination {
  bin?: CardBin;
}

/** The two sides of a check. */
export interface CheckImages {
  front: UploadedFile;
  back: UploadedFile;
}

/** One order of a batch, by the name that its client gave it. */
export interface BatchItem {
  label: string;
  rail: 'intra_push' | 'intra_pull';
  order: Origination;
}

/** What a client may say anew of a transaction. */
export interface TransactionChange {
  title?: string;
  description?: string;
  metadata?: MetadataChange;
}

/** A transaction as one of its two ledgers has it. */
export interface Leg {
  transaction: Transaction;
  ledger: 'sub_account' | 'master_account';
}

/** What of which entry goes where. */
export interface SubLedgering {
  /** The id of an entry in the master account. */
  masterEntryId: Id;
  accountId: Id;
  amount: Cents;
}

export interface Incoming {
  /** `null`: it names no sub account, and stays in suspense on the master account. */
  accountId: Id | null;
  /** The number by which the other bank named the account, where it did. */
  accountNumber?: string;
  amount: Cents;
  description?: string;
  sender: Partial<CounterpartySnapshot>;
  /** What the client answered when it was asked in real time. */
  rta?: RtaAnswer;
  /** It is decided in the same call, so what is sent back then was never reserved. */
  atOnce?: boolean;
}

export interface CardAuthorization {
  cardId: Id;
  amount: Cents;
  merchant?: Partial<Merchant>;
  authMethod?: AuthMethod;
  wallet?: Wallet | '';
  atm?: boolean;
  /** Made by the test call of v1, for which a setting may switch the card's controls off. */
  test?: boolean;
  /** What the client answered when it was asked in real time. */
  rta?: RtaAnswer;
}

/** A client's answer to a question in real time, or what stood in for it. */
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

/** A file as it was uploaded. */
export interface UploadedFile {
  contentType: string;
  content: Buffer;
}

/** Changes of a document; what is absent stays. */
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
