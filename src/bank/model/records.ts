/**
 * The record types that the modules exchange and the store keeps: typed values, never strings of the API. Amounts are
 * cents, times are milliseconds, an unset text is `''`, an unset object is `null`, and ids have no prefix. The fields
 * are documented at their columns (`tables.ts`), those in JSON columns in `parts.ts`.
 */
import type * as tables from './tables.ts';
import type { RECEIVE_WAYS, SEND_WAYS } from './vocabulary.ts';

export type {
  AccountConfig,
  AchDetails,
  Address,
  AvailableLimit,
  Balance,
  BankDetails,
  Business,
  CardControls,
  CardDetails,
  CardLimit,
  CheckDetails,
  ControlList,
  CounterpartyRails,
  CounterpartySnapshot,
  Cover,
  Finding,
  ForeignBank,
  InstantPaymentDetails,
  Merchant,
  Metadata,
  MoneyLimit,
  OwnershipDisclosure,
  Person,
  PlannedOutcome,
  Program,
  RailDetails,
  Reason,
  Shipment,
  SubLedgered,
  Totals,
  Verification,
  WireDetails,
} from './parts.ts';
export { ATTACHABLE, RECEIVE_WAYS, SEND_WAYS } from './vocabulary.ts';

type Tables = typeof tables;
type Row<Name extends keyof Tables> = Tables[Name]['$inferSelect'];

export interface MasterAccount extends Row<'masterAccounts'> {}
/** A sub account holder of v2; a person or a business of v1. */
export interface Holder extends Row<'holders'> {}
/** v1: several persons who share accounts. */
export interface Family extends Row<'families'> {}
export interface Wallet extends Row<'wallets'> {}
/** A member of a business (an owner or controller) or of a family. */
export interface Member extends Row<'members'> {}
/** A sub account. Its balance is in the ledger and is read together with it. */
export interface Account extends Row<'accounts'> {}
export interface CardHolder extends Row<'cardHolders'> {}
export interface Card extends Row<'cards'> {}
/** The other side of a payment: a counterparty of v2, a contact of v1. */
export interface Counterparty extends Row<'counterparties'> {}
/** A transaction of one sub account: a transaction in v2 and v1, and for an origination also a transfer in v1. */
export interface Transaction extends Omit<Row<'transactions'>, 'accountSeq'> {}
export interface Webhook extends Row<'webhooks'> {}
/** v1: the projections of a business, and its ownership disclosure. */
export interface BusinessProfile extends Row<'businessProfiles'> {}
/** A file that is attached to a record (v2). */
export interface Attachment extends Row<'attachments'> {}
/** A token that authorizes one action until it expires. */
export interface Token extends Row<'tokens'> {}
/** A document of a person or business (v1). */
export interface Document extends Row<'documents'> {}

/** A decision about a transaction, a card, a holder or an account that deviates from the ordinary steps. */
export interface Decision extends Row<'decisions'> {}
/** The answer of a client in real time, or the default decision. */
export interface RtaDecision extends Row<'rtaDecisions'> {}

/** The payment methods of an account that can be switched off or limited separately. */
export type SendWay = (typeof SEND_WAYS)[number];
export type ReceiveWay = (typeof RECEIVE_WAYS)[number];
