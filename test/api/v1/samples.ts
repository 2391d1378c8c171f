/**
 * One valid record of every noun, as the bank stores it, for the tests of v1's records. A test names what it needs
 * otherwise; everything it does not mention is as ordinary as can be.
 */
import type { AccountFile, CardFile } from '../../../src/bank/inputs.ts';
import { RAILS, type RailName } from '../../../src/model/rails/index.ts';
import type {
  AchDetails,
  Address,
  Business,
  CardDetails,
  Counterparty,
  CounterpartyRails,
  CounterpartySnapshot,
  Document,
  Holder,
  Merchant,
  Person,
  Program,
  RailDetails,
  Transaction,
  Verification,
  Webhook,
} from '../../../src/model/records.ts';

/** The id that ends in `number`, and its UUID. */
export const id = (number: number): string =>
  `0190000000007000800000000000${String(number).padStart(4, '0')}`;
export const uuid = (number: number): string =>
  `01900000-0000-7000-8000-00000000${String(number).padStart(4, '0')}`;

export const NOON = Date.parse('2026-11-20T12:00:00Z');
export const LATER = NOON + 60_000;

export const PROGRAM: Program = {
  clientId: id(1),
  programId: id(2),
  masterAccountHolderId: id(3),
  masterAccountId: id(4),
  name: 'Test Program',
  sponsorBank: 'Test Bank',
  routingNumber: '122000661',
};

const ADDRESS: Address = {
  line1: '9 Elm St',
  line2: '',
  city: 'Austin',
  state: 'TX',
  country: 'US',
  postalCode: '78701',
};

export const PERSON: Person = {
  firstName: 'Mara',
  middleName: '',
  lastName: 'Quill',
  idType: 'other',
  idNumber: '912345678',
  dateOfBirth: '1988-03-14',
  phone: '+15125550100',
  email: 'mara@example.test',
  address: ADDRESS,
};

export const BUSINESS: Business = {
  legalName: 'Harbor Supplies LLC',
  dba: 'Harbor',
  entityType: 'single_member_llc',
  idType: 'ein',
  idNumber: '312345678',
  phone: '',
  email: '',
  formationDate: '2019-05-06',
  address: ADDRESS,
  website: '',
  about: '',
  industry: '',
  naicsCode: '',
};

export const check = (number: number, status: Verification['status'] = 'pass'): Verification => ({
  id: id(number),
  status,
  method: 'solid',
  url: '',
  createdAt: NOON,
  updatedAt: LATER,
});

const holder = (own: Partial<Holder>): Holder => ({
  id: id(10),
  type: 'person',
  name: 'Mara Quill',
  person: null,
  business: null,
  idNumber: '',
  verification: check(11),
  idv: null,
  ofacStatus: 'pass',
  ofacAt: NOON,
  externalReferenceId: '',
  purpose: '',
  metadata: null,
  status: 'activated',
  lockedFrom: null,
  createdBy: '',
  createdAt: NOON,
  updatedAt: LATER,
  deactivatedAt: null,
  ...own,
});

export const personHolder = (own: Partial<Holder> = {}): Holder =>
  holder({ person: PERSON, idv: check(12, 'not_started'), ...own });

export const businessHolder = (own: Partial<Holder> = {}): Holder =>
  holder({ id: id(15), type: 'business', business: BUSINESS, createdBy: id(10), ...own });

export const accountFile = (own: Partial<AccountFile['account']> = {}): AccountFile => ({
  account: {
    id: id(20),
    holderId: id(15),
    holderType: 'business',
    familyId: '',
    config: null,
    holderName: 'Harbor Supplies LLC',
    createdBy: id(10),
    label: 'Operating',
    type: 'checking',
    role: '',
    accountNumber: '9990001000000042',
    externalReferenceId: '',
    purpose: '',
    metadata: null,
    status: 'open',
    lockedFrom: null,
    createdAt: NOON,
    updatedAt: LATER,
    closedAt: null,
    ...own,
  },
  balance: { debitsPending: 2_500, debitsPosted: 10_000, creditsPending: 600, creditsPosted: 100_000 },
});

const BANK = {
  accountNumber: '000123456789',
  routingNumber: '121042882',
  accountType: 'business_checking',
  bankName: 'Wells Fargo',
} as const;

export const ALL_RAILS: CounterpartyRails = {
  intraAccount: { accountId: id(21), accountNumber: '9990001000000043' },
  ach: { ...BANK, verified: false },
  domesticWire: { ...BANK, address: ADDRESS },
  internationalWire: {
    accountNumber: 'DE89370400440532013000',
    accountType: 'business',
    identifierType: 'swift',
    beneficiaryAddress: ADDRESS,
    beneficiaryBank: { identifierCode: 'COBADEFF', name: 'Commerzbank', address: ADDRESS },
    correspondentBank: { identifierCode: 'CHASUS33', name: 'Chase', address: null },
  },
  rtp: null,
  fednow: null,
  check: { address: ADDRESS },
  card: { address: ADDRESS },
  debitCard: {
    cardNumber: '4111111111111111',
    last4: '1111',
    expiryMonth: '04',
    expiryYear: '2030',
    address: ADDRESS,
    pullEnabled: true,
    pushEnabled: false,
  },
};

export const NO_RAILS: CounterpartyRails = {
  intraAccount: null,
  ach: null,
  domesticWire: null,
  internationalWire: null,
  rtp: null,
  fednow: null,
  check: null,
  card: null,
  debitCard: null,
};

export const counterparty = (own: Partial<Counterparty> = {}): Counterparty => ({
  id: id(30),
  accountId: id(20),
  holderId: id(15),
  name: 'Cedar Supply',
  label: 'Cedar',
  type: 'business',
  relation: 'others',
  person: null,
  business: null,
  email: 'ap@cedar.test',
  phone: '+15125550101',
  rails: ALL_RAILS,
  externalReferenceId: '',
  purpose: '',
  ofacStatus: 'pass',
  ofacAt: NOON,
  metadata: null,
  status: 'activated',
  lockedFrom: null,
  createdAt: NOON,
  updatedAt: LATER,
  deactivatedAt: null,
  deletedAt: null,
  ...own,
});

export const COUNTERPARTY_SNAPSHOT: CounterpartySnapshot = {
  id: id(30),
  name: 'Cedar Supply',
  verificationStatus: '',
  accountNumber: BANK.accountNumber,
  routingNumber: BANK.routingNumber,
  accountType: BANK.accountType,
  bankName: BANK.bankName,
  beneficiaryBank: null,
  correspondentBank: null,
  address: ADDRESS,
};

const ACH: AchDetails = {
  kind: 'ach',
  sameDay: true,
  effectiveDate: '2026-11-20',
  companyDiscretionaryData: '',
  companyEntryDescription: '',
  traceNumber: '12104288200017',
  returnCode: '',
  rtaId: '',
};

const MERCHANT: Merchant = {
  name: 'Harbor Books',
  city: 'Monterey',
  state: 'CA',
  country: 'US',
  postalCode: '93940',
  category: 'Book Stores',
  mcc: '5942',
  id: 'M-1',
};

export const CARD_DETAILS: CardDetails = {
  kind: 'card',
  cardId: id(40),
  cardHolderId: id(41),
  cardLabel: 'Books',
  merchant: MERCHANT,
  authMethod: 'online',
  wallet: '',
  atm: false,
  rtaId: '',
  availableLimit: { period: 'all_time', amount: 4_000, count: null },
  networkSettlementAt: null,
};

function detailsOf(rail: RailName): RailDetails {
  const { method } = RAILS[rail];
  if (method === 'ach') return ACH;
  if (method === 'card_issuing') return CARD_DETAILS;
  if (method === 'check') {
    return {
      kind: 'check',
      checkNumber: '1001',
      cashed: false,
      trackingStatus: '',
      eta: '',
      attachment: 'memo',
      frontId: '',
      backId: '',
      awaitsImages: false,
    };
  }
  if (method === 'domestic_wire' || method === 'international_wire')
    return { kind: 'wire', imad: 'I', omad: 'O' };
  return { kind: 'none' };
}

/** A transaction on a rail right after it was made; a reversal is one of an ACH. */
export function transaction(rail: RailName, own: Partial<Transaction> = {}): Transaction {
  const { method, direction, type, message, opens, booked } = RAILS[rail];
  const { status } = opens;
  const details = detailsOf(rail);
  const onCard = details.kind === 'card';
  return {
    id: id(50),
    accountId: id(20),
    holderId: id(15),
    holderType: 'business',
    familyId: '',
    personId: id(10),
    masterTotals: null,
    subLedger: null,
    rail,
    status,
    amount: 4_120,
    direction,
    method: method ?? 'ach',
    type,
    message,
    title: '',
    description: 'Invoice 88',
    availableBalance: 81_200,
    pendingCredits: 0,
    pendingDebits: 0,
    counterpartyId: message === 'outgoing' ? id(30) : '',
    otherSide: onCard ? null : COUNTERPARTY_SNAPSHOT,
    details,
    cardId: onCard ? id(40) : '',
    parentId: '',
    externalReferenceId: '',
    purpose: '',
    metadata: null,
    reason: null,
    outcome: null,
    holdId: null,
    masterId: '',
    dueAt: null,
    movedNothing: false,
    bookedAt: booked === 'when_made' ? NOON : null,
    bookedBalance: 81_200,
    createdAt: NOON,
    updatedAt: NOON,
    settledAt: status === 'settled' ? NOON : null,
    ...own,
  };
}

export const cardFile = (own: Partial<CardFile['card']> = {}): CardFile => ({
  card: {
    id: id(40),
    accountId: id(20),
    holderId: id(15),
    holderType: 'business',
    familyId: '',
    pinSetAt: null,
    cardHolderId: id(41),
    label: 'Books',
    product: 'business_debit',
    theme: '',
    type: 'physical',
    bin: 'debit',
    number: '4242424242424242',
    cvv: '123',
    last4: '4242',
    expiryMonth: '04',
    expiryYear: '2030',
    shipment: {
      cardHolderName: 'Mara Quill',
      businessName: 'Harbor',
      shippingAddress: ADDRESS,
      trackingStatus: 'pending',
      eta: '2026-11-30',
      number: '',
      url: '',
      provider: '',
    },
    billingAddress: ADDRESS,
    controls: {
      allowed: { merchants: [], categories: ['5942'], countries: [] },
      blocked: { merchants: ['Casino'], categories: [], countries: [] },
      limit: { period: 'monthly', maxSpendAmount: 10_000, maxSpendPerTransaction: null, maxSpendCount: null },
      atmEnabled: true,
    },
    externalReferenceId: '',
    metadata: null,
    status: 'pending_activation',
    lockedFrom: null,
    replacedBy: '',
    createdAt: NOON,
    updatedAt: LATER,
    activatedAt: null,
    closedAt: null,
    ...own,
  },
  cardHolder: {
    id: id(41),
    accountId: id(20),
    holderId: id(15),
    personId: '',
    person: PERSON,
    ofacStatus: 'pass',
    ofacAt: NOON,
    externalReferenceId: '',
    purpose: '',
    metadata: null,
    status: 'activated',
    lockedFrom: null,
    createdAt: NOON,
    updatedAt: NOON,
    deactivatedAt: null,
  },
});

export const WEBHOOK: Webhook = {
  id: id(60),
  dialect: 'v1',
  url: 'https://hooks.test/',
  description: 'all of it',
  events: ['ach.originated.credit'],
  secret: 'sk_test_0123456789abcdef0123456789abcdef',
  previousSecret: null,
  previousSecretUntil: null,
  madeAfterFact: 0,
  status: 'paused',
  createdAt: NOON,
  updatedAt: LATER,
  deletedAt: null,
};

export const DOCUMENT: Document = {
  id: id(70),
  holderId: id(10),
  name: 'Passport',
  description: 'front page',
  docType: 'passport',
  documentNumber: 'P0012345',
  expirationDate: '2031-05-01',
  issuingCountry: 'US',
  issuingState: '',
  status: 'active',
  createdAt: NOON,
  updatedAt: LATER,
};
