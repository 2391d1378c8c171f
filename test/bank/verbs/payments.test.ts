// Payments that a client originates, by rail: their first state, the effect of each step on the account's three
// totals, their events, and the payments that are not allowed.

import { describe, expect, test } from 'vitest';
import { type OriginationRail, RAILS } from '../../../src/bank/model/rails/index.ts';
import type { Counterparty, CounterpartyRails, Transaction } from '../../../src/bank/model/records.ts';
import type { Origination } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START, type TestSandbox, type TestSandboxOptions } from '../../support/sandbox.ts';
import { digestOf, readTables } from '../../support/tables.ts';
import { everyRail, kindsV1, kindsV2, putAccount, putCounterparty, totals } from './parties.ts';

const AMOUNT = 10_000;
const FUNDED = 500_000;
const OTHER_FUNDED = 250_000;

/** A bank in which the seeded account has a counterparty with every rail. */
async function openPayments(options?: TestSandboxOptions) {
  const sandbox = openTestSandbox(options);
  const { run, id, newFacts } = sandbox;
  const counterparty = await run(({ counterparties }) =>
    counterparties.create(everyRail(id('account'), id('other_account'))),
  );
  newFacts();
  const originate = (rail: OriginationRail, changes: Partial<Origination> = {}): Promise<Transaction> =>
    run(({ payments }) =>
      payments.originate(rail, {
        accountId: id('account'),
        counterpartyId: counterparty.id,
        amount: AMOUNT,
        shortage: 'record',
        ...changes,
      }),
    );
  return { sandbox, counterparty, originate, accountId: id('account'), otherId: id('other_account') };
}

const totalsIn = ({ availableBalance, pendingCredits, pendingDebits }: Transaction) => [
  availableBalance,
  pendingCredits,
  pendingDebits,
];

const ACH_WALK = ['pending', 'clearing', 'cleared', 'settled'];

/** By rail: the statuses after the first, and the event kinds of v1 in order. */
const WALKS: [OriginationRail, string[], string[]][] = [
  [
    'ach_push',
    ACH_WALK,
    ['transfer.created', 'ach.originated.debit', 'account.debit', 'ach.originated.updated'],
  ],
  [
    'ach_pull',
    ACH_WALK,
    [
      'transfer.created',
      'ach.originated.credit',
      'ach.originated.updated',
      'transfer.updated',
      'ach.received.credit',
      'account.credit',
    ],
  ],
  ...(['domestic_wire', 'international_wire'] as const).map((rail): [OriginationRail, string[], string[]] => [
    rail,
    ACH_WALK,
    [
      'transfer.created',
      'wire.originated.debit',
      'account.debit',
      'wire.originated.updated',
      'transfer.updated',
    ],
  ]),
  ...(['rtp_push', 'fednow_push', 'debit_card_push'] as const).map(
    (rail): [OriginationRail, string[], string[]] => [
      rail,
      ['settled'],
      ['transfer.created', 'account.debit', 'transfer.updated'],
    ],
  ),
  ['debit_card_pull', ['settled'], ['transfer.created', 'transfer.updated', 'account.credit']],
  ['check_send', ACH_WALK, ['transfer.created', 'check.originated.debit', 'account.debit']],
  [
    'check_deposit',
    ACH_WALK,
    ['transfer.created', 'check.originated.credit', 'transfer.updated', 'account.credit'],
  ],
];

describe.each(WALKS)('a payment by %s', (rail, walk, v1) => {
  const debit = RAILS[rail].direction === 'debit';
  const before = [FUNDED, 0, 0];
  const open = debit ? [FUNDED - AMOUNT, 0, AMOUNT] : [FUNDED, AMOUNT, 0];
  const done = debit ? [FUNDED - AMOUNT, 0, 0] : [FUNDED + AMOUNT, 0, 0];

  test('starts with a pending amount, and the response has the totals after it', async () => {
    const { sandbox, originate, accountId, counterparty } = await openPayments();
    expect(totals(sandbox, accountId)).toEqual(before);
    const payment = await originate(rail, {
      description: 'rent',
      externalReferenceId: 'x',
      metadata: { a: '1' },
    });
    expect(payment).toMatchObject({
      accountId,
      rail,
      status: 'originated',
      amount: AMOUNT,
      direction: RAILS[rail].direction,
      method: RAILS[rail].method,
      type: RAILS[rail].type,
      message: 'outgoing',
      description: 'rent',
      counterpartyId: counterparty.id,
      otherSide: { id: counterparty.id, name: 'Harbor Supplies', verificationStatus: 'pass' },
      externalReferenceId: 'x',
      metadata: { a: '1' },
      reason: null,
      parentId: '',
      masterId: '',
      dueAt: null,
      createdAt: START,
      settledAt: null,
    });
    expect(totalsIn(payment)).toEqual(open);
    expect(totals(sandbox, accountId)).toEqual(open);
    expect(sandbox.bank.payments.byId(payment.id)).toEqual(payment);
  });

  test('settles on schedule, and the money is then available', async () => {
    const { sandbox, originate, accountId } = await openPayments({ rails: 'fast' });
    const { bank, pass, newFacts, clock } = sandbox;
    let payment = await originate(rail);
    const seen: string[] = [];
    while (payment.dueAt !== null) {
      expect(totals(sandbox, accountId)).toEqual(open);
      const { dueAt, status } = payment;
      expect(await pass(dueAt - clock.now())).toBeGreaterThan(0);
      payment = bank.payments.byId(payment.id);
      expect(payment.status).not.toBe(status);
      expect(payment.updatedAt).toBe(dueAt);
      seen.push(payment.status);
      if (seen.length > 9) break;
    }
    // A step without a duration runs together with the previous one.
    expect(walk.filter((status) => seen.includes(status))).toEqual(seen);
    expect(payment).toMatchObject({ status: 'settled', settledAt: payment.updatedAt, holdId: null });
    expect(payment.masterId).toMatch(/^[0-9a-f]{32}$/);
    expect(totalsIn(payment)).toEqual(done);
    expect(totals(sandbox, accountId)).toEqual(done);
    const facts = newFacts();
    expect(kindsV2(facts)).toEqual([
      'transaction.created',
      ...walk.map((status) => `transaction.status.${status}`),
    ]);
    expect(kindsV1(facts)).toEqual(v1);
  });

  test('does not proceed with manual rails', async () => {
    const { sandbox, originate } = await openPayments({ rails: 'manual' });
    const payment = await originate(rail);
    expect(await sandbox.pass(400 * 86_400_000)).toBe(0);
    expect(sandbox.bank.payments.byId(payment.id)).toEqual(payment);
  });

  test.each(
    debit
      ? (['debit_blocked', 'blocked', 'closed', 'locked'] as const)
      : (['credit_blocked', 'blocked', 'closed', 'locked'] as const),
  )('is refused on an account that is %s', async (status) => {
    const { sandbox, originate, accountId } = await openPayments();
    putAccount(sandbox, accountId, status);
    const before = digestOf(sandbox.sandbox);
    await expect(originate(rail)).rejects.toMatchObject({
      code: status.endsWith('_blocked') ? `account_${status}` : 'account_not_active',
      field: 'accountId',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test(`is accepted on an account that is ${debit ? 'credit' : 'debit'}_blocked`, async () => {
    const { sandbox, originate, accountId } = await openPayments();
    putAccount(sandbox, accountId, debit ? 'credit_blocked' : 'debit_blocked');
    expect((await originate(rail)).status).toBe('originated');
  });
});

describe('a payment within the bank', () => {
  test.each([
    ['intra_push', -1, 'intra_received_push'],
    ['intra_pull', 1, 'intra_received_pull'],
  ] as const)('(%s) settles immediately on both accounts', async (rail, sign, otherRail) => {
    const { sandbox, originate, accountId, otherId, counterparty } = await openPayments({ rails: 'fast' });
    const payment = await originate(rail, { description: 'lunch', metadata: { a: '1' } });
    expect(totals(sandbox, accountId)).toEqual([FUNDED + sign * AMOUNT, 0, 0]);
    expect(totals(sandbox, otherId)).toEqual([OTHER_FUNDED - sign * AMOUNT, 0, 0]);
    expect(payment).toMatchObject({
      rail,
      status: 'settled',
      method: 'intra_account',
      counterpartyId: counterparty.id,
      settledAt: START,
      dueAt: null,
      metadata: { a: '1' },
    });
    expect(totalsIn(payment)).toEqual([FUNDED + sign * AMOUNT, 0, 0]);

    const facts = sandbox.newFacts();
    const [, other] = facts.map(({ record }) => record as Transaction);
    expect(other).toMatchObject({
      accountId: otherId,
      rail: otherRail,
      status: 'settled',
      amount: AMOUNT,
      direction: sign < 0 ? 'credit' : 'debit',
      message: 'incoming',
      description: 'lunch',
      metadata: null,
      otherSide: { id: '', name: 'Ada Lovegood' },
    });
    expect(other && totalsIn(other)).toEqual([OTHER_FUNDED - sign * AMOUNT, 0, 0]);
    expect(kindsV2(facts)).toEqual(
      Array(2).fill(['transaction.created', 'transaction.status.settled']).flat(),
    );
    const [own, others] = sign < 0 ? ['debit', 'credit'] : ['credit', 'debit'];
    expect(kindsV1(facts)).toEqual([
      'transfer.created',
      `intrabank.originated.${own}`,
      `account.${own}`,
      `intrabank.received.${others}`,
      `account.${others}`,
    ]);
  });

  test.each([
    ['intra_push', 'credit_blocked', 'account_credit_blocked'],
    ['intra_push', 'blocked', 'account_not_active'],
    ['intra_push', 'closed', 'account_not_active'],
    ['intra_push', 'locked', 'account_not_active'],
    ['intra_pull', 'debit_blocked', 'account_debit_blocked'],
    ['intra_pull', 'blocked', 'account_not_active'],
    ['intra_pull', 'closed', 'account_not_active'],
    ['intra_pull', 'locked', 'account_not_active'],
  ] as const)('(%s) is refused if the other account is %s', async (rail, status, code) => {
    const { sandbox, originate, otherId } = await openPayments();
    putAccount(sandbox, otherId, status);
    await expect(originate(rail)).rejects.toMatchObject({ code, field: 'counterpartyId' });
  });

  test.each([
    ['intra_push', 'debit_blocked', 'credit_blocked'],
    ['intra_pull', 'credit_blocked', 'debit_blocked'],
  ] as const)('(%s) is accepted if the accounts have the opposite blocks', async (rail, others, own) => {
    const { sandbox, originate, accountId, otherId } = await openPayments();
    putAccount(sandbox, otherId, others);
    putAccount(sandbox, accountId, own);
    expect((await originate(rail)).status).toBe('settled');
  });

  test.each(['intra_push', 'intra_pull'] as const)(
    '(%s) is reversed as a whole, whichever of its two rows is reversed',
    async (rail) => {
      for (const reversed of ['own', 'other'] as const) {
        const { sandbox, originate, accountId, otherId } = await openPayments();
        const { bank, run, newFacts } = sandbox;
        const own = await originate(rail);
        const other = newFacts()[1]?.record as Transaction;
        expect(own.details).toEqual({ kind: 'intra', partnerId: other.id });
        expect(other.details).toEqual({ kind: 'intra', partnerId: own.id });
        const { id } = reversed === 'own' ? own : other;
        const answer = await run(({ payments }) => payments.applyEvent(id, 'reverse'));
        expect(answer).toMatchObject({ id, status: 'reversed' });
        for (const row of [own, other]) expect(bank.payments.byId(row.id).status).toBe('reversed');
        expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
        expect(totals(sandbox, otherId)).toEqual([OTHER_FUNDED, 0, 0]);

        const facts = newFacts();
        const rows = facts.filter(({ change }) => change === 'created').map(({ record }) => record);
        expect(rows).toMatchObject([
          { accountId, parentId: own.id, type: 'reverse', amount: AMOUNT, availableBalance: FUNDED },
          { accountId: otherId, parentId: other.id, type: 'reverse', availableBalance: OTHER_FUNDED },
        ]);
        expect(kindsV2(facts)).toEqual(
          Array(2)
            .fill(['transaction.status.reversed', 'transaction.created', 'transaction.status.settled'])
            .flat(),
        );
        const [back, forth] = rail === 'intra_push' ? ['credit', 'debit'] : ['debit', 'credit'];
        expect(kindsV1(facts)).toEqual(['transfer.updated', `account.${back}`, `account.${forth}`]);
        await expect(run(({ payments }) => payments.applyEvent(own.id, 'reverse'))).rejects.toMatchObject({
          code: 'illegal_step',
          legal: [],
        });
      }
    },
  );

  test('is reversed to the same account, even if the counterparty has changed', async () => {
    const { sandbox, originate, accountId, otherId, counterparty } = await openPayments();
    const { run, id } = sandbox;
    const payment = await originate('intra_push');
    const third = await run(({ accounts }) => accounts.open({ holderId: id('other_person'), type: 'cash' }));
    await run(({ counterparties }) =>
      counterparties.change(counterparty.id, { rails: { intraAccount: { accountId: third.account.id } } }),
    );
    await run(({ payments }) => payments.applyEvent(payment.id, 'reverse'));
    expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
    expect(totals(sandbox, otherId)).toEqual([OTHER_FUNDED, 0, 0]);
    expect(totals(sandbox, third.account.id)).toEqual([0, 0, 0]);
  });
});

describe('insufficient funds', () => {
  const DEBITS = (Object.keys(RAILS) as OriginationRail[]).filter(
    (rail) => WALKS.some(([name]) => name === rail) && RAILS[rail].direction === 'debit',
  );

  test.each([...DEBITS, 'intra_push', 'intra_pull'] as OriginationRail[])(
    '(%s) result in a recorded decline that moves nothing',
    async (rail) => {
      const { sandbox, originate, accountId, otherId } = await openPayments({ rails: 'fast' });
      const books = readTables(sandbox.sandbox).transfers;
      const payer = rail === 'intra_pull' ? OTHER_FUNDED : FUNDED;
      const payment = await originate(rail, { amount: payer + 1 });
      expect(payment).toMatchObject({
        status: 'declined',
        amount: payer + 1,
        reason: { code: 'lowBalance' },
        holdId: null,
        masterId: '',
        dueAt: null,
        settledAt: null,
      });
      expect(totalsIn(payment)).toEqual([FUNDED, 0, 0]);
      expect(totals(sandbox, accountId)).toEqual([FUNDED, 0, 0]);
      expect(totals(sandbox, otherId)).toEqual([OTHER_FUNDED, 0, 0]);
      expect(readTables(sandbox.sandbox).transfers).toEqual(books);
      expect(await sandbox.pass(60_000)).toBe(0);
      const facts = sandbox.newFacts();
      expect(kindsV2(facts)).toEqual(['transaction.created', 'transaction.status.declined']);
      expect(kindsV1(facts)).toEqual([]);
    },
  );

  test.each([...DEBITS, 'intra_push', 'intra_pull'] as OriginationRail[])(
    '(%s) result in a refusal without a record, if the caller requests that',
    async (rail) => {
      const { sandbox, originate } = await openPayments();
      const before = digestOf(sandbox.sandbox);
      await expect(originate(rail, { amount: FUNDED + 1, shortage: 'refuse' })).rejects.toMatchObject({
        code: 'insufficient_funds',
        field: 'amount',
      });
      expect(digestOf(sandbox.sandbox)).toBe(before);
    },
  );

  test('do not include a payment of the whole balance', async () => {
    const { sandbox, originate, accountId } = await openPayments();
    expect((await originate('ach_push', { amount: FUNDED })).status).toBe('originated');
    expect(totals(sandbox, accountId)).toEqual([0, 0, FUNDED]);
  });

  test('include what other payments have reserved', async () => {
    const { originate } = await openPayments();
    await originate('ach_push', { amount: FUNDED - 1 });
    expect((await originate('rtp_push', { amount: 2 })).status).toBe('declined');
    expect((await originate('rtp_push', { amount: 1 })).status).toBe('originated');
  });

  test('are not covered by pending credits', async () => {
    const { originate } = await openPayments();
    await originate('ach_pull', { amount: 1_000_000 });
    expect((await originate('ach_push', { amount: FUNDED + 1 })).status).toBe('declined');
  });

  test('do not affect a pull from another bank', async () => {
    const { originate } = await openPayments();
    expect((await originate('ach_pull', { amount: 99_000_000 })).status).toBe('originated');
  });
});

describe('an amount above the maximum of the books', () => {
  test('is refused and changes nothing', async () => {
    const { sandbox, originate } = await openPayments();
    // The opening credit is also part of the master account: 7500.00.
    await originate('ach_pull', { amount: Number.MAX_SAFE_INTEGER - 750_000 });
    const before = digestOf(sandbox.sandbox);
    await expect(originate('ach_pull', { amount: 1 })).rejects.toMatchObject({ code: 'amount_too_large' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });
});

describe('a counterparty', () => {
  const refused: [string, Partial<Counterparty>, string][] = [
    ['waits for its activation', { status: 'pending_activation' }, 'counterparty_not_active'],
    ['is suspended', { status: 'suspended' }, 'counterparty_not_active'],
    ['is deactivated', { status: 'deactivated', deactivatedAt: START }, 'counterparty_not_active'],
    ['is locked', { status: 'locked', lockedFrom: 'activated' }, 'counterparty_not_active'],
    ['did not pass OFAC', { ofacStatus: 'fail' }, 'counterparty_ofac_failed'],
  ];

  test.each(refused)('that %s cannot be paid', async (_, changes, code) => {
    const { sandbox, originate, counterparty } = await openPayments();
    putCounterparty(sandbox, counterparty.id, changes);
    const before = digestOf(sandbox.sandbox);
    await expect(originate('ach_push')).rejects.toMatchObject({ code, field: 'counterpartyId' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('of another account cannot be paid from this one', async () => {
    const { originate, otherId } = await openPayments();
    await expect(originate('ach_push', { accountId: otherId })).rejects.toMatchObject({
      code: 'counterparty_elsewhere',
      field: 'counterpartyId',
    });
  });

  test('that is deleted or unknown is not found', async () => {
    const { sandbox, originate, counterparty } = await openPayments();
    putCounterparty(sandbox, counterparty.id, { deletedAt: START });
    await expect(originate('ach_push')).rejects.toMatchObject({ code: 'counterparty_not_found' });
    await expect(originate('ach_push', { counterpartyId: '0'.repeat(32) })).rejects.toMatchObject({
      code: 'counterparty_not_found',
    });
    await expect(originate('ach_push', { accountId: '0'.repeat(32) })).rejects.toMatchObject({
      code: 'account_not_found',
    });
  });

  const needs: [OriginationRail, keyof CounterpartyRails, string][] = [
    ['intra_push', 'intraAccount', 'intra_account'],
    ['intra_pull', 'intraAccount', 'intra_account'],
    ['ach_push', 'ach', 'ach'],
    ['ach_pull', 'ach', 'ach'],
    ['domestic_wire', 'domesticWire', 'domestic_wire'],
    ['international_wire', 'internationalWire', 'international_wire'],
    ['rtp_push', 'rtp', 'rtp'],
    ['fednow_push', 'fednow', 'fednow'],
    ['debit_card_push', 'debitCard', 'debit_card'],
    ['debit_card_pull', 'debitCard', 'debit_card'],
    ['check_send', 'check', 'check'],
    ['check_deposit', 'check', 'check'],
  ];

  test.each(needs)('is paid by %s only with its %s', async (rail, part, word) => {
    const { sandbox, originate, counterparty } = await openPayments();
    putCounterparty(sandbox, counterparty.id, { rails: { ...counterparty.rails, [part]: null } });
    await expect(originate(rail)).rejects.toMatchObject({
      code: 'counterparty_rail_missing',
      field: 'counterpartyId',
      message: `the counterparty has no ${word}, which this payment needs: add it first`,
    });
    putCounterparty(sandbox, counterparty.id, {
      rails: { ...emptied(counterparty.rails), [part]: counterparty.rails[part] },
    });
    expect((await originate(rail)).status).not.toBe('declined');
  });

  const emptied = (rails: CounterpartyRails) =>
    Object.fromEntries(Object.keys(rails).map((name) => [name, null])) as unknown as CounterpartyRails;

  test('is stored in the payment as it was at creation', async () => {
    const { sandbox, originate, counterparty } = await openPayments();
    const payment = await originate('domestic_wire');
    expect(payment.otherSide).toMatchObject({
      accountNumber: '5500112233',
      routingNumber: '121042882',
      accountType: 'business_checking',
      bankName: 'Wells Fargo',
      address: { city: 'Portland' },
    });
    await sandbox.run(({ counterparties }) =>
      counterparties.change(counterparty.id, { name: 'Other', status: 'deactivated' }),
    );
    expect(sandbox.bank.payments.byId(payment.id).otherSide).toEqual(payment.otherSide);
    const sent = await sandbox.run(({ payments }) => payments.applyEvent(payment.id, 'submit'));
    expect(sent.status).toBe('pending');
  });
});

describe('metadata beyond the limits', () => {
  test.each<OriginationRail>(['ach_pull', 'intra_push'])('originates nothing (%s)', async (rail) => {
    const { sandbox, originate } = await openPayments();
    const before = digestOf(sandbox.sandbox);
    await expect(originate(rail, { metadata: { a: 'x'.repeat(5_000) } })).rejects.toMatchObject({
      code: 'metadata_too_large',
    });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });
});

describe('the details of a rail', () => {
  const walkTo = async (
    sandbox: TestSandbox,
    payment: Transaction,
    ...events: Parameters<TestSandbox['bank']['payments']['applyEvent']>[1][]
  ) => {
    let now = payment;
    for (const event of events)
      now = await sandbox.run(({ payments }) => payments.applyEvent(payment.id, event));
    return now;
  };

  test("an ACH gets a trace number at clearing, which begins with the other bank's routing number", async () => {
    const { sandbox, originate } = await openPayments();
    const payment = await originate('ach_push', {
      companyDiscretionaryData: 'd',
      companyEntryDescription: 'e',
    });
    expect(payment.details).toMatchObject({
      kind: 'ach',
      sameDay: false,
      effectiveDate: '2026-03-05',
      companyDiscretionaryData: 'd',
      companyEntryDescription: 'e',
      traceNumber: '',
      returnCode: '',
    });
    const cleared = await walkTo(sandbox, payment, 'submit', 'send', 'clear');
    expect(cleared.details).toMatchObject({ traceNumber: expect.stringMatching(/^121042882\d{5}$/) });
    const settled = await walkTo(sandbox, cleared, 'settle');
    expect(settled.details).toEqual(cleared.details);
  });

  test('a wire gets IMAD and OMAD at clearing', async () => {
    const { sandbox, originate } = await openPayments();
    const payment = await originate('international_wire');
    expect(payment.details).toEqual({ kind: 'wire', imad: '', omad: '' });
    expect(payment.otherSide).toMatchObject({
      accountNumber: 'DE89370400440532013000',
      beneficiaryBank: { name: 'Commerzbank' },
    });
    const { details } = await walkTo(sandbox, payment, 'submit', 'send', 'clear');
    expect(details).toEqual({
      kind: 'wire',
      imad: expect.stringMatching(/^[A-Z0-9]{9}$/),
      omad: expect.stringMatching(/^[A-Z0-9]{9}$/),
    });
  });

  test('a check is pending when it is mailed, and settled when it is cashed', async () => {
    const { sandbox, originate } = await openPayments();
    const payment = await originate('check_send');
    expect(payment.details).toMatchObject({
      kind: 'check',
      checkNumber: expect.stringMatching(/^\d{4}$/),
      cashed: false,
      trackingStatus: 'pending',
    });
    const mailed = await walkTo(sandbox, payment, 'submit', 'send');
    expect(mailed.details).toEqual({ ...payment.details, trackingStatus: 'shipped', eta: '2026-03-09' });
    const { details } = await walkTo(sandbox, mailed, 'clear');
    expect(details).toEqual({ ...mailed.details, cashed: true, trackingStatus: 'delivered' });
  });

  test('an instant payment keeps its reference', async () => {
    const { originate } = await openPayments();
    const { details } = await originate('rtp_push', { referenceNumber: 'r-1' });
    expect(details).toEqual({ kind: 'instant', referenceNumber: 'r-1' });
  });

  test('a payment to a debit card shows only the last digits', async () => {
    const { originate } = await openPayments();
    expect((await originate('debit_card_push')).otherSide?.accountNumber).toBe('0002');
  });

  test.each<OriginationRail>(['ach_push', 'ach_pull', 'check_send', 'check_deposit', 'intra_push'])(
    '%s has the title that its client gave, and none otherwise',
    async (rail) => {
      const { sandbox, originate } = await openPayments();
      const untitled = await originate(rail);
      expect(untitled.title).toBe('');
      expect((await originate(rail, { title: 'Paid to Harbor Supplies' })).title).toBe(
        'Paid to Harbor Supplies',
      );
      const change = (title: string) => sandbox.run((bank) => bank.payments.change(untitled.id, { title }));
      expect((await change('Mine')).title).toBe('Mine');
      expect((await change('')).title).toBe('');
    },
  );
});

describe('on the banking calendar', () => {
  const at = (text: string) => Date.parse(text);

  /** The instants of the steps of an ACH pull that is created at `made`. */
  async function walkOf(made: string, changes: Partial<Origination>) {
    const { sandbox, originate } = await openPayments({ rails: 'calendar', at: at(made) });
    let payment = await originate('ach_push', changes);
    const seen: string[] = [];
    while (payment.dueAt !== null) {
      await sandbox.pass(payment.dueAt - sandbox.clock.now());
      payment = sandbox.bank.payments.byId(payment.id);
      seen.push(`${payment.status} ${new Date(payment.updatedAt).toISOString()}`);
    }
    // The timetable's own tests check when the bank accepts it.
    expect(seen.shift()).toMatch(/^pending /);
    return { seen, payment };
  }

  test('an ACH leaves in the next window and settles on the next banking morning', async () => {
    const { seen, payment } = await walkOf('2026-03-04T10:00:00-08:00', {});
    expect(payment.details).toMatchObject({ effectiveDate: '2026-03-05' });
    expect(seen).toEqual(['clearing 2026-03-04T20:15:00.000Z', 'settled 2026-03-05T13:30:00.000Z']);
  });

  test('a same-day ACH before the cut-off settles in the window of its file', async () => {
    const { seen, payment } = await walkOf('2026-03-04T10:00:00-08:00', { sameDay: true });
    expect(payment.details).toMatchObject({ sameDay: true, effectiveDate: '2026-03-04' });
    expect(seen).toEqual([
      'clearing 2026-03-04T20:15:00.000Z',
      'cleared 2026-03-04T22:30:00.000Z',
      'settled 2026-03-04T23:00:00.000Z',
    ]);
    const early = await walkOf('2026-03-04T04:00:00-08:00', { sameDay: true });
    expect(early.seen.slice(1)).toEqual([
      'cleared 2026-03-04T17:00:00.000Z',
      'settled 2026-03-04T18:00:00.000Z',
    ]);
  });

  test('a same-day ACH for a later date is an ordinary one of that date', async () => {
    const { seen } = await walkOf('2026-03-04T10:00:00-08:00', {
      sameDay: true,
      effectiveDate: '2026-03-06',
    });
    expect(seen.at(-1)).toBe('settled 2026-03-06T13:30:00.000Z');
  });

  test('a same-day ACH after the cut-off is a standard ACH of the next banking day', async () => {
    const { seen, payment } = await walkOf('2026-03-04T12:15:00-08:00', { sameDay: true });
    expect(payment.details).toMatchObject({ effectiveDate: '2026-03-05' });
    expect(seen).toEqual(['clearing 2026-03-05T00:15:00.000Z', 'settled 2026-03-05T13:30:00.000Z']);
  });

  test('an ACH with a later effective date waits for it, or for the Monday after a weekend', async () => {
    const later = await walkOf('2026-03-04T10:00:00-08:00', { effectiveDate: '2026-03-14' });
    expect(later.payment.details).toMatchObject({ effectiveDate: '2026-03-16' });
    expect(later.seen.at(-1)).toBe('settled 2026-03-16T12:30:00.000Z');
    const friday = await walkOf('2026-03-06T17:00:00-08:00', {});
    expect(friday.seen.at(-1)).toBe('settled 2026-03-10T12:30:00.000Z');
  });
});
