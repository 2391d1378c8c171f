// A bank of schema 6 gets the books of schema 7: a scenario runs in a bank of the present schema, its image is
// reduced to what an earlier program would have stored, and the migrated image equals the present bank.

import { describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import { auditLedger } from '../../../src/bank/ledger/audit.ts';
import type { IncomingRail, OriginationRail } from '../../../src/bank/model/rails/index.ts';
import { migrate, stepsTo } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { openConnection } from '../../../src/bank/store/open.ts';
import { auditBank } from '../../../src/bank/verbs/audit.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { everyRail } from '../verbs/parties.ts';

type Row = Record<string, unknown> & { id: string; rail: string; parent_id: string };
type Sqlite = NodeDriver;

const SHORT = 90_000_000;
/**
 * Values that a migration cannot know: the number of an expiry, and the pending amounts on the master account at that
 * time.
 */
const UNKNOWN = ['id', 'account_seq', 'master_id', 'master_totals'];

const columnsOf = (sqlite: Sqlite, table: string): string[] =>
  (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);

/** The columns of each table in a schema, so that later ones are neither kept nor compared. */
function emptyAt(schema: number): Sqlite {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  migrate(sqlite, stepsTo(schema));
  return sqlite;
}

const rowsOf = (sqlite: Sqlite): Row[] =>
  sqlite
    .prepare(
      `SELECT ${columnsOf(emptyAt(7), 'transactions')} FROM transactions ORDER BY created_at, account_seq`,
    )
    .all() as Row[];

/**
 * Payments of every kind and in every state, and cards with holds, changes, reversals, expiries, captures and
 * refunds.
 */
async function writeHistory(): Promise<{ image: Buffer; expired: string[]; promised: string }> {
  const sandbox = openTestSandbox({ rails: 'fast' });
  const { run, id, pass } = sandbox;
  const [accountId, cardId] = [id('account'), id('virtual_card')];
  const { id: counterpartyId } = await run(({ counterparties }) =>
    counterparties.create(everyRail(accountId, id('other_account'))),
  );
  const send = (rail: OriginationRail, amount: number) =>
    run(({ payments }) =>
      payments.originate(rail, { accountId, counterpartyId, amount, shortage: 'record' }),
    );
  const receive = (rail: IncomingRail, amount: number) =>
    run(({ payments }) => payments.receive(rail, { accountId, amount, sender: {} }));
  const simulate = (payment: { id: string }, event: 'settle' | 'return' | 'reverse' | 'cancel' | 'review') =>
    run(({ payments }) => payments.applyEvent(payment.id, event));
  const authorize = (amount: number) => run(({ cardPayments }) => cardPayments.authorize({ cardId, amount }));
  const reverse = (parent: { id: string }, amount?: number) =>
    run(({ cardPayments }) =>
      cardPayments.reverse({ cardId, parentId: parent.id, ...(amount !== undefined && { amount }) }),
    );

  const forgotten = await authorize(1_000);
  await reverse(forgotten, 100);
  await run(({ cardPayments }) =>
    cardPayments.capture({ authorizationId: forgotten.id, amount: 300, final: false }),
  );
  await pass(8 * DAY_MS);
  // With a frozen clock an expiry and a reversal of the same amount have equal instants.
  const ended = await authorize(1_000);
  await reverse(ended, 500);
  await run(({ cardPayments, payments }) => cardPayments.expire(payments.byId(ended.id)));
  const reversed = await authorize(2_000);
  await reverse(reversed, 500);
  await reverse(reversed);
  const captured = await authorize(2_000);
  await reverse(captured, 500);
  await pass(1_000);
  await run(({ cardPayments }) => cardPayments.capture({ authorizationId: captured.id, amount: 1_400 }));
  const held = await authorize(3_000);
  await reverse(held, 500);

  for (const rail of ['ach_push', 'ach_pull', 'domestic_wire', 'check_deposit', 'intra_push'] as const) {
    await send(rail, 1_000);
    await simulate(await send(rail, 1_100), rail === 'intra_push' ? 'reverse' : 'cancel');
    await send(rail, SHORT);
  }
  for (const rail of ['ach_received_push', 'ach_received_pull'] as const) {
    await receive(rail, 700);
    await simulate(await receive(rail, 710), 'return');
  }
  await simulate(await receive('ach_received_pull', SHORT), 'review');
  await receive('ach_received_pull', SHORT);
  await simulate(await receive('ach_received_pull', SHORT), 'settle');
  await pass(60_000);
  await simulate(await send('ach_push', 1_200), 'cancel');
  const [pushed, pulled] = [await send('ach_push', 1_300), await send('ach_pull', 1_400)];
  await pass(60_000);
  for (const payment of [pushed, pulled]) await simulate(payment, 'return');
  await send('ach_pull', 1_500);
  await send('domestic_wire', 1_600);
  await pass(1_000);
  const promised = await run(({ cardPayments }) =>
    cardPayments.refund({ cardId, amount: 250, isPending: true }),
  );
  return { image: sandbox.sandbox.image(), expired: [forgotten.id, ended.id], promised: promised.id };
}

const REVOKED = 'e'.repeat(32);

/** A pending refund that was reversed: its hold was released, and there was no row of that. */
function addRevoked(old: Sqlite, promised: string): void {
  const columns = (old.prepare('SELECT * FROM transactions').columns() as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !['id', 'account_seq', 'status', 'hold_id'].includes(name));
  old
    .prepare(
      `INSERT INTO transactions (id, account_seq, status, hold_id, ${columns})
        SELECT ?, account_seq + 1, 'reversed', NULL, ${columns} FROM transactions WHERE id = ?`,
    )
    .run(REVOKED, promised);
  for (const [kind, hold] of [
    ['hold', 'NULL'],
    ['release', '(SELECT max(id) FROM transfers)'],
  ] as const) {
    old
      .prepare(
        `INSERT INTO transfers (kind, debit_account, credit_account, amount, hold_id, transaction_id,
            debit_available_after, credit_available_after, at)
          SELECT '${kind}', debit_account, credit_account, amount, ${hold}, ?, debit_available_after,
            credit_available_after, at FROM transfers WHERE transaction_id = ? ORDER BY id LIMIT 1`,
      )
      .run(REVOKED, promised);
  }
}

/** Converts an image to schema 6: without new columns, and with money where it was stored then. */
function age({ image, expired, promised }: Awaited<ReturnType<typeof writeHistory>>): Buffer {
  const old = new NodeDriver(image);
  try {
    old.exec('DROP TRIGGER transfers_are_not_changed');
    // A partial reversal reduced the row of its authorization, a complete one did not change it.
    old.exec(`UPDATE transactions AS a SET amount = iif(status = 'reversed',
        (SELECT amount FROM transactions AS r WHERE r.parent_id = a.id AND rail = 'card_reverse' ORDER BY account_seq DESC),
        amount - (SELECT sum(amount) FROM transactions AS r WHERE r.parent_id = a.id AND rail = 'card_reverse'))
      WHERE rail = 'card_authorization'
        AND id IN (SELECT parent_id FROM transactions WHERE rail = 'card_reverse')`);
    // An expiry had no row: only its fact had the amount.
    const last = old.prepare(
      "SELECT id FROM transactions WHERE parent_id = ? AND rail = 'card_reverse' ORDER BY account_seq DESC",
    );
    for (const authorization of expired) {
      const { id } = last.get(authorization) as Row;
      old.prepare('DELETE FROM transactions WHERE id = ?').run(id);
      old.prepare('DELETE FROM facts WHERE resource_id = ?').run(id);
      old
        .prepare(
          `UPDATE facts SET kinds_v1 = 'account.credit' WHERE resource_id = ? AND change = 'status'
            AND json_extract(record, '$.status') = 'reversed'`,
        )
        .run(authorization);
    }
    // A pending refund was a hold; it is the last event.
    old
      .prepare(
        `UPDATE transfers SET kind = 'hold', credit_available_after = credit_available_after - amount,
          debit_available_after = debit_available_after - amount WHERE transaction_id = ?`,
      )
      .run(promised);
    const hold = old.prepare('SELECT * FROM transfers WHERE transaction_id = ?').get(promised) as Row;
    for (const side of ['debit', 'credit']) {
      old.exec(`UPDATE ledger_accounts SET ${side}s_pending = ${side}s_pending + 250,
        ${side}s_posted = ${side}s_posted - 250 WHERE id = '${hold[`${side}_account`]}'`);
    }
    old
      .prepare(
        `UPDATE transactions SET hold_id = ?, available_balance = available_balance - 250,
          pending_credits = pending_credits + 250, master_totals = json_set(master_totals,
            '$.availableBalance', json_extract(master_totals, '$.availableBalance') - 250,
            '$.pendingCredits', json_extract(master_totals, '$.pendingCredits') + 250) WHERE id = ?`,
      )
      .run(hold.id, promised);
    addRevoked(old, promised);
    old.exec(`CREATE TRIGGER transfers_are_not_changed BEFORE UPDATE ON transfers
      BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END`);
    const before = emptyAt(6);
    old.exec('DROP INDEX transactions_to_search');
    old.exec('ALTER TABLE webhooks RENAME COLUMN api_version TO dialect');
    for (const table of ['accounts', 'transactions', 'facts', 'delivery_attempts']) {
      for (const column of columnsOf(old, table).filter((name) => !columnsOf(before, table).includes(name))) {
        old.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
      }
    }
    // SQLite cannot drop a column that refers to another table, and this history has no keys.
    old.exec('DROP TABLE idempotency_keys');
    const keys = before.prepare(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = 'idempotency_keys' AND sql <> ''",
    );
    for (const { sql } of keys.all() as { sql: string }[]) old.exec(sql);
    old.exec(`UPDATE facts SET record =
      json_remove(record, '$.movedNothing', '$.bookedAt', '$.bookedBalance') WHERE resource = 'transaction'`);
    old.exec(
      'DROP TABLE wallets; DROP TABLE backlogs; DROP TABLE surroundings; DROP TABLE journal_parts; DROP INDEX facts_of_records',
    );
    old.pragma('user_version = 6');
    return old.serialize();
  } finally {
    old.close();
  }
}

describe('a bank of an earlier version', () => {
  test('has the rows that it would have today, and books that pass an audit', async () => {
    const story = await writeHistory();
    const [today, migrated] = [story.image, age(story)].map((image) =>
      openConnection({ kind: 'image', image }),
    );
    if (today === undefined || migrated === undefined) throw new Error('two banks were opened');
    onTestFinished(() => [today, migrated].forEach((connection) => void connection.close()));

    expect(auditBank(migrated.db).problems).toEqual([]);
    expect(auditLedger(migrated.db).openHolds).toBe(auditLedger(today.db).openHolds);
    const isExpiry = ({ rail, parent_id: parentId }: Row) =>
      rail === 'card_reverse' && story.expired.includes(parentId);
    const known = (row: Row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !isExpiry(row) || !UNKNOWN.includes(name)));
    const revoked = rowsOf(migrated.sqlite).find(({ id }) => id === REVOKED);
    expect(revoked).toMatchObject({ moved_nothing: 1, booked_at: null });
    const byParent = (rows: Row[]) => rows.filter(isExpiry).map(known);
    const [before, after] = [today, migrated].map(({ sqlite }) =>
      rowsOf(sqlite).filter(({ id }) => id !== REVOKED),
    ) as [Row[], Row[]];
    const others = (rows: Row[]) => rows.filter((row) => !isExpiry(row));
    expect(others(after).length).toBeGreaterThan(40);
    const seqs = (rows: Row[]) => rows.map(({ account_seq: _, ...row }) => row);
    expect(seqs(others(after))).toEqual(seqs(others(before)));
    expect(byParent(after)).toEqual(byParent(before));
    expect(new Set(after.map(({ id }) => id)).size).toBe(before.length);
    expect(new Set(before.map(({ moved_nothing: nothing }) => nothing))).toEqual(new Set([0, 1]));
  });

  test('has the same responses as before', async () => {
    const story = await writeHistory();
    const migrated = openConnection({ kind: 'image', image: age(story) });
    onTestFinished(() => migrated.close());
    const facts = migrated.sqlite
      .prepare("SELECT moved, record FROM facts WHERE resource = 'transaction'")
      .all() as { moved: number | null; record: string }[];
    expect(facts.length).toBeGreaterThan(80);
    for (const { moved, record } of facts) {
      const received = JSON.parse(record) as Record<string, unknown>;
      expect([moved, received.bookedBalance, received.bookedAt, typeof received.movedNothing]).toEqual([
        null,
        received.availableBalance,
        received.settledAt ?? received.createdAt,
        'boolean',
      ]);
    }
  });
});
