/** A transaction of the bank in v1, which shows it twice: as a transfer, and as an entry of its account. */
import { describe, expect, test } from 'vitest';
import { formatDeclined } from '../../../src/api/v1/cards/declined.ts';
import { formatCard } from '../../../src/api/v1/cards/format.ts';
import { formatCardTest } from '../../../src/api/v1/simulations.ts';
import { formatTransaction } from '../../../src/api/v1/transactions/format.ts';
import { formatTransfer } from '../../../src/api/v1/transfers/format.ts';
import type { RailName } from '../../../src/model/rails/index.ts';
import type { Transaction } from '../../../src/model/records.ts';
import { reasonOfReturn } from '../../../src/model/return-codes.ts';
import type { TransactionStatus } from '../../../src/model/vocabulary.ts';
import {
  CARD_DETAILS,
  COUNTERPARTY_SNAPSHOT,
  cardFile,
  id,
  LATER,
  PROGRAM,
  transaction,
  uuid,
} from './samples.ts';

const transfer = (rail: RailName, own: Partial<Transaction> = {}) =>
  formatTransfer(transaction(rail, own), PROGRAM);
const entry = (rail: RailName, own: Partial<Transaction> = {}) =>
  formatTransaction(transaction(rail, own), PROGRAM);

const SETTLED = { status: 'settled', settledAt: LATER, bookedAt: LATER } as const;
const NEVER = { movedNothing: true, bookedAt: null } as const;

describe('the status of a payment', () => {
  const AT_ONCE: RailName[] = ['intra_push', 'intra_pull', 'ach_push', 'check_send'];
  const ON_THE_WAY: TransactionStatus[] = ['originated', 'pending', 'clearing', 'cleared'];

  test.each(AT_ONCE)(
    '%s is completed and settled as soon as it is made, whatever the banks still do',
    (rail) => {
      for (const status of [...ON_THE_WAY, 'settled', 'returned', 'reversed'] as const) {
        expect(transfer(rail, { status }).status).toBe('completed');
        expect(entry(rail, { status }).status).toBe('settled');
      }
    },
  );

  test.each(AT_ONCE)('%s that was declined after it was made stays as it was', (rail) => {
    expect(transfer(rail, { status: 'declined' }).status).toBe('completed');
    expect(entry(rail, { status: 'declined' }).status).toBe('settled');
  });

  test.each(AT_ONCE)('%s that was declined at once or canceled has that status', (rail) => {
    for (const own of [{ status: 'declined', ...NEVER }, { status: 'canceled' }] as const) {
      expect(transfer(rail, own).status).toBe(own.status);
      expect(entry(rail, own).status).toBe(own.status);
    }
  });

  const WAITING: RailName[] = [
    'ach_pull',
    'domestic_wire',
    'international_wire',
    'rtp_push',
    'fednow_push',
    'debit_card_push',
    'debit_card_pull',
  ];

  test.each(WAITING)('%s is pending until the money is there', (rail) => {
    for (const status of ON_THE_WAY) {
      expect(transfer(rail, { status }).status).toBe('pending');
      expect(entry(rail, { status }).status).toBe('pending');
    }
    expect(transfer(rail, SETTLED).status).toBe('completed');
    expect(entry(rail, SETTLED).status).toBe('settled');
  });

  test.each(WAITING)('%s that is refused before is a declined transfer and a canceled entry', (rail) => {
    for (const status of ['declined', 'returned', 'reversed'] as const) {
      expect(transfer(rail, { status }).status).toBe('declined');
      expect(entry(rail, { status }).status).toBe('canceled');
    }
    expect(transfer(rail, { status: 'canceled' }).status).toBe('canceled');
    expect(entry(rail, { status: 'canceled' }).status).toBe('canceled');
  });

  test.each(WAITING)('%s that was declined at once never waited: both are declined', (rail) => {
    expect(transfer(rail, { status: 'declined', ...NEVER }).status).toBe('declined');
    expect(entry(rail, { status: 'declined', ...NEVER }).status).toBe('declined');
  });

  test('a pull that is returned after its release keeps its settled entry, and the transfer is declined', () => {
    const returned = { status: 'returned', settledAt: LATER } as const;
    expect(entry('ach_pull', returned).status).toBe('settled');
    expect(transfer('ach_pull', returned).status).toBe('declined');
  });

  test('a check deposit waits for its files first', () => {
    const { details } = transaction('check_deposit');
    if (details.kind !== 'check') throw new Error('no check');
    const waiting = { ...details, awaitsImages: true };
    expect(transfer('check_deposit', { details: waiting }).status).toBe('waitingForFiles');
    expect(transfer('check_deposit').status).toBe('pending');
    expect(transfer('check_deposit', SETTLED).status).toBe('completed');
  });

  test('a payment in review is pending', () => {
    expect(transfer('ach_push', { status: 'in_review' }).status).toBe('pending');
    expect(entry('ach_push', { status: 'in_review' }).status).toBe('pending');
  });

  test('money from outside is settled when it is there, and a debit from outside at once or declined', () => {
    expect(entry('ach_received_push').status).toBe('pending');
    expect(entry('ach_received_push', SETTLED).status).toBe('settled');
    expect(entry('ach_received_pull').status).toBe('settled');
    expect(entry('ach_received_pull', { status: 'returned', settledAt: LATER }).status).toBe('settled');
  });

  const RECEIVED: RailName[] = [
    'ach_received_push',
    'ach_received_pull',
    'domestic_wire_received',
    'international_wire_received',
    'rtp_received',
    'fednow_received',
  ];

  test.each(RECEIVED)('%s that is sure to go back is declined from the start', (rail) => {
    for (const status of ['received', 'in_review', 'returned', 'declined'] as const) {
      expect(entry(rail, { status, ...NEVER }).status).toBe('declined');
    }
  });

  test('what was reserved for it and goes back stays, besides its reversal, as canceled or as settled', () => {
    for (const status of ['returned', 'declined'] as const) {
      expect(entry('ach_received_push', { status }).status).toBe('canceled');
      expect(entry('ach_received_pull', { status }).status).toBe('settled');
    }
  });

  test.each(['pending', 'settled', 'reversed', 'refunded'] as const)(
    'a card authorization that is %s is settled',
    (status) => {
      expect(entry('card_authorization', { status }).status).toBe('settled');
      expect(entry('card_test_authorization', { status }).status).toBe('settled');
    },
  );

  test('a refund is settled as soon as the merchant promised it', () => {
    expect(entry('card_refund').status).toBe('settled');
  });
});

describe('an entry of an account', () => {
  test('a debit is below zero and a credit is not', () => {
    expect(entry('ach_push')).toMatchObject({ txnType: 'debit', amount: '-41.20' });
    expect(entry('ach_pull')).toMatchObject({ txnType: 'credit', amount: '41.20' });
  });

  test('the balance is the one after it, also below zero, and stays so', () => {
    expect(entry('ach_pull').balance).toBe('812.00');
    expect(entry('ach_pull', { bookedBalance: -5 }).balance).toBe('-0.05');
    expect(entry('ach_push', { availableBalance: -5 }).balance).toBe('812.00');
  });

  test.each([
    ['intra_push', 'intrabank', 'originated'],
    ['intra_received_pull', 'intrabank', 'received'],
    ['ach_pull', 'ach', 'originated'],
    ['ach_received_push', 'ach', 'received'],
    ['domestic_wire', 'domesticWire', 'originated'],
    ['international_wire_received', 'internationalWire', 'received'],
    ['check_deposit', 'physicalCheck', 'originated'],
    ['debit_card_pull', 'debitCard', 'pull'],
    ['card_authorization', 'card', 'auth'],
    ['card_test_authorization', 'card', 'auth'],
    ['card_adjust_up', 'card', 'authUpdate'],
    ['card_reverse', 'card', 'reversal'],
    ['card_refund', 'card', 'refund'],
    ['account_opening', 'intrabank', 'accountCreationCredit'],
    ['reversal_credit', 'ach', 'reversal'],
  ] as const)('%s is %s, %s', (rail, transferType, subType) => {
    expect(entry(rail)).toMatchObject({ transferType, subType });
  });

  test('cash from a machine has a sub type of its own', () => {
    expect(entry('card_authorization', { details: { ...CARD_DETAILS, atm: true } }).subType).toBe('atm');
    expect(entry('card_refund', { details: { ...CARD_DETAILS, atm: true } }).subType).toBe('refund');
  });

  test.each([
    ['ach_push', 'Paid to Cedar Supply'],
    ['intra_received_pull', 'Paid to Cedar Supply'],
    ['ach_pull', 'Received from Cedar Supply'],
    ['domestic_wire_received', 'Received from Cedar Supply'],
    ['check_send', 'Check created for Cedar Supply'],
    ['check_deposit', 'Received check from Cedar Supply'],
    ['card_authorization', 'Harbor Books'],
    ['card_refund', 'Harbor Books'],
    ['account_opening', 'Account Opened'],
    ['solid_card_send', 'Card sent to Cedar Supply'],
    ['solid_card_load', 'Received from Cedar Supply'],
    ['solid_card_unload', 'Paid to Cedar Supply'],
    ['solid_card_back', 'Card sent to Cedar Supply'],
    ['reversal_credit', 'Paid to Cedar Supply'],
    ['reversal_debit', 'Received from Cedar Supply'],
  ] as const)('%s without a title is "%s"', (rail, title) => {
    expect(entry(rail).title).toBe(title);
  });

  test.each([
    ['reversal_credit', 'check_send', 'Check created for Cedar Supply'],
    ['reversal_debit', 'check_deposit', 'Received check from Cedar Supply'],
  ] as const)('%s of %s keeps its words', (rail, original, title) => {
    const { method, details } = transaction(original);
    expect(entry(rail, { method, details }).title).toBe(title);
  });

  test('a title that was given is shown', () => {
    expect(entry('ach_pull', { title: 'Rent' }).title).toBe('Rent');
  });

  test('a purchase is described with the card and the merchant, until its client describes it', () => {
    const description = 'Harbor Books';
    expect(entry('card_authorization', { description }).description).toBe('Spent Books at Harbor Books');
    const details = { ...CARD_DETAILS, described: true } as const;
    expect(entry('card_authorization', { description, details }).description).toBe('Harbor Books');
    expect(entry('card_authorization', { description: '', details }).description).toBe('');
  });

  test('it names the person, and the business or the family that owns it', () => {
    const personId = `per-${uuid(10)}`;
    const own = { holderType: 'person', holderId: id(10) } as const;
    const owner = (...of: [businessId: string, familyId: string, personId: string]) => ({
      businessId: of[0],
      familyId: of[1],
      personId: of[2],
    });
    expect(entry('ach_pull')).toMatchObject(owner(`bus-${uuid(15)}`, '', personId));
    expect(entry('ach_pull', { personId: '' })).toMatchObject(owner(`bus-${uuid(15)}`, '', ''));
    expect(entry('ach_pull', own)).toMatchObject(owner('', '', personId));
    expect(entry('ach_pull', { ...own, familyId: id(16) })).toMatchObject(
      owner('', `fam-${uuid(16)}`, personId),
    );
  });

  test('it and its transfer share their suffix', () => {
    const view = entry('ach_pull');
    expect(view.id).toBe(`txn-${uuid(50)}`);
    expect(view.ach?.transferId).toBe(`tra-${uuid(50)}`);
    expect(transfer('ach_pull').id).toBe(`tra-${uuid(50)}`);
  });

  test('an ordered ACH names its speed and contact, one from outside does not', () => {
    expect(entry('ach_pull').ach).toMatchObject({ type: 'sameDay', contactId: `con-${uuid(30)}` });
    expect(entry('ach_received_push').ach).toMatchObject({
      type: '',
      contactId: '',
      traceNumber: '12104288200017',
      bankName: 'Wells Fargo',
    });
  });

  test('a reversal names what it takes back, and why', () => {
    const reason = { code: 'R01', message: 'insufficient funds' };
    const view = entry('reversal_debit', { parentId: id(51), reason, counterpartyId: id(30) });
    expect(view).toMatchObject({
      txnType: 'debit',
      amount: '-41.20',
      subType: 'reversal',
      status: 'settled',
      parentTxnId: `txn-${uuid(51)}`,
      parentTransferId: `tra-${uuid(51)}`,
      reviewCode: 'insufficientFunds',
      reviewMessage: 'insufficient funds',
    });
    expect(view.ach).toMatchObject({ type: '', contactId: `con-${uuid(30)}` });
  });

  test('a reason that v1 has no word for keeps its code and its text', () => {
    const reason = { code: 'R99', message: 'for another reason' };
    const review = { reviewCode: 'R99', reviewMessage: 'for another reason' };
    expect(entry('ach_pull', { reason })).toMatchObject(review);
    expect(transfer('ach_pull', { reason })).toMatchObject(review);
    expect(entry('ach_pull')).toMatchObject({ reviewCode: '', reviewMessage: '' });
  });

  test.each([
    ['invalidRoutingNumber', 'invalidRoutingNumber', 'invalid routing number'],
    ['invalidCheckAddress', 'invalidCheckAddress', 'invalid check address'],
    ['transferLimitExceeded', 'transferLimitExceeded', 'allowed transfer limit reached'],
    ['sendLimitExceeded', 'sendLimitExceeded', 'amount greater than allowed send limit'],
    ['R01', 'insufficientFunds', 'insufficient funds'],
    ['insufficientFunds', 'insufficientFunds', 'insufficient funds'],
    ['R02', 'accountClosed', 'account closed'],
    ['R03', 'accountNotFound', 'no account or unable to locate account'],
    ['R13', 'invalidRoutingNumber', 'invalid routing number'],
    ['R10', 'R10', reasonOfReturn('R10').message],
  ])('the reason %s is %s, which has a text of its own: "%s"', (code, reviewCode, reviewMessage) => {
    const reason = { code, message: 'declined by rule 1' };
    expect(entry('ach_pull', { reason })).toMatchObject({ reviewCode, reviewMessage });
    expect(transfer('ach_pull', { reason })).toMatchObject({ reviewCode, reviewMessage });
  });

  test('money that came later than it was announced is dated when it came', () => {
    expect(entry('ach_pull').txnDate).toBe('2026-11-20T12:00:00Z');
    expect(entry('ach_pull', SETTLED).txnDate).toBe('2026-11-20T12:01:00Z');
  });

  test('money that was there at once keeps its date, whatever the banks still do', () => {
    expect(entry('ach_push', { status: 'settled', settledAt: LATER }).txnDate).toBe('2026-11-20T12:00:00Z');
    expect(entry('card_authorization', { status: 'settled', settledAt: LATER }).txnDate).toBe(
      '2026-11-20T12:00:00Z',
    );
  });

  test('a purchase has its sign in both amounts, and whether it was captured', () => {
    const captured = { ...CARD_DETAILS, networkSettlementAt: LATER };
    expect(entry('card_authorization').card).toMatchObject({
      id: `crd-${uuid(40)}`,
      localTransactionAmount: '-41.20',
      currencyConversionRate: '1.000000000',
      isCaptured: false,
      capturedAt: '',
      availableLimit: '40.00',
    });
    expect(entry('card_authorization', { details: captured }).card).toMatchObject({
      isCaptured: true,
      capturedAt: '2026-11-20T12:01:00Z',
    });
  });

  test('what is left of a limit that is reset is not shown', () => {
    const availableLimit = { period: 'daily', amount: 4_000, count: null } as const;
    expect(
      entry('card_authorization', { details: { ...CARD_DETAILS, availableLimit } }).card?.availableLimit,
    ).toBe('');
  });

  test('a question in real time is named after what it was about', () => {
    const card = entry('card_authorization', { details: { ...CARD_DETAILS, rtaId: id(80) } });
    expect(card.card?.authId).toBe(`car-${uuid(80)}`);
    const made = transaction('ach_received_pull');
    const ach = formatTransaction(
      made.details.kind === 'ach' ? { ...made, details: { ...made.details, rtaId: id(80) } } : made,
      PROGRAM,
    );
    expect(ach.ach?.authId).toBe(`aar-${uuid(80)}`);
  });
});

describe('a transfer', () => {
  test('an amount has no sign in either direction', () => {
    expect(transfer('ach_push')).toMatchObject({ txnType: 'debit', amount: '41.20' });
    expect(transfer('ach_pull')).toMatchObject({ txnType: 'credit', amount: '41.20' });
  });

  test.each(['Rent', 'Received from Cedar Supply'])('shows the title "%s" that its client gave', (title) => {
    expect(transfer('ach_pull', { title }).title).toBe(title);
  });

  test('without a title of its client has none', () => {
    expect(transfer('ach_pull').title).toBe('');
  });

  test('of money that was sent as a card has the whole card, any other none', () => {
    const made = transaction('solid_card_send');
    const sentCard = cardFile({ bin: 'credit' });
    expect(formatTransfer({ ...made, sentCard }, PROGRAM).card).toEqual(formatCard(sentCard, PROGRAM));
    expect(formatTransfer(made, PROGRAM).card).toBeNull();
  });

  test("an ACH carries the contact's bank and its speed", () => {
    expect(transfer('ach_pull')).toMatchObject({
      type: 'sameDay',
      transferType: 'ach',
      transferSubType: 'originated',
      accountNumber: '000123456789',
      routingNumber: '121042882',
      bankName: 'Wells Fargo',
      accountType: 'businessChecking',
      valid: '',
    });
  });

  test('within this bank the routing number and name are our own', () => {
    expect(transfer('intra_push')).toMatchObject({
      type: '',
      routingNumber: '122000661',
      bankName: 'Test Bank',
      accountType: '',
    });
  });

  test("a wire is valid and carries the contact's address", () => {
    const view = transfer('domestic_wire');
    expect(view).toMatchObject({ valid: 'true', type: '' });
    expect(view.address).toMatchObject({ addressType: 'wire', line1: '9 Elm St' });
  });

  test('a check carries an address and an attachment, and no bank', () => {
    const view = transfer('check_send');
    expect(view).toMatchObject({ accountNumber: '', routingNumber: '', bankName: '', attachment: 'memo' });
    expect(view.address.addressType).toBe('check');
  });

  test('what is not emulated is there and empty', () => {
    expect(transfer('ach_pull')).toMatchObject({
      bin: '',
      iban: '',
      card: null,
      destinationAmount: '0.00',
      destinationCurrency: '',
      fallbackTransferId: '',
      purposeCode: '',
    });
  });

  test('a payment whose other side is not known has empty texts', () => {
    expect(transfer('ach_pull', { otherSide: null })).toMatchObject({
      name: '',
      accountNumber: '',
      accountType: '',
    });
    expect(
      entry('domestic_wire', { otherSide: { ...COUNTERPARTY_SNAPSHOT, address: null } }).domesticWire
        ?.address,
    ).toBeNull();
  });
});

describe('a refused card authorization', () => {
  const declined = transaction('card_authorization', {
    status: 'declined',
    type: 'decline',
    reason: { code: 'lowBalance', message: '' },
  });

  test('a list spells the currency as a number, an event as letters', () => {
    expect(formatDeclined(declined, 'rest')).toMatchObject({
      currency: '840',
      currencyConversionRate: '1.0000000000',
    });
    expect(formatDeclined(declined, 'event')).toMatchObject({
      currency: 'USD',
      currencyConversionRate: '1.000000000',
    });
  });

  test('it is closed, not approved in a text, and its amount has no sign', () => {
    expect(formatDeclined(declined, 'event')).toMatchObject({
      cardId: `crd-${uuid(40)}`,
      amount: '41.20',
      status: 'closed',
      reason: 'lowBalance',
      approved: 'false',
      method: '',
      authMethod: 'online',
      rtaAuthId: '',
    });
  });

  test('the answer to a card test gives the reason, and none when it was approved', () => {
    expect(formatCardTest(declined)).toEqual({ status: 'declined', declineReason: 'lowBalance' });
    expect(formatCardTest(transaction('card_authorization'))).toEqual({
      status: 'approved',
      declineReason: '',
    });
  });
});
