// Finding, listing and changing transactions: the filters, the pages of a large account, and the fields that a client
// can change.

import { expect, test } from 'vitest';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import type { TransactionCondition } from '../../../src/bank/model/filters.ts';
import type { CursorWindow } from '../../../src/bank/store/lists.ts';
import { usedMs } from '../../support/processor-time.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { kindsV1, kindsV2, openAccount } from './parties.ts';

const NEWEST: CursorWindow = { kind: 'cursor', limit: 25, after: '', before: '' };
const page = ({ bank }: TestSandbox, where: TransactionCondition[], window: Partial<CursorWindow> = {}) => {
  const { items, ...rest } = bank.payments.list(where, { ...NEWEST, ...window });
  return { ...rest, ids: items.map(({ id }) => id) };
};

async function pay(sandbox: TestSandbox, count: number): Promise<Id[]> {
  const { run, id } = sandbox;
  const ids: Id[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id: paid } = await run(({ payments }) =>
      payments.originate('ach_pull', {
        accountId: id('account'),
        counterpartyId: id('ach_counterparty'),
        amount: 100,
        externalReferenceId: `ref-${made % 2}`,
        shortage: 'record',
      }),
    );
    ids.unshift(paid);
  }
  return ids;
}

/**
 * Adds this many rows to an account, each a copy of an existing one, directly in the table. The audit treats them as
 * rows that moved nothing.
 */
function grow({ sandbox }: TestSandbox, accountId: Id, count: number): void {
  const { sqlite } = sandbox.connection;
  const columns = sqlite
    .prepare("SELECT name FROM pragma_table_info('transactions')")
    .pluck()
    .all() as string[];
  const others = columns.filter(
    (name) => !['id', 'account_seq', 'master_id', 'master_totals', 'moved_nothing'].includes(name),
  );
  sqlite
    .prepare(
      `INSERT INTO transactions (id, account_seq, master_id, master_totals, moved_nothing, ${others.join(', ')})
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)
       SELECT printf('%032x', i), 1000000 + i, '', NULL, 1, ${others.join(', ')}
       FROM n, (SELECT * FROM transactions WHERE account_id = @accountId LIMIT 1)`,
    )
    .run({ count, accountId });
}

test('the list of all payments is sorted newest first, and a cursor continues at its position', async () => {
  const sandbox = openTestSandbox();
  const paid = await pay(sandbox, 5);
  const [first, second, third, fourth] = paid as [Id, Id, Id, Id];
  const all = page(sandbox, []);
  expect(all.ids.slice(0, 5)).toEqual(paid);
  expect(all.total).toBe(7);
  expect(page(sandbox, [], { limit: 2, after: second })).toMatchObject({
    ids: [third, fourth],
    hasNewer: true,
    hasOlder: true,
  });
  expect(page(sandbox, [], { limit: 2, before: third })).toMatchObject({
    ids: [first, second],
    hasNewer: false,
  });
});

test('the list of an account has the same order and its own total', async () => {
  const sandbox = openTestSandbox();
  const paid = await pay(sandbox, 3);
  const accountId = sandbox.id('account');
  const own = [...paid, sandbox.id('account.opening_transaction')];
  expect(page(sandbox, [{ field: 'accountId', is: accountId }])).toMatchObject({ ids: own, total: 4 });
  const { payments } = sandbox.bank;
  expect(payments.ofAccount(accountId, NEWEST).items.map(({ id }) => id)).toEqual(own);
  expect(page(sandbox, [{ field: 'accountId', is: '0'.repeat(32) }])).toMatchObject({ ids: [], total: 0 });
  expect(() => payments.ofAccount('0'.repeat(32), NEWEST)).toThrow(
    expect.objectContaining({ code: 'account_not_found' }),
  );
});

test('the list of a holder contains all of its accounts, and nothing without an account', async () => {
  const sandbox = openTestSandbox();
  const holderId = sandbox.id('person');
  const one: TransactionCondition = { field: 'holderId', is: holderId };
  const opening = sandbox.id('account.opening_transaction');
  expect(page(sandbox, [one])).toMatchObject({ ids: [opening], total: 1 });
  const { account } = await sandbox.run((bank) => bank.accounts.open({ holderId, type: 'checking' }));
  const { id } = await sandbox.run(({ payments }) =>
    payments.receive('rtp_received', { accountId: account.id, amount: 5, sender: {} }),
  );
  expect(page(sandbox, [one])).toMatchObject({ ids: [id, opening], total: 2 });
  expect(page(sandbox, [one, { field: 'accountId', is: account.id }])).toMatchObject({ ids: [id], total: 1 });
  expect(page(sandbox, [{ field: 'holderId', is: sandbox.id('business') }])).toMatchObject({
    ids: [],
    total: 0,
  });
  const other = await openAccount(sandbox, 'Zoe', '298765432');
  expect(page(sandbox, [{ field: 'accountId', is: other.accountId }, one])).toMatchObject({
    ids: [],
    total: 0,
  });
});

test('filters are combined with and', async () => {
  const sandbox = openTestSandbox();
  const paid = await pay(sandbox, 4);
  const account: TransactionCondition = { field: 'accountId', is: sandbox.id('account') };
  const reference: TransactionCondition[] = [
    { field: 'externalReferenceId', is: 'ref-1' },
    { field: 'externalReferenceId', isSet: true },
  ];
  expect(page(sandbox, reference)).toMatchObject({ ids: [paid[0], paid[2]], total: 2 });
  expect(page(sandbox, [account, ...reference]).ids).toEqual([paid[0], paid[2]]);
  const elsewhere: TransactionCondition = { field: 'accountId', is: sandbox.id('other_account') };
  expect(page(sandbox, [elsewhere, ...reference]).ids).toEqual([]);
});

test('a page of an account with a hundred thousand rows costs less than to count them', () => {
  const ROWS = 100_000;
  const sandbox = openTestSandbox();
  const accountId = sandbox.id('account');
  grow(sandbox, accountId, ROWS);
  const list = () => page(sandbox, [{ field: 'accountId', is: accountId }]);
  const { ids, total } = list();
  expect(ids).toHaveLength(25);
  expect(total).toBeGreaterThan(ROWS);
  const deep = page(sandbox, [{ field: 'accountId', is: accountId }], { after: ids.at(-1) ?? '' });
  expect(deep).toMatchObject({ hasNewer: true, hasOlder: true });

  const sql = 'SELECT count(*) FROM transactions WHERE account_id = ?';
  const count = sandbox.sandbox.connection.sqlite.prepare(sql).pluck();
  expect(count.get(accountId)).toBeGreaterThan(ROWS);
  const leastOf = (work: () => unknown): number =>
    Math.min(
      ...Array.from({ length: 15 }, () => {
        const before = usedMs();
        work();
        return usedMs() - before;
      }),
    );
  // It reads 25 rows and no others, and the count reads all of them from an index.
  expect(leastOf(list)).toBeLessThan(leastOf(() => count.get(accountId)) / 2);
});

test('a change replaces the sent texts, keeps the others, and publishes an event', async () => {
  const sandbox = openTestSandbox();
  const [paid = ''] = await pay(sandbox, 1);
  sandbox.newFacts();
  sandbox.clock.advance(60_000);
  const before = sandbox.bank.payments.byId(paid);
  const change = (words: Parameters<typeof sandbox.bank.payments.change>[1]) =>
    sandbox.run(({ payments }) => payments.change(paid, words));
  const after = await change({ title: 'Rent', description: 'March', metadata: { a: '1', b: '2' } });
  expect(after).toEqual({
    ...before,
    title: 'Rent',
    description: 'March',
    metadata: { a: '1', b: '2' },
    updatedAt: sandbox.clock.now(),
  });
  expect(sandbox.bank.payments.byId(paid)).toEqual(after);
  const facts = sandbox.newFacts();
  expect(kindsV2(facts)).toEqual(['transaction.updated']);
  expect(kindsV1(facts)).toEqual(['transfer.updated']);
  expect(await change({ metadata: { a: '' } })).toMatchObject({ description: 'March', metadata: { b: '2' } });
  await expect(change({ metadata: { big: 'x'.repeat(5_000) } })).rejects.toMatchObject({
    code: 'metadata_too_large',
  });
  expect(() => sandbox.bank.payments.change('0'.repeat(32), {})).toThrow(
    expect.objectContaining({ code: 'transaction_not_found' }),
  );
});

test('the other side of a transfer within the bank keeps its own texts', async () => {
  const sandbox = openTestSandbox();
  const { run, id, bank } = sandbox;
  const paid = await run(({ payments }) =>
    payments.originate('intra_push', {
      accountId: id('account'),
      counterpartyId: id('intra_counterparty'),
      amount: 100,
      description: 'lunch',
      shortage: 'record',
    }),
  );
  const partnerId = paid.details.kind === 'intra' ? paid.details.partnerId : '';
  const partner = bank.payments.byId(partnerId);
  await run(({ payments }) => payments.change(paid.id, { title: 'Mine', description: 'dinner' }));
  expect(bank.payments.byId(partnerId)).toEqual(partner);
});

test('a change does not move the scheduled step', async () => {
  const sandbox = openTestSandbox({ rails: 'fast' });
  const [paid = ''] = await pay(sandbox, 1);
  const { dueAt } = sandbox.bank.payments.byId(paid);
  const after = await sandbox.run(({ payments }) => payments.change(paid, { description: 'x' }));
  expect(after.dueAt).toBe(dueAt);
  await sandbox.pass(60_000);
  expect(sandbox.bank.payments.byId(paid)).toMatchObject({ status: 'settled', description: 'x' });
});
