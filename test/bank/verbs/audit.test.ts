// Each of these manipulations of a file is found by the audit of an open bank, and an image with it is not imported.

import { expect, test } from 'vitest';
import { totalsOf } from '../../../src/bank/model/balances.ts';
import { AUDIT_SLICE } from '../../../src/bank/store/audit-rows.ts';
import { readImage } from '../../../src/bank/store/images.ts';
import { openConnection } from '../../../src/bank/store/open.ts';
import { dumpRows } from '../../../src/bank/store/row-image.ts';
import { auditBank, auditBankInTurns } from '../../../src/bank/verbs/audit.ts';
import { lookInside } from '../../../src/sandboxes/sandbox/image-checks.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';

const of = (rail: string, status: string) =>
  `rowid = (SELECT rowid FROM transactions WHERE rail = '${rail}' AND status = '${status}' LIMIT 1)`;
const change = (set: string, where: string) => `UPDATE transactions SET ${set} WHERE ${where}`;

const HELD = of('ach_pull', 'originated');
const SETTLED = of('ach_pull', 'settled');
const RETURNED = of('ach_pull', 'returned');
const SENT = of('intra_push', 'settled');
const RECEIVED = of('intra_received_push', 'settled');
const REVERSAL = of('reversal_debit', 'settled');
const AUTHORIZED = of('card_authorization', 'pending');
const REVERSED_IN_PART = of('card_reverse', 'settled');

const ALTERATIONS: readonly (readonly [what: string, sql: string])[] = [
  ['the amount of a payment on hold', change('amount = amount + 256', HELD)],
  ['the amount of a settled payment', change('amount = amount + 256', SETTLED)],
  ['the amount of a returned payment', change('amount = amount + 256', RETURNED)],
  ['the amount of a payment within the bank', change('amount = amount - 1', SENT)],
  ["the amount of its receiver's row", change('amount = amount - 1', RECEIVED)],
  ['the amount that a fallback account gave', change('amount = amount + 1', of('overdraft_draw', 'settled'))],
  ['the amount that it gave an account', change('amount = amount + 1', of('overdraft_cover', 'settled'))],
  ['the amount of a reversal', change('amount = amount + 256', REVERSAL)],
  ['the amount of an authorization', change('amount = amount + 256', AUTHORIZED)],
  ['the amount of a partial reversal', change('amount = amount - 1', REVERSED_IN_PART)],
  ['a payment on hold called settled', change("status = 'settled'", HELD)],
  ['a payment on hold called canceled', change("status = 'canceled'", HELD)],
  ['a settled payment called pending', change("status = 'pending'", SETTLED)],
  ['a settled payment called returned', change("status = 'returned'", SETTLED)],
  ['a returned payment called settled', change("status = 'settled'", RETURNED)],
  ['a transfer called reversed', change("status = 'reversed'", SENT)],
  ['an authorization called settled', change("status = 'settled'", AUTHORIZED)],
  ['the direction of a payment', change("direction = 'debit'", SETTLED)],
  ['the direction of a reversal', change("direction = 'credit'", REVERSAL)],
  ['the rail of a payment', change("rail = 'ach_push'", SETTLED)],
  ['the balance of a row', change('available_balance = available_balance + 1', SETTLED)],
  ['no link to the open hold', change('hold_id = NULL', HELD)],
  ['a link to a hold that was settled', change('hold_id = 1', SETTLED)],
  ['a payment said to have moved nothing', change('moved_nothing = 1', SETTLED)],
  ['a status with the same effect', change("status = 'clearing'", HELD)],
  ['the status of an authorization with the same effect', change("status = 'originated'", AUTHORIZED)],
  ['the balance when it was booked', change('booked_balance = booked_balance + 1', SETTLED)],
  ['the instant of booking', change('booked_at = booked_at + 1', SETTLED)],
  ['a fact about nothing', "UPDATE facts SET resource_id = 'f' || substr(resource_id, 2) WHERE seq = 1"],
  [
    'a fact about no transaction',
    `UPDATE facts SET resource_id = 'f' || substr(resource_id, 2)
      WHERE seq = (SELECT max(seq) FROM facts WHERE resource = 'transaction')`,
  ],
  ['a delivery of another kind', "UPDATE deliveries SET kind = 'made.up' WHERE seq = 1"],
  ['a backlog of events to come', 'UPDATE backlogs SET up_to_fact = 1000000'],
  [
    'a backlog that has events twice',
    `INSERT INTO backlogs (webhook_id, after_fact, events, dropped) SELECT webhook_id, 1, events, 0 FROM backlogs`,
  ],
  ['a key of no version', "UPDATE idempotency_keys SET key = 'x' || key"],
  ['the fingerprint of a request', "UPDATE idempotency_keys SET fingerprint = 'x' || fingerprint"],
  [
    'an answer that names no record',
    "UPDATE idempotency_keys SET body = replace(body, substr(body ->> '$.id', 5, 8), 'ffffffff') WHERE body <> ''",
  ],
  ['an answer with the fact of another record', "UPDATE idempotency_keys SET fact_seq = 1 WHERE view <> ''"],
  ['an answer with the view of another record', "UPDATE idempotency_keys SET view = 'card' WHERE view <> ''"],
  [
    'an answer with a view of the other version',
    "UPDATE idempotency_keys SET key = 'v2:shown' WHERE view <> ''",
  ],
  [
    'the balance of the master account after a payment',
    "UPDATE transactions SET master_totals = json_set(master_totals, '$.availableBalance', 1) WHERE master_totals IS NOT NULL AND account_id IS NOT NULL AND rail = 'ach_pull'",
  ],
  ...['pendingCredits', 'pendingDebits'].map(
    (total) =>
      [
        `${total} of the master account after a payment`,
        `UPDATE transactions SET master_totals = json_set(master_totals, '$.${total}', (master_totals ->> '$.${total}') + 1) WHERE master_totals IS NOT NULL AND account_id IS NOT NULL AND rail = 'ach_pull'`,
      ] as const,
  ),
  ['the pending credits of a row', change('pending_credits = pending_credits + 1', HELD)],
  ['the pending debits of a row', change('pending_debits = pending_debits + 1', SETTLED)],
  [
    'a payment within the bank without its other row',
    change("details = json_set(details, '$.partnerId', 'f' || substr(id, 2))", SENT),
  ],
  [
    'the amount of a part of an unallocated entry',
    "UPDATE transactions SET sub_ledger = json_set(sub_ledger, '$[0].amount', 299) WHERE sub_ledger IS NOT NULL",
  ],
  ['an entry without its part', "UPDATE transactions SET sub_ledger = '[]' WHERE sub_ledger IS NOT NULL"],
  [
    'an entry with more parts than money',
    "UPDATE transactions SET sub_ledger = json_insert(sub_ledger, '$[#]', json(sub_ledger -> '$[0]')) WHERE sub_ledger IS NOT NULL",
  ],
  [
    'a counter of an account',
    "UPDATE ledger_accounts SET credits_posted = credits_posted + 1 WHERE kind = 'sub_account'",
  ],
];

async function bankWithPayments() {
  const { run, id, sandbox } = openTestSandbox();
  const order = { accountId: id('account'), amount: 5000, shortage: 'record' as const };
  const ach = { ...order, counterpartyId: id('ach_counterparty') };
  await run(({ payments, cardPayments }) => {
    const [settled, returned] = [payments.originate('ach_pull', ach), payments.originate('ach_pull', ach)];
    for (const event of ['submit', 'send', 'clear', 'settle'] as const) {
      payments.applyEvent(settled.id, event);
      payments.applyEvent(returned.id, event);
    }
    payments.applyEvent(returned.id, 'return');
    payments.originate('ach_pull', ach);
    payments.originate('intra_push', { ...order, counterpartyId: id('intra_counterparty') });
    const cardId = id('virtual_card');
    const received = payments.receive('ach_received_push', { accountId: null, amount: 500, sender: {} });
    const { masterId: masterEntryId } = payments.applyEvent(received.id, 'settle');
    payments.subLedger({ masterEntryId, accountId: id('account'), amount: 300 });
    const { id: parentId } = cardPayments.authorize({ cardId, amount: 3000 });
    cardPayments.reverse({ cardId, parentId, amount: 1000 });
  });
  await run(({ accounts, counterparties, payments, cardPayments }) => {
    const accountId = id('account');
    const { holderId } = accounts.byId(accountId).account;
    const { account: fallback } = accounts.open({ holderId, type: 'checking', role: 'fallback' });
    const { id: counterpartyId } = counterparties.create({
      accountId,
      name: 'Fallback',
      relation: 'selfIntrabank',
      rails: { intraAccount: { accountId: fallback.id } },
    });
    payments.originate('intra_push', { ...order, counterpartyId });
    const config = { fallback: { card: { enabled: true, fallbackId: fallback.id } } };
    accounts.change(accountId, { config });
    const { availableBalance } = totalsOf(accounts.byId(accountId).balance);
    cardPayments.authorize({ cardId: id('virtual_card'), amount: availableBalance + 100 });
  });
  const { sqlite } = sandbox.connection;
  sqlite.exec(`INSERT INTO deliveries (seq, webhook_id, fact_seq, kind, ordinal, state, attempts, due_at)
    SELECT 1, webhooks.id, facts.seq, iif(api_version = 'v1', kinds_v1, kinds_v2), 0, 'dropped', 0, at FROM webhooks, facts
    WHERE iif(api_version = 'v1', kinds_v1, kinds_v2) NOT IN ('') AND instr(iif(api_version = 'v1', kinds_v1, kinds_v2), ' ') = 0 LIMIT 1`);
  sqlite.exec(`INSERT INTO backlogs (webhook_id, after_fact, up_to_fact, events, dropped)
    SELECT id, 0, 2, '[]', 0 FROM webhooks LIMIT 1`);
  const [{ id: paid }] = sqlite.prepare('SELECT id FROM transactions').all() as [{ id: string }];
  sandbox.store.answers.keep({
    key: 'v2:once',
    fingerprint: '0'.repeat(40),
    status: 200,
    body: JSON.stringify({ id: `txn_${paid}` }),
    createdAt: START,
    factSeq: null,
    view: '',
  });
  const factSeq = sqlite.prepare("SELECT min(seq) FROM facts WHERE resource = 'transaction'").pluck().get();
  sandbox.store.answers.keep({
    key: 'v1:shown',
    fingerprint: '1'.repeat(40),
    status: 201,
    body: '',
    createdAt: START,
    factSeq: Number(factSeq),
    view: 'transfer',
  });
  return sandbox.image();
}

test('each manipulation is found by an audit, in one step and in slices, and by an import', async () => {
  const image = await bankWithPayments();
  expect(() => readImage([image], lookInside(START))).not.toThrow();
  for (const [what, sql] of ALTERATIONS) {
    const altered = openConnection({ kind: 'image', image: Buffer.from(image) });
    expect(altered.sqlite.prepare(sql).run().changes, what).toBeGreaterThan(0);
    const { problems } = auditBank(altered.db);
    expect(problems, what).not.toEqual([]);
    expect((await auditBankInTurns(altered.db)).problems, what).toEqual(problems);
    const bytes = altered.image();
    altered.close();
    expect(() => readImage([bytes], lookInside(START)), what).toThrow();
  }
});

test('an import of rows finds a manipulation too', async () => {
  const altered = openConnection({ kind: 'image', image: await bankWithPayments() });
  expect(() => readImage([dumpRows(altered.sqlite)], lookInside(START))).not.toThrow();
  const [, sql = ''] = ALTERATIONS.at(-1) ?? [];
  expect(altered.sqlite.prepare(sql).run().changes).toBeGreaterThan(0);
  expect(() => readImage([dumpRows(altered.sqlite)], lookInside(START))).toThrow();
  altered.close();
});

/**
 * More payments than the audit compares at once, alternating between two accounts, and one without an account at the
 * end.
 */
async function bankWithSlices() {
  const { run, id, sandbox } = openTestSandbox();
  const order = { amount: 5000, shortage: 'record' as const, counterpartyId: id('ach_counterparty') };
  const [account, other] = [id('account'), id('other_account')];
  const { id: counterpartyId } = await run(({ counterparties }) =>
    counterparties.create({
      accountId: other,
      name: 'Ada',
      relation: 'selfIntrabank',
      rails: { intraAccount: { accountId: account } },
    }),
  );
  await run(({ payments }) => {
    for (let made = 0; made < 2 * AUDIT_SLICE; made += 1) {
      payments.originate('ach_pull', { ...order, accountId: account });
      if (made % 3 === 0)
        payments.originate('intra_push', { ...order, accountId: other, amount: 1, counterpartyId });
    }
    payments.receive('ach_received_push', { accountId: null, amount: 500, sender: {} });
  });
  return { image: sandbox.image(), account, other };
}

test('a manipulation in a later slice is found', async () => {
  const { image, account, other } = await bankWithSlices();
  expect(() => readImage([image], lookInside(START))).not.toThrow();
  const lastOf = (rail: string) => `rowid = (SELECT max(rowid) FROM transactions WHERE rail = '${rail}')`;
  const anotherAccount = `account_id = iif(account_id = '${account}', '${other}', '${account}'), account_seq = 9999`;
  const lastPull = `id = (SELECT hold_id FROM transactions WHERE ${lastOf('ach_pull')})`;
  const alterations = [
    change(anotherAccount, lastOf('ach_pull')),
    change(anotherAccount, lastOf('intra_push')),
    change(`account_id = '${account}', account_seq = 9999`, lastOf('ach_received_push')),
    change('account_id = NULL', lastOf('ach_pull')),
    change("rail = 'ach_push'", lastOf('ach_pull')),
    change("rail = 'intra_received_push'", lastOf('intra_push')),
    change("status = 'pending'", lastOf('ach_pull')),
    change("status = 'settled'", lastOf('ach_received_push')),
    change('amount = amount + 1', lastOf('intra_push')),
    `UPDATE transfers SET debit_account = '${other}' WHERE ${lastPull}`,
    `UPDATE transfers SET credit_account = '${other}' WHERE ${lastPull}`,
    `UPDATE transfers SET kind = 'post' WHERE ${lastPull}`,
  ];
  for (const sql of alterations) {
    const { db, sqlite, close } = openConnection({ kind: 'image', image: Buffer.from(image) });
    sqlite.exec('DROP TRIGGER transfers_are_not_changed');
    expect(sqlite.prepare(sql).run().changes, sql).toBe(1);
    expect(auditBank(db).problems, sql).not.toEqual([]);
    close();
  }
});

test('both rows of a payment within the bank are compared, wherever the other row is and whatever its name', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(`UPDATE transactions SET rowid = rowid + 1000 WHERE ${RECEIVED};
    UPDATE transactions SET details = json_object('partnerId', details ->> '$.partnerId', 'kind', 'intra') WHERE ${SENT}`);
  expect(auditBank(db).problems).toEqual([]);
  sqlite.exec(change('amount = amount - 1', RECEIVED));
  expect(auditBank(db).problems).toEqual(
    expect.arrayContaining([expect.stringMatching(/intra_push, settled\): amount is 5000; expected 4999$/)]),
  );
  close();
});

test('the two rows of a payment within the bank have the same status', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(change("status = 'pending'", RECEIVED));
  expect(auditBank(db).problems).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/intra_push, settled\): status is settled; expected pending$/),
    ]),
  );
  close();
});

test('an audit in slices finds no problem in a bank with concurrent payments', async () => {
  const { run, id, sandbox } = openTestSandbox();
  const ach = { accountId: id('account'), amount: 100, counterpartyId: id('ach_counterparty') };
  let isOver = false;
  const pay = async (): Promise<number> => {
    let paid = 0;
    for (; !isOver; paid += 1) {
      await run(({ payments }) => {
        const { id: made } = payments.originate('ach_pull', { ...ach, shortage: 'record' });
        for (const event of ['submit', 'send', 'clear', 'settle'] as const) payments.applyEvent(made, event);
      });
    }
    return paid;
  };
  const paying = pay();
  // A payment has to occur between two slices of an audit.
  for (let audits = 0; audits < 20; audits += 1) {
    expect((await auditBankInTurns(sandbox.connection.db)).problems).toEqual([]);
  }
  isOver = true;
  expect(await paying).toBeGreaterThan(10);
});

test('a balance that was changed together with its fact is found through the transfers', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(`UPDATE facts SET record = json_set(record, '$.bookedBalance', (record ->> '$.bookedBalance') + 1)
    WHERE resource_id = (SELECT id FROM transactions WHERE ${SETTLED})`);
  sqlite.exec(change('booked_balance = booked_balance + 1', SETTLED));
  expect(auditBank(db).problems).toEqual([expect.stringMatching(/booked balance is \d+; expected \d+$/)]);
  close();
});

test('pending totals that a migration could not compute are not compared', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec('UPDATE facts SET moved = NULL');
  sqlite.exec(`UPDATE transactions SET pending_credits = 0, pending_debits = 0, master_totals =
    json_set(master_totals, '$.pendingCredits', 0, '$.pendingDebits', 0)`);
  expect(auditBank(db).problems).toEqual([]);
  sqlite.exec(
    `UPDATE transactions SET master_totals = json_set(master_totals, '$.availableBalance', 1) WHERE ${SETTLED}`,
  );
  expect(auditBank(db).problems).toEqual([
    expect.stringMatching(/availableBalance of the master account after it is 1; expected \d+$/),
  ]);
  close();
});

test('facts with another key order are compared by value', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(`UPDATE facts SET record = json_set(json_remove(record, '$.amount'), '$.amount', record ->> '$.amount')
    WHERE resource = 'transaction'`);
  expect(auditBank(db).problems).toEqual([]);
  sqlite.exec(change("status = 'clearing'", HELD));
  expect(auditBank(db).problems).toEqual([
    expect.stringMatching(/status is clearing; expected originated, as in fact \d+$/),
  ]);
  close();
});

test('a finding names the account, the transaction and the expected value', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(change('amount = amount + 256', SETTLED));
  const [problem, sum, fact] = auditBank(db).problems;
  expect(problem).toMatch(
    /^account \w{32}, transaction \w{32} \(ach_pull, settled\): amount posted by its transfers is 5000; expected 5256$/,
  );
  expect(fact).toMatch(/ amount is 5256; expected 5000, as in fact \d+$/);
  expect(sum).toMatch(/its transactions add up to \d+; expected \d+/);
  close();
});

test('a report lists a hundred problems and counts the others', async () => {
  const { db, sqlite, close } = openConnection({ kind: 'image', image: await bankWithPayments() });
  sqlite.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
    INSERT INTO transfers (kind, debit_account, credit_account, amount, transaction_id, debit_available_after, credit_available_after, at)
    SELECT 'post', debit_account, credit_account, 1, transaction_id, 0, 0, at
    FROM n, (SELECT * FROM transfers LIMIT 1)`);
  const { problems } = auditBank(db);
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatch(/^and \d+ further problems$/);
  close();
});
