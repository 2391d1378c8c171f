// Lists that are filtered in memory equal those of SQL: the same rows, totals and order, after payments, changes and
// rollbacks.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, type Condition, on } from '../../../src/bank/model/conditions.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import { transactions } from '../../../src/bank/model/tables.ts';
import { sql } from '../../../src/bank/store/drizzle.ts';
import { createListing, type OffsetWindow } from '../../../src/bank/store/lists.ts';
import { openConnection } from '../../../src/bank/store/open.ts';
import { createTransactionColumns, FEWEST_ROWS } from '../../../src/bank/store/transaction-columns.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

type OnTransaction = Condition<Column<Transaction>>;
type Rows = { place: number; id: string }[];

const TEXTS = ['', 'Rent', 'rent of May', 'ÉTÉ', 'été', '100%', 'a|b'];

/** Payments of several kinds, some of which are not settled, and whose texts and amounts differ. */
async function pay({ run, id }: TestSandbox, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const order = {
      accountId: id(made % 3 === 0 ? 'other_account' : 'account'),
      amount: 100 * (made % 7) + 1,
      description: TEXTS[made % TEXTS.length] ?? '',
      shortage: 'record' as const,
    };
    await run(({ payments, cardPayments }) => {
      if (made % 5 === 0) cardPayments.authorize({ cardId: id('virtual_card'), amount: order.amount });
      else if (made % 5 === 1) payments.receive('ach_received_push', { ...order, sender: { name: 'Pat' } });
      else if (made % 3 !== 0) {
        const { id: paid } = payments.originate('ach_pull', {
          ...order,
          counterpartyId: id('ach_counterparty'),
        });
        if (made % 4 === 0) payments.applyEvent(paid, 'cancel');
      }
    });
  }
}

/** The whole list by SQL, without the store's optimizations. */
function bySql({ sandbox }: TestSandbox, where: readonly OnTransaction[], window: OffsetWindow) {
  const derived = { movedAt: sql`coalesce(${transactions.bookedAt}, ${transactions.createdAt})` };
  return createListing<Transaction>(sandbox.connection.db, transactions, { derived }).page(where, window);
}

const anyText = fc.constantFrom(
  'status',
  'rail',
  'description',
  'counterpartyId',
  'cardId',
  'otherSide.name',
);
const anyNumber = fc.constantFrom('amount', 'createdAt', 'bookedAt', 'movedNothing', 'details.atm');
const anyTest = fc.oneof(
  fc.record({ field: anyText, is: fc.constantFrom('settled', 'ach_pull', '', 'Rent') }),
  fc.record({ field: anyText, not: fc.constantFrom('settled', 'pending', 'card_authorization', '') }),
  fc.record({
    field: anyText,
    oneOf: fc.subarray(['settled', 'pending', 'originated', 'canceled', 'ach_pull']),
  }),
  fc.record({ field: anyText, contains: fc.constantFrom('RENT', 'é', 'É', 'a', '%', '_', '') }),
  fc.record({ field: anyText, isSet: fc.constant(true as const) }),
  fc.record({
    field: fc.constantFrom('settledAt', 'otherSide', 'bookedAt'),
    isNull: fc.constant(true as const),
  }),
  fc.record({ field: anyNumber, from: fc.constantFrom(0, 1, 301) }),
  fc.record({ field: anyNumber, to: fc.constantFrom(0, 1, 301) }),
  fc.record({ field: anyNumber, is: fc.constantFrom(0, 1, 301) }),
) as fc.Arbitrary<OnTransaction>;
const anyCondition: fc.Arbitrary<OnTransaction> = fc.oneof(
  { weight: 3, arbitrary: anyTest },
  fc.record({ anyOf: fc.array(fc.array(anyTest, { minLength: 1, maxLength: 3 }), { maxLength: 3 }) }),
);
const anyWindow = fc.record({
  limit: fc.integer({ min: 1, max: 40 }),
  offset: fc.integer({ min: 0, max: 60 }),
  order: fc.record({
    field: fc.constantFrom('id' as const, 'movedAt' as const),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
});

test('any conditions find the same as SQL, also after further payments and changes', async () => {
  const bank = openTestSandbox();
  const { sqlite } = bank.sandbox.connection;
  await pay(bank, 40);
  const columns = createTransactionColumns(sqlite, 0);
  const idsAt = sqlite.prepare('SELECT rowid AS place, id FROM transactions');
  const compare = (
    where: readonly OnTransaction[],
    { order, ...rest }: Required<Omit<OffsetWindow, 'kind'>>,
  ) => {
    const found = columns.find(where, 'id');
    if (found === undefined) throw new Error('nothing was found in memory');
    const expected = bySql(bank, where, { kind: 'offset', ...rest, order });
    const ids = new Map((idsAt.all() as Rows).map(({ place, id }) => [place, id]));
    const places = found.page({
      ...rest,
      isNewestFirst: order.direction === 'desc',
      byMovedAt: order.field === 'movedAt',
    });
    expect(found.total).toBe(expected.total);
    expect(places.map((place) => ids.get(place))).toEqual(expected.items.map(({ id }) => id));
  };
  for (let round = 0; round < 4; round += 1) {
    fc.assert(fc.property(fc.array(anyCondition, { maxLength: 4 }), anyWindow, compare), { numRuns: 60 });
    await pay(bank, 9);
    await bank.run(({ payments }) => {
      const { items } = payments.list([on('status', { is: 'originated' })], {
        kind: 'offset',
        limit: 3,
        offset: round,
      });
      for (const { id } of items) {
        payments.change(id, { description: 'changed' });
        payments.applyEvent(id, 'submit');
        columns.note(id);
      }
    });
  }
});

test('transactions that an index finds, or that are not committed, are not searched in memory', async () => {
  const bank = openTestSandbox();
  const { sqlite } = bank.sandbox.connection;
  await pay(bank, 10);
  const columns = createTransactionColumns(sqlite, 0);
  const settled = on('status', { is: 'settled' });
  expect(columns.find([settled], 'id')?.total).toBeGreaterThan(0);
  expect(columns.find([settled, on('parentId', { is: 'a' })], 'id')).toBeUndefined();
  expect(columns.find([on('metadata', { hasPair: ['a', 'b'] })], 'id')).toBeUndefined();
  await bank.run(() => expect(columns.find([settled], 'id')).toBeUndefined());
  expect(createTransactionColumns(sqlite).find([settled], 'id')).toBeUndefined();
  // Ids that are not in the order of the rows, as a migration created some, do not change the order of a list.
  const altered = openConnection({ kind: 'image', image: bank.sandbox.image() });
  altered.sqlite.exec("UPDATE transactions SET id = 'f' || substr(id, 2) WHERE rowid = 1");
  const outOfOrder = createTransactionColumns(altered.sqlite, 0);
  expect(outOfOrder.find([settled], 'id')).toBeUndefined();
  expect(outOfOrder.find([settled], 'place')?.total).toBeGreaterThan(0);
  altered.close();
});

test('the lists of a long account contain changes, without those rolled back, and new rows', async () => {
  const bank = openTestSandbox();
  const { run, id, sandbox } = bank;
  const accountId = id('account');
  await pay(bank, 10);
  const { sqlite } = sandbox.connection;
  const columns = [...sqlite.rows("SELECT name FROM pragma_table_info('transactions')")]
    .map(([name]) => String(name))
    .filter((name) => !['id', 'account_seq', 'master_id', 'master_totals', 'moved_nothing'].includes(name));
  // Copies of a row, which the audit treats as rows that moved nothing.
  sqlite.exec(
    `INSERT INTO transactions (id, account_seq, master_id, master_totals, moved_nothing, ${columns.join(', ')})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FEWEST_ROWS})
      SELECT printf('f%031x', i), 1000000 + i, '', NULL, 1, ${columns.join(', ')}
      FROM n, (SELECT * FROM transactions WHERE account_id = '${accountId}' AND rail = 'ach_received_push' LIMIT 1)`,
  );
  const lists = (status: Transaction['status']) => {
    const where = [on('status', { is: status })];
    const window = { kind: 'offset', limit: 5, offset: 0 } as const;
    return {
      ofAccount: sandbox.bank.payments.entries(accountId, where, window),
      ofAll: sandbox.bank.payments.list(where, window),
      inControl: sandbox.store.transactionSearch.find(
        { status, method: '', accountId: '', cardId: '' },
        100_000,
        5,
      ),
    };
  };
  const before = lists('originated');
  const [newest] = before.ofAccount.items;
  if (newest === undefined) throw new Error('nothing is originated');
  expect(lists('canceled').ofAccount.items.map((row) => row.id)).not.toContain(newest.id);
  const refused = run(({ payments }) => {
    payments.applyEvent(newest.id, 'cancel');
    throw new Error('taken back');
  });
  await expect(refused).rejects.toThrow('taken back');
  expect(lists('originated')).toEqual(before);

  await run(({ payments }) => payments.applyEvent(newest.id, 'cancel'));
  const after = lists('originated');
  expect(after.ofAccount.total).toBe(before.ofAccount.total - 1);
  expect(after.ofAll.total).toBe(before.ofAll.total - 1);
  expect(after.inControl?.map((row) => row.id)).not.toContain(newest.id);
  expect(lists('canceled').ofAccount.items.map((row) => row.id)).toContain(newest.id);

  const { id: made } = await run(({ payments }) =>
    payments.originate('ach_pull', {
      accountId,
      counterpartyId: id('ach_counterparty'),
      amount: 100,
      shortage: 'record',
    }),
  );
  expect(lists('originated').ofAccount.items[0]?.id).toBe(made);
  expect(lists('originated').inControl?.[0]?.id).toBe(made);
});
