/**
 * What a client may ask of the bank, in the bank's own values: a dialect's readers make these from its wire shapes.
 * A field that was not sent is absent, so that a change can tell "leave it" from "empty it".
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import type { RtaDecision } from '../model/decisions.ts';
import type { RailName } from '../model/rails.ts';
import type {
  Account,
  Address,
  Balance,
  Business,
  Card,
  CardHolder,
  CardLimit,
  ControlList,
  Counterparty,
  CounterpartyRails,
  Holder,
  Member,
  Merchant,
  OtherSide,
  Person,
  Webhook,
} from '../model/records.ts';
import type { AccountType, AuthMethod, CardProduct, CardType } from '../model/vocabulary.ts';
import type { Magic } from './outcomes.ts';

/** Pairs to set; an empty value removes its key. */
export type MetadataChange = Record<string, string>;

/** A holder with the members of its business (none for a person). */
export interface HolderFile {
  holder: Holder;
  members: Member[];
}

/** An account with what the ledger says of it. */
export interface AccountFile {
  account: Account;
  balance: Balance;
}

/** A card with the person who uses it. */
export interface CardFile {
  card: Card;
  cardHolder: CardHolder;
}

export interface NewMember {
  person: Person;
  /** Hundredths of a percent. */
  ownership: number;
  title: string;
  designation: string;
  controlPerson: boolean;
  personId?: Id;
}

export interface NewHolder {
  masterAccountId?: Id;
  person?: Person;
  business?: Business;
  members?: NewMember[];
  /** The client's own verification, done elsewhere. */
  verification?: { status: 'pass' | 'fail'; method: string; url: string };
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  createdBy?: Id;
}

export interface NewAccount {
  holderId: Id;
  type: AccountType;
  label?: string;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  createdBy?: Id;
  /** v1: the family for which the person opens it. */
  familyId?: Id;
}

export interface NewCardHolder {
  accountId: Id;
  person: Person;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
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
  billingAddress?: Address;
  externalReferenceId?: string;
  metadata?: MetadataChange;
  status?: 'open' | 'closed' | 'blocked';
}

/** Details of the rails that were named; an intra-account number is resolved by the bank. */
export type RailsChange = Partial<Omit<CounterpartyRails, 'intraAccount'>> & {
  intraAccount?: { accountId?: Id; accountNumber?: string } | null;
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
  person?: Partial<Person>;
  business?: Partial<Business>;
  email?: string;
  phone?: string;
  rails?: RailsChange;
  externalReferenceId?: string;
  purpose?: string;
  metadata?: MetadataChange;
  status?: 'activated' | 'suspended' | 'deactivated';
}

/** The rails that a client can originate on. */
export type OriginationRail = Extract<
  RailName,
  | 'intra_push'
  | 'intra_pull'
  | 'ach_push'
  | 'ach_pull'
  | 'domestic_wire'
  | 'international_wire'
  | 'rtp_push'
  | 'fednow_push'
  | 'debit_card_push'
  | 'debit_card_pull'
  | 'check_send'
  | 'check_deposit'
>;

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
  /** Too little money: v2 records a declined transaction, v1 refuses and records nothing. */
  shortage: 'record' | 'refuse';
  /** The operation whose published magic values apply. */
  magic?: Magic;
}

/** The rails on which money comes in, or is asked for, from outside. */
export type IncomingRail = Extract<
  RailName,
  | 'ach_received_push'
  | 'ach_received_pull'
  | 'domestic_wire_received'
  | 'international_wire_received'
  | 'rtp_received'
  | 'fednow_received'
>;

export interface Incoming {
  accountId: Id;
  amount: Cents;
  description?: string;
  sender: Partial<OtherSide>;
  /** What the client answered when it was asked in real time. */
  rta?: RtaAnswer;
}

export interface CardAuthorization {
  cardId: Id;
  amount: Cents;
  merchant?: Partial<Merchant>;
  authMethod?: AuthMethod;
  wallet?: string;
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

export interface NewWebhook {
  dialect: Webhook['dialect'];
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
