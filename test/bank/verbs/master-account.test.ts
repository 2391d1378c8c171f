// The master account is the contra account of all sub accounts, so it always has their sum and the money in suspense.
// Decision `master-account` in docs/fidelity.md.

import { expect, test } from 'vitest';
import { createLedger, SUSPENSE } from '../../../src/bank/ledger/ledger.ts';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import type { OriginationRail, RailEvent } from '../../../src/bank/model/rails/index.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { everyRail } from './parties.ts';

/**
 * Available balance, pending credits and pending debits of the master account, which are the sums of all accounts.
 */
function master({ bank, sandbox }: TestSandbox): number[] {
  const { account, balance, totals } = bank.accounts.master();
  expect(totals).toEqual(totalsOf(balance, 'master_account'));
  const owed = [
    ...bank.accounts.list([], { kind: 'offset', offset: 0, limit: 100 }).items.map((file) => file.balance),
    createLedger(sandbox.connection.db).balance(SUSPENSE),
  ];
  const sum = (figure: 'creditsPosted' | 'debitsPosted' | 'creditsPending' | 'debitsPending'): number =>
    owed.reduce((all, one) => all + one[figure], 0);
  const { availableBalance, pendingCredits, pendingDebits } = totals;
  expect(account.id).toBe(bank.program.masterAccountId);
  expect([availableBalance, pendingCredits, pendingDebits]).toEqual([
    sum('creditsPosted') - sum('debitsPosted') - sum('debitsPending'),
    sum('creditsPending'),
    sum('debitsPending'),
  ]);
  return [availableBalance, pendingCredits, pendingDebits];
}

const OPENING_BALANCE = 750_000;

async function originated(sandbox: TestSandbox, rail: OriginationRail, ...events: RailEvent[]) {
  const { run, id } = sandbox;
  await run(({ payments, counterparties }) => {
    const { id: counterpartyId } = counterparties.create(everyRail(id('account'), id('other_account')));
    const { id: payment } = payments.originate(rail, {
      accountId: id('account'),
      counterpartyId,
      amount: 700,
      shortage: 'refuse',
    });
    for (const event of events) payments.applyEvent(payment, event);
  });
}

const SENT: RailEvent[] = ['submit', 'send', 'clear', 'settle'];

test.each<[string, OriginationRail, RailEvent[], number[]]>([
  ['a push is debited at origination', 'ach_push', [], [OPENING_BALANCE - 700, 0, 700]],
  ['a push is posted when it has settled', 'ach_push', SENT, [OPENING_BALANCE - 700, 0, 0]],
  ['a push that is returned is credited again', 'ach_push', [...SENT, 'return'], [OPENING_BALANCE, 0, 0]],
  ['a pull is pending', 'ach_pull', [], [OPENING_BALANCE, 700, 0]],
  ['a pull is available when it has settled', 'ach_pull', SENT, [OPENING_BALANCE + 700, 0, 0]],
  ['a transfer within the bank does not change it', 'intra_push', [], [OPENING_BALANCE, 0, 0]],
  ['an instant payment is debited', 'rtp_push', ['settle'], [OPENING_BALANCE - 700, 0, 0]],
  ['a check that was canceled is not debited', 'check_send', ['cancel'], [OPENING_BALANCE, 0, 0]],
])('%s', async (_, rail, events, figures) => {
  const sandbox = openTestSandbox();
  expect(master(sandbox)).toEqual([OPENING_BALANCE, 0, 0]);
  await originated(sandbox, rail, ...events);
  expect(master(sandbox)).toEqual(figures);
});

test('a purchase is held on both sides of the books, and its capture releases both', async () => {
  const sandbox = openTestSandbox();
  const { run, id } = sandbox;
  const { id: authorizationId } = await run(({ cardPayments }) =>
    cardPayments.authorize({ cardId: id('virtual_card'), amount: 900 }),
  );
  expect(master(sandbox)).toEqual([OPENING_BALANCE - 900, 0, 900]);
  await run(({ cardPayments }) => cardPayments.capture({ authorizationId, amount: 1_000 }));
  expect(master(sandbox)).toEqual([OPENING_BALANCE - 1_000, 0, 0]);
});

test('money without a sub account is only on the master account until it is sub-ledgered', async () => {
  const sandbox = openTestSandbox();
  const { run, id, bank } = sandbox;
  const received = await run(({ payments }) =>
    payments.receive('ach_received_push', { accountId: null, amount: 500, sender: {} }),
  );
  expect(master(sandbox)).toEqual([OPENING_BALANCE, 500, 0]);
  const entry = await run(({ payments }) => payments.applyEvent(received.id, 'settle'));
  expect(master(sandbox)).toEqual([OPENING_BALANCE + 500, 0, 0]);
  expect(bank.accounts.byId(id('account')).balance.creditsPosted).toBe(500_000);
  await run(({ payments }) =>
    payments.subLedger({ masterEntryId: entry.masterId, accountId: id('account'), amount: 300 }),
  );
  expect(master(sandbox)).toEqual([OPENING_BALANCE + 500, 0, 0]);
  expect(bank.accounts.byId(id('account')).balance.creditsPosted).toBe(500_300);
});

test('an opening credit and a return that overdraws are on both sides', async () => {
  const sandbox = openTestSandbox();
  const { run, id } = sandbox;
  await run(({ accounts, payments }) => {
    const { account } = accounts.open({ holderId: id('person'), type: 'checking', openingCredit: 100_000 });
    const credit = payments.receive('ach_received_push', { accountId: account.id, amount: 50, sender: {} });
    payments.applyEvent(credit.id, 'settle');
    const debit = payments.receive('ach_received_pull', {
      accountId: account.id,
      amount: 100_050,
      sender: {},
    });
    payments.applyEvent(debit.id, 'settle');
    payments.applyEvent(credit.id, 'return');
  });
  expect(master(sandbox)).toEqual([OPENING_BALANCE - 50, 0, 0]);
});

test('there is exactly one master account', () => {
  const { bank, id } = openTestSandbox();
  expect(bank.accounts.masterById(bank.program.masterAccountId)).toEqual(bank.accounts.master());
  expect(() => bank.accounts.masterById(id('account'))).toThrow(
    expect.objectContaining({ code: 'master_account_not_found' }),
  );
});
