// Rules and magic values in the bank: the match, the outcome, its time, and the cost without rules.
// test/server/http/control/outcomes.test.ts tests them over HTTP.

import { describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import { RAILS, type RailName } from '../../../src/bank/model/rails/index.ts';
import { stepsTo } from '../../../src/bank/verbs/simulation/payments.ts';
import {
  firstStatusFor,
  type PaymentToMatch,
  type Rule,
  type RuleMatch,
  type RuleOutcome,
} from '../../../src/bank/verbs/transactions/outcomes.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { totals } from './parties.ts';

const R01 = { returnCode: 'R01' };
const rule = (match: RuleMatch, outcome: RuleOutcome = R01): Rule => ({ match, outcome });
const pull: PaymentToMatch = {
  rail: 'ach_pull',
  amount: 1_000,
  accountNumber: '5500',
  routingNumber: '121042882',
  name: 'Mill Works',
};

async function open(...rules: Rule[]) {
  const sandbox = openTestSandbox();
  await sandbox.run(({ outcomes }) => outcomes.setRules(rules));
  return { sandbox, choose: sandbox.bank.outcomes.choose };
}

describe('a rule', () => {
  const matches: [RuleMatch, boolean][] = [
    [{}, true],
    [{ rail: 'ach_pull' }, true],
    [{ rail: 'ach_push' }, false],
    [{ direction: 'credit' }, true],
    [{ direction: 'debit' }, false],
    [{ amount: { equals: 1_000 } }, true],
    [{ amount: { equals: 1_001 } }, false],
    [{ amount: { min: 1_000, max: 1_000 } }, true],
    [{ amount: { min: 1_001 } }, false],
    [{ amount: { max: 999 } }, false],
    [{ accountNumber: '5500', routingNumber: '121042882', name: ' mill WORKS ' }, true],
    [{ accountNumber: '5500', routingNumber: '121042882', name: 'mill' }, false],
    [{ mcc: '5411' }, false],
  ];

  test.each(matches)('with the match %j applies: %s', async (match, fits) => {
    const { choose } = await open(rule(match));
    expect(choose(pull) !== undefined).toBe(fits);
  });
});

describe('the first matching rule', () => {
  test('applies, and its position is recorded', async () => {
    const { choose } = await open(rule({ rail: 'ach_push' }), rule({}, { declineReason: 'no' }), rule({}));
    expect(choose(pull)).toMatchObject({ source: 'rule', name: 'rule 2', event: 'decline' });
  });

  test('is ignored by a rail that does not support its outcome', async () => {
    const late = { declineReason: 'late', after: 'P1D' };
    const { choose } = await open(rule({}), rule({}, { review: true }), rule({}, late));
    expect(choose({ ...pull, rail: 'card_authorization' })).toBeUndefined();
    expect(choose({ ...pull, rail: 'intra_push' })).toBeUndefined();
    expect(choose({ ...pull, rail: 'rtp_push' })).toMatchObject({ name: 'rule 1' });
  });

  test('has precedence over magic values, even if it has no outcome', async () => {
    const { choose } = await open(rule({ amount: { equals: 20_000 } }, {}));
    const magic = { ...pull, magic: 'v1_receive_ach' as const };
    expect(choose({ ...magic, amount: 20_000 })).toMatchObject({ source: 'rule', event: null });
    expect(choose({ ...magic, amount: 20_001 })).toMatchObject({ source: 'magic', event: 'decline' });
    expect(choose({ ...magic, amount: 4_999 })).toBeUndefined();
  });
});

describe('the step of an outcome', () => {
  const places: [RailName, 'return' | 'decline' | 'review', string | undefined][] = [
    ['ach_pull', 'return', 'clearing'],
    ['ach_push', 'return', 'clearing'],
    ['domestic_wire', 'return', 'clearing'],
    ['check_send', 'return', 'clearing'],
    ['rtp_push', 'return', 'originated'],
    ['ach_received_pull', 'return', 'received'],
    ['intra_push', 'return', undefined],
    ['card_authorization', 'return', undefined],
    ['ach_pull', 'decline', 'originated'],
    ['ach_received_push', 'decline', 'received'],
    ['ach_pull', 'review', 'originated'],
    ['card_refund', 'review', undefined],
  ];

  test.each(places)('on %s, %s is applied in the status %s', (rail, event, status) => {
    expect(firstStatusFor(rail, event)).toBe(status);
  });

  test.each(Object.keys(RAILS) as RailName[])('a path through %s ends', (rail) => {
    for (const status of Object.keys(RAILS[rail].steps)) {
      expect(stepsTo(rail, status as 'pending', 'settle').at(-1)).toBe('settle');
    }
  });
});

describe('a postponed outcome', () => {
  const originate = (sandbox: ReturnType<typeof openTestSandbox>) =>
    sandbox.run(({ payments }) =>
      payments.originate('ach_pull', {
        accountId: sandbox.id('account'),
        counterpartyId: sandbox.id('ach_counterparty'),
        amount: 1_000,
        shortage: 'record',
      }),
    );

  test('waits for the first state that allows it', async () => {
    const sandbox = openTestSandbox({ rails: 'calendar' });
    const { run, bank, pass } = sandbox;
    await run(({ outcomes }) => outcomes.setRules([rule({}, { returnCode: 'R08', after: 'PT1M' })]));
    const { id } = await originate(sandbox);
    await pass(DAY_MS);
    const returned = bank.payments.byId(id);
    // After a minute it was not sent yet; in the window at 12:15 it was sent, and is returned immediately.
    expect(returned).toMatchObject({ status: 'returned', updatedAt: Date.parse('2026-03-04T20:15:00Z') });
    expect(totals(sandbox, sandbox.id('account'))).toEqual([500_000, 0, 0]);
  });

  test('is also applied with manual rails, after a simulation has made it possible', async () => {
    const { sandbox } = await open(rule({}, { returnCode: 'R10', after: 'P60D' }));
    const { run, bank, pass } = sandbox;
    const { id } = await originate(sandbox);
    expect(await pass(61 * DAY_MS)).toBe(0);
    await run(({ simulation }) => simulation.transaction(id, 'settle'));
    expect(await pass()).toBe(1);
    expect(bank.payments.byId(id)).toMatchObject({ status: 'returned', reason: { code: 'R10' } });
  });

  test('is counted from the creation of the payment', async () => {
    const { sandbox } = await open(rule({}, { declineReason: 'late', after: 'PT30S' }));
    const { dueAt, outcome } = await originate(sandbox);
    expect(dueAt).toBe(START + 30_000);
    expect(outcome).toMatchObject({ event: 'decline', at: START + 30_000 });
  });
});

describe('rules', () => {
  test('cost no database query if there are none', async () => {
    const { sandbox, choose } = await open();
    choose(pull);
    const read = vi.spyOn(sandbox.sandbox.store.meta, 'read');
    for (let time = 0; time < 5; time += 1) {
      expect(choose({ ...pull, magic: 'v1_receive_ach' })).toBeUndefined();
    }
    // The setting for magic values is read once.
    expect(read.mock.calls.length).toBeLessThanOrEqual(1);
    read.mockRestore();
  });

  test('that were rolled back do not apply', async () => {
    const { sandbox } = await open(rule({}));
    const { run, bank } = sandbox;
    const before = digestOf(sandbox.sandbox);
    const failed = run(({ outcomes }) => {
      outcomes.setRules([]);
      expect(outcomes.choose(pull)).toBeUndefined();
      throw new Error('taken back');
    });
    await expect(failed).rejects.toThrow('taken back');
    expect(bank.outcomes.choose(pull)).toMatchObject({ name: 'rule 1' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
  });

  test('that refuse a payment record only the reason', async () => {
    const { sandbox } = await open(rule({}, { declineReason: 'closed' }));
    const payment = await sandbox
      .run(({ payments }) =>
        payments.originate('rtp_push', {
          accountId: sandbox.id('account'),
          counterpartyId: sandbox.id('ach_counterparty'),
          amount: 1_000,
          shortage: 'record',
        }),
      )
      .catch((error: unknown) => error);
    // The counterparty has no RTP, which is checked before any rule.
    expect(payment).toMatchObject({ code: 'counterparty_rail_missing' });
    expect(sandbox.newFacts()).toEqual([]);
  });

  test('refuse payments within the bank in v1, which would record nothing', async () => {
    const { sandbox } = await open(rule({ rail: 'intra_push' }, { declineReason: 'closed' }));
    const { run, id } = sandbox;
    const originate = (shortage: 'record' | 'refuse') =>
      run(({ payments }) =>
        payments.originate('intra_push', {
          accountId: id('account'),
          counterpartyId: id('intra_counterparty'),
          amount: 1_000,
          shortage,
        }),
      );
    await expect(originate('refuse')).rejects.toMatchObject({ code: 'limit_exceeded', field: 'amount' });
    expect(await originate('record')).toMatchObject({ status: 'declined', reason: { code: 'closed' } });
    expect(totals(sandbox, id('account'))).toEqual([500_000, 0, 0]);
  });
});
