// Card payments at a merchant: holds, declines with their reasons, the use of limits, and changes, reversals, refunds
// and expiries of authorizations.

import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { Card, CardDetails, Merchant, Transaction } from '../../../src/bank/model/records.ts';
import type { CardAuthorization, CardChange, ControlsChange } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox, type TestSandboxOptions } from '../../support/sandbox.ts';
import { digestOf, readTables } from '../../support/tables.ts';
import { kindsV1, kindsV2, putAccount, setPin, totals } from './parties.ts';

const FUNDED = 500_000;

/** A bank with one open card, and short ways to use it. */
function openCard(options?: TestSandboxOptions) {
  const sandbox = openTestSandbox(options);
  const { run, id, bank } = sandbox;
  const cardId = id('virtual_card');
  return {
    sandbox,
    cardId,
    accountId: id('account'),
    authorize: (amount: number, changes: Partial<CardAuthorization> = {}) =>
      run(({ cardPayments }) => cardPayments.authorize({ cardId, amount, ...changes })),
    update: (parentId: string, total: number) =>
      run(({ cardPayments }) => cardPayments.update({ cardId, parentId, total })),
    reverse: (parentId: string, amount?: number) =>
      run(({ cardPayments }) =>
        cardPayments.reverse({ cardId, parentId, ...(amount !== undefined && { amount }) }),
      ),
    refund: (amount: number, parentId?: string, merchant?: Partial<Merchant>) =>
      run(({ cardPayments }) =>
        cardPayments.refund({
          cardId,
          amount,
          ...(parentId !== undefined && { parentId }),
          ...(merchant !== undefined && { merchant }),
        }),
      ),
    change: (changes: CardChange) => run(({ cards }) => cards.change(cardId, changes)),
    control: (controls: ControlsChange) => run(({ cards }) => cards.change(cardId, { controls })),
    read: (transactionId: string) => bank.payments.byId(transactionId),
  };
}

const detailsOf = ({ details }: Transaction) => details as CardDetails;
/** The outcome of an authorization: `pending`, or the reason of its decline. */
const outcomeOf = ({ status, reason }: Transaction) => reason?.code ?? status;

/** Day, amount and count of the usage. */
const usageIn = ({ sandbox }: TestSandbox) =>
  readTables(sandbox).card_usage?.map(({ day, amount, count }) => [day, amount, count]);

describe('an authorization', () => {
  test('is a hold until the merchant captures it', async () => {
    const { sandbox, authorize, read, cardId, accountId } = openCard();
    const auth = await authorize(1_250, {
      authMethod: 'chip',
      wallet: 'apple_pay',
      merchant: { name: 'Mill' },
    });
    expect(auth).toMatchObject({
      accountId,
      rail: 'card_authorization',
      status: 'pending',
      type: 'auth',
      direction: 'debit',
      method: 'card_issuing',
      amount: 1_250,
      cardId,
      parentId: '',
      title: '',
      description: 'Mill',
      otherSide: null,
      reason: null,
      details: {
        kind: 'card',
        cardId,
        cardLabel: 'Online',
        authMethod: 'chip',
        wallet: 'apple_pay',
        atm: false,
        availableLimit: null,
        networkSettlementAt: null,
      },
    });
    expect(detailsOf(auth).merchant).toMatchObject({ name: 'Mill', country: 'US', mcc: '5411' });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_250, 0, 1_250]);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['transaction.created', 'transaction.status.pending']);
    expect(kindsV1(facts)).toEqual(['card.spend', 'account.debit']);

    sandbox.clock.advance(DAY_MS);
    await sandbox.run(({ payments }) => payments.applyEvent(auth.id, 'settle'));
    expect(read(auth.id)).toMatchObject({
      status: 'settled',
      settledAt: START + DAY_MS,
      details: { networkSettlementAt: START + DAY_MS },
    });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_250, 0, 0]);
    expect(kindsV2(sandbox.newFacts())).toEqual(['transaction.status.settled']);
  });

  test.each(['fast', 'calendar'] as const)(
    'expires if it is not captured within 7 days (%s)',
    async (rails) => {
      const { sandbox, authorize, read, accountId } = openCard({ rails });
      const auth = await authorize(1_250);
      sandbox.newFacts();
      expect(await sandbox.pass(7 * DAY_MS - 1)).toBe(0);
      expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_250, 0, 1_250]);
      expect(await sandbox.pass(1)).toBe(1);
      expect(read(auth.id)).toMatchObject({
        status: 'reversed',
        updatedAt: START + 7 * DAY_MS,
        holdId: null,
      });
      expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
      const facts = sandbox.newFacts();
      expect(kindsV2(facts)).toEqual([
        'transaction.status.reversed',
        'transaction.created',
        'transaction.status.settled',
      ]);
      expect(kindsV1(facts)).toEqual(['card.reversal', 'account.credit']);
      expect(facts[1]).toMatchObject({
        moved: 1_250,
        record: {
          rail: 'card_reverse',
          type: 'reverse',
          status: 'settled',
          direction: 'credit',
          amount: 1_250,
          parentId: auth.id,
          availableBalance: FUNDED,
          details: { networkSettlementAt: null },
        },
      });
    },
  );

  test('releases at expiry only what was not reversed or captured before', async () => {
    const { sandbox, authorize, reverse, read, accountId } = openCard({ rails: 'fast' });
    const auth = await authorize(1_000);
    await reverse(auth.id, 100);
    await sandbox.run(({ cardPayments }) =>
      cardPayments.capture({ authorizationId: auth.id, amount: 300, final: false }),
    );
    sandbox.newFacts();
    await sandbox.pass(7 * DAY_MS);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 300, 0, 0]);
    expect(read(auth.id)).toMatchObject({ status: 'reversed', amount: 700 });
    expect(sandbox.newFacts().at(-1)).toMatchObject({
      moved: 600,
      record: { amount: 600, parentId: auth.id },
    });
    expect(usageIn(sandbox)).toEqual([['2026-03-04', 300, 1]]);
  });

  test('of a v1 card test is not released: the remaining amount is captured a day later', async () => {
    const { sandbox, authorize, update, reverse, read, accountId } = openCard({ rails: 'fast' });
    const auth = await authorize(1_250, { test: true });
    expect(auth).toMatchObject({
      rail: 'card_test_authorization',
      status: 'pending',
      dueAt: START + DAY_MS,
    });
    await sandbox.pass(DAY_MS - 1);
    await update(auth.id, 1_400);
    await reverse(auth.id, 300);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_100, 0, 1_100]);
    sandbox.newFacts();
    expect(await sandbox.pass(1)).toBe(1);
    expect(read(auth.id)).toMatchObject({
      status: 'settled',
      amount: 1_400,
      settledAt: START + DAY_MS,
      dueAt: null,
      details: { networkSettlementAt: START + DAY_MS },
    });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_100, 0, 0]);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['transaction.status.settled']);
    expect(kindsV1(facts)).toEqual([]);
    expect(await sandbox.pass(30 * DAY_MS)).toBe(0);
    expect(usageIn(sandbox)).toEqual([['2026-03-04', 1_100, 1]]);
  });

  test.each([
    ['calendar', Date.parse('2026-03-05T08:30:00-05:00')],
    ['manual', null],
  ] as const)(
    'of a v1 card test is captured by a network settlement or a simulation (%s)',
    async (rails, dueAt) => {
      const { authorize } = openCard({ rails });
      expect((await authorize(1_250, { test: true })).dueAt).toBe(dueAt);
    },
  );

  test('that expires restores the limit of its day', async () => {
    const { sandbox, authorize } = openCard({ rails: 'fast' });
    await authorize(1_250);
    await sandbox.pass(7 * DAY_MS);
    expect(usageIn(sandbox)).toEqual([['2026-03-04', 0, 0]]);
  });

  test('that was captured in time does not expire', async () => {
    const { sandbox, authorize, read } = openCard({ rails: 'fast' });
    const auth = await authorize(1_250);
    await sandbox.run(({ payments }) => payments.applyEvent(auth.id, 'settle'));
    expect(await sandbox.pass(8 * DAY_MS)).toBe(0);
    expect(read(auth.id).status).toBe('settled');
  });

  test('requires an existing card', async () => {
    const { authorize } = openCard();
    await expect(authorize(1, { cardId: '0'.repeat(32) })).rejects.toMatchObject({ code: 'card_not_found' });
  });
});

describe('a declined authorization', () => {
  test('is recorded and moves no money', async () => {
    const { sandbox, authorize, accountId } = openCard();
    const { transfers, card_usage: usage } = readTables(sandbox.sandbox);
    const declined = await authorize(FUNDED + 1);
    expect(declined).toMatchObject({
      rail: 'card_authorization',
      status: 'declined',
      type: 'decline',
      amount: FUNDED + 1,
      reason: { code: 'lowBalance', message: '5000.01 asked, 5000.00 available' },
      holdId: null,
      masterId: '',
      dueAt: null,
      availableBalance: FUNDED,
    });
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(readTables(sandbox.sandbox)).toMatchObject({ transfers, card_usage: usage });
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual(['transaction.created', 'transaction.status.declined']);
    expect(kindsV1(facts)).toEqual(['card.declined']);
  });

  test('has the first applicable reason, in the order of the checks', async () => {
    const { sandbox, authorize, change, control, accountId, cardId } = openCard();
    await authorize(100);
    await control({
      atmEnabled: false,
      allowed: { countries: ['CA'], categories: ['1234'], merchants: ['Somebody Else'] },
      limit: { period: 'daily', maxSpendAmount: 150, maxSpendPerTransaction: 50, maxSpendCount: 1 },
    });
    await change({ status: 'blocked' });
    putAccount(sandbox, accountId, 'blocked');
    /** What is corrected before each next attempt. */
    const remedies: [string, () => unknown][] = [
      ['cardInactive', () => change({ status: 'open' })],
      ['accountBlocked', () => putAccount(sandbox, accountId, 'open')],
      ['doNotHonor', () => control({ atmEnabled: true })],
      ['pinNotSet', () => setPin(sandbox, cardId)],
      ['countryNotAllowed', () => control({ allowed: { countries: ['US'] } })],
      ['categoryNotAllowed', () => control({ allowed: { categories: ['5411'] } })],
      ['merchantNotAllowed', () => control({ allowed: { merchants: [] } })],
      ['perTransactionLimit', () => control({ limit: { maxSpendPerTransaction: null } })],
      ['spendLimit', () => control({ limit: { maxSpendAmount: null } })],
      ['countLimit', () => control({ limit: { maxSpendCount: null } })],
      ['lowBalance', () => {}],
    ];
    const output: string[] = [];
    for (const [, remedy] of remedies) {
      output.push(outcomeOf(await authorize(FUNDED, { atm: true })));
      await remedy();
    }
    expect(output).toEqual(remedies.map(([reason]) => reason));
    expect(outcomeOf(await authorize(FUNDED - 100, { atm: true }))).toBe('pending');
  });

  test('counts towards no limit', async () => {
    const { authorize, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000, maxSpendCount: 1 } });
    for (const reason of ['spendLimit', 'spendLimit']) expect(outcomeOf(await authorize(1_001))).toBe(reason);
    expect(outcomeOf(await authorize(1_000))).toBe('pending');
  });
});

describe('the state of the card', () => {
  test.each<[Card['status'], string]>([
    ['open', 'pending'],
    ['blocked', 'cardInactive'],
    ['pending_activation', 'cardInactive'],
    ['locked', 'cardInactive'],
    ['closed', 'cardCanceled'],
  ])('when it is %s answers %s', async (status, outcome) => {
    const { sandbox, authorize, cardId } = openCard();
    const { store, bank } = sandbox.sandbox;
    store.cards.replace({
      ...bank.cards.byId(cardId).card,
      status,
      lockedFrom: status === 'locked' ? 'open' : null,
      closedAt: status === 'closed' ? START : null,
    });
    expect(outcomeOf(await authorize(1))).toBe(outcome);
  });
});

describe('the state of the account', () => {
  test.each([
    ['open', 'pending'],
    ['credit_blocked', 'pending'],
    ['debit_blocked', 'accountBlocked'],
    ['blocked', 'accountBlocked'],
    ['locked', 'accountBlocked'],
    ['closed', 'accountBlocked'],
  ] as const)('%s results in %s', async (status, outcome) => {
    const { sandbox, authorize, accountId } = openCard();
    putAccount(sandbox, accountId, status);
    expect(outcomeOf(await authorize(1))).toBe(outcome);
  });
});

describe('merchant lists', () => {
  const lists = [
    ['merchants', 'name', 'Corner Market', 'merchantNotAllowed'],
    ['categories', 'mcc', '5411', 'categoryNotAllowed'],
    ['countries', 'country', 'US', 'countryNotAllowed'],
  ] as const;

  test.each(lists)('of allowed %s permit only their entries', async (list, field, value, reason) => {
    const { authorize, control } = openCard();
    await control({ allowed: { [list]: ['other', value] } });
    expect(outcomeOf(await authorize(1))).toBe('pending');
    expect(outcomeOf(await authorize(1, { merchant: { [field]: 'strange' } }))).toBe(reason);
    expect(outcomeOf(await authorize(1, { merchant: { [field]: '' } }))).toBe(reason);
  });

  test.each(lists)('of blocked %s decline only their entries', async (list, field, value, reason) => {
    const { authorize, control } = openCard();
    await control({ blocked: { [list]: ['other', value] } });
    expect(outcomeOf(await authorize(1))).toBe(reason);
    expect(outcomeOf(await authorize(1, { merchant: { [field]: 'strange' } }))).toBe('pending');
  });

  test('compare merchant names without case and surrounding spaces', async () => {
    const { authorize, control } = openCard();
    await control({ blocked: { merchants: ['  CORNER market '] } });
    expect(outcomeOf(await authorize(1, { merchant: { name: 'Corner Market' } }))).toBe('merchantNotAllowed');
    expect(outcomeOf(await authorize(1, { merchant: { name: ' corner MARKET' } }))).toBe(
      'merchantNotAllowed',
    );
    expect(outcomeOf(await authorize(1, { merchant: { name: 'Corner' } }))).toBe('pending');
    expect(outcomeOf(await authorize(1, { merchant: { name: 'Corner  Market' } }))).toBe('pending');
  });
});

describe('a cash withdrawal', () => {
  test('is declined if ATM use is disabled; a purchase is not', async () => {
    const { sandbox, cardId, authorize, control } = openCard();
    await setPin(sandbox, cardId);
    expect(outcomeOf(await authorize(1, { atm: true }))).toBe('pending');
    await control({ atmEnabled: false });
    expect(outcomeOf(await authorize(1, { atm: true }))).toBe('doNotHonor');
    expect(outcomeOf(await authorize(1))).toBe('pending');
  });

  test('is declined until a PIN is set; a purchase needs none', async () => {
    const { sandbox, cardId, accountId, authorize } = openCard();
    const declined = await authorize(1_000, { atm: true });
    expect(declined).toMatchObject({
      status: 'declined',
      type: 'decline',
      reason: { code: 'pinNotSet', message: 'no PIN was set for the card' },
      availableBalance: FUNDED,
    });
    expect(sandbox.sandbox.store.decisions.of(declined.id)).toMatchObject([
      { source: 'control', name: 'pin', effect: 'declined pinNotSet' },
    ]);
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(outcomeOf(await authorize(1_000))).toBe('pending');
    await setPin(sandbox, cardId);
    expect(outcomeOf(await authorize(1_000, { atm: true }))).toBe('pending');
  });

  test('needs no PIN if the test checks only balance, card and account', async () => {
    const { authorize } = openCard();
    expect(outcomeOf(await authorize(1, { atm: true, test: true }))).toBe('pending');
    expect(outcomeOf(await authorize(1, { atm: true }))).toBe('pinNotSet');
  });

  test('needs a new PIN after the card was replaced', async () => {
    const { sandbox, cardId } = openCard();
    await setPin(sandbox, cardId);
    const { card } = await sandbox.run(({ cards }) => cards.replace(cardId, {}));
    const declined = await sandbox.run(({ cardPayments }) =>
      cardPayments.authorize({ cardId: card.id, amount: 1, atm: true }),
    );
    expect(outcomeOf(declined)).toBe('pinNotSet');
  });
});

describe('a card limit', () => {
  const at = (text: string) => Date.parse(text);

  /** The last instant of a period and the first of the next, in UTC. */
  const periods = [
    ['daily', '2026-03-03T00:00:00.000Z', '2026-03-03T23:59:59.999Z', '2026-03-04T00:00:00.000Z'],
    ['weekly', '2026-03-02T00:00:00.000Z', '2026-03-08T23:59:59.999Z', '2026-03-09T00:00:00.000Z'],
    ['weekly', '2025-12-29T00:00:00.000Z', '2026-01-04T23:59:59.999Z', '2026-01-05T00:00:00.000Z'],
    ['monthly', '2028-02-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
    ['monthly', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
    ['yearly', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ] as const;

  test.each(periods)('of a %s amount applies from %s to %s', async (period, first, last, next) => {
    const { sandbox, authorize, control } = openCard({ at: at(first) - 1 });
    await control({ limit: { period, maxSpendAmount: 1_000 } });
    const tryAt = async (instant: string | number, amount: number) => {
      sandbox.clock.set(typeof instant === 'number' ? instant : at(instant));
      return outcomeOf(await authorize(amount));
    };
    expect(await tryAt(at(first) - 1, 1_000)).toBe('pending');
    expect(await tryAt(first, 400)).toBe('pending');
    expect(await tryAt(last, 601)).toBe('spendLimit');
    expect(await tryAt(last, 600)).toBe('pending');
    expect(await tryAt(last, 1)).toBe('spendLimit');
    expect(await tryAt(next, 1_000)).toBe('pending');
  });

  test.each(periods)('of a %s count applies from %s to %s', async (period, first, last, next) => {
    const { sandbox, authorize, control } = openCard({ at: at(first) - 1 });
    await control({ limit: { period, maxSpendCount: 2 } });
    const tryAt = async (instant: string | number) => {
      sandbox.clock.set(typeof instant === 'number' ? instant : at(instant));
      return outcomeOf(await authorize(1));
    };
    expect(await tryAt(at(first) - 1)).toBe('pending');
    expect(await tryAt(first)).toBe('pending');
    expect(await tryAt(last)).toBe('pending');
    expect(await tryAt(last)).toBe('countLimit');
    expect(await tryAt(next)).toBe('pending');
  });

  test('for all time never resets', async () => {
    const { sandbox, authorize, control } = openCard();
    await control({ limit: { period: 'all_time', maxSpendAmount: 1_000, maxSpendCount: 5 } });
    await authorize(700);
    sandbox.clock.advance(900 * DAY_MS);
    expect(outcomeOf(await authorize(301))).toBe('spendLimit');
    expect(outcomeOf(await authorize(300))).toBe('pending');
  });

  test('per transaction applies to each transaction separately', async () => {
    const { authorize, control } = openCard();
    await control({ limit: { period: 'per_transaction', maxSpendAmount: 1_000 } });
    expect(outcomeOf(await authorize(1_000))).toBe('pending');
    expect(outcomeOf(await authorize(1_000))).toBe('pending');
    expect(outcomeOf(await authorize(1_001))).toBe('perTransactionLimit');
    await control({ limit: { maxSpendPerTransaction: 500 } });
    expect(outcomeOf(await authorize(501))).toBe('perTransactionLimit');
  });

  test('that is set later includes what was spent before', async () => {
    const { authorize, control } = openCard();
    await authorize(900);
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000 } });
    expect(outcomeOf(await authorize(101))).toBe('spendLimit');
  });

  test('is shown on the transaction with the remaining amount', async () => {
    const { authorize, control } = openCard();
    await control({ limit: { period: 'weekly', maxSpendAmount: 1_000, maxSpendCount: 3 } });
    const left = async (amount: number) => detailsOf(await authorize(amount)).availableLimit;
    expect(await left(400)).toEqual({ period: 'weekly', amount: 600, count: 2 });
    expect(await left(601)).toEqual({ period: 'weekly', amount: 600, count: 2 });
    expect(await left(600)).toEqual({ period: 'weekly', amount: 0, count: 1 });
    await control({ limit: { maxSpendAmount: 500, maxSpendCount: null } });
    expect(await left(1)).toEqual({ period: 'weekly', amount: 0, count: null });
  });

  test('applies to one card only', async () => {
    const { sandbox, authorize, control } = openCard();
    const { run, id } = sandbox;
    await control({ limit: { period: 'daily', maxSpendCount: 1 } });
    const { card } = await run(({ cards }) =>
      cards.issue({
        cardHolderId: id('card_holder'),
        type: 'virtual',
        controls: { limit: { period: 'daily', maxSpendCount: 1 } },
      }),
    );
    expect(outcomeOf(await authorize(1))).toBe('pending');
    expect(outcomeOf(await authorize(1, { cardId: card.id }))).toBe('pending');
    expect(outcomeOf(await authorize(1))).toBe('countLimit');
  });
});

describe("an update of an authorization's total", () => {
  test('publishes the difference, and keeps the booked balance and date', async () => {
    const { sandbox, authorize, update } = openCard();
    const auth = await authorize(1_000);
    expect(auth).toMatchObject({ bookedAt: START, bookedBalance: FUNDED - 1_000 });
    sandbox.newFacts();
    sandbox.clock.advance(60_000);
    await update(auth.id, 400);
    await update(auth.id, 450);
    expect(sandbox.newFacts()).toMatchObject([
      { change: 'progressed', moved: 600, record: { amount: 400, availableBalance: FUNDED - 400 } },
      { change: 'progressed', moved: -50, record: { bookedAt: START, bookedBalance: FUNDED - 1_000 } },
    ]);
  });

  test('keeps earlier reversals, and must exceed them', async () => {
    const { sandbox, authorize, update, reverse, read, accountId } = openCard();
    const auth = await authorize(1_000);
    await reverse(auth.id, 300);
    await update(auth.id, 1_200);
    expect(read(auth.id)).toMatchObject({ amount: 1_200, pendingDebits: 900 });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 900, 0, 900]);
    await update(auth.id, 301);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1, 0, 1]);
    const before = digestOf(sandbox.sandbox);
    for (const total of [300, 299]) {
      await expect(update(auth.id, total)).rejects.toMatchObject({
        code: 'parent_wrong',
        field: 'amount',
        message: expect.stringContaining('3.00'),
      });
    }
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('checks limits against the held amount, without what was reversed', async () => {
    const { authorize, update, reverse, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000 } });
    const auth = await authorize(1_000);
    await reverse(auth.id, 400);
    expect(outcomeOf(await update(auth.id, 1_401))).toBe('spendLimit');
    expect(outcomeOf(await update(auth.id, 1_400))).toBe('pending');
    expect(outcomeOf(await authorize(1))).toBe('spendLimit');
  });

  test('holds more after an increase, and releases the difference after a decrease', async () => {
    const { sandbox, authorize, update, read, accountId } = openCard();
    const auth = await authorize(1_000);
    sandbox.newFacts();
    const more = await update(auth.id, 1_500);
    expect(more).toMatchObject({ id: auth.id, status: 'pending', amount: 1_500, pendingDebits: 1_500 });
    expect(read(auth.id)).toEqual(more);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_500, 0, 1_500]);
    const up = sandbox.newFacts();
    expect(kindsV1(up)).toEqual(['card.spend.update', 'account.debit']);
    expect(kindsV2(up)).toEqual(['transaction.updated']);

    expect((await update(auth.id, 200)).amount).toBe(200);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 200, 0, 200]);
    expect(kindsV1(sandbox.newFacts())).toEqual(['card.spend.update', 'account.credit']);
  });

  test('to the same total publishes nothing', async () => {
    const { sandbox, authorize, update } = openCard();
    const auth = await authorize(1_000);
    sandbox.newFacts();
    expect(await update(auth.id, 1_000)).toEqual(auth);
    expect(sandbox.newFacts()).toEqual([]);
  });

  test('beyond the available balance is declined, and the authorization does not change', async () => {
    const { sandbox, authorize, update, read, accountId } = openCard();
    const auth = await authorize(1_000);
    sandbox.newFacts();
    const declined = await update(auth.id, FUNDED + 1);
    expect(declined).toMatchObject({
      status: 'declined',
      type: 'decline',
      amount: FUNDED + 1,
      parentId: auth.id,
      reason: { code: 'lowBalance', message: '4990.01 more asked, 4990.00 available' },
    });
    expect(read(auth.id)).toEqual(auth);
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 1_000, 0, 1_000]);
    expect(kindsV1(sandbox.newFacts())).toEqual(['card.declined']);
    expect((await update(auth.id, FUNDED)).amount).toBe(FUNDED);
  });

  test('to a lower total is accepted even if the balance is negative', async () => {
    const { sandbox, authorize, update, accountId } = openCard();
    const auth = await authorize(1_000);
    const { id } = await sandbox.run(({ payments }) =>
      payments.receive('ach_received_pull', { accountId, amount: FUNDED + 500, sender: {} }),
    );
    await sandbox.run(({ payments }) => payments.applyEvent(id, 'settle'));
    expect(totals(sandbox, accountId)).toEqual([-1_500, 0, 1_000]);
    expect(outcomeOf(await update(auth.id, 900))).toBe('pending');
    expect(totals(sandbox, accountId)).toEqual([-1_400, 0, 900]);
    expect(outcomeOf(await update(auth.id, 901))).toBe('lowBalance');
  });

  test('counts on the day of the authorization', async () => {
    const { sandbox, authorize, update, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000 } });
    const auth = await authorize(100);
    sandbox.clock.advance(DAY_MS);
    await update(auth.id, 900);
    expect(outcomeOf(await authorize(1_000))).toBe('pending');
    expect(usageIn(sandbox)).toEqual([
      ['2026-03-04', 900, 1],
      ['2026-03-05', 1_000, 1],
    ]);
  });
});

describe('a reversal', () => {
  test('of the total releases it, and is a separate row', async () => {
    const { sandbox, authorize, reverse, read, accountId } = openCard();
    const auth = await authorize(1_000);
    sandbox.newFacts();
    sandbox.clock.advance(60_000);
    const row = await reverse(auth.id);
    expect(row).toMatchObject({
      rail: 'card_reverse',
      status: 'settled',
      type: 'reverse',
      direction: 'credit',
      amount: 1_000,
      parentId: auth.id,
      description: 'Corner Market',
      availableBalance: FUNDED,
      details: { networkSettlementAt: null },
    });
    expect(read(auth.id)).toMatchObject({ status: 'reversed', amount: 1_000, holdId: null, dueAt: null });
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    const facts = sandbox.newFacts();
    expect(kindsV1(facts)).toEqual(['card.reversal', 'account.credit']);
    expect(kindsV2(facts)).toEqual([
      'transaction.status.reversed',
      'transaction.created',
      'transaction.status.settled',
    ]);
  });

  test('of a part keeps the rest on hold, which can be reversed later', async () => {
    const { sandbox, authorize, reverse, read, accountId } = openCard();
    const auth = await authorize(1_000);
    const row = await reverse(auth.id, 300);
    expect(row).toMatchObject({ amount: 300, availableBalance: FUNDED - 700, pendingDebits: 700 });
    // The row of the reversal has the released amount; that of the authorization does not change.
    expect(read(auth.id)).toMatchObject({ status: 'pending', amount: 1_000, pendingDebits: 700 });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 700, 0, 700]);
    await expect(reverse(auth.id, 701)).rejects.toMatchObject({
      code: 'reversal_not_allowed',
      message: '7.01 is more than the 7.00 that is held',
    });
    await reverse(auth.id, 700);
    expect(read(auth.id).status).toBe('reversed');
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
  });

  test('of a part cannot be captured or refunded', async () => {
    const { sandbox, authorize, reverse, refund, read, accountId } = openCard();
    const auth = await authorize(1_000);
    await reverse(auth.id, 300);
    const { authorization, transaction } = await sandbox.run(({ cardPayments }) =>
      cardPayments.capture({ authorizationId: auth.id, amount: 650 }),
    );
    expect(authorization).toMatchObject({ status: 'settled', amount: 1_000 });
    expect(transaction).toMatchObject({ rail: 'card_adjust_down', amount: 50 });
    expect(totals(sandbox, accountId)).toEqual([FUNDED - 650, 0, 0]);
    await expect(refund(651, auth.id)).rejects.toMatchObject({ code: 'parent_wrong', field: 'amount' });
    await refund(650, auth.id);
    expect(read(auth.id).status).toBe('refunded');
  });

  test('of more than the held amount is refused', async () => {
    const { sandbox, authorize, reverse } = openCard();
    const auth = await authorize(1_000);
    const before = digestOf(sandbox.sandbox);
    await expect(reverse(auth.id, 1_001)).rejects.toMatchObject({
      code: 'reversal_not_allowed',
      field: 'amount',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('of a part is accepted even if the balance is negative', async () => {
    const { sandbox, authorize, reverse, accountId } = openCard();
    const auth = await authorize(1_000);
    const { id } = await sandbox.run(({ payments }) =>
      payments.receive('ach_received_pull', { accountId, amount: FUNDED + 500, sender: {} }),
    );
    await sandbox.run(({ payments }) => payments.applyEvent(id, 'settle'));
    await reverse(auth.id, 100);
    expect(totals(sandbox, accountId)).toEqual([-1_400, 0, 900]);
  });

  test('restores amount and count of the day on which they were used', async () => {
    const { sandbox, authorize, reverse, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000, maxSpendCount: 2 } });
    const auth = await authorize(1_000);
    await reverse(auth.id, 400);
    expect(outcomeOf(await authorize(401))).toBe('spendLimit');
    await reverse(auth.id);
    expect(outcomeOf(await authorize(400))).toBe('pending');
    expect(outcomeOf(await authorize(600))).toBe('pending');
    expect(outcomeOf(await authorize(1))).toBe('spendLimit');
    await control({ limit: { maxSpendAmount: null } });
    expect(outcomeOf(await authorize(1))).toBe('countLimit');
    sandbox.clock.advance(DAY_MS);
    expect(outcomeOf(await authorize(1))).toBe('pending');
  });

  test('shows the remaining limit after it', async () => {
    const { authorize, reverse, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000, maxSpendCount: 2 } });
    const auth = await authorize(1_000);
    expect(detailsOf(await reverse(auth.id, 400)).availableLimit).toMatchObject({ amount: 400, count: 1 });
    expect(detailsOf(await reverse(auth.id)).availableLimit).toMatchObject({ amount: 1_000, count: 2 });
  });
});

describe('the parent transaction', () => {
  test.each(['update', 'reverse'] as const)(
    'of an update must be an open authorization of the same card (%s)',
    async (verb) => {
      const { sandbox, cardId, authorize, reverse } = openCard();
      const { run, id } = sandbox;
      const attempt = (parentId: string, card = cardId) =>
        run(({ cardPayments }) => cardPayments[verb]({ cardId: card, parentId, total: 500, amount: 500 }));
      const wrong = {
        code: verb === 'reverse' ? 'reversal_not_allowed' : 'parent_wrong',
        field: 'parentId',
      };

      const open = await authorize(1_000);
      await expect(attempt(open.id, id('physical_card'))).rejects.toMatchObject(wrong);
      await expect(attempt('0'.repeat(32))).rejects.toMatchObject({ code: 'transaction_not_found' });
      const declined = await authorize(FUNDED * 2);
      await expect(attempt(declined.id)).rejects.toMatchObject(wrong);
      const captured = await authorize(1_000);
      await run(({ payments }) => payments.applyEvent(captured.id, 'settle'));
      await expect(attempt(captured.id)).rejects.toMatchObject(wrong);
      const row = await reverse(open.id);
      await expect(attempt(open.id)).rejects.toMatchObject(wrong);
      await expect(attempt(row.id)).rejects.toMatchObject(wrong);
    },
  );
});

describe('a refund', () => {
  test('without a purchase is a separate credit that is available immediately', async () => {
    const { sandbox, refund, accountId, cardId } = openCard();
    const settled = await refund(1_000, undefined, { name: 'Mill' });
    expect(settled).toMatchObject({
      rail: 'card_refund',
      status: 'settled',
      type: 'refund',
      direction: 'credit',
      amount: 1_000,
      cardId,
      parentId: '',
      description: 'Mill',
      availableBalance: FUNDED + 1_000,
    });
    expect(totals(sandbox, accountId)).toEqual([FUNDED + 1_000, 0, 0]);
    const facts = sandbox.newFacts();
    expect(kindsV2(facts)).toEqual([
      'transaction.created',
      'transaction.status.pending',
      'transaction.status.settled',
    ]);
    expect(kindsV1(facts)).toEqual(['card.refund', 'account.credit']);
  });

  test('of the full amount changes the purchase to refunded', async () => {
    const { sandbox, authorize, refund, read, accountId } = openCard();
    const purchase = await authorize(1_000, { merchant: { name: 'Mill' }, authMethod: 'swipe' });
    await sandbox.run(({ payments }) => payments.applyEvent(purchase.id, 'settle'));
    sandbox.newFacts();
    const settled = await refund(1_000, purchase.id);
    expect(settled).toMatchObject({
      parentId: purchase.id,
      description: 'Mill',
      details: { authMethod: 'swipe' },
    });
    expect(read(purchase.id).status).toBe('refunded');
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(kindsV2(sandbox.newFacts()).slice(-2)).toEqual([
      'transaction.status.settled',
      'transaction.status.refunded',
    ]);
  });

  test('never exceeds the purchase, in one or in several parts', async () => {
    const { sandbox, authorize, refund, read, accountId } = openCard();
    const purchase = await authorize(1_000);
    await sandbox.run(({ payments }) => payments.applyEvent(purchase.id, 'settle'));
    const wrong = { code: 'parent_wrong', field: 'amount' };
    await expect(refund(1_001, purchase.id)).rejects.toMatchObject(wrong);
    await refund(600, purchase.id);
    expect(read(purchase.id).status).toBe('settled');
    await expect(refund(401, purchase.id)).rejects.toMatchObject(wrong);
    await refund(400, purchase.id);
    expect(read(purchase.id).status).toBe('refunded');
    await expect(refund(1, purchase.id)).rejects.toMatchObject({ code: 'parent_wrong' });
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
  });

  test('with a purchase requires one that was not declined or reversed', async () => {
    const { sandbox, authorize, reverse, refund } = openCard();
    const declined = await authorize(FUNDED * 2);
    const reversed = await authorize(1_000);
    const row = await reverse(reversed.id);
    const before = digestOf(sandbox.sandbox);
    for (const { id } of [declined, reversed, row]) {
      await expect(refund(500, id)).rejects.toMatchObject({ code: 'parent_wrong', field: 'parentId' });
    }
    await expect(refund(1, '0'.repeat(32))).rejects.toMatchObject({ code: 'transaction_not_found' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('restores the amount and count of the day of the purchase', async () => {
    const { sandbox, authorize, refund } = openCard();
    const purchase = await authorize(1_000);
    await sandbox.run(({ payments }) => payments.applyEvent(purchase.id, 'settle'));
    sandbox.clock.advance(DAY_MS);
    await refund(300, purchase.id);
    expect(usageIn(sandbox)).toEqual([['2026-03-04', 700, 1]]);
    await refund(700, purchase.id);
    expect(usageIn(sandbox)).toEqual([['2026-03-04', 0, 0]]);
  });

  test('without a purchase does not restore a limit', async () => {
    const { authorize, refund, control } = openCard();
    await control({ limit: { period: 'daily', maxSpendAmount: 1_000 } });
    await authorize(1_000);
    await refund(1_000);
    expect(outcomeOf(await authorize(1))).toBe('spendLimit');
  });
});

test('a partial capture publishes the hold and the captured part, and moves no money', async () => {
  const { sandbox, authorize, read } = openCard();
  const auth = await authorize(1_000);
  sandbox.newFacts();
  await sandbox.run(({ cardPayments }) =>
    cardPayments.capture({ authorizationId: auth.id, amount: 300, final: false }),
  );
  const facts = sandbox.newFacts();
  expect(facts).toMatchObject([
    { change: 'updated', moved: 0, record: { id: auth.id, amount: 700, bookedBalance: FUNDED - 1_000 } },
    { change: 'created', moved: 0, record: { rail: 'card_adjust_up', amount: 300, parentId: auth.id } },
  ]);
  expect(kindsV1(facts)).toEqual(['card.spend.update']);
  expect(kindsV2(facts).slice(0, 1)).toEqual(['transaction.updated']);
  expect(facts[0]?.record).toEqual(read(auth.id));
});

test('a card without limits can spend the whole balance, to the cent', async () => {
  const { sandbox, authorize, accountId } = openCard();
  expect(outcomeOf(await authorize(FUNDED))).toBe('pending');
  expect(totals(sandbox, accountId)).toEqual([0, 0, FUNDED]);
  expect(outcomeOf(await authorize(1))).toBe('lowBalance');
});
