// The payments that an account's configuration does not allow: payment methods that are switched off, and daily and
// monthly limits. Decisions `account-limit-counting` and `over-account-limit` in docs/fidelity.md.

import { describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/bank/kernel/time.ts';
import type { AccountConfigChange } from '../../../src/bank/model/account-config.ts';
import type { OriginationRail } from '../../../src/bank/model/rails/index.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { Origination } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { everyRail } from './parties.ts';

const FUNDED = 500_000;

/** An account with a configuration, and a counterparty on every rail. */
async function limited(config: AccountConfigChange) {
  const sandbox = openTestSandbox();
  const { run, id } = sandbox;
  const counterparty = await run(({ accounts, counterparties }) => {
    accounts.change(id('account'), { config });
    return counterparties.create(everyRail(id('account'), id('other_account')));
  });
  const pay = (
    rail: OriginationRail,
    amount: number,
    more: Partial<Origination> = {},
  ): Promise<Transaction> =>
    run(({ payments }) =>
      payments.originate(rail, {
        accountId: id('account'),
        counterpartyId: counterparty.id,
        amount,
        shortage: 'record',
        ...more,
      }),
    );
  return { ...sandbox, sandbox, pay };
}

const WAYS: [OriginationRail, 'send' | 'receive', string][] = [
  ['intra_push', 'send', 'intrabank'],
  ['intra_pull', 'receive', 'intrabank'],
  ['ach_push', 'send', 'ach'],
  ['ach_pull', 'receive', 'ach'],
  ['domestic_wire', 'send', 'wire'],
  ['international_wire', 'send', 'internationalWire'],
  ['debit_card_push', 'send', 'debitCard'],
  ['debit_card_pull', 'receive', 'debitCard'],
  ['check_send', 'send', 'check'],
  ['check_deposit', 'receive', 'check'],
];

describe('a disabled payment method', () => {
  test.each(WAYS)(
    '%s with %s.%s disabled is declined, or refused without any change',
    async (rail, side, way) => {
      const bank = await limited({ [side]: { [way]: { enabled: false } } });
      const declined = await bank.pay(rail, 100);
      const message = `${side}.${way} is switched off for the account`;
      expect(declined).toMatchObject({
        status: 'declined',
        reason: { code: 'transferTypeDisabled', message },
        availableBalance: FUNDED,
      });
      expect(bank.sandbox.sandbox.store.decisions.of(declined.id)).toMatchObject([
        {
          source: 'control',
          name: `${side}.${way}.enabled`,
          effect: 'declined transferTypeDisabled',
          message,
        },
      ]);
      const before = digestOf(bank.sandbox.sandbox);
      await expect(bank.pay(rail, 100, { shortage: 'refuse' })).rejects.toMatchObject({
        code: 'switched_off',
        field: 'accountId',
        message,
      });
      expect(digestOf(bank.sandbox.sandbox)).toBe(before);
    },
  );

  test.each(WAYS)('%s is allowed if only other methods are disabled', async (rail, side, way) => {
    const others = WAYS.filter(([, otherSide, other]) => otherSide !== side || other !== way);
    const off = (wanted: string) =>
      Object.fromEntries(
        others.flatMap(([, otherSide, other]) => (otherSide === wanted ? [[other, { enabled: false }]] : [])),
      );
    const { pay } = await limited({ send: off('send'), receive: off('receive') });
    expect((await pay(rail, 100)).status).not.toBe('declined');
  });

  test('for same-day ACH only still allows next-day ACH', async () => {
    const { pay } = await limited({ send: { ach: { sameDay: false } } });
    await expect(pay('ach_push', 100, { sameDay: true, shortage: 'refuse' })).rejects.toMatchObject({
      code: 'switched_off',
      field: 'sameDay',
    });
    expect((await pay('ach_push', 100, { sameDay: true })).status).toBe('declined');
    expect((await pay('ach_push', 100)).status).toBe('originated');
  });
});

describe('a payment limit', () => {
  test('allows an amount up to the limit, and declines one cent more with the figures', async () => {
    const bank = await limited({ limits: { send: { overall: { daily: 10_000 } } } });
    expect((await bank.pay('ach_push', 9_999)).status).toBe('originated');
    expect((await bank.pay('intra_push', 1)).status).toBe('settled');
    const declined = await bank.pay('ach_push', 1);
    expect(declined).toMatchObject({
      status: 'declined',
      reason: { code: 'sendLimitExceeded', message: 'amount greater than allowed send limit' },
    });
    expect(bank.sandbox.sandbox.store.decisions.of(declined.id)).toMatchObject([
      {
        source: 'control',
        name: 'limits.send.daily',
        effect: 'declined sendLimitExceeded',
        numbers: { amount: '0.01', limit: '100.00', used: '100.00' },
      },
    ]);
    await expect(bank.pay('ach_push', 1, { shortage: 'refuse' })).rejects.toMatchObject({
      code: 'daily_limit_exceeded',
      field: 'amount',
      message: '0.01 is more than what is left of limits.send.daily: 100.00 of 100.00 is used',
    });
  });

  test('of 0 declines every payment', async () => {
    const { pay } = await limited({ limits: { receive: { ways: { ach: { monthly: 0 } } } } });
    expect(await pay('ach_pull', 1)).toMatchObject({
      status: 'declined',
      reason: { code: 'transferLimitExceeded', message: 'allowed transfer limit reached' },
    });
    expect((await pay('intra_pull', 1)).status).toBe('settled');
    expect((await pay('ach_push', 1)).status).toBe('originated');
  });

  test('of one method counts only this method, and each direction separately', async () => {
    const { pay } = await limited({ limits: { send: { ways: { ach: { daily: 500 } } } } });
    await pay('intra_push', 400);
    await pay('ach_pull', 400);
    await pay('domestic_wire', 400);
    expect((await pay('ach_push', 500)).status).toBe('originated');
    expect((await pay('ach_push', 1)).status).toBe('declined');
  });

  test('of all methods includes those without an own limit, and is checked first', async () => {
    const { pay, sandbox } = await limited({
      limits: { send: { overall: { daily: 1_000 }, ways: { ach: { daily: 100 } } } },
    });
    await pay('rtp_push', 600);
    await pay('fednow_push', 300);
    const over = await pay('ach_push', 101);
    const within = await pay('ach_push', 100);
    expect([over.status, within.status]).toEqual(['declined', 'originated']);
    expect(sandbox.sandbox.store.decisions.of(over.id)).toMatchObject([{ name: 'limits.send.daily' }]);
    expect((await pay('rtp_push', 1)).status).toBe('declined');
  });

  test.each([
    ['returned', 'ach_push', ['submit', 'send', 'clear', 'return']],
    ['reversed', 'intra_push', ['reverse']],
    ['canceled', 'check_send', ['cancel']],
    ['declined later', 'domestic_wire', ['decline']],
  ] as const)('counts a payment no longer after it is %s', async (_, rail, events) => {
    const bank = await limited({ limits: { send: { overall: { monthly: 1_000 } } } });
    const payment = await bank.pay(rail, 1_000);
    expect((await bank.pay('intra_push', 1)).status).toBe('declined');
    await bank.run(({ payments }) => {
      for (const event of events) payments.applyEvent(payment.id, event);
    });
    expect((await bank.pay('intra_push', 1_000)).status).toBe('settled');
  });

  test('counts payments in review, and no declined ones', async () => {
    const bank = await limited({ limits: { send: { overall: { daily: 1_000 } } } });
    expect((await bank.pay('ach_push', 1_001)).status).toBe('declined');
    const reviewed = await bank.pay('ach_push', 600);
    await bank.run(({ payments }) => payments.applyEvent(reviewed.id, 'review'));
    expect((await bank.pay('ach_push', 401)).status).toBe('declined');
    await bank.run(({ payments }) => payments.applyEvent(reviewed.id, 'cancel'));
    expect((await bank.pay('ach_push', 1_000)).status).toBe('originated');
  });

  test('counts neither card purchases nor incoming payments', async () => {
    const bank = await limited({
      limits: { send: { overall: { daily: 500 } }, receive: { overall: { daily: 500 } } },
    });
    const { id } = bank;
    const accountId = id('account');
    await bank.run(({ payments, cardPayments }) => {
      cardPayments.authorize({ cardId: id('virtual_card'), amount: 400 });
      payments.receive('ach_received_pull', { accountId, amount: 400, sender: {} });
      payments.applyEvent(
        payments.receive('ach_received_push', { accountId, amount: 400, sender: {} }).id,
        'settle',
      );
    });
    expect((await bank.pay('ach_push', 500)).status).toBe('originated');
    expect((await bank.pay('ach_pull', 500)).status).toBe('originated');
  });

  test('per day resets at midnight UTC, per month on the first day', async () => {
    // A Wednesday, 18:00 UTC.
    const bank = await limited({
      limits: { send: { overall: { daily: 600, monthly: 1_000 } } },
    });
    const statusOf = async (amount: number) => (await bank.pay('ach_push', amount)).status;
    expect(await statusOf(600)).toBe('originated');
    bank.clock.advance(6 * HOUR_MS - 1);
    expect(await statusOf(1)).toBe('declined');
    bank.clock.advance(1);
    expect(await statusOf(401)).toBe('declined');
    expect(await statusOf(400)).toBe('originated');
    bank.clock.set(Date.UTC(2026, 2, 31, 23, 59, 59, 999));
    expect(await statusOf(1)).toBe('declined');
    bank.clock.advance(1);
    expect(await statusOf(600)).toBe('originated');
    bank.clock.advance(DAY_MS);
    expect(await statusOf(400)).toBe('originated');
    expect(await statusOf(1)).toBe('declined');
  });

  test('is checked before the balance and after rules', async () => {
    const bank = await limited({ limits: { send: { overall: { daily: 100 } } } });
    expect((await bank.pay('ach_push', FUNDED + 1)).reason?.code).toBe('sendLimitExceeded');
    await bank.run(({ outcomes }) =>
      outcomes.setRules([{ match: { rail: 'ach_push' }, outcome: { declineReason: 'fraud' } }]),
    );
    const declined = await bank.pay('ach_push', 101);
    expect(declined.reason?.code).toBe('fraud');
    expect(bank.sandbox.sandbox.store.decisions.of(declined.id)).toMatchObject([{ source: 'rule' }]);
  });

  test('of one account does not apply to another', async () => {
    const bank = await limited({
      limits: { receive: { overall: { daily: 0 } }, send: { overall: { daily: 0 } } },
    });
    const { id } = bank;
    const other = await bank.run(({ payments, counterparties }) => {
      const { id: counterpartyId } = counterparties.create(everyRail(id('other_account'), id('account')));
      return payments.originate('intra_push', {
        accountId: id('other_account'),
        counterpartyId,
        amount: 100,
        shortage: 'refuse',
      });
    });
    expect(other.status).toBe('settled');
  });

  test('is looked up only if the account has one', async () => {
    const { pay, sandbox } = await limited({ limits: { receive: { overall: { daily: 100 } } } });
    const look = vi.spyOn(sandbox.sandbox.store.accountMonths, 'originated');
    await pay('ach_push', 100);
    expect(look).not.toHaveBeenCalled();
    await pay('ach_pull', 100);
    expect(look).toHaveBeenCalledTimes(1);
  });
});
