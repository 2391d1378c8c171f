// The return windows of ACH in the bank: for simulated returns, for planned ones, and by the effective date of an
// entry that was delayed.

import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { AchDetails, Transaction } from '../../../src/bank/model/records.ts';
import { reasonOfReturn } from '../../../src/bank/model/return-codes.ts';
import { returnLimitOf, returnWindowsOf } from '../../../src/bank/verbs/transactions/plans.ts';
import { openTestSandbox, START, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';

const effectiveDateOf = ({ details }: Transaction) => (details as AchDetails).effectiveDate;

/** A pull that was created and has settled. */
async function settledPull({ run, id }: TestSandbox): Promise<Transaction> {
  const order = { accountId: id('account'), counterpartyId: id('ach_counterparty'), amount: 1_000 };
  const { id: made } = await run(({ payments }) =>
    payments.originate('ach_pull', { ...order, shortage: 'refuse' }),
  );
  return (await run(({ simulation }) => simulation.transaction(made, 'settle'))).transaction;
}

describe('a simulated return', () => {
  test('after the window of its code is refused and changes nothing, unless it is explicitly late', async () => {
    const sandbox = openTestSandbox();
    const { run, clock } = sandbox;
    const pull = await settledPull(sandbox);
    clock.advance((returnLimitOf(pull, 'R01')?.until ?? 0) - START);
    clock.advance(1);
    const before = digestOf(sandbox.sandbox);
    const send = (code: string, late?: boolean) =>
      run(({ simulation }) => simulation.transaction(pull.id, 'return', reasonOfReturn(code), late));
    await expect(send('R01')).rejects.toMatchObject({ code: 'return_too_late', field: 'late' });
    expect(digestOf(sandbox.sandbox)).toBe(before);
    const { transaction } = await send('R01', true);
    expect(transaction).toMatchObject({ status: 'returned', reason: { code: 'R01' } });
  });

  test('in the last instant of the window is accepted', async () => {
    const sandbox = openTestSandbox();
    const pull = await settledPull(sandbox);
    sandbox.clock.advance((returnLimitOf(pull, 'R01')?.until ?? 0) - START);
    const { transaction } = await sandbox.run(({ simulation }) => simulation.transaction(pull.id, 'return'));
    expect(transaction.status).toBe('returned');
  });
});

describe('the return windows of a transaction', () => {
  test('exist only for ACH, and list every code with a time limit, earliest first', async () => {
    const sandbox = openTestSandbox();
    const windows = returnWindowsOf(await settledPull(sandbox));
    expect(windows.map(({ words }) => words)).toEqual([
      'the next file delivery after processing',
      '2 banking days after settlement',
      '60 calendar days after settlement',
    ]);
    expect(windows.flatMap(({ codes }) => codes)).not.toContain('R06');
    const wire = await sandbox.run(({ payments }) =>
      payments.receive('domestic_wire_received', { accountId: sandbox.id('account'), amount: 1, sender: {} }),
    );
    expect([returnWindowsOf(wire), returnLimitOf(wire, 'R01')]).toEqual([[], null]);
  });
});

describe('an originated ACH', () => {
  const originate = ({ run, id }: TestSandbox) =>
    run(({ payments }) =>
      payments.originate('ach_push', {
        accountId: id('account'),
        counterpartyId: id('ach_counterparty'),
        amount: 1_000,
        shortage: 'refuse',
      }),
    );

  test('keeps its effective date if possible, and otherwise gets the next banking day', async () => {
    const sandbox = openTestSandbox();
    const step = (id: string, event: 'submit' | 'send') =>
      sandbox.run(({ payments }) => payments.applyEvent(id, event));
    const [prompt, late] = [await originate(sandbox), await originate(sandbox)];
    for (const { id } of [prompt, late]) await step(id, 'submit');
    expect(effectiveDateOf(await step(prompt.id, 'send'))).toBe(effectiveDateOf(prompt));
    sandbox.clock.advance(7 * DAY_MS);
    const sent = await step(late.id, 'send');
    expect(effectiveDateOf(sent) > effectiveDateOf(late)).toBe(true);
    expect(sandbox.bank.payments.byId(late.id).details).toEqual(sent.details);
  });
});
