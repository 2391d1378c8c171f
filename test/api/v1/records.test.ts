/**
 * The content of v1's records: ids in v1's spelling, v1's words for states, and the figures of the ledger.
 */
import { describe, expect, test } from 'vitest';
import { formatAccount } from '../../../src/api/v1/accounts/format.ts';
import { formatBusiness } from '../../../src/api/v1/businesses/format.ts';
import { formatCard } from '../../../src/api/v1/cards/format.ts';
import { formatContact } from '../../../src/api/v1/contacts/format.ts';
import { formatDocument } from '../../../src/api/v1/documents.ts';
import { formatPerson } from '../../../src/api/v1/persons.ts';
import { formatKyb, formatKyc } from '../../../src/api/v1/verification.ts';
import {
  BANK_ACCOUNT_TYPES,
  BUSINESS_ID_TYPES,
  ENTITY_TYPES,
  LIMIT_INTERVALS,
  PERSON_ID_TYPES,
} from '../../../src/api/v1/vocabulary.ts';
import { formatWebhook, formatWebhookSecret } from '../../../src/api/v1/webhooks.ts';
import type { CardLimit } from '../../../src/model/records.ts';
import {
  accountFile,
  businessHolder,
  cardFile,
  check,
  counterparty,
  DOCUMENT,
  id,
  LATER,
  PERSON,
  PROGRAM,
  personHolder,
  uuid,
  WEBHOOK,
} from './samples.ts';

describe('words', () => {
  const TABLES = {
    'bank account types': BANK_ACCOUNT_TYPES,
    'limit intervals': LIMIT_INTERVALS,
    'entity types': ENTITY_TYPES,
    'id types of persons': PERSON_ID_TYPES,
    'id types of businesses': BUSINESS_ID_TYPES,
  };

  test.each(Object.entries(TABLES))('%s lead there and back', (_, table) => {
    for (const [bank, v1] of Object.entries(table.v1)) {
      expect((table.format as (word: string) => string)(bank)).toBe(v1);
      expect((table.parse as (word: string) => string)(v1)).toBe(bank);
    }
    expect(table.words).toHaveLength(new Set(table.words).size);
  });

  test('a word that v1 does not know stays as it is', () => {
    expect(ENTITY_TYPES.format('')).toBe('');
    expect((ENTITY_TYPES.format as (word: string) => string)('cooperative')).toBe('cooperative');
  });
});

describe('account', () => {
  test('the balance is what can be spent, and what is pending is shown separately', () => {
    const view = formatAccount(accountFile(), PROGRAM);
    expect(view).toMatchObject({ availableBalance: '875.00', pendingDebit: '25.00', pendingCredit: '6.00' });
  });

  test('an account without a number shows neither a number nor a routing number', () => {
    const view = formatAccount(accountFile({ accountNumber: '' }), PROGRAM);
    expect(view).toMatchObject({ accountNumber: '', routingNumber: '' });
    expect(formatAccount(accountFile(), PROGRAM).routingNumber).toBe(PROGRAM.routingNumber);
  });

  test('an overdrawn account shows a balance below zero', () => {
    const file = accountFile();
    const balance = { debitsPending: 0, debitsPosted: 5, creditsPending: 0, creditsPosted: 0 };
    expect(formatAccount({ ...file, balance }, PROGRAM).availableBalance).toBe('-0.05');
  });

  test.each([
    ['open', 'active'],
    ['credit_blocked', 'creditBlocked'],
    ['debit_blocked', 'debitBlocked'],
    ['blocked', 'blocked'],
    ['locked', 'blocked'],
    ['closed', 'closed'],
  ] as const)('%s is %s', (status, word) => {
    expect(formatAccount(accountFile({ status }), PROGRAM).status).toBe(word);
  });

  test.each([
    ['business', 'checking', 'businessChecking'],
    ['person', 'checking', 'personalChecking'],
    ['person', 'cash', 'personalChecking'],
    ['business', 'prepaid', 'cardAccount'],
  ] as const)('a %s with a %s account has a %s', (holderType, type, word) => {
    expect(formatAccount(accountFile({ holderType, type }), PROGRAM).type).toBe(word);
  });

  test('a business account names the business and the person who opened it', () => {
    expect(formatAccount(accountFile(), PROGRAM)).toMatchObject({
      id: `acc-${uuid(20)}`,
      businessId: `bus-${uuid(15)}`,
      createdPersonId: `per-${uuid(10)}`,
      programId: `prg-${uuid(2)}`,
      routingNumber: '122000661',
      sponsorBankName: 'Test Bank',
    });
  });

  test('it names who opened it, and the business or the family that owns it', () => {
    const opener = `per-${uuid(10)}`;
    const view = (own: Parameters<typeof accountFile>[0]) => formatAccount(accountFile(own), PROGRAM);
    const ofBusiness = { businessId: `bus-${uuid(15)}`, familyId: '' };
    expect(view({})).toMatchObject({ ...ofBusiness, personId: opener, createdPersonId: opener });
    expect(view({ createdBy: '' })).toMatchObject({ ...ofBusiness, personId: '', createdPersonId: '' });
    expect(view({ holderType: 'person', holderId: id(10), familyId: id(16) })).toMatchObject({
      businessId: '',
      familyId: `fam-${uuid(16)}`,
      personId: opener,
    });
  });
});

describe('card', () => {
  test.each([
    ['pending_activation', 'pendingActivation'],
    ['open', 'active'],
    ['blocked', 'inactive'],
    ['locked', 'inactive'],
    ['closed', 'canceled'],
  ] as const)('%s is %s', (status, word) => {
    expect(formatCard(cardFile({ status }), PROGRAM).cardStatus).toBe(word);
  });

  const limited = (limit: Partial<CardLimit>, left?: number) => {
    const none: CardLimit = {
      period: '',
      maxSpendAmount: null,
      maxSpendPerTransaction: null,
      maxSpendCount: null,
    };
    const { controls } = cardFile().card;
    const file = cardFile({ controls: { ...controls, limit: { ...none, ...limit } } });
    return formatCard({ ...file, ...(left !== undefined && { left }) }, PROGRAM);
  };

  test('a limit of a period has no available limit, one of all time has', () => {
    expect(limited({ period: 'monthly', maxSpendAmount: 10_000 })).toMatchObject({
      limitAmount: '100.00',
      limitInterval: 'monthly',
      availableLimit: '',
    });
    expect(limited({ period: 'all_time', maxSpendAmount: 10_000 }, 2_500)).toMatchObject({
      limitAmount: '100.00',
      limitInterval: 'allTime',
      availableLimit: '25.00',
    });
  });

  test('a limit per transaction is shown where there is no other', () => {
    expect(limited({ maxSpendPerTransaction: 500 })).toMatchObject({
      limitAmount: '5.00',
      limitInterval: 'perTransaction',
    });
    expect(limited({ period: 'per_transaction', maxSpendAmount: 600 }).limitAmount).toBe('6.00');
  });

  test('a card without a limit has empty texts', () => {
    expect(limited({})).toMatchObject({ limitAmount: '', limitInterval: '', availableLimit: '' });
  });

  test('the number and the code of a card are in no record', () => {
    expect(JSON.stringify(formatCard(cardFile(), PROGRAM))).not.toMatch(/4242424242424242|"cvv"/);
  });

  test('the ids of a card, its holder and its shipping are v1 ids', () => {
    const view = formatCard(cardFile(), PROGRAM);
    expect(view).toMatchObject({ id: `crd-${uuid(40)}`, accountId: `acc-${uuid(20)}` });
    expect(view.cardholder).toMatchObject({ id: `chd-${uuid(41)}`, name: 'Mara Quill' });
    expect(view.shipping).toMatchObject({ id: `shp-${uuid(40)}`, deliveryStatus: 'pending' });
  });
});

describe('contact', () => {
  test('the type of an address follows from its place', () => {
    const view = formatContact(counterparty(), PROGRAM);
    expect(view.check?.address?.addressType).toBe('check');
    expect(view.card?.address?.addressType).toBe('card');
    expect(view.wire?.domestic?.address?.addressType).toBe('wire');
    expect(view.wire?.international?.beneficiaryBankAddress?.addressType).toBe('wire');
  });

  test('bank details are in v1 words, with the last four digits', () => {
    expect(formatContact(counterparty(), PROGRAM).ach).toEqual({
      accountNumber: '000123456789',
      accountType: 'businessChecking',
      bankName: 'Wells Fargo',
      last4: '6789',
      routingNumber: '121042882',
      verified: false,
    });
  });

  test('an account of this bank is named by its id and number', () => {
    expect(formatContact(counterparty(), PROGRAM).intrabank).toEqual({
      accountId: `acc-${uuid(21)}`,
      accountNumber: '9990001000000043',
    });
  });

  test('the number of a debit card is masked', () => {
    expect(formatContact(counterparty(), PROGRAM).debitCard).toMatchObject({
      cardNumber: '************1111',
      pull: { enabled: true },
      push: { enabled: false },
    });
  });

  test('a deleted or deactivated contact is deleted, every other active', () => {
    const statusOf = (own: Parameters<typeof counterparty>[0]) =>
      formatContact(counterparty(own), PROGRAM).status;
    expect(statusOf({})).toBe('active');
    expect(statusOf({ status: 'suspended' })).toBe('active');
    expect(statusOf({ status: 'deactivated' })).toBe('deleted');
    expect(statusOf({ deletedAt: LATER })).toBe('deleted');
  });

  test('what v2 keeps with the person is shown as the contact’s own', () => {
    const view = formatContact(counterparty({ email: '', phone: '', person: PERSON }), PROGRAM);
    expect(view).toMatchObject({ email: PERSON.email, phone: PERSON.phone });
  });
});

describe('person and business', () => {
  test.each([
    ['pending_activation', 'active'],
    ['activated', 'active'],
    ['suspended', 'inactive'],
    ['locked', 'inactive'],
    ['deactivated', 'deactivated'],
  ] as const)('%s is %s', (status, word) => {
    expect(formatPerson(personHolder({ status }), PERSON, PROGRAM).status).toBe(word);
    expect(formatBusiness({ holder: businessHolder({ status }), members: [] }, PROGRAM).status).toBe(word);
  });

  test.each([
    ['not_started', 'notStarted', 'notStarted'],
    ['submitted', 'submitted', 'notStarted'],
    ['pass', 'approved', 'approved'],
    ['fail', 'declined', 'declined'],
    ['review', 'inReview', 'inReview'],
  ] as const)('a verification that is %s is %s and its checks %s', (status, word, result) => {
    const kyc = formatKyc(personHolder({ verification: check(11, status) }));
    expect(kyc).toMatchObject({ id: `kyc-${uuid(11)}`, personId: `per-${uuid(10)}`, status: word });
    expect(kyc.results).toEqual({
      idv: 'notStarted',
      address: result,
      dateOfBirth: result,
      fraud: result,
      bank: result,
    });
    const kyb = formatKyb(businessHolder({ verification: check(11, status) }));
    expect(kyb).toMatchObject({ id: `kyb-${uuid(11)}`, businessId: `bus-${uuid(15)}`, status: word });
    expect(new Set(Object.values(kyb.results))).toEqual(new Set([result]));
  });

  test('booleans are JSON booleans and words are v1 words', () => {
    expect(formatPerson(personHolder(), PERSON, PROGRAM)).toMatchObject({
      id: `per-${uuid(10)}`,
      phoneVerified: true,
      emailVerified: false,
      idType: 'otherId',
    });
    expect(formatBusiness({ holder: businessHolder(), members: [] }, PROGRAM)).toMatchObject({
      id: `bus-${uuid(15)}`,
      entityType: 'singleMemberLLC',
      createdPersonId: `per-${uuid(10)}`,
    });
  });
});

describe('document and webhook', () => {
  test('a document shows the link that it is given', () => {
    expect(formatDocument(DOCUMENT, 'http://link')).toMatchObject({
      id: `doc-${uuid(70)}`,
      personId: `per-${uuid(10)}`,
      url: 'http://link',
    });
    expect(formatDocument(DOCUMENT, '').url).toBe('');
  });

  test('a webhook does not show its secret, which has an answer of its own', () => {
    expect(JSON.stringify(formatWebhook(WEBHOOK, PROGRAM))).not.toContain(WEBHOOK.secret);
    expect(formatWebhook(WEBHOOK, PROGRAM)).toMatchObject({
      id: `wbh-${uuid(60)}`,
      createdAt: '2026-11-20T12:00:00Z',
      modifiedAt: '2026-11-20T12:01:00Z',
    });
    expect(formatWebhookSecret(WEBHOOK)).toEqual({ id: `wbh-${uuid(60)}`, secret: WEBHOOK.secret });
  });
});
