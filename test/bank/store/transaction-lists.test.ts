// Lists of a long history: their pages and totals are those of its rows, and an index decides them.
import { expect, onTestFinished, test } from 'vitest';
import { transactionStatus, transactionStatusFilter } from '../../../src/bank/api/v1/transactions/status.ts';
import { on } from '../../../src/bank/model/conditions.ts';
import type { TransactionCondition } from '../../../src/bank/model/filters.ts';
import type { Transaction } from '../../../src/bank/model/records.ts';
import type { OffsetWindow } from '../../../src/bank/store/lists.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

/** Enough for an account that is not read row by row. */
const COPIES = 2_500;

/** An account whose transactions differ in state, rail, text and amount. */
async function longAccount(): Promise<TestSandbox> {
  const bank = openTestSandbox();
  const { run, id, sandbox } = bank;
  const order = { accountId: id('account'), amount: 100, shortage: 'record' as const };
  await run(({ payments, cardPayments }) => {
    payments.receive('ach_received_push', { ...order, sender: { name: 'Pat Rowe' } });
    const pull = { ...order, counterpartyId: id('ach_counterparty') };
    payments.applyEvent(payments.originate('ach_pull', pull).id, 'cancel');
    payments.originate('ach_pull', { ...pull, description: 'RENT of May' });
    cardPayments.authorize({ cardId: id('virtual_card'), amount: 1 });
  });
  const { sqlite } = sandbox.connection;
  const copied = [...sqlite.rows("SELECT name FROM pragma_table_info('transactions')")]
    .map(([name]) => String(name))
    .filter(
      (name) =>
        !['id', 'account_seq', 'master_id', 'master_totals', 'moved_nothing', 'amount'].includes(name),
    )
    .join(', ');
  // The audit at the end of the test must not see the copies.
  onTestFinished(() => void sqlite.exec("DELETE FROM transactions WHERE id LIKE 'f0%'"));
  sqlite.exec(
    `INSERT INTO transactions (id, account_seq, master_id, master_totals, moved_nothing, amount, ${copied})
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COPIES}),
        old AS (SELECT *, row_number() OVER (ORDER BY id) - 1 AS place FROM transactions WHERE account_id = '${id('account')}')
      SELECT printf('f%031x', i), 1000 + i, '', NULL, 1, i, ${copied}
      FROM n JOIN old ON place = i % (SELECT count(*) FROM old) ORDER BY i`,
  );
  return bank;
}

const LISTS: Record<string, { where: TransactionCondition[]; fits(row: Transaction): boolean }> = {
  'a state': { where: [on('status', { is: 'canceled' })], fits: ({ status }) => status === 'canceled' },
  'a status of v1': {
    where: [transactionStatusFilter('declined')],
    fits: (row) => transactionStatus(row) === 'declined',
  },
  'a text in another case': {
    where: [on('description', { contains: 'Rent OF' })],
    fits: ({ description }) => description.includes('RENT of'),
  },
  'the other side': {
    where: [on('otherSideName', { contains: 'rowe' })],
    fits: ({ otherSide }) => otherSide?.name === 'Pat Rowe',
  },
  amounts: {
    where: [on('amount', { from: 40 }), on('amount', { to: 90 })],
    fits: ({ amount }) => amount >= 40 && amount <= 90,
  },
  'a contact': {
    where: [on('counterpartyId', { isSet: true })],
    fits: ({ counterpartyId }) => counterpartyId !== '',
  },
  nothing: { where: [on('title', { contains: 'nowhere' })], fits: () => false },
};
const WINDOWS: Omit<OffsetWindow, 'kind'>[] = [
  { limit: 20, offset: 0 },
  { limit: 7, offset: 45 },
  { limit: 100, offset: 0, order: { field: 'createdAt', direction: 'asc' } },
  { limit: 30, offset: 10, order: { field: 'movedAt', direction: 'desc' } },
  { limit: 5, offset: 5_000 },
];

test('a filtered page of a long account, and its total, are those of its rows in order', async () => {
  const { sandbox, id } = await longAccount();
  const accountId = id('account');
  const { payments } = sandbox.bank;
  const all = sandbox.store.transactions.list.all([on('accountId', { is: accountId })]);
  expect(all.length).toBeGreaterThan(COPIES);
  for (const [name, { where, fits }] of Object.entries(LISTS)) {
    const matches = all.filter(
      (row) => fits(row) && !(row.method === 'card_issuing' && row.status === 'declined'),
    );
    for (const window of WINDOWS) {
      const { limit, offset, order } = window;
      const movedAt = (row: Transaction) => row.bookedAt ?? row.createdAt;
      const ordered =
        order?.field === 'movedAt' ? matches.toSorted((a, b) => movedAt(b) - movedAt(a)) : matches;
      const expected = (order?.direction === 'asc' ? ordered.toReversed() : ordered).slice(
        offset,
        offset + limit,
      );
      for (const account of [accountId, '']) {
        const list = [...where, ...(account === '' ? [on('accountId', { is: accountId })] : [])];
        const page = payments.entries(account, list, { kind: 'offset', ...window });
        expect(page.items, `${name}, ${JSON.stringify(window)}`).toEqual(expected);
        expect(page).toMatchObject({
          total: matches.length,
          hasOlder: offset + page.items.length < matches.length,
        });
      }
    }
  }
});

test('the index alone decides a page and a total of these lists', async () => {
  const { sandbox, id } = await longAccount();
  const { sqlite } = sandbox.connection;
  const texts: string[] = [];
  const prepare = sqlite.prepare.bind(sqlite);
  sqlite.prepare = ((text: string) => {
    texts.push(text);
    return prepare(text);
  }) as typeof sqlite.prepare;
  for (const { where } of Object.values(LISTS)) {
    const window = { kind: 'offset', limit: 2, offset: 1 } as const;
    for (const account of [id('account'), '']) sandbox.bank.payments.entries(account, where, window);
  }
  const filtered = texts.filter((text) => text.includes('method'));
  expect(filtered.length).toBeGreaterThan(Object.keys(LISTS).length);
  for (const text of filtered) {
    const plan = prepare(`EXPLAIN QUERY PLAN ${text}`).all(...(text.match(/\?/g) ?? []).map(() => 1));
    expect(JSON.stringify(plan), text).toContain('COVERING INDEX transactions_to_search');
  }
});
