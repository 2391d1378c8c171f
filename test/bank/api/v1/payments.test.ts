/** A transaction of the bank in v1, which shows it twice: as a transfer, and as an entry of its account. */
import { describe, expect, test } from 'vitest';
import { formatDeclined } from '../../../../src/bank/api/v1/cards/declined.ts';
import { formatCard } from '../../../../src/bank/api/v1/cards/format.ts';
import { formatCardTest } from '../../../../src/bank/api/v1/simulations.ts';
import { formatTransaction } from '../../../../src/bank/api/v1/transactions/format.ts';
import { formatTransfer } from '../../../../src/bank/api/v1/transfers/format.ts';
import type { RailName } from '../../../../src/bank/model/rails/index.ts';
import type { Transaction } from '../../../../src/bank/model/records.ts';
import { reasonOfReturn } from '../../../../src/bank/model/return-codes.ts';
import type { TransactionStatus } from '../../../../src/bank/model/vocabulary.ts';
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
    '%s is completed and settled from its creation, regardless of interbank processing',
    (rail) => {
      for (const status of [...ON_THE_WAY, 'settled', 'returned', 'reversed'] as const) {
        expect(transfer(rail, { status }).status).toBe('completed');
        expect(entry(rail, { status }).status).toBe('settled');
      }
    },
  );

  test.each(AT_ONCE)('%s keeps its status if it is declined after its creation', (rail) => {
    expect(transfer(rail, { status: 'declined' }).status).toBe('completed');
    expect(entry(rail, { status: 'declined' }).status).toBe('settled');
  });

  test.each(AT_ONCE)('%s is declined or canceled if it was declined immediately or canceled', (rail) => {
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

  test.each(WAITING)('%s is pending until it settles', (rail) => {
    for (const status of ON_THE_WAY) {
      expect(transfer(rail, { status }).status).toBe('pending');
      expect(entry(rail, { status }).status).toBe('pending');
    }
    expect(transfer(rail, SETTLED).status).toBe('completed');
    expect(entry(rail, SETTLED).status).toBe('settled');
  });

  test.each(WAITING)(
    '%s that fails before settlement is a declined transfer and a canceled transaction',
    (rail) => {
      for (const status of ['declined', 'returned', 'reversed'] as const) {
        expect(transfer(rail, { status }).status).toBe('declined');
        expect(entry(rail, { status }).status).toBe('canceled');
      }
      expect(transfer(rail, { status: 'canceled' }).status).toBe('canceled');
      expect(entry(rail, { status: 'canceled' }).status).toBe('canceled');
    },
  );

  test.each(WAITING)(
    '%s that is declined immediately is a declined transfer and a declined transaction',
    (rail) => {
      expect(transfer(rail, { status: 'declined', ...NEVER }).status).toBe('declined');
      expect(entry(rail, { status: 'declined', ...NEVER }).status).toBe('declined');
    },
  );

  test('a pull that is returned after settlement is a settled transaction and a declined transfer', () => {
    const returned = { status: 'returned', settledAt: LATER } as const;
    expect(entry('ach_pull', returned).status).toBe('settled');
    expect(transfer('ach_pull', returned).status).toBe('declined');
  });

  test('a check deposit is waitingForFiles until its images are uploaded', () => {
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

  test('an incoming credit is settled at settlement, an incoming debit immediately', () => {
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

  test.each(RECEIVED)('%s that will be sent back is declined from the start', (rail) => {
    for (const status of ['received', 'in_review', 'returned', 'declined'] as const) {
      expect(entry(rail, { status, ...NEVER }).status).toBe('declined');
    }
  });

  test('an incoming payment with reserved money that is sent back stays canceled or settled beside its reversal', () => {
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

  test('a refund is settled from its creation', () => {
    expect(entry('card_refund').status).toBe('settled');
  });
});

describe('a transaction of an account', () => {
  test('has a negative amount for a debit and a positive one for a credit', () => {
    expect(entry('ach_push')).toMatchObject({ txnType: 'debit', amount: '-41.20' });
    expect(entry('ach_pull')).toMatchObject({ txnType: 'credit', amount: '41.20' });
  });

  test('has the balance after it, even below zero, and keeps it', () => {
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
  ] as const)('%s has the type %s and the sub type %s', (rail, transferType, subType) => {
    expect(entry(rail)).toMatchObject({ transferType, subType });
  });

  test('has its own sub type for a cash withdrawal', () => {
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
  ] as const)('%s without a title has the title "%s"', (rail, title) => {
    expect(entry(rail).title).toBe(title);
  });

  test.each([
    ['reversal_credit', 'check_send', 'Check created for Cedar Supply'],
    ['reversal_debit', 'check_deposit', 'Received check from Cedar Supply'],
  ] as const)('%s of %s keeps the published texts', (rail, original, title) => {
    const { method, details } = transaction(original);
    expect(entry(rail, { method, details }).title).toBe(title);
  });

  test('has the title that the client set', () => {
    expect(entry('ach_pull', { title: 'Rent' }).title).toBe('Rent');
  });

  test('describes a purchase with card and merchant, until the client changes the description', () => {
    const description = 'Harbor Books';
    expect(entry('card_authorization', { description }).description).toBe('Spent Books at Harbor Books');
    const details = { ...CARD_DETAILS, described: true } as const;
    expect(entry('card_authorization', { description, details }).description).toBe('Harbor Books');
    expect(entry('card_authorization', { description: '', details }).description).toBe('');
  });

  test('names the person, and the business or family that owns the account', () => {
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

  test('has the same id suffix as its transfer', () => {
    const view = entry('ach_pull');
    expect(view.id).toBe(`txn-${uuid(50)}`);
    expect(view.ach?.transferId).toBe(`tra-${uuid(50)}`);
    expect(transfer('ach_pull').id).toBe(`tra-${uuid(50)}`);
  });

  test('has speed and contact of an originated ACH, but not of a received one', () => {
    expect(entry('ach_pull').ach).toMatchObject({ type: 'sameDay', contactId: `con-${uuid(30)}` });
    expect(entry('ach_received_push').ach).toMatchObject({
      type: '',
      contactId: '',
      traceNumber: '12104288200017',
      bankName: 'Wells Fargo',
    });
  });

  test('names the reversed transaction and the reason in a reversal', () => {
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

  test('keeps code and text of a reason that v1 does not define', () => {
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
  ])('formats the reason %s as %s with the text "%s"', (code, reviewCode, reviewMessage) => {
    const reason = { code, message: 'declined by rule 1' };
    expect(entry('ach_pull', { reason })).toMatchObject({ reviewCode, reviewMessage });
    expect(transfer('ach_pull', { reason })).toMatchObject({ reviewCode, reviewMessage });
  });

  test('is dated at settlement if it settled later than it was created', () => {
    expect(entry('ach_pull').txnDate).toBe('2026-11-20T12:00:00Z');
    expect(entry('ach_pull', SETTLED).txnDate).toBe('2026-11-20T12:01:00Z');
  });

  test('is dated at creation if it was completed immediately, regardless of interbank processing', () => {
    expect(entry('ach_push', { status: 'settled', settledAt: LATER }).txnDate).toBe('2026-11-20T12:00:00Z');
    expect(entry('card_authorization', { status: 'settled', settledAt: LATER }).txnDate).toBe(
      '2026-11-20T12:00:00Z',
    );
  });

  test('has a negative amount in both currencies for a purchase, and whether it was captured', () => {
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

  test('omits the remainder of a limit that resets', () => {
    const availableLimit = { period: 'daily', amount: 4_000, count: null } as const;
    expect(
      entry('card_authorization', { details: { ...CARD_DETAILS, availableLimit } }).card?.availableLimit,
    ).toBe('');
  });

  test('names a real-time authorization request after its transaction', () => {
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
  test('has an unsigned amount in both directions', () => {
    expect(transfer('ach_push')).toMatchObject({ txnType: 'debit', amount: '41.20' });
    expect(transfer('ach_pull')).toMatchObject({ txnType: 'credit', amount: '41.20' });
  });

  test.each(['Rent', 'Received from Cedar Supply'])('shows the client\'s title "%s"', (title) => {
    expect(transfer('ach_pull', { title }).title).toBe(title);
  });

  test('has no title if the client set none', () => {
    expect(transfer('ach_pull').title).toBe('');
  });

  test('has all card fields only if it was sent to a card', () => {
    const made = transaction('solid_card_send');
    const sentCard = cardFile({ bin: 'credit' });
    expect(formatTransfer({ ...made, sentCard }, PROGRAM).card).toEqual(formatCard(sentCard, PROGRAM));
    expect(formatTransfer(made, PROGRAM).card).toBeNull();
  });

  test("has the contact's bank and the speed of an ACH", () => {
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

  test('has our own bank name and routing number for an intrabank transfer', () => {
    expect(transfer('intra_push')).toMatchObject({
      type: '',
      routingNumber: '122000661',
      bankName: 'Test Bank',
      accountType: '',
    });
  });

  test("has a valid status and the contact's address for a wire", () => {
    const view = transfer('domestic_wire');
    expect(view).toMatchObject({ valid: 'true', type: '' });
    expect(view.address).toMatchObject({ addressType: 'wire', line1: '9 Elm St' });
  });

  test('has an address and an attachment, and no bank, for a check', () => {
    const view = transfer('check_send');
    expect(view).toMatchObject({ accountNumber: '', routingNumber: '', bankName: '', attachment: 'memo' });
    expect(view.address.addressType).toBe('check');
  });

  test('contains fields that are not emulated with empty values', () => {
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

  test('has empty texts if the other party is unknown', () => {
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

describe('a declined card authorization', () => {
  const declined = transaction('card_authorization', {
    status: 'declined',
    type: 'decline',
    reason: { code: 'lowBalance', message: '' },
  });

  test('has a numeric currency in a list, and an alphabetic one in an event', () => {
    expect(formatDeclined(declined, 'rest')).toMatchObject({
      currency: '840',
      currencyConversionRate: '1.0000000000',
    });
    expect(formatDeclined(declined, 'event')).toMatchObject({
      currency: 'USD',
      currencyConversionRate: '1.000000000',
    });
  });

  test('is closed, has approved as a string and an unsigned amount', () => {
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

  test('has a reason in the response of a card test, which is empty after an approval', () => {
    expect(formatCardTest(declined)).toEqual({ status: 'declined', declineReason: 'lowBalance' });
    expect(formatCardTest(transaction('card_authorization'))).toEqual({
      status: 'approved',
      declineReason: '',
    });
  });
});
