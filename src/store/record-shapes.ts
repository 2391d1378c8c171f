/**
 * The shapes of the records as data, so that what comes from outside can be held against them. The types of
 * `model/records.ts` are the law: a check at the end fails to compile when a shape and its type drift apart.
 */
import { type Static, type TLiteral, type TObject, type TSchema, type TUnion, Type } from '@sinclair/typebox';
import type { Decision, RtaDecision } from '../model/decisions.ts';
import type { FactRecords, Resource } from '../model/facts.ts';
import { RAILS, type RailEvent, type RailName } from '../model/rails/index.ts';
import {
  type Account,
  ATTACHABLE,
  type Attachment,
  type BusinessProfile,
  type Card,
  type CardHolder,
  type Counterparty,
  type Document,
  type Family,
  type Holder,
  type MasterAccount,
  type Member,
  type PlannedOutcome,
  type Program,
  RECEIVE_WAYS,
  SEND_WAYS,
  type Token,
  type Transaction,
  type Webhook,
} from '../model/records.ts';
import * as Words from '../model/vocabulary.ts';

type Literals<T extends readonly string[]> = TUnion<TLiteral<T[number]>[]>;

const oneOf = <const T extends readonly string[]>(words: T): Literals<T> =>
  Type.Union(words.map((word) => Type.Literal(word))) as unknown as Literals<T>;
const orNull = <T extends TSchema>(shape: T) => Type.Union([shape, Type.Null()]);
const wordOrNone = <const T extends readonly string[]>(words: T) =>
  Type.Union([oneOf(words), Type.Literal('')]);

const Text = Type.String();
const Flag = Type.Boolean();
const Id = Type.String({ pattern: '^[0-9a-f]{32}$' });
const IdOrNone = Type.String({ pattern: '^([0-9a-f]{32})?$' });
const MAX = Number.MAX_SAFE_INTEGER;
const Cents = Type.Integer({ minimum: -MAX, maximum: MAX });
const Amount = Type.Integer({ minimum: 0, maximum: MAX });
const Count = Amount;
/** What a date can be made of. */
const LAST_INSTANT = 8_640_000_000_000_000;
export const Instant = Type.Integer({ minimum: -LAST_INSTANT, maximum: LAST_INSTANT });
const InstantOrNull = orNull(Instant);
const Metadata = orNull(Type.Record(Type.String(), Text));

const Address = orNull(
  Type.Object({ line1: Text, line2: Text, city: Text, state: Text, country: Text, postalCode: Text }),
);

export const ProgramShape = Type.Object({
  clientId: Id,
  programId: Id,
  masterAccountHolderId: Id,
  masterAccountId: Id,
  name: Text,
  sponsorBank: Text,
  routingNumber: Text,
});

const Person = Type.Object({
  firstName: Text,
  middleName: Text,
  lastName: Text,
  idType: wordOrNone(Words.PERSON_ID_TYPES),
  idNumber: Text,
  dateOfBirth: Text,
  phone: Text,
  email: Text,
  address: Address,
});

const Business = Type.Object({
  legalName: Text,
  dba: Text,
  entityType: wordOrNone(Words.ENTITY_TYPES),
  idType: wordOrNone([...Words.BUSINESS_ID_TYPES, 'ssn']),
  idNumber: Text,
  phone: Text,
  email: Text,
  formationDate: Text,
  address: Address,
  website: Text,
  about: Text,
  industry: Text,
  naicsCode: Text,
});

const Verification = Type.Object({
  id: Id,
  status: oneOf(Words.VERIFICATION_STATUSES),
  method: Text,
  url: Text,
  createdAt: Instant,
  updatedAt: Instant,
});

const HolderType = oneOf(Words.HOLDER_TYPES);
const HolderStatus = oneOf(Words.HOLDER_STATUSES);
const AccountStatus = oneOf(Words.ACCOUNT_STATUSES);
const Ofac = oneOf(['pass', 'fail']);
const made = { createdAt: Instant, updatedAt: Instant };

const HolderShape = Type.Object({
  id: Id,
  type: HolderType,
  name: Text,
  person: orNull(Person),
  business: orNull(Business),
  idNumber: Text,
  verification: Verification,
  idv: orNull(Verification),
  ofacStatus: Ofac,
  ofacAt: Instant,
  externalReferenceId: Text,
  purpose: Text,
  metadata: Metadata,
  status: HolderStatus,
  lockedFrom: orNull(HolderStatus),
  createdBy: IdOrNone,
  ...made,
  deactivatedAt: InstantOrNull,
});

const FamilyShape = Type.Object({
  id: Id,
  name: Text,
  phone: Text,
  email: Text,
  address: Address,
  metadata: Metadata,
  status: oneOf(['activated', 'suspended', 'deactivated']),
  createdBy: IdOrNone,
  ...made,
});

const MemberShape = Type.Object({
  id: Id,
  holderId: orNull(Id),
  familyId: orNull(Id),
  person: Person,
  kyc: Verification,
  idv: Verification,
  ownership: Type.Integer({ minimum: 0, maximum: 10_000 }),
  title: Text,
  designation: Text,
  controlPerson: Flag,
  personId: IdOrNone,
  metadata: Metadata,
  ...made,
});

const WaySwitch = Type.Object({ enabled: Flag, sameDay: Type.Optional(Flag) });
const MoneyLimit = Type.Object({ daily: orNull(Amount), monthly: orNull(Amount) });
const partial = <const T extends readonly string[], S extends TSchema>(names: T, shape: S) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(shape)]))) as unknown as TSchema & {
    static: Partial<Record<T[number], Static<S>>>;
  };

const AccountConfig = Type.Object({
  send: partial(SEND_WAYS, WaySwitch),
  receive: partial(RECEIVE_WAYS, WaySwitch),
  cards: partial(Words.CARD_TYPES, Type.Object({ enabled: Flag, count: Count })),
  limits: Type.Object({
    send: Type.Object({ overall: Type.Optional(MoneyLimit), ways: partial(SEND_WAYS, MoneyLimit) }),
    receive: Type.Object({ overall: Type.Optional(MoneyLimit), ways: partial(RECEIVE_WAYS, MoneyLimit) }),
  }),
  achPull: Type.Object({
    enabled: Flag,
    allowedOriginators: Type.Array(Text),
    blockedOriginators: Type.Array(Text),
  }),
});

const AccountShape = Type.Object({
  id: Id,
  holderId: Id,
  holderType: HolderType,
  holderName: Text,
  createdBy: IdOrNone,
  familyId: IdOrNone,
  label: Text,
  type: oneOf(Words.ACCOUNT_TYPES),
  accountNumber: Text,
  externalReferenceId: Text,
  purpose: Text,
  metadata: Metadata,
  config: orNull(AccountConfig),
  status: AccountStatus,
  lockedFrom: orNull(AccountStatus),
  ...made,
  closedAt: InstantOrNull,
});

const MasterAccountShape = Type.Object({
  id: Id,
  label: Text,
  accountNumber: Text,
  status: AccountStatus,
  ...made,
  closedAt: InstantOrNull,
});

const CardHolderShape = Type.Object({
  id: Id,
  accountId: Id,
  holderId: Id,
  personId: IdOrNone,
  person: Person,
  ofacStatus: Ofac,
  ofacAt: Instant,
  externalReferenceId: Text,
  purpose: Text,
  metadata: Metadata,
  status: HolderStatus,
  lockedFrom: orNull(HolderStatus),
  ...made,
  deactivatedAt: InstantOrNull,
});

const ControlList = Type.Object({
  merchants: Type.Array(Text),
  categories: Type.Array(Text),
  countries: Type.Array(Text),
});

const CardShape = Type.Object({
  id: Id,
  accountId: Id,
  holderId: Id,
  holderType: HolderType,
  familyId: IdOrNone,
  cardHolderId: Id,
  label: Text,
  product: oneOf(Words.CARD_PRODUCTS),
  theme: Text,
  type: oneOf(Words.CARD_TYPES),
  bin: oneOf(Words.CARD_BINS),
  number: Text,
  cvv: Text,
  last4: Text,
  expiryMonth: Text,
  expiryYear: Text,
  shipment: orNull(
    Type.Object({
      cardHolderName: Text,
      businessName: Text,
      shippingAddress: Address,
      trackingStatus: oneOf(Words.TRACKING_STATUSES),
      eta: Text,
      number: Text,
      url: Text,
      provider: Text,
    }),
  ),
  billingAddress: Address,
  controls: Type.Object({
    allowed: ControlList,
    blocked: ControlList,
    limit: Type.Object({
      period: wordOrNone(Words.LIMIT_PERIODS),
      maxSpendAmount: orNull(Amount),
      maxSpendPerTransaction: orNull(Amount),
      maxSpendCount: orNull(Count),
    }),
    atmEnabled: Flag,
  }),
  externalReferenceId: Text,
  metadata: Metadata,
  status: oneOf(Words.CARD_STATUSES),
  lockedFrom: orNull(oneOf(Words.CARD_STATUSES)),
  replacedBy: IdOrNone,
  ...made,
  activatedAt: InstantOrNull,
  pinSetAt: InstantOrNull,
  closedAt: InstantOrNull,
});

const bankDetails = {
  accountNumber: Text,
  routingNumber: Text,
  accountType: wordOrNone(Words.BANK_ACCOUNT_TYPES),
  bankName: Text,
};
const BankDetails = Type.Object(bankDetails);
const ForeignBank = orNull(Type.Object({ identifierCode: Text, name: Text, address: Address }));

const CounterpartyShape = Type.Object({
  id: Id,
  accountId: Id,
  holderId: Id,
  name: Text,
  label: Text,
  type: HolderType,
  relation: oneOf(['others', 'selfAch', 'selfIntrabank']),
  person: orNull(Person),
  business: orNull(Business),
  email: Text,
  phone: Text,
  rails: Type.Object({
    intraAccount: orNull(Type.Object({ accountId: Id, accountNumber: Text })),
    ach: orNull(Type.Object({ ...bankDetails, verified: Flag })),
    domesticWire: orNull(Type.Object({ ...bankDetails, address: Address })),
    internationalWire: orNull(
      Type.Object({
        accountNumber: Text,
        accountType: Text,
        identifierType: Text,
        beneficiaryAddress: Address,
        beneficiaryBank: ForeignBank,
        correspondentBank: ForeignBank,
      }),
    ),
    rtp: orNull(BankDetails),
    fednow: orNull(BankDetails),
    check: orNull(Type.Object({ address: Address })),
    card: orNull(Type.Object({ address: Address })),
    debitCard: orNull(
      Type.Object({
        cardNumber: Text,
        last4: Text,
        expiryMonth: Text,
        expiryYear: Text,
        address: Address,
        pullEnabled: Flag,
        pushEnabled: Flag,
      }),
    ),
  }),
  externalReferenceId: Text,
  purpose: Text,
  ofacStatus: Ofac,
  ofacAt: Instant,
  metadata: Metadata,
  status: HolderStatus,
  lockedFrom: orNull(HolderStatus),
  ...made,
  deactivatedAt: InstantOrNull,
  deletedAt: InstantOrNull,
});

const Details = Type.Union([
  Type.Object({
    kind: Type.Literal('ach'),
    sameDay: Flag,
    effectiveDate: Text,
    companyDiscretionaryData: Text,
    companyEntryDescription: Text,
    traceNumber: Text,
    returnCode: Text,
    rtaId: IdOrNone,
  }),
  Type.Object({ kind: Type.Literal('wire'), imad: Text, omad: Text }),
  Type.Object({ kind: Type.Literal('instant'), referenceNumber: Text }),
  Type.Object({
    kind: Type.Literal('check'),
    checkNumber: Text,
    cashed: Flag,
    trackingStatus: wordOrNone(Words.TRACKING_STATUSES),
    eta: Text,
    attachment: Text,
    frontId: IdOrNone,
    backId: IdOrNone,
    awaitsImages: Flag,
  }),
  Type.Object({
    kind: Type.Literal('card'),
    cardId: Id,
    cardHolderId: Id,
    cardLabel: Text,
    merchant: Type.Object({
      name: Text,
      city: Text,
      state: Text,
      country: Text,
      postalCode: Text,
      category: Text,
      mcc: Text,
      id: Text,
    }),
    authMethod: oneOf(Words.AUTH_METHODS),
    wallet: wordOrNone(Words.WALLETS),
    atm: Flag,
    rtaId: IdOrNone,
    availableLimit: orNull(
      Type.Object({ period: oneOf(Words.LIMIT_PERIODS), amount: orNull(Cents), count: orNull(Cents) }),
    ),
    networkSettlementAt: InstantOrNull,
    localAmount: Type.Optional(Amount),
    described: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({ kind: Type.Literal('intra'), partnerId: IdOrNone, sentCardId: Type.Optional(Id) }),
  Type.Object({ kind: Type.Literal('none') }),
]);

const Status = oneOf(Words.TRANSACTION_STATUSES);
const Reason = orNull(Type.Object({ code: Text, message: Text }));
const RAIL_EVENTS = [
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
] as const satisfies RailEvent[];

const plannedOutcome = {
  status: Status,
  event: oneOf(RAIL_EVENTS),
  reason: Reason,
  at: Type.Optional(Instant),
  late: Type.Optional(Type.Literal(true)),
};
/** What is decided for the time after a review has no review after it. */
const Outcome = orNull(
  Type.Object({ ...plannedOutcome, afterReview: Type.Optional(orNull(Type.Object(plannedOutcome))) }),
);

const TransactionShape = Type.Object({
  id: Id,
  accountId: orNull(Id),
  holderId: orNull(Id),
  holderType: orNull(HolderType),
  familyId: IdOrNone,
  personId: IdOrNone,
  rail: oneOf(Object.keys(RAILS) as RailName[]),
  status: Status,
  amount: Amount,
  direction: oneOf(['debit', 'credit']),
  method: oneOf(Words.TRANSACTION_METHODS),
  type: oneOf(Words.TRANSACTION_TYPES),
  message: oneOf(['incoming', 'outgoing']),
  title: Text,
  description: Text,
  availableBalance: Cents,
  pendingCredits: Cents,
  pendingDebits: Cents,
  counterpartyId: IdOrNone,
  otherSide: orNull(
    Type.Object({
      id: IdOrNone,
      name: Text,
      verificationStatus: wordOrNone(Words.ACCOUNT_CHECKS),
      ...bankDetails,
      beneficiaryBank: ForeignBank,
      correspondentBank: ForeignBank,
      address: Address,
    }),
  ),
  details: Details,
  cardId: IdOrNone,
  parentId: IdOrNone,
  externalReferenceId: Text,
  purpose: Text,
  metadata: Metadata,
  reason: Reason,
  outcome: Outcome,
  holdId: orNull(Count),
  masterId: IdOrNone,
  masterTotals: orNull(Type.Object({ availableBalance: Cents, pendingCredits: Cents, pendingDebits: Cents })),
  subLedger: orNull(Type.Array(Type.Object({ accountId: Id, transactionId: Id, amount: Amount }))),
  dueAt: InstantOrNull,
  movedNothing: Flag,
  bookedAt: InstantOrNull,
  bookedBalance: Cents,
  ...made,
  settledAt: InstantOrNull,
});

const WebhookShape = Type.Object({
  id: Id,
  dialect: oneOf(['v1', 'v2']),
  url: Text,
  description: Text,
  events: Type.Array(Text),
  secret: Text,
  previousSecret: orNull(Text),
  previousSecretUntil: InstantOrNull,
  madeAfterFact: Count,
  status: oneOf(Words.WEBHOOK_STATUSES),
  ...made,
  deletedAt: InstantOrNull,
});

const DISCLOSURE_STATUSES = ['pending', 'completed'] as const;
const BusinessProfileShape = Type.Object({
  holderId: Id,
  projection: orNull(Type.Record(Type.String(), Type.Unknown())),
  disclosure: orNull(
    Type.Object({
      status: oneOf(DISCLOSURE_STATUSES),
      redirectUri: Text,
      generation: Count,
      linkedAt: Instant,
      updatedAt: Instant,
    }),
  ),
});

const AttachmentShape = Type.Object({
  id: Id,
  kind: oneOf(ATTACHABLE),
  referenceId: Id,
  label: Text,
  createdAt: Instant,
  deletedAt: InstantOrNull,
});

const TokenShape = Type.Object({
  token: Text,
  purpose: oneOf(['show_card', 'set_pin', 'set_debit_card']),
  subjectId: Id,
  expiresAt: Instant,
  usedAt: InstantOrNull,
});

const DocumentShape = Type.Object({
  id: Id,
  holderId: Id,
  name: Text,
  description: Text,
  docType: Text,
  documentNumber: Text,
  expirationDate: Text,
  issuingCountry: Text,
  issuingState: Text,
  status: oneOf(['active']),
  ...made,
});

const DecisionShape = Type.Object({
  subjectId: Id,
  number: Count,
  at: Instant,
  source: oneOf(['simulate', 'rule', 'magic', 'control', 'real_time_authorization']),
  name: Text,
  effect: Text,
  message: Text,
  numbers: Type.Record(Type.String(), Text),
});

const RtaDecisionShape = Type.Object({
  id: Id,
  kind: oneOf(['card', 'ach']),
  accountId: Id,
  cardId: IdOrNone,
  transactionId: Id,
  amount: Amount,
  answer: oneOf(['approved', 'declined']),
  decidedBy: oneOf(['receiver', 'stand_in']),
  httpStatus: orNull(Count),
  durationMs: Cents,
  error: Text,
  askedAt: Instant,
});

/** The shapes of the records that a table holds, by the names of the tables. */
export const ROW_SHAPES = {
  master_accounts: MasterAccountShape,
  holders: HolderShape,
  families: FamilyShape,
  members: MemberShape,
  accounts: AccountShape,
  card_holders: CardHolderShape,
  cards: CardShape,
  counterparties: CounterpartyShape,
  transactions: TransactionShape,
  webhooks: WebhookShape,
  documents: DocumentShape,
  business_profiles: BusinessProfileShape,
  attachments: AttachmentShape,
  tokens: TokenShape,
  decisions: DecisionShape,
  rta_decisions: RtaDecisionShape,
} as const satisfies Record<string, TObject>;

const CardRecord = Type.Object({ card: CardShape, cardHolder: CardHolderShape, left: Type.Optional(Cents) });

/** The shapes of what a fact tells of, by its resource. */
export const FACT_SHAPES = {
  holder: Type.Object({
    holder: HolderShape,
    members: Type.Array(MemberShape),
    disclosure: Type.Optional(oneOf(DISCLOSURE_STATUSES)),
  }),
  family: FamilyShape,
  member: Type.Object({ member: MemberShape, person: orNull(HolderShape) }),
  account: Type.Object({
    account: AccountShape,
    balance: Type.Object({
      debitsPending: Amount,
      debitsPosted: Amount,
      creditsPending: Amount,
      creditsPosted: Amount,
    }),
  }),
  card_holder: CardHolderShape,
  counterparty: CounterpartyShape,
  card: CardRecord,
  transaction: Type.Composite([TransactionShape, Type.Object({ sentCard: Type.Optional(CardRecord) })]),
} as const satisfies Record<Resource, TObject>;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Shape<K extends keyof typeof ROW_SHAPES> = Static<(typeof ROW_SHAPES)[K]>;
type FactShape<K extends Resource> = Static<(typeof FACT_SHAPES)[K]>;
type Simple<T> = Omit<T, 'outcome'>;
/**
 * Fails to compile when a shape and its record drift apart.
 * @public
 */
export const SHAPES_ARE_RECORDS: [
  Same<Program, Static<typeof ProgramShape>>,
  Same<MasterAccount, Shape<'master_accounts'>>,
  Same<Holder, Shape<'holders'>>,
  Same<Family, Shape<'families'>>,
  Same<Member, Shape<'members'>>,
  Same<Account, Shape<'accounts'>>,
  Same<CardHolder, Shape<'card_holders'>>,
  Same<Card, Shape<'cards'>>,
  Same<Counterparty, Shape<'counterparties'>>,
  Same<Simple<Transaction>, Simple<Shape<'transactions'>>>,
  Same<keyof PlannedOutcome, keyof NonNullable<Shape<'transactions'>['outcome']>>,
  Same<Webhook, Shape<'webhooks'>>,
  Same<Document, Shape<'documents'>>,
  Same<BusinessProfile, Shape<'business_profiles'>>,
  Same<Attachment, Shape<'attachments'>>,
  Same<Token, Shape<'tokens'>>,
  Same<Decision, Shape<'decisions'>>,
  Same<RtaDecision, Shape<'rta_decisions'>>,
  Same<FactRecords['holder'], FactShape<'holder'>>,
  Same<FactRecords['member'], FactShape<'member'>>,
  Same<FactRecords['account'], FactShape<'account'>>,
  Same<FactRecords['card'], FactShape<'card'>>,
] = [
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
  true,
];
