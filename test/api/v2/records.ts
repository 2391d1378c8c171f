/**
 * One record of each noun with everything set, for the tests of the v2 dialect. A test that needs another value spreads
 * the record and says only what is different.
 */
import type { AccountFile, CardFile, HolderFile } from '../../../src/bank/inputs.ts';
import { createSequence } from '../../../src/kernel/sequence.ts';
import type {
  Address,
  Business,
  CardDetails,
  CardHolder,
  Counterparty,
  CounterpartySnapshot,
  Person,
  Program,
  Transaction,
  Verification,
  Webhook,
} from '../../../src/model/records.ts';
import type { VerificationStatus } from '../../../src/model/vocabulary.ts';

const MADE = Date.parse('2026-11-20T18:00:00Z');
const CHANGED = Date.parse('2026-11-20T18:05:00Z');
const sequence = createSequence('v2 dialect');
const nextId = () => sequence.id(MADE);

export const ids = {
  holder: nextId(),
  business: nextId(),
  member: nextId(),
  account: nextId(),
  cardHolder: nextId(),
  card: nextId(),
  counterparty: nextId(),
  transaction: nextId(),
  masterEntry: nextId(),
  webhook: nextId(),
  event: nextId(),
  request: nextId(),
};

export const program: Program = {
  clientId: nextId(),
  programId: nextId(),
  masterAccountHolderId: nextId(),
  masterAccountId: nextId(),
  name: 'Sandbox',
  sponsorBank: 'Example Bank',
  routingNumber: '011000015',
};

const address: Address = {
  line1: '9 Mill Rd',
  line2: '',
  city: 'Portland',
  state: 'OR',
  country: 'US',
  postalCode: '97201',
};

const person: Person = {
  firstName: 'Ada',
  middleName: '',
  lastName: 'Birch',
  idType: 'ssn',
  idNumber: '212340098',
  dateOfBirth: '1980-03-04',
  phone: '+15035550111',
  email: 'ada@birch.example',
  address,
};

const business: Business = {
  legalName: 'Birch Tools LLC',
  dba: 'Birch',
  entityType: 'limited_liability_company',
  idType: 'ein',
  idNumber: '871230045',
  phone: '+15035550110',
  email: 'ops@birch.example',
  formationDate: '2016-05-02',
  address,
  website: '',
  about: '',
  industry: '',
  naicsCode: '',
};

export function verification(status: VerificationStatus): Verification {
  return {
    id: nextId(),
    status,
    method: 'solid',
    url: 'https://verify.example/1',
    createdAt: MADE,
    updatedAt: CHANGED,
  };
}

export const personFile: HolderFile = {
  holder: {
    id: ids.holder,
    type: 'person',
    name: 'Ada Birch',
    person,
    business: null,
    idNumber: person.idNumber,
    verification: verification('pass'),
    idv: verification('not_started'),
    ofacStatus: 'pass',
    ofacAt: MADE,
    externalReferenceId: 'BIRCH-1',
    purpose: 'Savings',
    metadata: { tier: 'pro' },
    status: 'activated',
    lockedFrom: null,
    createdBy: '',
    createdAt: MADE,
    updatedAt: CHANGED,
    deactivatedAt: null,
  },
  members: [],
};

export const businessFile: HolderFile = {
  holder: {
    ...personFile.holder,
    id: ids.business,
    type: 'business',
    name: business.legalName,
    person: null,
    business,
    idv: null,
  },
  members: [
    {
      id: ids.member,
      holderId: ids.business,
      familyId: null,
      person,
      kyc: verification('pass'),
      idv: verification('not_started'),
      ownership: 6000,
      title: 'CEO',
      designation: 'president',
      controlPerson: true,
      personId: '',
      metadata: null,
      createdAt: MADE,
      updatedAt: CHANGED,
    },
  ],
};

export const accountFile: AccountFile = {
  account: {
    id: ids.account,
    holderId: ids.holder,
    holderType: 'person',
    familyId: '',
    config: null,
    holderName: 'Ada Birch',
    createdBy: '',
    label: 'Payroll',
    type: 'checking',
    role: '',
    accountNumber: '9500000000012345',
    externalReferenceId: '',
    purpose: '',
    metadata: null,
    status: 'open',
    lockedFrom: null,
    createdAt: MADE,
    updatedAt: CHANGED,
    closedAt: null,
  },
  balance: { debitsPending: 9350, debitsPosted: 2000, creditsPending: 12_000, creditsPosted: 50_000 },
};

export const cardHolder: CardHolder = {
  id: ids.cardHolder,
  accountId: ids.account,
  holderId: ids.holder,
  personId: '',
  person,
  ofacStatus: 'pass',
  ofacAt: MADE,
  externalReferenceId: 'emp-0042',
  purpose: 'Field purchases',
  metadata: null,
  status: 'activated',
  lockedFrom: null,
  createdAt: MADE,
  updatedAt: CHANGED,
  deactivatedAt: null,
};

export const cardFile: CardFile = {
  card: {
    id: ids.card,
    accountId: ids.account,
    holderId: ids.holder,
    holderType: 'person',
    familyId: '',
    pinSetAt: null,
    cardHolderId: ids.cardHolder,
    label: 'Fuel',
    product: 'business_spend',
    theme: 'midnight',
    type: 'physical',
    bin: 'debit',
    number: '4111111111111111',
    cvv: '987',
    last4: '1111',
    expiryMonth: '02',
    expiryYear: '2029',
    shipment: {
      cardHolderName: 'Ada Birch',
      businessName: 'Birch Tools LLC',
      shippingAddress: address,
      trackingStatus: 'pending',
      eta: '2026-12-03',
      number: '',
      url: '',
      provider: '',
    },
    billingAddress: null,
    controls: {
      allowed: { merchants: [], categories: ['5541', '5542'], countries: ['US'] },
      blocked: { merchants: [], categories: [], countries: [] },
      limit: {
        period: 'weekly',
        maxSpendAmount: 40_000,
        maxSpendPerTransaction: null,
        maxSpendCount: 6,
      },
      atmEnabled: false,
    },
    externalReferenceId: 'card-req-9',
    metadata: null,
    status: 'open',
    lockedFrom: null,
    replacedBy: '',
    createdAt: MADE,
    updatedAt: CHANGED,
    activatedAt: null,
    closedAt: null,
  },
  cardHolder,
};

const bankDetails = {
  accountNumber: '5500112233',
  routingNumber: '021214189',
  accountType: 'business_checking',
  bankName: 'Example Bank',
} as const;

const foreignBank = { identifierCode: 'DEUTDEFF', name: 'Deutsche Bank', address };

export const counterparty: Counterparty = {
  id: ids.counterparty,
  accountId: ids.account,
  holderId: ids.holder,
  name: 'Harbor Lofts LP',
  label: 'Landlord',
  type: 'business',
  relation: 'others',
  person: null,
  business,
  email: '',
  phone: '',
  rails: {
    intraAccount: { accountId: ids.account, accountNumber: '9500000000012345' },
    ach: { ...bankDetails, verified: true },
    domesticWire: { ...bankDetails, address: null },
    internationalWire: {
      accountNumber: 'DE89370400440532013000',
      accountType: '',
      identifierType: 'swift',
      beneficiaryAddress: null,
      beneficiaryBank: foreignBank,
      correspondentBank: foreignBank,
    },
    rtp: bankDetails,
    fednow: bankDetails,
    check: { address },
    card: null,
    debitCard: {
      cardNumber: 'tok_live_1',
      last4: '4242',
      expiryMonth: '01',
      expiryYear: '2030',
      address,
      pullEnabled: true,
      pushEnabled: false,
    },
  },
  externalReferenceId: 'vend-17',
  purpose: 'Rent',
  ofacStatus: 'pass',
  ofacAt: MADE,
  metadata: { vendor: '17' },
  status: 'activated',
  lockedFrom: null,
  createdAt: MADE,
  updatedAt: CHANGED,
  deactivatedAt: null,
  deletedAt: null,
};

const counterpartySnapshot: CounterpartySnapshot = {
  id: ids.counterparty,
  name: 'Harbor Lofts LP',
  verificationStatus: 'pass',
  ...bankDetails,
  beneficiaryBank: null,
  correspondentBank: null,
  address,
};

export const achPull: Transaction = {
  id: ids.transaction,
  accountId: ids.account,
  holderId: ids.holder,
  holderType: 'person',
  familyId: '',
  personId: '',
  masterTotals: null,
  subLedger: null,
  rail: 'ach_pull',
  status: 'originated',
  amount: 6240,
  direction: 'credit',
  method: 'ach',
  type: 'pull',
  message: 'outgoing',
  title: '',
  description: 'February dues',
  availableBalance: 11_875,
  pendingCredits: 6240,
  pendingDebits: 0,
  counterpartyId: ids.counterparty,
  otherSide: counterpartySnapshot,
  details: {
    kind: 'ach',
    sameDay: false,
    effectiveDate: '2026-11-23',
    companyDiscretionaryData: '',
    companyEntryDescription: 'DUES',
    traceNumber: '',
    returnCode: '',
    rtaId: '',
  },
  cardId: '',
  parentId: '',
  externalReferenceId: 'dues-2',
  purpose: '',
  metadata: null,
  reason: null,
  outcome: null,
  holdId: 1,
  masterId: '',
  dueAt: null,
  movedNothing: false,
  bookedAt: null,
  bookedBalance: 0,
  createdAt: MADE,
  updatedAt: CHANGED,
  settledAt: null,
};

export const intraPull: Transaction = {
  ...achPull,
  rail: 'intra_pull',
  status: 'settled',
  method: 'intra_account',
  details: { kind: 'none' },
  settledAt: MADE,
};

export const wirePush: Transaction = {
  ...achPull,
  rail: 'international_wire',
  direction: 'debit',
  method: 'international_wire',
  type: 'push',
  otherSide: { ...counterpartySnapshot, beneficiaryBank: foreignBank, correspondentBank: foreignBank },
  details: { kind: 'wire', imad: 'A1B2C3D4E', omad: 'F5G6H7I8J' },
};

export const rtpPush: Transaction = {
  ...achPull,
  rail: 'rtp_push',
  direction: 'debit',
  method: 'rtp',
  type: 'push',
  details: { kind: 'instant', referenceNumber: 'INV-1' },
};

export const checkSend: Transaction = {
  ...achPull,
  rail: 'check_send',
  direction: 'debit',
  method: 'check',
  type: 'send',
  details: {
    kind: 'check',
    checkNumber: '1001',
    cashed: false,
    trackingStatus: 'pending',
    eta: '2026-11-30',
    attachment: '',
    frontId: '',
    backId: '',
    awaitsImages: false,
  },
};

const cardDetails: CardDetails = {
  kind: 'card',
  cardId: ids.card,
  cardHolderId: ids.cardHolder,
  cardLabel: 'Fuel',
  merchant: {
    name: 'Mom and Pop',
    city: '',
    state: '',
    country: 'US',
    postalCode: '',
    category: '',
    mcc: '5411',
    id: '',
  },
  authMethod: 'keyedIn',
  wallet: '',
  atm: false,
  rtaId: '',
  availableLimit: { period: 'weekly', amount: 30_650, count: 5 },
  networkSettlementAt: null,
};

export const cardAuthorization: Transaction = {
  ...achPull,
  rail: 'card_authorization',
  status: 'pending',
  amount: 9350,
  direction: 'debit',
  method: 'card_issuing',
  type: 'auth',
  message: 'incoming',
  counterpartyId: '',
  otherSide: null,
  details: cardDetails,
  cardId: ids.card,
};

export const webhook: Webhook = {
  id: ids.webhook,
  dialect: 'v2',
  url: 'https://hooks.example/bank',
  description: 'Ledger feed',
  events: ['transaction.created'],
  secret: 'k3Jq0VtY8mZc5RbN1xWd7PfLs2GhUa9E',
  previousSecret: null,
  previousSecretUntil: null,
  madeAfterFact: 0,
  status: 'active',
  createdAt: MADE,
  updatedAt: CHANGED,
  deletedAt: null,
};
