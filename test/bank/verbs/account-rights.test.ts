// The banks that may pull from an account, and the cards that it may have. Decision `account-pulls-and-cards` in
// docs/fidelity.md.

import { describe, expect, test } from 'vitest';
import type { AccountConfigChange } from '../../../src/bank/model/account-config.ts';
import type { CounterpartySnapshot } from '../../../src/bank/model/records.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

const FUNDED = 500_000;

type AchPull = NonNullable<AccountConfigChange['achPull']>;

describe('an incoming ACH pull', () => {
  const pull = async (achPull: AchPull, sender: Partial<CounterpartySnapshot>) => {
    const sandbox = openTestSandbox({ rails: 'fast' });
    const { run, id, bank, pass } = sandbox;
    const { payment, wasRequested } = await run(({ accounts, payments }) => {
      accounts.change(id('account'), { config: { achPull } });
      const input = { accountId: id('account'), amount: 100, sender };
      const question = payments.questionOf('ach_received_pull', input);
      return { payment: payments.receive('ach_received_pull', input), wasRequested: question !== undefined };
    });
    await pass(60_000);
    return { sandbox, wasRequested, payment: bank.payments.byId(payment.id) };
  };

  test('is returned with the code for consumers if pulls are disabled', async () => {
    const { sandbox, payment, wasRequested } = await pull({ enabled: false }, { name: 'Gray Harbor Loans' });
    expect(payment).toMatchObject({ status: 'returned', reason: { code: 'R10' } });
    expect(payment.details).toMatchObject({ returnCode: 'R10' });
    expect(wasRequested).toBe(false);
    expect(sandbox.sandbox.store.decisions.of(payment.id)).toMatchObject([
      { source: 'control', name: 'incoming.achPull.enabled', effect: 'return R10 in received' },
    ]);
  });

  test('is returned with the code for businesses from an account of a business', async () => {
    const { run, id } = openTestSandbox();
    const received = await run(({ holders, accounts, payments }) => {
      holders.decide(id('business'), 'pass');
      const input = { holderId: id('business'), type: 'checking', openingCredit: 1_000 } as const;
      const { account } = accounts.open(input);
      accounts.change(account.id, { config: { achPull: { enabled: false } } });
      return payments.receive('ach_received_pull', { accountId: account.id, amount: 100, sender: {} });
    });
    expect(received.outcome).toMatchObject({ event: 'return', reason: { code: 'R29' } });
  });

  test.each<[string, AchPull, Partial<CounterpartySnapshot>, boolean]>([
    ['no originator is listed', {}, { name: 'Gray' }, true],
    ['it is blocked by name', { blockedOriginators: [' gray HARBOR '] }, { name: 'Gray Harbor' }, false],
    ['it is blocked by number', { blockedOriginators: ['121042882'] }, { routingNumber: '121042882' }, false],
    ['another originator is blocked', { blockedOriginators: ['Gray'] }, { name: 'Gray Harbor' }, true],
    ['it is allowed by name', { allowedOriginators: ['Gray'] }, { name: 'GRAY' }, true],
    ['it is allowed by number', { allowedOriginators: ['121042882'] }, { routingNumber: '121042882' }, true],
    ['another originator is allowed', { allowedOriginators: ['Gray'] }, { name: 'Blue' }, false],
    ['only others are allowed and it has no name', { allowedOriginators: ['Gray'] }, {}, false],
    [
      'it is both blocked and allowed',
      { allowedOriginators: ['Gray'], blockedOriginators: ['Gray'] },
      { name: 'Gray' },
      false,
    ],
  ])('where %s', async (_, achPull, sender, goes) => {
    const { payment, wasRequested } = await pull(achPull, sender);
    expect([payment.status, wasRequested]).toEqual(goes ? ['settled', true] : ['returned', false]);
  });

  test('that is not allowed is returned before the balance is checked; a push is not affected', async () => {
    const { run, id } = openTestSandbox();
    const accountId = id('account');
    const [debit, credit] = await run(({ accounts, payments }) => {
      accounts.change(accountId, { config: { achPull: { enabled: false } } });
      return [
        payments.receive('ach_received_pull', { accountId, amount: FUNDED + 1, sender: {} }),
        payments.receive('ach_received_push', { accountId, amount: 1, sender: {} }),
      ];
    });
    expect(debit.outcome?.reason?.code).toBe('R10');
    expect(credit.outcome).toBeNull();
  });
});

describe('the cards of an account', () => {
  const issue = ({ run, id }: TestSandbox, type: 'virtual' | 'physical') =>
    run(({ cards }) => cards.issue({ cardHolderId: id('card_holder'), type }));

  test('are limited by type, not counting closed cards', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    await run(({ accounts }) =>
      accounts.change(id('account'), { config: { cards: { virtual: { count: 2 } } } }),
    );
    const { card } = await issue(sandbox, 'virtual');
    await expect(issue(sandbox, 'virtual')).rejects.toMatchObject({
      code: 'cards_full',
      field: 'cardType',
      message: 'the account may have 2 virtual cards and has 2: close one, or allow more',
    });
    expect((await issue(sandbox, 'physical')).card.type).toBe('physical');
    await run(({ cards }) => cards.change(card.id, { status: 'closed' }));
    expect((await issue(sandbox, 'virtual')).card.type).toBe('virtual');
  });

  test('cannot be issued with a disabled type', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    await run(({ accounts }) =>
      accounts.change(id('account'), { config: { cards: { physical: { enabled: false } } } }),
    );
    await expect(issue(sandbox, 'physical')).rejects.toMatchObject({
      code: 'card_type_off',
      field: 'cardType',
    });
    expect((await issue(sandbox, 'virtual')).card.status).toBe('open');
  });

  test('are limited by the program', async () => {
    const sandbox = openTestSandbox();
    const { run, id } = sandbox;
    await run(({ cards }) => {
      const openings = 1;
      for (let issued = openings; issued < 100; issued += 1) {
        cards.issue({ cardHolderId: id('card_holder'), type: 'physical' });
      }
    });
    await expect(issue(sandbox, 'physical')).rejects.toMatchObject({ code: 'cards_full' });
  });
});
