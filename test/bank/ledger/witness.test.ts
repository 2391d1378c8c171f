// The second check of the ledger: the constraints of the database, which do not depend on the code, and the findings
// of the audit in manipulated books.

import { describe, expect, test } from 'vitest';
import { ADA, BEN, type Books, BY, into, MASTER, openBooks, outOf } from './books.ts';

const NOBODY = 'c'.repeat(32);

/** Books with one transfer of each kind: 1 post, 2 hold, 3 settle, 4 hold, 5 release, 6 open hold. */
function openUsedBooks(options?: { honest: boolean }): Books {
  const books = openBooks(options);
  const { ledger } = books;
  ledger.post(into(ADA, 1_000));
  ledger.settle(ledger.hold(outOf(ADA, 300)).transferId, BY, 200);
  ledger.release(ledger.hold(into(BEN, 50)).transferId, BY);
  ledger.hold({ ...outOf(ADA, 100), credit: BEN });
  return books;
}

const insert = ({ sqlite }: Books, changes: Record<string, unknown>) => {
  const row = {
    kind: 'post',
    debit_account: MASTER,
    credit_account: ADA,
    amount: 1,
    hold_id: null,
    transaction_id: BY.transactionId,
    debit_available_after: 0,
    credit_available_after: 0,
    at: BY.at,
    ...changes,
  };
  const names = Object.keys(row);
  sqlite
    .prepare(`INSERT INTO transfers (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`)
    .run(row);
};

describe('SQL itself refuses', () => {
  test.each([
    ['to change a transfer', 'UPDATE transfers SET amount = 5 WHERE id = 1', 'transfers are append-only'],
    ['to change any field of it', 'UPDATE transfers SET at = at + 1', 'transfers are append-only'],
    ['to delete a transfer', 'DELETE FROM transfers WHERE id = 6', 'transfers are append-only'],
    ['to delete an account', `DELETE FROM ledger_accounts WHERE id = '${BEN}'`, 'ledger accounts are kept'],
    ['a negative counter', 'UPDATE ledger_accounts SET debits_posted = -1', 'CHECK constraint failed'],
    [
      'a counter that is not exact',
      'UPDATE ledger_accounts SET debits_posted = 9007199254740992',
      'CHECK constraint failed',
    ],
  ])('%s', (_, statement, message) => {
    const { sqlite } = openUsedBooks();
    expect(() => sqlite.exec(statement)).toThrow(message);
  });

  test.each([
    ['an amount of zero', { amount: 0 }, 'CHECK constraint failed: amount > 0'],
    ['a negative amount', { amount: -1 }, 'CHECK constraint failed: amount > 0'],
    ['a transfer from an account to itself', { debit_account: ADA }, 'CHECK constraint failed'],
    ['an unknown account', { debit_account: NOBODY }, 'FOREIGN KEY constraint failed'],
    ['an unknown kind', { kind: 'gift' }, 'CHECK constraint failed: kind'],
    ['a settlement without a hold', { kind: 'settle' }, 'CHECK constraint failed'],
    ['a posting that resolves a hold', { kind: 'post', hold_id: 6 }, 'CHECK constraint failed'],
    ['a second end of a hold', { kind: 'release', hold_id: 2 }, 'UNIQUE constraint failed'],
    ['the end of a transfer that is no hold', { kind: 'settle', hold_id: 1 }, 'only a hold is resolved'],
    ['the end of an unknown hold', { kind: 'settle', hold_id: 99 }, 'only a hold is resolved'],
    ['a text as an amount', { amount: 'much' }, 'cannot store TEXT value in INTEGER column'],
  ])('%s', (_, changes, message) => {
    expect(() => insert(openUsedBooks(), changes)).toThrow(message);
  });
});

describe('the audit', () => {
  test('finds nothing in correct books', () => {
    expect(openUsedBooks().audit()).toEqual({ accounts: 4, transfers: 6, openHolds: 1, problems: [] });
  });

  /** A manipulation of the books, and the finding that it causes. */
  const crimes: [string, string, RegExp][] = [
    [
      'an amount was raised',
      'UPDATE transfers SET amount = 2000 WHERE id = 1',
      /transfer 1: the debit entry/,
    ],
    ['an amount was lowered', 'UPDATE transfers SET amount = 1 WHERE id = 3', new RegExp(`account ${ADA}`)],
    ['a transfer was deleted', 'DELETE FROM transfers WHERE id = 6', new RegExp(`account ${ADA}: counters`)],
    [
      'a hold with an end was deleted',
      'PRAGMA foreign_keys = OFF; DELETE FROM transfers WHERE id = 2',
      /transfer 3 resolves a hold that is not open/,
    ],
    [
      'a transfer was moved to another account',
      `UPDATE transfers SET credit_account = '${BEN}' WHERE id = 1`,
      new RegExp(`account ${BEN}: counters`),
    ],
    [
      'the sides of a transfer were swapped',
      'UPDATE transfers SET debit_account = credit_account, credit_account = debit_account WHERE id = 1',
      /transfer 1: the debit entry/,
    ],
    [
      'a hold ended between other accounts',
      `UPDATE transfers SET debit_account = '${BEN}' WHERE id = 3`,
      /transfer 3 resolves its hold between other accounts/,
    ],
    [
      'more was settled than held',
      'UPDATE transfers SET amount = 301 WHERE id = 3',
      /transfer 3 settles more than its hold/,
    ],
    [
      'a release has another amount than its hold',
      'UPDATE transfers SET amount = 49 WHERE id = 5',
      /transfer 5 releases 49 of a hold of 50/,
    ],
    [
      'a hold ended twice',
      'DROP INDEX a_hold_resolves_once; UPDATE transfers SET hold_id = 2 WHERE id = 5',
      /transfer 5 resolves a hold that is not open/,
    ],
    [
      'a release became a posting',
      "UPDATE transfers SET kind = 'settle' WHERE id = 5",
      new RegExp(`account ${BEN}`),
    ],
    [
      'the balance of a debit entry was changed',
      'UPDATE transfers SET debit_available_after = 7 WHERE id = 6',
      /transfer 6: the debit entry has 7/,
    ],
    [
      'the balance of a credit entry was changed',
      'UPDATE transfers SET credit_available_after = 7 WHERE id = 1',
      /transfer 1: the credit entry has 7/,
    ],
    [
      'a transfer has an unknown account',
      `PRAGMA foreign_keys = OFF; UPDATE transfers SET credit_account = '${NOBODY}' WHERE id = 1`,
      /transfer 1 names an account that does not exist/,
    ],
    ...['debits_pending', 'debits_posted', 'credits_pending', 'credits_posted'].map(
      (counter): [string, string, RegExp] => [
        `the counter ${counter} was changed`,
        `UPDATE ledger_accounts SET ${counter} = ${counter} + 1 WHERE id = '${ADA}'`,
        new RegExp(`account ${ADA}: counters`),
      ],
    ),
    [
      'a credit has no debit',
      `UPDATE ledger_accounts SET credits_posted = credits_posted + 1 WHERE id = '${ADA}'`,
      /the master account has 800, and the sub accounts together have 801/,
    ],
    [
      'an account was opened with a balance',
      `INSERT INTO ledger_accounts (id, kind, credits_posted) VALUES ('${NOBODY}', 'suspense', 5)`,
      /the master account has 800, and the sub accounts together have 805/,
    ],
  ];

  test.each(crimes)('detects that %s', (_, statement, sign) => {
    const { sqlite, audit } = openUsedBooks({ honest: false });
    const guards = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const guard of guards) sqlite.exec(`DROP TRIGGER ${guard}`);
    sqlite.exec(statement);
    expect(audit().problems).toEqual(expect.arrayContaining([expect.stringMatching(sign)]));
  });
});
