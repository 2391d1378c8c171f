// Statements: consecutive months with the booked rows, each in the month of its date. The last balance is the
// available balance plus the money on hold for pending payments. Decisions `statement-contents` and `v1-booked-rows`
// in docs/fidelity.md.

import { describe, expect, test } from 'vitest';
import { formatTransaction } from '../../../src/bank/api/v1/transactions/format.ts';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { OffsetWindow } from '../../../src/bank/store/lists.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { everyRail, openAccount, totals } from './parties.ts';

const ALL: OffsetWindow = { kind: 'offset', offset: 0, limit: 100 };
const MARCH_31 = Date.UTC(2026, 2, 31, 23, 59, 59, 999);

const list = ({ bank }: TestSandbox, accountId: Id) => bank.statements.list(accountId, ALL).items;

/** What the statements must contain for an account, after any history. */
function expectSound(sandbox: TestSandbox, accountId: Id, waitsToLeave = 0): void {
  const { bank } = sandbox;
  const statements = list(sandbox, accountId).toReversed();
  let balance = 0;
  for (const statement of statements) {
    const transactions = [...bank.statements.byId(accountId, statement.id).slices].flat();
    for (const row of transactions) {
      const { txnDate } = formatTransaction(row, bank.program);
      expect(txnDate.startsWith(statement.id), `${txnDate} is shown in ${statement.id}`).toBe(true);
    }
    const sum = (direction: 'credit' | 'debit') =>
      transactions.reduce((all, row) => (row.direction === direction ? all + row.amount : all), 0);
    expect(statement.opening, `${statement.id} opens as the one before closed`).toBe(balance);
    expect([statement.credits, statement.debits]).toEqual([sum('credit'), sum('debit')]);
    expect(statement.count).toBe(transactions.length);
    expect(statement.closing).toBe(statement.opening + statement.credits - statement.debits);
    balance = statement.closing;
  }
  const [available] = totals(sandbox, accountId);
  expect(balance, 'the last closing balance is what the rows come to').toBe(available + waitsToLeave);
}

describe('the statement months of an account', () => {
  test('run from its opening to the present, newest first, without a gap', () => {
    const sandbox = openTestSandbox();
    const { id, clock } = sandbox;
    expect(list(sandbox, id('account'))).toMatchObject([
      {
        id: '2026-03',
        from: Date.UTC(2026, 2, 1),
        until: Date.UTC(2026, 3, 1),
        createdAt: clock.now(),
        opening: 0,
        closing: 500_000,
        credits: 500_000,
        debits: 0,
        count: 1,
      },
    ]);
    clock.set(Date.UTC(2027, 0, 1));
    const statements = list(sandbox, id('account'));
    expect(statements.map(({ id: month }) => month)).toEqual([
      ...['2027-01', '2026-12', '2026-11', '2026-10', '2026-09', '2026-08'],
      ...['2026-07', '2026-06', '2026-05', '2026-04', '2026-03'],
    ]);
    expect(statements[0]).toMatchObject({ opening: 500_000, closing: 500_000, count: 0 });
    expect(statements.slice(0, 3).map(({ createdAt }) => createdAt)).toEqual([
      Date.UTC(2027, 0, 1),
      Date.UTC(2027, 0, 1),
      Date.UTC(2026, 11, 1),
    ]);
    expectSound(sandbox, id('account'));
  });

  test('are paginated', () => {
    const { bank, id, clock } = openTestSandbox();
    clock.set(Date.UTC(2026, 7, 1));
    const page = (offset: number) => {
      const { items, ...rest } = bank.statements.list(id('account'), { kind: 'offset', offset, limit: 2 });
      return { ...rest, months: items.map(({ id: month }) => month) };
    };
    expect(page(0)).toEqual({ months: ['2026-08', '2026-07'], total: 6, hasNewer: false, hasOlder: true });
    expect(page(4)).toEqual({ months: ['2026-04', '2026-03'], total: 6, hasNewer: true, hasOlder: false });
    expect(page(6)).toEqual({ months: [], total: 6, hasNewer: true, hasOlder: false });
  });

  test('include earlier months with booked transactions, if the clock was set back', async () => {
    const sandbox = openTestSandbox();
    const { id } = sandbox;
    await sandbox.sandbox.setClock((clock) => clock.moveTo(Date.UTC(2026, 0, 15)));
    const months = () => list(sandbox, id('account')).map(({ id: month }) => month);
    expect(months()).toEqual(['2026-03']);
    await pay(sandbox, 'intra_push', 700);
    expect(months()).toEqual(['2026-03', '2026-02', '2026-01']);
    expectSound(sandbox, id('account'));
  });

  test.each(['2026-02', '2026-04', '2026-3', '2026-13', '2026-00', '', 'x', '2026-03-01', '-026-03'])(
    'are refused for "%s"',
    (month) => {
      const { bank, id } = openTestSandbox();
      expect(() => bank.statements.byId(id('account'), month)).toThrow(
        expect.objectContaining({ code: 'statement_not_found' }),
      );
    },
  );

  test('are refused for an unknown account', () => {
    const { bank, id } = openTestSandbox();
    const refused = expect.objectContaining({ code: 'account_not_found' });
    expect(() => bank.statements.list(id('person'), ALL)).toThrow(refused);
    expect(() => bank.statements.byId(id('person'), '2026-03')).toThrow(refused);
  });
});

describe('a statement month', () => {
  test('ends with its last millisecond, and later settlements are in the next month', async () => {
    const sandbox = openTestSandbox();
    const { run, bank, clock } = sandbox;
    clock.set(MARCH_31);
    const { accountId } = await openAccount(sandbox, 'Fay', '387654321');
    const receive = (amount: number) =>
      run(({ payments }) => payments.receive('ach_received_push', { accountId, amount, sender: {} }));
    const settle = (id: Id) => run(({ payments }) => payments.applyEvent(id, 'settle'));
    const [march, april] = [await receive(1_000), await receive(500)];
    await settle(march.id);
    clock.advance(1);
    await settle(april.id);
    expect(list(sandbox, accountId)).toMatchObject([
      { id: '2026-04', opening: 1_000, credits: 500, closing: 1_500, count: 1 },
      { id: '2026-03', opening: 0, credits: 1_000, closing: 1_000, count: 1 },
    ]);
    const rows = (month: string) =>
      [...bank.statements.byId(accountId, month).slices].flat().map(({ id }) => id);
    expect([rows('2026-03'), rows('2026-04')]).toEqual([[march.id], [april.id]]);
  });

  test('has each booked row once, oldest first, with its person and creation time', async () => {
    const sandbox = openTestSandbox();
    const { run, id, bank, clock } = sandbox;
    clock.advance(1_000);
    const sent = await run(({ payments, counterparties }) => {
      const { id: counterpartyId } = counterparties.create(everyRail(id('account'), id('other_account')));
      return payments.originate('intra_push', {
        accountId: id('account'),
        counterpartyId,
        amount: 700,
        shortage: 'refuse',
      });
    });
    const file = bank.statements.byId(id('account'), '2026-03');
    expect([...file.slices].flat().map(({ id: row }) => row)).toEqual([
      id('account.opening_transaction'),
      sent.id,
    ]);
    expect(file.at).toBe(clock.now());
    expect(file.account).toEqual(bank.accounts.byId(id('account')));
    const other = bank.statements.byId(id('other_account'), '2026-03');
    expect([...other.slices].flat().at(-1)).toMatchObject({
      amount: 700,
      direction: 'credit',
      rail: 'intra_received_push',
    });
  });
});

describe('a statement', () => {
  /** By name: the events in March, and the booked amounts at its end. */
  const STORIES: [string, (sandbox: TestSandbox) => Promise<unknown>, credits: number, debits: number][] = [
    ['books an immediate payment', async (sandbox) => ach(sandbox, 'submit', 'send'), 0, 700],
    [
      'books an immediate payment once, even after it settles',
      async (sandbox) => ach(sandbox, 'submit', 'send', 'clear', 'settle'),
      0,
      700,
    ],
    [
      'books an immediate payment that is returned, and its return',
      async (sandbox) => ach(sandbox, 'submit', 'send', 'clear', 'return'),
      700,
      700,
    ],
    [
      'books a payment that is returned after settlement, and its return',
      async (sandbox) => ach(sandbox, 'submit', 'send', 'clear', 'settle', 'return'),
      700,
      700,
    ],
    [
      'books an immediate payment that is canceled, and its reversal',
      async (sandbox) => ach(sandbox, 'cancel'),
      700,
      700,
    ],
    ['does not book a declined payment', async (sandbox) => pay(sandbox, 'ach_push', 900_000), 0, 0],
    [
      'books neither a pending payment that is returned nor its return',
      async (sandbox) => {
        const id = await pay(sandbox, 'domestic_wire', 700);
        await sandbox.run(({ payments }) => payments.applyEvent(id, 'cancel'));
      },
      0,
      0,
    ],
    ['books a transfer within the bank', async (sandbox) => pay(sandbox, 'intra_push', 700), 0, 700],
    [
      'books a reversed transfer within the bank twice',
      async (sandbox) => {
        const id = await pay(sandbox, 'intra_push', 700);
        await sandbox.run(({ payments }) => payments.applyEvent(id, 'reverse'));
      },
      700,
      700,
    ],
    ['books a purchase on hold', async (sandbox) => purchase(sandbox, () => {}), 0, 700],
    [
      'books a reversed purchase, and its reversal',
      async (sandbox) =>
        purchase(sandbox, ({ cardPayments }, parentId) => {
          cardPayments.reverse({ cardId: sandbox.id('virtual_card'), parentId });
        }),
      700,
      700,
    ],
    [
      'books a purchase with its additional capture',
      async (sandbox) =>
        purchase(sandbox, ({ cardPayments }, authorizationId) => {
          cardPayments.capture({ authorizationId, amount: 200, final: false });
          cardPayments.capture({ authorizationId, amount: 600 });
        }),
      0,
      800,
    ],
    [
      'books a purchase completely, beside a partial reversal of its hold',
      async (sandbox) =>
        purchase(sandbox, ({ cardPayments }, authorizationId) => {
          cardPayments.capture({ authorizationId, amount: 450 });
        }),
      250,
      700,
    ],
    [
      'books a refund',
      async (sandbox) =>
        purchase(sandbox, ({ cardPayments }, parentId) => {
          cardPayments.capture({ authorizationId: parentId });
          cardPayments.refund({ cardId: sandbox.id('virtual_card'), parentId, amount: 100 });
        }),
      100,
      700,
    ],
  ];

  test.each(STORIES)('%s', async (_, act, credits, debits) => {
    const sandbox = openTestSandbox();
    const { id, clock } = sandbox;
    const openingBalance = 500_000;
    await act(sandbox);
    expect(list(sandbox, id('account'))).toMatchObject([
      { credits: openingBalance + credits, debits, closing: openingBalance + credits - debits },
    ]);
    expectSound(sandbox, id('account'));
    expectSound(sandbox, id('other_account'));
    clock.advance(40 * DAY_MS);
    expectSound(sandbox, id('account'));
  });

  test('books a pending payment when it settles, and reserves it until then', async () => {
    const sandbox = openTestSandbox();
    const { id, clock, run } = sandbox;
    const wire = await pay(sandbox, 'domestic_wire', 700);
    expect(list(sandbox, id('account'))).toMatchObject([{ debits: 0, closing: 500_000 }]);
    expectSound(sandbox, id('account'), 700);
    clock.set(MARCH_31 + 1);
    await run(({ payments }) => {
      for (const event of ['submit', 'send', 'clear', 'settle'] as const) payments.applyEvent(wire, event);
    });
    expect(list(sandbox, id('account'))).toMatchObject([
      { id: '2026-04', debits: 700, closing: 499_300 },
      { id: '2026-03', debits: 0 },
    ]);
    expectSound(sandbox, id('account'));
  });

  test('has a purchase in its own month, whenever it is captured', async () => {
    const sandbox = openTestSandbox();
    const { id, clock, run } = sandbox;
    const cardId = id('virtual_card');
    const { id: authorizationId } = await run(({ cardPayments }) =>
      cardPayments.authorize({ cardId, amount: 700 }),
    );
    clock.set(MARCH_31 + 1);
    await run(({ cardPayments }) => cardPayments.capture({ authorizationId }));
    expect(list(sandbox, id('account'))).toMatchObject([
      { id: '2026-04', debits: 0 },
      { id: '2026-03', debits: 700, closing: 499_300 },
    ]);
    expectSound(sandbox, id('account'));
  });

  test('has a reversal in its own month', async () => {
    const sandbox = openTestSandbox();
    const { id, clock, run } = sandbox;
    const payment = await ach(sandbox, 'submit', 'send', 'clear', 'settle');
    clock.set(MARCH_31 + 1);
    await run(({ payments }) => payments.applyEvent(payment, 'return'));
    expect(list(sandbox, id('account'))).toMatchObject([
      { id: '2026-04', credits: 700, debits: 0, closing: 500_000 },
      { id: '2026-03', credits: 500_000, debits: 700, closing: 499_300 },
    ]);
    expectSound(sandbox, id('account'));
  });

  test('has sub-ledgered money in the month of the sub-ledgering', async () => {
    const sandbox = openTestSandbox();
    const { id, run, clock } = sandbox;
    const entry = await run(({ payments }) => {
      const { id: received } = payments.receive('ach_received_push', {
        accountId: null,
        amount: 900,
        sender: {},
      });
      return payments.applyEvent(received, 'settle');
    });
    clock.set(MARCH_31 + 1);
    const part = await run(({ payments }) =>
      payments.subLedger({ masterEntryId: entry.masterId, accountId: id('account'), amount: 600 }),
    );
    expect(list(sandbox, id('account'))[0]).toMatchObject({ id: '2026-04', credits: 600, count: 1 });
    expectSound(sandbox, id('account'));
    await run(({ payments }) => payments.applyEvent(part.id, 'reverse'));
    expect(list(sandbox, id('account'))[0]).toMatchObject({ credits: 600, debits: 600, count: 2 });
    expectSound(sandbox, id('account'));
  });
});

async function pay(
  { run, id }: TestSandbox,
  rail: 'ach_push' | 'intra_push' | 'domestic_wire',
  amount: number,
): Promise<Id> {
  const payment = await run(({ payments, counterparties }) => {
    const { id: counterpartyId } = counterparties.create(everyRail(id('account'), id('other_account')));
    return payments.originate(rail, { accountId: id('account'), counterpartyId, amount, shortage: 'record' });
  });
  return payment.id;
}

async function ach(
  sandbox: TestSandbox,
  ...events: ('submit' | 'send' | 'clear' | 'settle' | 'return' | 'cancel')[]
): Promise<Id> {
  const id = await pay(sandbox, 'ach_push', 700);
  await sandbox.run(({ payments }) => {
    for (const event of events) payments.applyEvent(id, event);
  });
  return id;
}

async function purchase(
  { run, id }: TestSandbox,
  then: (bank: TestSandbox['bank'], authorizationId: Id) => void,
): Promise<void> {
  await run((bank) => {
    const { id: made } = bank.cardPayments.authorize({ cardId: id('virtual_card'), amount: 700 });
    then(bank, made);
  });
}
