/**
 * What parsing makes of a body of v1 that fits its schema, and what it refuses that a schema cannot check.
 */

import type { Static } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { formatContact } from '../../../src/api/v1/contacts/format.ts';
import { parseContactChange } from '../../../src/api/v1/contacts/parse.ts';
import type { ContactChangeBody } from '../../../src/api/v1/contacts/shapes.ts';
import { parseNewDocument } from '../../../src/api/v1/documents.ts';
import { parseId } from '../../../src/api/v1/fields.ts';
import { parseCardTest } from '../../../src/api/v1/simulations.ts';
import { parseAch } from '../../../src/api/v1/transfers/parse.ts';
import { parseNewWebhook, parseWebhookChange } from '../../../src/api/v1/webhooks.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { ALL_RAILS, counterparty, id, PROGRAM, uuid } from './samples.ts';

/** The code and field of what is refused. */
function refusalOf(action: () => unknown): { code: string; field: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, field: error.field };
    throw error;
  }
  throw new Error('nothing was refused');
}

const PULL = { accountId: `acc-${uuid(20)}`, contactId: `con-${uuid(30)}`, amount: '41.20' };

describe('ids', () => {
  test('the spelling of either version is read', () => {
    expect(parseId('account', `acc-${uuid(20)}`)).toBe(id(20));
    expect(parseId('account', `sub_${id(20)}`)).toBe(id(20));
    expect(parseId('transaction', `tra-${uuid(50)}`)).toBe(id(50));
  });

  test.each([
    ['person', `bus-${uuid(15)}`, 'holder_not_found'],
    ['account', 'acc-1', 'account_not_found'],
    ['card', '', 'card_not_found'],
    ['counterparty', `acc-${uuid(30)}`, 'counterparty_not_found'],
    ['transaction', 'txn-none', 'transaction_not_found'],
    ['webhook', 'wbh-none', 'webhook_not_found'],
  ] as const)('a text that is no id of a %s names nothing', (kind, text, code) => {
    expect(refusalOf(() => parseId(kind, text)).code).toBe(code);
  });
});

describe('receive ACH', () => {
  test('an order that fails makes nothing', () => {
    expect(parseAch(PULL)).toEqual({
      accountId: id(20),
      counterpartyId: id(30),
      amount: 4_120,
      sameDay: false,
      shortage: 'refuse',
    });
  });

  test('it is same-day only when requested, and carries what was sent', () => {
    const order = parseAch({
      ...PULL,
      type: 'sameDay',
      description: 'Top up',
      title: 'T',
      metadata: { a: 'b' },
    });
    expect(order).toMatchObject({ sameDay: true, description: 'Top up', title: 'T', metadata: { a: 'b' } });
    expect(parseAch({ ...PULL, type: 'nextDay', metadata: null })).not.toHaveProperty('metadata');
  });

  test('an amount of nothing is refused', () => {
    expect(refusalOf(() => parseAch({ ...PULL, amount: '0.00' }))).toEqual({
      code: 'amount_invalid',
      field: 'amount',
    });
  });

  test('an account or contact that is no id is not found', () => {
    expect(refusalOf(() => parseAch({ ...PULL, accountId: 'x' })).code).toBe('account_not_found');
    expect(refusalOf(() => parseAch({ ...PULL, contactId: 'x' })).code).toBe('counterparty_not_found');
  });
});

describe('card test', () => {
  const parentTxnId = `txn-${uuid(50)}`;

  test('nothing but an amount is an authorization by an unnamed method', () => {
    expect(parseCardTest(id(40), { amount: '14.90' })).toEqual({
      kind: 'auth',
      input: { cardId: id(40), amount: 1_490, authMethod: 'other', atm: false },
    });
  });

  test('a merchant is read in the bank’s words, and only what was named', () => {
    const merchant = { merchantName: 'Harbor Books', merchantCategoryCode: '5942' };
    expect(parseCardTest(id(40), { amount: '1.00', merchant, authMethod: 'chip' })).toMatchObject({
      input: { merchant: { name: 'Harbor Books', mcc: '5942' }, authMethod: 'chip', atm: false },
    });
  });

  test('the category of cash machines is one', () => {
    const merchant = { merchantCategoryCode: '6011' };
    expect(parseCardTest(id(40), { amount: '1.00', merchant })).toMatchObject({ input: { atm: true } });
  });

  test('an update sets a total, a reversal gives back an amount', () => {
    expect(parseCardTest(id(40), { amount: '3.00', txnType: 'authUpdate', parentTxnId })).toEqual({
      kind: 'authUpdate',
      input: { cardId: id(40), parentId: id(50), total: 300 },
    });
    expect(parseCardTest(id(40), { amount: '3.00', txnType: 'reversal', parentTxnId })).toEqual({
      kind: 'reversal',
      input: { cardId: id(40), parentId: id(50), amount: 300 },
    });
  });

  test('a refund may do without a parent', () => {
    expect(parseCardTest(id(40), { amount: '3.00', txnType: 'refund' })).toEqual({
      kind: 'refund',
      input: { cardId: id(40), amount: 300 },
    });
    expect(parseCardTest(id(40), { amount: '3.00', txnType: 'refund', parentTxnId })).toMatchObject({
      input: { parentId: id(50) },
    });
  });

  test.each(['authUpdate', 'reversal'] as const)('%s without a parent is refused', (txnType) => {
    const missing = { code: 'parent_missing', field: 'parentId' };
    expect(refusalOf(() => parseCardTest(id(40), { amount: '3.00', txnType }))).toEqual(missing);
    expect(refusalOf(() => parseCardTest(id(40), { amount: '3.00', txnType, parentTxnId: '' }))).toEqual(
      missing,
    );
  });

  test('a parent that is no id is not found, and an amount of nothing is refused', () => {
    const body = { amount: '3.00', txnType: 'reversal', parentTxnId: 'x' } as const;
    expect(refusalOf(() => parseCardTest(id(40), body)).code).toBe('transaction_not_found');
    expect(refusalOf(() => parseCardTest(id(40), { amount: '0.00' })).code).toBe('amount_invalid');
  });
});

describe('contact change', () => {
  test('nothing sent is nothing changed', () => {
    expect(parseContactChange({})).toEqual({});
    expect(parseContactChange({ accountId: `acc-${uuid(20)}`, metadata: null })).toEqual({});
  });

  test('plain fields are read as they are', () => {
    const body = { name: 'Harbor', email: 'a@b.test', phone: '+15125550100', metadata: { k: '' } };
    expect(parseContactChange(body)).toEqual(body);
  });

  test('an account of this bank is named by its number, or else by its id', () => {
    expect(parseContactChange({ intrabank: { accountNumber: '9990' } })).toEqual({
      rails: { intraAccount: { accountNumber: '9990' } },
    });
    expect(parseContactChange({ intrabank: { accountId: `acc-${uuid(21)}` } })).toEqual({
      rails: { intraAccount: { accountId: id(21) } },
    });
  });

  test('an intrabank that names nothing, or no account, is refused', () => {
    expect(refusalOf(() => parseContactChange({ intrabank: {} }))).toEqual({
      code: 'field_invalid',
      field: 'intraAccount',
    });
    expect(refusalOf(() => parseContactChange({ intrabank: { accountId: 'acc-x' } })).code).toBe(
      'intra_account_unknown',
    );
  });

  test('a rail that is null is taken away', () => {
    const body = { intrabank: null, ach: null, wire: null, check: null, card: null };
    expect(parseContactChange(body).rails).toEqual({
      intraAccount: null,
      ach: null,
      domesticWire: null,
      internationalWire: null,
      check: null,
      card: null,
    });
  });

  test('one wire does not touch the other', () => {
    expect(parseContactChange({ wire: { domestic: null } }).rails).toEqual({ domesticWire: null });
  });

  test('a contact that was read can be sent back', () => {
    const { accountId, name, email, phone, ach, wire, check, card, metadata } = formatContact(
      counterparty(),
      PROGRAM,
    );
    const body = { accountId, name, email, phone, ach, wire, check, card, metadata } as Static<
      typeof ContactChangeBody
    >;
    const { ach: bank, domesticWire, internationalWire, check: paper, card: plastic } = ALL_RAILS;
    const { verified: _, ...account } = bank ?? {};
    expect(parseContactChange(body).rails).toEqual({
      ach: account,
      domesticWire,
      internationalWire,
      check: paper,
      card: plastic,
    });
  });

  test.each(['5125550100', '+0125550100', '+1512555010012345', '+1 512 555'])('%s is no phone', (phone) => {
    expect(refusalOf(() => parseContactChange({ phone }))).toEqual({ code: 'phone_invalid', field: 'phone' });
  });

  test('an email has an @, and both may be emptied', () => {
    expect(refusalOf(() => parseContactChange({ email: 'nobody' }))).toEqual({
      code: 'field_invalid',
      field: 'email',
    });
    expect(parseContactChange({ email: '', phone: '' })).toEqual({ email: '', phone: '' });
  });
});

describe('document', () => {
  test('every field may be left out', () => {
    expect(parseNewDocument(id(10), {})).toEqual({ holderId: id(10) });
  });

  test('what is sent is stored, with the country in capitals', () => {
    const body = {
      name: 'Passport',
      docType: 'passport',
      expirationDate: '2031-05-01',
      issuingCountry: 'us',
    };
    expect(parseNewDocument(id(10), body)).toEqual({ ...body, holderId: id(10), issuingCountry: 'US' });
  });

  test.each(['2031-02-30', '31-05-01', 'tomorrow'])('%s is no date', (expirationDate) => {
    expect(refusalOf(() => parseNewDocument(id(10), { expirationDate }))).toEqual({
      code: 'field_invalid',
      field: 'expirationDate',
    });
  });

  test('a country has two letters', () => {
    expect(refusalOf(() => parseNewDocument(id(10), { issuingCountry: 'USA' })).field).toBe('issuingCountry');
    expect(parseNewDocument(id(10), { issuingCountry: '', expirationDate: '' })).toMatchObject({
      issuingCountry: '',
    });
  });
});

describe('webhook', () => {
  test('a new one speaks v1', () => {
    const body = { url: 'https://hooks.test/', events: ['card.spend'] };
    expect(parseNewWebhook(body)).toEqual({ dialect: 'v1', ...body });
  });

  test('a change names only what was sent', () => {
    expect(parseWebhookChange({})).toEqual({});
    expect(parseWebhookChange({ status: 'paused', description: '' })).toEqual({
      status: 'paused',
      description: '',
    });
  });
});
