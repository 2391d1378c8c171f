/**
 * Every v1 record is as the contract's tables have it, whatever is set and whatever is not. The live answers are walked in
 * `test/contract`; here each rail is written without a bank.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { formatAccount } from '../../../src/api/v1/accounts/format.ts';
import { Account } from '../../../src/api/v1/accounts/shapes.ts';
import { formatBusiness } from '../../../src/api/v1/businesses/format.ts';
import { Business } from '../../../src/api/v1/businesses/shapes.ts';
import { DeclinedAuthorization, formatDeclined } from '../../../src/api/v1/cards/declined.ts';
import { formatCard } from '../../../src/api/v1/cards/format.ts';
import { Card } from '../../../src/api/v1/cards/shapes.ts';
import { formatContact } from '../../../src/api/v1/contacts/format.ts';
import { Contact } from '../../../src/api/v1/contacts/shapes.ts';
import { Document, formatDocument } from '../../../src/api/v1/documents.ts';
import { formatPerson, Person } from '../../../src/api/v1/persons.ts';
import { CardTestAnswer, formatCardTest } from '../../../src/api/v1/simulations.ts';
import { formatTransaction } from '../../../src/api/v1/transactions/format.ts';
import { Transaction } from '../../../src/api/v1/transactions/shapes.ts';
import { formatTransfer } from '../../../src/api/v1/transfers/format.ts';
import { Transfer } from '../../../src/api/v1/transfers/shapes.ts';
import { formatKyb, formatKyc, Kyb, Kyc } from '../../../src/api/v1/verification.ts';
import { SUB_TYPES } from '../../../src/api/v1/vocabulary.ts';
import { formatWebhook, formatWebhookSecret, Webhook, WebhookSecret } from '../../../src/api/v1/webhooks.ts';
import { RAILS, type RailName } from '../../../src/model/rails/index.ts';
import { contradictions, type Table } from '../../contract/rows.ts';
import { ACCOUNT_V1 } from '../../contract/v1/account.ts';
import { CARD_TEST, CARD_V1, DECLINED, DECLINED_EVENT } from '../../contract/v1/card.ts';
import { CONTACT } from '../../contract/v1/contact.ts';
import { TRANSACTION_V1, TRANSFER } from '../../contract/v1/money.ts';
import { WEBHOOK_SECRET, WEBHOOK_V1 } from '../../contract/v1/others.ts';
import {
  BUSINESS,
  DOCUMENT as DOCUMENT_TABLE,
  KYB,
  KYC,
  PERSON as PERSON_TABLE,
} from '../../contract/v1/people.ts';
import {
  accountFile,
  businessHolder,
  COUNTERPARTY_SNAPSHOT,
  cardFile,
  counterparty,
  DOCUMENT,
  NO_RAILS,
  PERSON,
  PROGRAM,
  personHolder,
  transaction,
  WEBHOOK,
} from './samples.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The rails that have an object of their own, and where it is. */
const RAIL_PARTS: readonly [RailName, string][] = [
  ['intra_push', 'intrabank'],
  ['account_opening', 'intrabank'],
  ['ach_pull', 'ach'],
  ['reversal_debit', 'ach'],
  ['domestic_wire', 'domesticWire'],
  ['international_wire', 'internationalWire'],
  ['check_send', 'physicalCheck'],
  ['debit_card_push', 'debitCard'],
  ['card_authorization', 'card'],
];

const contact = formatContact(counterparty(), PROGRAM);
const declined = transaction('card_authorization', {
  status: 'declined',
  type: 'decline',
  reason: { code: 'lowBalance', message: '' },
});

const RECORDS: readonly [string, Table, object, TSchema][] = [
  ['contact', CONTACT, contact, Contact],
  ['transfer', TRANSFER, formatTransfer(transaction('ach_pull'), PROGRAM), Transfer],
  ['transaction', TRANSACTION_V1, formatTransaction(transaction('ach_pull'), PROGRAM), Transaction],
  ['declined authorization in a list', DECLINED, formatDeclined(declined, 'rest'), DeclinedAuthorization],
  [
    'declined authorization in an event',
    DECLINED_EVENT,
    formatDeclined(declined, 'event'),
    DeclinedAuthorization,
  ],
  ['document', DOCUMENT_TABLE, formatDocument(DOCUMENT, 'http://link'), Document],
  ['webhook', WEBHOOK_V1, formatWebhook(WEBHOOK, PROGRAM), Webhook],
  ['webhook secret', WEBHOOK_SECRET, formatWebhookSecret(WEBHOOK), WebhookSecret],
  ['account', ACCOUNT_V1, formatAccount(accountFile(), PROGRAM), Account],
  ['card', CARD_V1, formatCard(cardFile(), PROGRAM), Card],
  ['person', PERSON_TABLE, formatPerson(personHolder(), PERSON, PROGRAM), Person],
  ['KYC', KYC, formatKyc(personHolder()), Kyc],
  ['business', BUSINESS, formatBusiness({ holder: businessHolder(), members: [] }, PROGRAM), Business],
  ['KYB', KYB, formatKyb(businessHolder()), Kyb],
  ['card test answer', CARD_TEST, formatCardTest(declined), CardTestAnswer],
];

describe('a v1 record has exactly the documented fields', () => {
  test.each(RECORDS)('%s: the view', (_, table, view) => {
    expect(contradictions(view, table)).toEqual([]);
  });

  test.each(RECORDS)('%s: the shape, at its top', (_, table, __, shape) => {
    const { properties = {} } = shape as { properties?: Record<string, unknown> };
    const named = table.rows
      .filter(({ standing }) => standing !== 'left_out')
      .map(({ path }) => path.split(/[.[]/)[0]);
    expect(Object.keys(properties).sort()).toEqual([...new Set(named)].sort());
  });

  test.each(RECORDS)('%s: no field is left undefined', (_, __, view) => {
    expect(view).toStrictEqual(JSON.parse(JSON.stringify(view)));
  });

  test.each(RAIL_PARTS)('a transaction on %s fills %s and no other rail', (rail, name) => {
    const view = formatTransaction(transaction(rail), PROGRAM);
    const filled = Object.entries(view).filter(([, value]) => isObject(value));
    expect(filled.map(([key]) => key)).toEqual([name]);
  });

  test.each(Object.keys(RAILS) as RailName[])(
    'a transaction on %s has all fields of both its records',
    (rail) => {
      const made = transaction(rail);
      expect(contradictions(formatTransaction(made, PROGRAM), TRANSACTION_V1)).toEqual([]);
      if (SUB_TYPES[rail] !== 'originated') return;
      expect(contradictions(formatTransfer(made, PROGRAM), TRANSFER)).toEqual([]);
    },
  );
});

describe('what is not set is still there', () => {
  test('a contact without any rail has null for each', () => {
    const view = formatContact(counterparty({ rails: NO_RAILS }), PROGRAM);
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
    const view = formatContact(counterparty({ rails: { ...NO_RAILS, domesticWire } }), PROGRAM);
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
    expect(formatTransfer(transaction('ach_pull'), PROGRAM).address).toEqual(nowhere);
    const lost = transaction('domestic_wire', { otherSide: { ...COUNTERPARTY_SNAPSHOT, address: null } });
    expect(formatTransfer(lost, PROGRAM).address).toEqual(nowhere);
  });

  test('a virtual card has no shipping and null for empty lists', () => {
    const view = formatCard(cardFile({ type: 'virtual', shipment: null }), PROGRAM);
    expect(view).toMatchObject({ shipping: null, embossingPerson: '', allowedMerchants: null });
    expect(view.allowedCategories).toEqual(['5942']);
  });

  test('a person without an address has null', () => {
    expect(formatPerson(personHolder(), { ...PERSON, address: null }, PROGRAM).address).toBeNull();
  });
});
