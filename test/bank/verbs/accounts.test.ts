// Sub accounts: opened with a balance of zero for verified holders, each with a unique number. The master account
// holds their sum.

import { expect, test } from 'vitest';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import type { Account, Holder } from '../../../src/bank/model/records.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { business, kindsV1, kindsV2, openAccount, person, totals } from './parties.ts';

test('a new account has a balance of 0.00 and the requested fields, and publishes an event', async () => {
  const { run, id, newFacts, bank } = openTestSandbox();
  const file = await run(({ accounts }) =>
    accounts.open({
      holderId: id('person'),
      type: 'cash',
      label: 'Rent',
      purpose: 'rent',
      externalReferenceId: 'x-1',
      metadata: { a: '1' },
    }),
  );
  expect(file.account).toMatchObject({
    holderId: id('person'),
    holderType: 'person',
    holderName: 'Ada Lovegood',
    createdBy: id('person'),
    type: 'cash',
    label: 'Rent',
    purpose: 'rent',
    externalReferenceId: 'x-1',
    metadata: { a: '1' },
    status: 'open',
    createdAt: START,
    closedAt: null,
  });
  expect(totalsOf(file.balance)).toEqual({ availableBalance: 0, pendingCredits: 0, pendingDebits: 0 });
  expect(bank.accounts.byId(file.account.id)).toEqual(file);
  const facts = newFacts();
  expect(kindsV2(facts)).toEqual(['sub_account.created', 'sub_account.status.open']);
  expect(kindsV1(facts)).toEqual(['account.created']);
});

test('an account has a unique number, and is found by it', async () => {
  const { run, id, bank } = openTestSandbox();
  const files = await Promise.all(
    Array.from({ length: 20 }, () =>
      run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'checking' })),
    ),
  );
  const numbers = files.map(({ account }) => account.accountNumber);
  for (const number of numbers) expect(number).toMatch(/^95000000\d{8}$/);
  expect(new Set(numbers).size).toBe(20);
  expect(bank.accounts.byNumber(numbers[7] ?? '')).toEqual(files[7]);
});

test('an account of a business is opened by the person for whom the business was created', async () => {
  const { run, id } = openTestSandbox();
  const { holder } = await run(({ holders }) =>
    holders.create({
      business: business(),
      createdBy: id('person'),
      verification: { status: 'pass', method: '', url: '' },
    }),
  );
  const { account } = await run(({ accounts }) => accounts.open({ holderId: holder.id, type: 'cash' }));
  expect(account).toMatchObject({ holderName: 'Stone Works Inc', createdBy: id('person') });
});

test('an account never gets the number of another account, even if the random sequence repeats', async () => {
  const { run, id, sandbox } = openTestSandbox();
  const foreseen = openTestSandbox();
  const draw = foreseen.run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'cash' }));
  const { accountNumber } = (await draw).account;
  const taken = sandbox.store.accounts.byId(id('account')) as Account;
  sandbox.store.accounts.replace({ ...taken, accountNumber });
  const { account } = await run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'cash' }));
  expect(account.accountNumber).toMatch(/^95000000\d{8}$/);
  expect(account.accountNumber).not.toBe(accountNumber);
});

test('an account is opened by its holder by default', async () => {
  const { run, id } = openTestSandbox();
  const { holder } = await run(({ holders }) =>
    holders.create({
      person: person(),
      verification: { status: 'pass', method: '', url: '' },
    }),
  );
  const own = await run(({ accounts }) => accounts.open({ holderId: holder.id, type: 'cash' }));
  expect(own.account.createdBy).toBe(holder.id);
  const received = await run(({ accounts }) =>
    accounts.open({ holderId: holder.id, type: 'cash', createdBy: id('person') }),
  );
  expect(received.account.createdBy).toBe(id('person'));
});

test.each<[string, Partial<Holder>, code: string]>([
  ['waits for its check', { status: 'pending_activation' }, 'account_holder_not_verified'],
  ['is suspended', { status: 'suspended' }, 'account_holder_not_active'],
  ['is deactivated', { status: 'deactivated', deactivatedAt: START }, 'account_holder_not_active'],
  ['is locked', { status: 'locked', lockedFrom: 'activated' }, 'account_holder_not_active'],
])('no account opens for a holder who %s', async (_, changes, code) => {
  const { run, id, sandbox, bank } = openTestSandbox();
  sandbox.store.holders.replace({ ...bank.holders.byId(id('person')).holder, ...changes });
  const before = digestOf(sandbox);
  await expect(
    run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'cash' })),
  ).rejects.toMatchObject({ code, field: 'holderId' });
  expect(digestOf(sandbox)).toBe(before);
});

test('a change to the present status writes and publishes nothing', async () => {
  const { run, id, clock, newFacts, bank } = openTestSandbox();
  const before = bank.accounts.byId(id('account'));
  newFacts();
  clock.advance(1000);
  const after = await run(({ accounts }) => accounts.change(id('account'), { status: 'open' }));
  expect(after).toEqual(before);
  expect(bank.accounts.byId(id('account'))).toEqual(before);
  expect(newFacts()).toEqual([]);
});

test('every operation refuses an unknown account or holder', async () => {
  const { run, bank } = openTestSandbox();
  const nobody = '0'.repeat(32);
  await expect(
    run(({ accounts }) => accounts.open({ holderId: nobody, type: 'cash' })),
  ).rejects.toMatchObject({
    code: 'holder_not_found',
  });
  expect(() => bank.accounts.byId(nobody)).toThrow(expect.objectContaining({ code: 'account_not_found' }));
  expect(() => bank.accounts.byNumber('1')).toThrow(
    expect.objectContaining({ code: 'intra_account_unknown' }),
  );
});

test('an account with metadata beyond the limits is not opened', async () => {
  const { run, id, sandbox } = openTestSandbox();
  const before = digestOf(sandbox);
  await expect(
    run(({ accounts }) =>
      accounts.open({ holderId: id('person'), type: 'cash', metadata: { a: 'x'.repeat(5_000) } }),
    ),
  ).rejects.toMatchObject({ code: 'metadata_too_large' });
  expect(digestOf(sandbox)).toBe(before);
});

test('the balance of the master account is the sum of all sub accounts', async () => {
  const test = openTestSandbox();
  const { run, id, bank } = test;
  const { accountId } = await openAccount(test, 'Fay', '387654321');
  await run(({ payments }) => {
    const { id: payment } = payments.receive('ach_received_push', { accountId, amount: 4_321, sender: {} });
    payments.applyEvent(payment, 'settle');
  });
  const { account, balance } = bank.accounts.master();
  expect(account).toMatchObject({ id: bank.program.masterAccountId, label: 'Operating FBO', status: 'open' });
  const sum = [id('account'), id('other_account'), accountId].reduce(
    (all, one) => all + totals(test, one)[0],
    0,
  );
  expect(sum).toBe(754_321);
  expect(totalsOf(balance, 'master_account')).toEqual({
    availableBalance: sum,
    pendingCredits: 0,
    pendingDebits: 0,
  });
});

test('accounts opened while account numbers are disabled have none; those before and after have one', async () => {
  const { run, id, bank } = openTestSandbox();
  const open = async () =>
    (await run(({ accounts }) => accounts.open({ holderId: id('person'), type: 'checking' }))).account;
  const before = await open();
  await run(({ outcomes }) => outcomes.changeSettings({ accountNumbers: false }));
  const [first, second] = [await open(), await open()];
  expect([first.accountNumber, second.accountNumber]).toEqual(['', '']);
  expect(bank.accounts.byId(before.id).account.accountNumber).toBe(before.accountNumber);
  expect(() => bank.accounts.byNumber('')).toThrow(
    expect.objectContaining({ code: 'intra_account_unknown' }),
  );
  await run(({ outcomes }) => outcomes.changeSettings({ accountNumbers: true }));
  expect((await open()).accountNumber).toMatch(/^95000000\d{8}$/);
});

test('an account without a number receives an intrabank payment by id, and the payment is reversed', async () => {
  const sandbox = openTestSandbox();
  const { run, id, bank } = sandbox;
  await run(({ outcomes }) => outcomes.changeSettings({ accountNumbers: false }));
  const open = async () =>
    (await run(({ accounts }) => accounts.open({ holderId: id('other_person'), type: 'checking' }))).account;
  const [payee, other] = [await open(), await open()];
  const intraAccount = { accountId: payee.id };
  const counterparty = await run(({ counterparties }) =>
    counterparties.create({ accountId: id('account'), label: 'Mill', rails: { intraAccount } }),
  );
  expect(counterparty.rails.intraAccount).toEqual({ accountId: payee.id, accountNumber: '' });
  const named = run(({ counterparties }) =>
    counterparties.create({ accountId: id('account'), rails: { intraAccount: { accountNumber: '' } } }),
  );
  await expect(named).rejects.toMatchObject({ code: 'intra_account_unknown', field: 'intraAccount' });
  const order = { accountId: id('account'), counterpartyId: counterparty.id, amount: 2_500 };
  const paid = await run(({ payments }) =>
    payments.originate('intra_push', { ...order, shortage: 'refuse' }),
  );
  expect([totals(sandbox, payee.id), totals(sandbox, other.id)]).toEqual([
    [2_500, 0, 0],
    [0, 0, 0],
  ]);
  await run(({ payments }) => payments.applyEvent(paid.id, 'reverse'));
  expect([totals(sandbox, payee.id), totals(sandbox, id('account'))]).toEqual([
    [0, 0, 0],
    [500_000, 0, 0],
  ]);
  expect(bank.payments.byId(paid.id).status).toBe('reversed');
});
