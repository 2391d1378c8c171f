/**
 * The parts of records: the kinds of values in their columns, and the objects in JSON columns. Each is defined once
 * as a schema, from which its type and the check of imported data follow. Amounts are cents, times are milliseconds,
 * an unset text is `''`, an unset object is `null`, and ids have no prefix.
 */
import { type Static, type TLiteral, type TSchema, type TUnion, Type } from '@sinclair/typebox';
import * as Words from './vocabulary.ts';

type OneOf<T extends readonly string[]> = TUnion<TLiteral<T[number]>[]>;
export const oneOf = <const T extends readonly string[]>(words: T): OneOf<T> =>
  Type.Union(words.map((word) => Type.Literal(word))) as TSchema as OneOf<T>;
const wordOrNone = <const T extends readonly string[]>(words: T) =>
  Type.Union([oneOf(words), Type.Literal('')]);
export const orNull = <T extends TSchema>(shape: T) => Type.Union([shape, Type.Null()]);

export const Text = Type.String();
export const Flag = Type.Boolean();
export const Id = Type.String({ pattern: '^[0-9a-f]{32}$' });
export const IdOrNone = Type.String({ pattern: '^([0-9a-f]{32})?$' });
const MAX = Number.MAX_SAFE_INTEGER;
export const Cents = Type.Integer({ minimum: -MAX, maximum: MAX });
/** Cents, never negative. */
export const Amount = Type.Integer({ minimum: 0, maximum: MAX });
export const Count = Type.Integer({ minimum: 0, maximum: MAX });
/** The last valid time of a JavaScript date. */
const LAST_INSTANT = 8_640_000_000_000_000;
export const Instant = Type.Integer({ minimum: -LAST_INSTANT, maximum: LAST_INSTANT });

/** Key-value pairs of the client; `null` until the first is set. */
export const Metadata = Type.Record(Type.String(), Text);
export type Metadata = Static<typeof Metadata> | null;

export const Address = Type.Object({
  line1: Text,
  line2: Text,
  city: Text,
  state: Text,
  country: Text,
  postalCode: Text,
});
export type Address = Static<typeof Address>;

/** The program of the client, one for each sandbox. */
export const Program = Type.Object({
  clientId: Id,
  programId: Id,
  masterAccountHolderId: Id,
  masterAccountId: Id,
  name: Text,
  sponsorBank: Text,
  routingNumber: Text,
});
export type Program = Static<typeof Program>;

/** The details of a natural person. `idNumber` is stored in full: v2 shows it, logs mask it. */
export const Person = Type.Object({
  firstName: Text,
  middleName: Text,
  lastName: Text,
  idType: wordOrNone(Words.PERSON_ID_TYPES),
  idNumber: Text,
  dateOfBirth: Text,
  phone: Text,
  email: Text,
  address: orNull(Address),
});
export type Person = Static<typeof Person>;

export const Business = Type.Object({
  legalName: Text,
  dba: Text,
  entityType: wordOrNone(Words.ENTITY_TYPES),
  /** In v1 a sole proprietor can have a social security number. */
  idType: wordOrNone([...Words.BUSINESS_ID_TYPES, 'ssn']),
  idNumber: Text,
  phone: Text,
  email: Text,
  formationDate: Text,
  address: orNull(Address),
  website: Text,
  about: Text,
  industry: Text,
  naicsCode: Text,
});
export type Business = Static<typeof Business>;

/** A reason of a check, for one of its parts. */
const CheckReason = Type.Object({ part: oneOf(Words.CHECK_PARTS), code: Text, description: Text });
export type CheckReason = Static<typeof CheckReason>;

/** Why a check has its result: a code, a sentence, and the reasons of each part. */
const Finding = Type.Object({ code: Text, message: Text, reasons: Type.Array(CheckReason) });
export type Finding = Static<typeof Finding>;

/** One KYC, KYB or identity document check. */
export const Verification = Type.Object({
  id: Id,
  status: oneOf(Words.VERIFICATION_STATUSES),
  method: Text,
  url: Text,
  /** Absent if there is no reason, and in records of older versions. */
  finding: Type.Optional(Finding),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Verification = Static<typeof Verification>;

/** The ledger counters of an account, in cents. */
export const Balance = Type.Object({
  debitsPending: Amount,
  debitsPosted: Amount,
  creditsPending: Amount,
  creditsPosted: Amount,
});
export type Balance = Static<typeof Balance>;

/** The three balances in API responses. */
export const Totals = Type.Object({ availableBalance: Cents, pendingCredits: Cents, pendingDebits: Cents });
export type Totals = Static<typeof Totals>;

/** A value for some of these names. */
const partial = <const T extends readonly string[], S extends TSchema>(names: T, shape: S) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(shape)]))) as TSchema as TSchema & {
    static: Partial<Record<T[number], Static<S>>>;
  };

const WaySwitch = Type.Object({ enabled: Flag, sameDay: Type.Optional(Flag) });

/** Maximum per UTC day and per UTC month; `null` for no limit. */
const MoneyLimit = Type.Object({ daily: orNull(Amount), monthly: orNull(Amount) });
export type MoneyLimit = Static<typeof MoneyLimit>;

/** The fallback account, and whether it is enabled. */
const Cover = Type.Object({ enabled: Flag, fallbackId: IdOrNone });
export type Cover = Static<typeof Cover>;

/** The differences from the program's configuration; absent parts are those of the program. */
export const AccountConfig = Type.Object({
  /** Payment methods that are switched on or off. */
  send: partial(Words.SEND_WAYS, WaySwitch),
  receive: partial(Words.RECEIVE_WAYS, WaySwitch),
  cards: partial(Words.CARD_TYPES, Type.Object({ enabled: Flag, count: Count })),
  limits: Type.Object({
    send: Type.Object({ overall: Type.Optional(MoneyLimit), ways: partial(Words.SEND_WAYS, MoneyLimit) }),
    receive: Type.Object({
      overall: Type.Optional(MoneyLimit),
      ways: partial(Words.RECEIVE_WAYS, MoneyLimit),
    }),
  }),
  /** Pulls by other banks: allowed and blocked originators, by name or routing number. */
  achPull: Type.Object({
    enabled: Flag,
    allowedOriginators: Type.Array(Text),
    blockedOriginators: Type.Array(Text),
  }),
  /** The fallback account for each method; absent until one is set. */
  fallback: Type.Optional(partial(Words.COVERED_WAYS, Cover)),
});
export type AccountConfig = Static<typeof AccountConfig>;

const ControlList = Type.Object({
  merchants: Type.Array(Text),
  categories: Type.Array(Text),
  countries: Type.Array(Text),
});
export type ControlList = Static<typeof ControlList>;

/** A card's spending limit; an amount or count of `null` means no limit. */
const CardLimit = Type.Object({
  period: wordOrNone(Words.LIMIT_PERIODS),
  maxSpendAmount: orNull(Amount),
  maxSpendPerTransaction: orNull(Amount),
  maxSpendCount: orNull(Count),
});
export type CardLimit = Static<typeof CardLimit>;

export const CardControls = Type.Object({
  allowed: ControlList,
  blocked: ControlList,
  limit: CardLimit,
  atmEnabled: Flag,
});
export type CardControls = Static<typeof CardControls>;

export const Shipment = Type.Object({
  cardHolderName: Text,
  businessName: Text,
  shippingAddress: orNull(Address),
  trackingStatus: oneOf(Words.TRACKING_STATUSES),
  eta: Text,
  number: Text,
  url: Text,
  provider: Text,
});
export type Shipment = Static<typeof Shipment>;

const bankDetails = {
  accountNumber: Text,
  routingNumber: Text,
  accountType: wordOrNone(Words.BANK_ACCOUNT_TYPES),
  bankName: Text,
};
const BankDetails = Type.Object(bankDetails);
export type BankDetails = Static<typeof BankDetails>;

const ForeignBank = Type.Object({ identifierCode: Text, name: Text, address: orNull(Address) });
export type ForeignBank = Static<typeof ForeignBank>;

/** A counterparty's details for each rail; `null` where it has none. */
export const CounterpartyRails = Type.Object({
  intraAccount: orNull(Type.Object({ accountId: Id, accountNumber: Text })),
  ach: orNull(Type.Object({ ...bankDetails, verified: Flag })),
  domesticWire: orNull(Type.Object({ ...bankDetails, address: orNull(Address) })),
  internationalWire: orNull(
    Type.Object({
      accountNumber: Text,
      accountType: Text,
      identifierType: Text,
      beneficiaryAddress: orNull(Address),
      beneficiaryBank: orNull(ForeignBank),
      correspondentBank: orNull(ForeignBank),
    }),
  ),
  rtp: orNull(BankDetails),
  fednow: orNull(BankDetails),
  check: orNull(Type.Object({ address: orNull(Address) })),
  card: orNull(Type.Object({ address: orNull(Address) })),
  debitCard: orNull(
    Type.Object({
      cardNumber: Text,
      last4: Text,
      expiryMonth: Text,
      expiryYear: Text,
      address: orNull(Address),
      pullEnabled: Flag,
      pushEnabled: Flag,
    }),
  ),
});
export type CounterpartyRails = Static<typeof CounterpartyRails>;

/** The counterparty as it was when the payment was made. */
export const CounterpartySnapshot = Type.Object({
  id: IdOrNone,
  name: Text,
  verificationStatus: wordOrNone(Words.ACCOUNT_CHECKS),
  ...bankDetails,
  beneficiaryBank: orNull(ForeignBank),
  correspondentBank: orNull(ForeignBank),
  address: orNull(Address),
});
export type CounterpartySnapshot = Static<typeof CounterpartySnapshot>;

const AchDetails = Type.Object({
  kind: Type.Literal('ach'),
  sameDay: Flag,
  effectiveDate: Text,
  companyDiscretionaryData: Text,
  companyEntryDescription: Text,
  traceNumber: Text,
  returnCode: Text,
  rtaId: IdOrNone,
  /** The account's transaction of the latest draw from its fallback account for the payment. */
  fallbackId: Type.Optional(Id),
});
export type AchDetails = Static<typeof AchDetails>;

const WireDetails = Type.Object({ kind: Type.Literal('wire'), imad: Text, omad: Text });
export type WireDetails = Static<typeof WireDetails>;

/** RTP and FedNow. */
const InstantPaymentDetails = Type.Object({ kind: Type.Literal('instant'), referenceNumber: Text });
export type InstantPaymentDetails = Static<typeof InstantPaymentDetails>;

const CheckDetails = Type.Object({
  kind: Type.Literal('check'),
  checkNumber: Text,
  cashed: Flag,
  trackingStatus: wordOrNone(Words.TRACKING_STATUSES),
  eta: Text,
  attachment: Text,
  /** The files of the two sides of a deposited check; `''` while there are none. */
  frontId: IdOrNone,
  backId: IdOrNone,
  /** The deposit waits until both images were sent. */
  awaitsImages: Flag,
});
export type CheckDetails = Static<typeof CheckDetails>;

const Merchant = Type.Object({
  name: Text,
  city: Text,
  state: Text,
  country: Text,
  postalCode: Text,
  category: Text,
  /** Four digits of ISO 18245. */
  mcc: Text,
  id: Text,
});
export type Merchant = Static<typeof Merchant>;

/** The rest of a card's limit after a transaction. */
const AvailableLimit = Type.Object({
  period: oneOf(Words.LIMIT_PERIODS),
  amount: orNull(Cents),
  count: orNull(Cents),
});
export type AvailableLimit = Static<typeof AvailableLimit>;

const CardDetails = Type.Object({
  kind: Type.Literal('card'),
  cardId: Id,
  cardHolderId: Id,
  cardLabel: Text,
  merchant: Merchant,
  authMethod: oneOf(Words.AUTH_METHODS),
  wallet: wordOrNone(Words.MOBILE_WALLETS),
  atm: Flag,
  rtaId: IdOrNone,
  availableLimit: orNull(AvailableLimit),
  networkSettlementAt: orNull(Instant),
  /** The amount that the merchant first requested; set when an update changes the amount of the authorization. */
  localAmount: Type.Optional(Amount),
  /** The trace number, like that of an ACH payment. */
  fallbackId: Type.Optional(Id),
  /** The dispute of the purchase; absent before the first. */
  dispute: Type.Optional(oneOf(Words.DISPUTE_STATUSES)),
  /** Set if a client has set the description; before that it is the merchant's name. */
  described: Type.Optional(Type.Literal(true)),
});
export type CardDetails = Static<typeof CardDetails>;

const IntraDetails = Type.Object({
  kind: Type.Literal('intra'),
  /** The transaction of the same transfer on the other account; `''` if the payment was declined. */
  partnerId: IdOrNone,
  /** The card that was sent with the money; absent where none was. */
  sentCardId: Type.Optional(Id),
});

const PlainDetails = Type.Object({ kind: Type.Literal('none') });

export const RailDetails = Type.Union([
  AchDetails,
  WireDetails,
  InstantPaymentDetails,
  CheckDetails,
  CardDetails,
  IntraDetails,
  PlainDetails,
]);
export type RailDetails = Static<typeof RailDetails>;

/** Why a transaction was declined, returned, reversed or put in review. */
export const Reason = Type.Object({ code: Text, message: Text });
export type Reason = Static<typeof Reason>;

/** A part of an entry in the master account that was sub-ledgered. */
export const SubLedgered = Type.Object({ accountId: Id, transactionId: Id, amount: Amount });
export type SubLedgered = Static<typeof SubLedgered>;

const plannedOutcome = {
  status: oneOf(Words.TRANSACTION_STATUSES),
  event: oneOf(Words.RAIL_EVENTS),
  reason: orNull(Reason),
  /** `event` happens at this time, in any state that allows it; until then the ordinary steps continue. */
  at: Type.Optional(Instant),
  /** A return that ignores the window, as from a bank that breaks the rule. */
  late: Type.Optional(Type.Literal(true)),
  /** Decided at the next full hour, which also executes the steps before it. */
  hourly: Type.Optional(Type.Literal(true)),
};

/** A deviation from the ordinary steps: when the transaction is in `status`, `event` happens instead. */
export const PlannedOutcome = Type.Object({
  ...plannedOutcome,
  /** The outcome after this one, if one is planned: after a review, or of a dispute. */
  next: Type.Optional(orNull(Type.Object(plannedOutcome))),
});
export type PlannedOutcome = Static<typeof PlannedOutcome>;

/** An ownership disclosure, which is signed at a link of this server. */
export const OwnershipDisclosure = Type.Object({
  status: oneOf(['pending', 'completed']),
  /** The URL to which the signer is redirected; `''` for none. */
  redirectUri: Text,
  /** The number of created links; a new link invalidates earlier ones. */
  generation: Count,
  /** When the current link was created. */
  linkedAt: Instant,
  updatedAt: Instant,
});
export type OwnershipDisclosure = Static<typeof OwnershipDisclosure>;
