/**
 * The nouns of the bank, as its modules pass them to one another and as the store keeps them: typed values, never wire
 * strings. Amounts are cents, times are instants, an unset text is `''`, an unset object is `null`, ids carry no prefix.
 * What each field means stands with its column (`tables.ts`), and of the parts that are kept as JSON in `parts.ts`.
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
/** A member of a business (an owner or controller) or of a family. */
export interface Member extends Row<'members'> {}
/** A sub account. Its balance is the ledger's and is read with it. */
export interface Account extends Row<'accounts'> {}
export interface CardHolder extends Row<'cardHolders'> {}
export interface Card extends Row<'cards'> {}
/** The other side of a payment: a counterparty of v2, a contact of v1. */
export interface Counterparty extends Row<'counterparties'> {}
/** One movement on one sub account: v2's transaction, v1's transaction and (with a client's order) its transfer. */
export interface Transaction extends Omit<Row<'transactions'>, 'accountSeq'> {}
export interface Webhook extends Row<'webhooks'> {}
/** v1: what a business expects to move, and the disclosure of who owns it. */
export interface BusinessProfile extends Row<'businessProfiles'> {}
/** A file that is attached to a record (v2). */
export interface Attachment extends Row<'attachments'> {}
/** Opens something once, until it expires. */
export interface Token extends Row<'tokens'> {}
/** A document of a person or business (v1). */
export interface Document extends Row<'documents'> {}

/** Who decided that a transaction, a card, a holder or an account goes as it goes; what goes as usual has no note. */
export interface Decision extends Row<'decisions'> {}
/** What a client answered in time, or what stood in for it. */
export interface RtaDecision extends Row<'rtaDecisions'> {}

/** The ways out of and into an account that may be switched off, or limited, each on its own. */
export type SendWay = (typeof SEND_WAYS)[number];
export type ReceiveWay = (typeof RECEIVE_WAYS)[number];
