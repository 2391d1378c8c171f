// Scheduled steps: they run in the order of their instants, even if they run late, and a failing step does not block
// the others.

import { describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';

const pay = ({ run, id }: TestSandbox, amount = 100): Promise<Transaction> =>
  run(({ payments }) =>
    payments.originate('ach_push', {
      accountId: id('account'),
      counterpartyId: id('ach_counterparty'),
      amount,
      shortage: 'refuse',
    }),
  );

const spend = ({ run, id }: TestSandbox): Promise<Transaction> =>
  run(({ cardPayments }) => cardPayments.authorize({ cardId: id('virtual_card'), amount: 100 }));

/** The events in order: payment, time and status. */
const story = ({ newFacts }: TestSandbox) =>
  newFacts().map(({ at, record }) => [
    (record as Transaction).amount,
    at - START,
    (record as Transaction).status,
  ]);

describe('steps run', () => {
  test('when they are due, not before', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { bank, pass } = sandbox;
    const { id } = await pay(sandbox);
    expect(await pass(999)).toBe(0);
    expect(bank.payments.byId(id).status).toBe('originated');
    expect(await pass(1)).toBe(1);
    expect(bank.payments.byId(id).status).toBe('pending');
  });

  test('at their scheduled instants, however late they are read', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await pay(sandbox, 1);
    sandbox.newFacts();
    expect(await sandbox.pass(86_400_000)).toBe(4);
    expect(story(sandbox)).toEqual([
      [1, 1_000, 'pending'],
      [1, 2_000, 'clearing'],
      [1, 3_000, 'cleared'],
      [1, 4_000, 'settled'],
    ]);
    expect(sandbox.bank.payments.byId(id)).toMatchObject({
      createdAt: START,
      updatedAt: START + 4_000,
      settledAt: START + 4_000,
    });
  });

  test('in the order of their instants, even if one step schedules the next before another', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    await spend(sandbox);
    sandbox.clock.advance(100);
    await pay(sandbox, 1);
    sandbox.clock.advance(500);
    await pay(sandbox, 2);
    sandbox.newFacts();
    expect(await sandbox.pass(30 * 86_400_000)).toBe(9);
    expect(story(sandbox)).toEqual([
      [1, 1_100, 'pending'],
      [2, 1_600, 'pending'],
      [1, 2_100, 'clearing'],
      [2, 2_600, 'clearing'],
      [1, 3_100, 'cleared'],
      [2, 3_600, 'cleared'],
      [1, 4_100, 'settled'],
      [2, 4_600, 'settled'],
      [100, 7 * 86_400_000, 'reversed'],
      // The row of the reversal.
      [100, 7 * 86_400_000, 'settled'],
    ]);
  });

  test('in the order of their creation if they are due at one instant, however many', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const payments = await Promise.all(Array.from({ length: 250 }, (_, place) => pay(sandbox, place + 1)));
    sandbox.newFacts();
    expect(await sandbox.pass(1_000)).toBe(250);
    expect(story(sandbox)).toEqual(payments.map(({ amount }) => [amount, 1_000, 'pending']));
  });

  test('completely if the clock is moved meanwhile', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await pay(sandbox);
    const first = sandbox.pass(1_000);
    const second = sandbox.pass(3_000);
    expect(await Promise.all([first, second])).toEqual([4, 4]);
    expect(sandbox.bank.payments.byId(id).status).toBe('settled');
  });

  test('never with manual rails', async () => {
    const sandbox = openTestSandbox({ rails: 'manual' });
    await pay(sandbox);
    await spend(sandbox);
    expect(sandbox.sandbox.store.agenda.nextDueAt()).toBeUndefined();
  });
});

describe('a step that is not scheduled any more', () => {
  test('because another command was faster does not run', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await pay(sandbox);
    await sandbox.run(({ payments }) => payments.applyEvent(id, 'cancel'));
    sandbox.newFacts();
    expect(await sandbox.pass(60_000)).toBe(0);
    expect(sandbox.newFacts()).toEqual([]);
  });

  test('because a command of the same turn was faster does not run', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id } = await pay(sandbox);
    sandbox.clock.advance(1_000);
    const canceled = sandbox.run(({ payments }) => payments.applyEvent(id, 'cancel'));
    await sandbox.pass();
    expect((await canceled).status).toBe('canceled');
    expect(sandbox.bank.payments.byId(id).status).toBe('canceled');
    expect(sandbox.sandbox.store.agenda.nextDueAt()).toBeUndefined();
  });

  test('but still in the agenda is dropped', async () => {
    const sandbox = openTestSandbox({ rails: 'manual' });
    const { id } = await pay(sandbox);
    sandbox.sandbox.store.agenda.add({ dueAt: START, subjectId: id, task: 'transaction', event: 'submit' });
    await sandbox.pass(1);
    expect(sandbox.bank.payments.byId(id).status).toBe('originated');
    expect(sandbox.sandbox.store.agenda.nextDueAt()).toBeUndefined();
  });
});

describe('a step that fails', () => {
  test('does not delay others, is reported, and is not repeated', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { bank, errors } = sandbox;
    const { agenda } = sandbox.sandbox.store;
    const nobody = '0'.repeat(32);
    agenda.add({ dueAt: START + 500, subjectId: nobody, task: 'transaction', event: 'settle' });
    const first = await pay(sandbox);
    agenda.add({ dueAt: START + 1_500, subjectId: nobody, task: 'transaction', event: 'settle' });
    await sandbox.pass(60_000);
    expect(bank.payments.byId(first.id).status).toBe('settled');
    expect(errors.splice(0)).toEqual([
      expect.objectContaining({ code: 'transaction_not_found' }),
      expect.objectContaining({ code: 'transaction_not_found' }),
    ]);
    expect(agenda.nextDueAt()).toBeUndefined();
    expect(await sandbox.pass(60_000)).toBe(0);
  });

  test('changes nothing: an event that the state does not allow leaves the payment unchanged', async () => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { id, dueAt } = await pay(sandbox);
    const { agenda } = sandbox.sandbox.store;
    agenda.remove(dueAt ?? 0, id);
    agenda.add({ dueAt: dueAt ?? 0, subjectId: id, task: 'transaction', event: 'settle' });
    await sandbox.pass(60_000);
    expect(sandbox.bank.payments.byId(id).status).toBe('originated');
    expect(sandbox.errors.splice(0)).toEqual([expect.objectContaining({ code: 'illegal_step' })]);
  });
});

test('a step that fails because of the disk stays scheduled', async () => {
  const sandbox = openTestSandbox({ rails: 'fast' });
  const { bank, pass } = sandbox;
  const { id } = await pay(sandbox);
  const broken = vi.spyOn(bank, 'takePlannedStep').mockImplementation(() => {
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
  });
  await expect(pass(1000)).rejects.toThrow('disk I/O error');
  expect(bank.payments.byId(id).status).toBe('originated');
  broken.mockRestore();
  expect(sandbox.errors.splice(0)).toMatchObject([{ message: 'disk I/O error' }]);
  expect(await pass(0)).toBe(1);
  expect(bank.payments.byId(id).status).toBe('pending');
});
