/**
 * Every v1 record has exactly the fields of the platform's field tables, which are written out here a second time, and
 * has them whatever is set and whatever is not.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/dialects/v1/shapes/account.ts';
import { Business } from '../../../src/dialects/v1/shapes/business.ts';
import { Card } from '../../../src/dialects/v1/shapes/card.ts';
import { CardTestAnswer } from '../../../src/dialects/v1/shapes/card-test.ts';
import { Contact } from '../../../src/dialects/v1/shapes/contact.ts';
import { DeclinedAuthorization } from '../../../src/dialects/v1/shapes/declined-authorization.ts';
import { Document } from '../../../src/dialects/v1/shapes/document.ts';
import { Person } from '../../../src/dialects/v1/shapes/person.ts';
import { Transaction } from '../../../src/dialects/v1/shapes/transaction.ts';
import { Transfer } from '../../../src/dialects/v1/shapes/transfer.ts';
import { Kyb, Kyc } from '../../../src/dialects/v1/shapes/verification.ts';
import { Webhook, WebhookSecret } from '../../../src/dialects/v1/shapes/webhook.ts';
import { viewAccount } from '../../../src/dialects/v1/views/account.ts';
import { viewBusiness } from '../../../src/dialects/v1/views/business.ts';
import { viewCard } from '../../../src/dialects/v1/views/card.ts';
import { viewCardTest } from '../../../src/dialects/v1/views/card-test.ts';
import { viewContact } from '../../../src/dialects/v1/views/contact.ts';
import { viewDeclined } from '../../../src/dialects/v1/views/declined-authorization.ts';
import { viewDocument } from '../../../src/dialects/v1/views/document.ts';
import { viewPerson } from '../../../src/dialects/v1/views/person.ts';
import { viewTransaction } from '../../../src/dialects/v1/views/transaction.ts';
import { viewTransfer } from '../../../src/dialects/v1/views/transfer.ts';
import { viewKyb, viewKyc } from '../../../src/dialects/v1/views/verification.ts';
import { viewWebhook, viewWebhookSecret } from '../../../src/dialects/v1/views/webhook.ts';
import { RAILS, type RailName } from '../../../src/model/rails.ts';
import {
  accountFile,
  businessHolder,
  cardFile,
  counterparty,
  DOCUMENT,
  NO_RAILS,
  OTHER_SIDE,
  PERSON,
  PROGRAM,
  personHolder,
  transaction,
  WEBHOOK,
} from './samples.ts';

/** Fields by name; `null` is a plain value, a nested table an object. */
interface Fields {
  [name: string]: null | Fields;
}

const plain = (names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, null]));

const ADDRESS = plain('addressType line1 line2 city state country postalCode');
const SIDE = plain('transferId contactId name');
const MERCHANT = plain(
  'merchantName merchantCity merchantState merchantCountry postalCode merchantCategory merchantCategoryCode merchantId',
);
const BANK = plain('accountNumber accountType bankName last4 routingNumber');
const LIMIT = plain('daily monthly');
const ON = plain('enabled');

const KYC: Fields = {
  ...plain('id personId status reviewCode reviewMessage createdAt modifiedAt'),
  results: plain('idv address dateOfBirth fraud bank'),
  reviewReasons: plain('idv address dateOfBirth fraud bank other'),
};
const KYB: Fields = {
  ...plain('id businessId status reviewCode reviewMessage createdAt modifiedAt'),
  results: plain('address bank businessName fraud personName'),
};

const CONTACT: Fields = {
  ...plain(
    'id accountId programId name label email phone type status metadata createdAt modifiedAt crossBorder',
  ),
  intrabank: plain('accountId accountNumber'),
  ach: { ...BANK, ...plain('verified') },
  wire: {
    domestic: { ...BANK, address: ADDRESS },
    international: {
      ...plain('accountNumber accountType bankIdentifierCode bankIdentifierType beneficiaryBank'),
      ...plain('correspondentBank correspondentBankAddress correspondentBankIdentifierCode'),
      beneficiaryAddress: ADDRESS,
      beneficiaryBankAddress: ADDRESS,
    },
  },
  check: { address: ADDRESS },
  card: { address: ADDRESS },
  debitCard: {
    ...plain('cardNumber last4 expiryMonth expiryYear usageType'),
    address: ADDRESS,
    pull: ON,
    push: ON,
  },
};

const TRANSFER: Fields = {
  ...plain('id accountId contactId accountNumber accountType routingNumber bankName name amount description'),
  ...plain('status transferType transferSubType txnType type title attachment bin iban destinationAmount'),
  ...plain('destinationCurrency fallbackTransferId parentTransferId purposeCode reviewCode reviewMessage'),
  ...plain('valid createdAt modifiedAt transferredAt card metadata'),
  address: ADDRESS,
};

const TRANSACTION: Fields = {
  ...plain('id accountId businessId familyId personId programId txnType title amount currency transferType'),
  ...plain('subType description balance status intrabank ach card domesticWire internationalWire'),
  ...plain('physicalCheck debitCard digitalCheck solidCard crossBorder buy sell enrichedData'),
  ...plain('initiatedByPersonName parentTxnId parentTransferId fallbackTxnId fallbackTransferId'),
  ...plain('reviewCode reviewMessage metadata createdAt modifiedAt txnDate'),
};

const WIRE: Fields = { ...SIDE, ...plain('routingNumber imad omad'), address: ADDRESS };
const CARD_PART: Fields = {
  ...plain('id transferId label authMethod wallet authId localTransactionAmount localTransactionCurrency'),
  ...plain(
    'currencyConversionRate rewardAmount isCaptured capturedAt disputeStatus availableLimit pinVerified',
  ),
  merchant: MERCHANT,
};

const RAIL_PARTS: readonly [RailName, string, Fields][] = [
  ['intra_push', 'intrabank', { ...SIDE, ...plain('routingNumber bankName') }],
  ['account_opening', 'intrabank', { ...SIDE, ...plain('routingNumber bankName') }],
  ['ach_pull', 'ach', { ...SIDE, ...plain('routingNumber type bankName traceNumber authId') }],
  ['reversal_debit', 'ach', { ...SIDE, ...plain('routingNumber type bankName traceNumber authId') }],
  ['domestic_wire', 'domesticWire', WIRE],
  ['international_wire', 'internationalWire', WIRE],
  ['check_send', 'physicalCheck', { ...SIDE, ...plain('checkNumber'), shipping: ADDRESS }],
  ['debit_card_push', 'debitCard', SIDE],
  ['card_authorization', 'card', CARD_PART],
];

const DECLINED: Fields = {
  ...plain('cardId amount currency status reason approved method createdAt authMethod wallet'),
  ...plain('localTransactionAmount localTransactionCurrency currencyConversionRate rtaAuthId'),
  merchant: MERCHANT,
};

const DOCUMENT_FIELDS = plain(
  'id personId name description docType documentNumber expirationDate issuingCountry issuingState status url createdAt modifiedAt',
);
const WEBHOOK_FIELDS = plain('id programId url description status events createdAt modifiedAt');

const ACH_SWITCH = plain('enabled sameDay');
const ACCOUNT: Fields = {
  ...plain('id businessId familyId label routingNumber accountNumber status type programId isVerified'),
  ...plain('verifiedAt acceptedTerms interest fees currency availableBalance pendingDebit pendingCredit'),
  ...plain('sponsorBankName createdPersonId accountInterestFrequency metadata createdAt modifiedAt'),
  config: {
    card: { virtual: plain('enabled count'), physical: plain('enabled count') },
    send: {
      intrabank: ON,
      ach: ACH_SWITCH,
      wire: ON,
      internationalWire: ON,
      check: ON,
      card: ON,
      debitCard: ON,
    },
    receive: { intrabank: ON, ach: ACH_SWITCH, check: ON, debitCard: ON },
    limits: {
      send: {
        ...LIMIT,
        intrabank: LIMIT,
        ach: LIMIT,
        wire: LIMIT,
        internationalWire: LIMIT,
        check: LIMIT,
        card: LIMIT,
        debitCard: LIMIT,
      },
      receive: { ...LIMIT, intrabank: LIMIT, ach: LIMIT, check: LIMIT, debitCard: LIMIT },
    },
    fallback: plain('received'),
    incoming: { achPull: plain('enabled allowedOriginators blockedOriginators') },
  },
};

const CARD: Fields = {
  ...plain('id accountId businessId familyId programId createdPersonId walletId cardType label bin currency'),
  ...plain('limitAmount limitInterval availableLimit allowedCategories blockedCategories allowedMerchants'),
  ...plain('blockedMerchants atmAccess theme embossingPerson embossingBusiness expiryMonth expiryYear last4'),
  ...plain('cardStatus activatedAt metadata createdAt modifiedAt'),
  cardholder: { ...plain('id personId name createdAt modifiedAt'), billingAddress: ADDRESS },
  shipping: {
    ...plain('id deliveryStatus deliveryPartner eta trackingNumber trackingUrl createdAt modifiedAt'),
    shippingAddress: ADDRESS,
  },
};

const PERSON_FIELDS: Fields = {
  ...plain('id firstName middleName lastName phone phoneVerified email emailVerified dateOfBirth idType'),
  ...plain('idNumber programId status language metadata createdAt modifiedAt'),
  address: ADDRESS,
  kyc: KYC,
};

const BUSINESS_FIELDS: Fields = {
  ...plain('id legalName entityType dba email idType idNumber phone formationDate website about industry'),
  ...plain('naicsCode disclosureStatus createdPersonId programId status metadata createdAt modifiedAt'),
  address: ADDRESS,
  kyb: KYB,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a value that a table tells apart; where the table has a plain value, so has this. */
function fieldsOf(value: unknown, table: Fields): Fields | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value).map(([name, inner]): [string, Fields | null] => {
    const nested = table[name];
    return [name, isObject(nested) ? fieldsOf(inner, nested as Fields) : null];
  });
  return Object.fromEntries(entries);
}

interface ObjectShape extends TSchema {
  properties?: Record<string, ObjectShape>;
  anyOf?: ObjectShape[];
}

function shapeFields(shape: ObjectShape, table: Fields): Fields | null {
  const properties = shape.properties ?? shape.anyOf?.find((one) => one.properties !== undefined)?.properties;
  if (properties === undefined) return null;
  const entries = Object.entries(properties).map(([name, inner]): [string, Fields | null] => {
    const nested = table[name];
    return [name, isObject(nested) ? shapeFields(inner, nested as Fields) : null];
  });
  return Object.fromEntries(entries);
}

const contact = viewContact(counterparty(), PROGRAM);
const declined = transaction('card_authorization', { status: 'declined', type: 'decline' });

const RECORDS: readonly [string, Fields, object, TSchema][] = [
  ['contact', CONTACT, contact, Contact],
  ['transfer', TRANSFER, viewTransfer(transaction('ach_pull'), PROGRAM), Transfer],
  ['transaction', TRANSACTION, viewTransaction(transaction('ach_pull'), PROGRAM), Transaction],
  ['declined authorization in a list', DECLINED, viewDeclined(declined, 'rest'), DeclinedAuthorization],
  ['declined authorization in an event', DECLINED, viewDeclined(declined, 'event'), DeclinedAuthorization],
  ['document', DOCUMENT_FIELDS, viewDocument(DOCUMENT, 'http://link'), Document],
  ['webhook', WEBHOOK_FIELDS, viewWebhook(WEBHOOK, PROGRAM), Webhook],
  ['webhook secret', plain('id secret'), viewWebhookSecret(WEBHOOK), WebhookSecret],
  ['account', ACCOUNT, viewAccount(accountFile(), PROGRAM), Account],
  ['card', CARD, viewCard(cardFile(), PROGRAM), Card],
  ['person', PERSON_FIELDS, viewPerson(personHolder(), PERSON, PROGRAM), Person],
  ['KYC', KYC, viewKyc(personHolder()), Kyc],
  ['business', BUSINESS_FIELDS, viewBusiness({ holder: businessHolder(), members: [] }, PROGRAM), Business],
  ['KYB', KYB, viewKyb(businessHolder()), Kyb],
  ['card test answer', plain('status declineReason'), viewCardTest(declined), CardTestAnswer],
];

describe('a v1 record has exactly the documented fields', () => {
  test.each(RECORDS)('%s: the view', (_, fields, view) => {
    expect(fieldsOf(view, fields)).toEqual(fields);
  });

  test.each(RECORDS)('%s: the shape', (_, fields, __, shape) => {
    expect(shapeFields(shape, fields)).toEqual(fields);
  });

  test.each(RECORDS)('%s: no field is left undefined', (_, __, view) => {
    expect(view).toStrictEqual(JSON.parse(JSON.stringify(view)));
  });

  test.each(RAIL_PARTS)('a transaction on %s fills %s and no other rail', (rail, name, fields) => {
    const view = viewTransaction(transaction(rail), PROGRAM);
    const filled = Object.entries(view).filter(([, value]) => isObject(value));
    expect(filled.map(([key]) => key)).toEqual([name]);
    expect(fieldsOf(filled[0]?.[1], fields)).toEqual(fields);
  });

  test.each(Object.keys(RAILS) as RailName[])(
    'a movement on %s has all fields of both its records',
    (rail) => {
      const made = transaction(rail);
      expect(fieldsOf(viewTransaction(made, PROGRAM), TRANSACTION)).toEqual(TRANSACTION);
      expect(fieldsOf(viewTransfer(made, PROGRAM), TRANSFER)).toEqual(TRANSFER);
    },
  );
});

describe('what is not set is still there', () => {
  test('a contact without any rail has null for each', () => {
    const view = viewContact(counterparty({ rails: NO_RAILS }), PROGRAM);
    expect(Object.keys(view)).toEqual(Object.keys(contact));
    expect(view).toMatchObject({
      intrabank: null,
      ach: null,
      wire: null,
      check: null,
      card: null,
      debitCard: null,
    });
  });

  test('a contact with one of the two wires has null for the other', () => {
    const { domesticWire } = counterparty().rails;
    const view = viewContact(counterparty({ rails: { ...NO_RAILS, domesticWire } }), PROGRAM);
    expect(view.wire?.domestic?.last4).toBe('6789');
    expect(view.wire?.international).toBeNull();
  });

  test('a transfer without an address carries one of empty strings', () => {
    const nowhere = {
      addressType: '',
      line1: '',
      line2: '',
      city: '',
      state: '',
      country: '',
      postalCode: '',
    };
    expect(viewTransfer(transaction('ach_pull'), PROGRAM).address).toEqual(nowhere);
    const lost = transaction('domestic_wire', { otherSide: { ...OTHER_SIDE, address: null } });
    expect(viewTransfer(lost, PROGRAM).address).toEqual(nowhere);
  });

  test('a virtual card has no shipping and null for empty lists', () => {
    const view = viewCard(cardFile({ type: 'virtual', shipment: null }), PROGRAM);
    expect(view).toMatchObject({ shipping: null, embossingPerson: '', allowedMerchants: null });
    expect(view.allowedCategories).toEqual(['5942']);
  });

  test('a person without an address has null', () => {
    expect(viewPerson(personHolder(), { ...PERSON, address: null }, PROGRAM).address).toBeNull();
  });
});
