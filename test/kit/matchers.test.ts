/** The matchers of `sandbank/vitest`: when they pass, and their messages when they fail. */
import { describe, expect, vi } from 'vitest';
import type { Sandbank } from '../../src/kit/bank.ts';
import { test } from '../../src/kit/vitest.ts';

/** Pulls 25.00 from the other seeded account; returns both accounts. */
async function pull(bank: Sandbank): Promise<{ mine: string; id: string }> {
  const { sub_account_id: mine, intra_counterparty_id: counterparty_id } = await bank.seeded();
  const body = { sub_account_id: mine, counterparty_id, amount: '25.00' };
  const { id } = await bank.v2.originateIntraAccountPull({ body });
  return { mine, id };
}

const failureOf = (assertion: Promise<void>): Promise<string> =>
  assertion.then(
    () => 'it did not fail',
    (error: Error) => error.message,
  );

describe('toHavePublished', () => {
  test('finds an event by its kind, by a prefix of kinds, and by its record', async ({ bank }) => {
    const { id } = await pull(bank);
    await expect(bank).toHavePublished('transaction.created');
    await expect(bank).toHavePublished('transaction.*', { resource: id });
    await expect(bank).toHavePublished('account.credit');
    await expect(bank).not.toHavePublished('card.created');
    await expect(bank).not.toHavePublished('card.*', { resource: id });
  });

  test('does not find events of the seed', async ({ bank }) => {
    await expect(bank).not.toHavePublished('sub_account.created');
  });

  test('lists the existing events in its error', async ({ bank }) => {
    expect(await failureOf(expect(bank).toHavePublished('card.created'))).toBe(
      'expected an event card.created; nothing has happened yet',
    );
    const { id } = await pull(bank);
    const missing = await failureOf(expect(bank).toHavePublished('card.created', { resource: id }));
    expect(missing).toContain(`expected an event card.created about ${id}; the newest are\n`);
    expect(missing).toContain(`  transaction.created ${id}`);
    expect(await failureOf(expect(bank).not.toHavePublished('transaction.created'))).toMatch(
      /^expected no event transaction\.created, but found evt_/,
    );
  });
});

test('a matcher names what it takes instead of a bank', async () => {
  await expect(expect({}).toBalance()).rejects.toThrow('takes the bank of a test, such as expect(bank)');
});

describe('toHaveBalance', () => {
  test('compares the given figures', async ({ bank }) => {
    const { mine } = await pull(bank);
    await expect(bank).toHaveBalance(mine, { available_balance: '5025.00' });
    await expect(bank).toHaveBalance(mine, {
      available_balance: '5025.00',
      pending_credits: '0.00',
      pending_debits: '0.00',
    });
    await expect(bank).not.toHaveBalance(mine, { available_balance: '5000.00' });
  });

  test('shows expected and actual figures', async ({ bank }) => {
    const { mine } = await pull(bank);
    const wrong = expect(bank).toHaveBalance(mine, { available_balance: '1.00', pending_debits: '0.00' });
    await expect(wrong).rejects.toMatchObject({
      message: `expected these figures of ${mine}`,
      actual: { available_balance: '5025.00', pending_debits: '0.00' },
      expected: { available_balance: '1.00', pending_debits: '0.00' },
    });
    const same = await failureOf(expect(bank).not.toHaveBalance(mine, { pending_debits: '0.00' }));
    expect(same).toContain(`expected other figures of ${mine}`);
  });

  test('fails with the refusal for an unknown account', async ({ bank }) => {
    expect(await failureOf(expect(bank).toHaveBalance('sub_1', {}))).toContain('404');
  });
});

describe('toBalance', () => {
  test('passes if the books balance', async ({ bank }) => {
    await pull(bank);
    await expect(bank).toBalance();
    expect(await failureOf(expect(bank).not.toBalance())).toBe('expected books that do not balance');
  });

  test('lists the problems of books that do not balance', async ({ bank }) => {
    const right = await bank.sandbox.verifyLedger();
    vi.spyOn(bank.sandbox, 'verifyLedger').mockResolvedValue({
      ...right,
      balanced: false,
      problems: ['an account is off by a cent', 'a hold was resolved twice'],
    });
    expect(await failureOf(expect(bank).toBalance())).toBe(
      'the books are wrong:\nan account is off by a cent\na hold was resolved twice',
    );
  });
});
