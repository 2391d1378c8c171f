/**
 * A valid record of each noun that these tests read, as the bank stores it. A test sets the fields that it needs.
 */

import { RAILS, type RailName } from '../../../../src/bank/model/rails/index.ts';
import type {
  AchDetails,
  Address,
  CardDetails,
  CounterpartySnapshot,
  Merchant,
  Person,
  Program,
  RailDetails,
  Transaction,
} from '../../../../src/bank/model/records.ts';
import type { CardWithHolder } from '../../../../src/bank/verbs/inputs.ts';

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

const PERSON: Person = {
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

const BANK = {
  accountNumber: '000123456789',
  routingNumber: '121042882',
  accountType: 'business_checking',
  bankName: 'Wells Fargo',
} as const;

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

/** A transaction on a rail right after its creation; a reversal reverses an ACH. */
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

export const cardFile = (own: Partial<CardWithHolder['card']> = {}): CardWithHolder => ({
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
