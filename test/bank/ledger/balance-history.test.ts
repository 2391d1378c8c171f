// A history that was read whole continues where its last reading ended; the last sixteen are kept.

import { expect, test } from 'vitest';
import { balanceHistory } from '../../../src/bank/ledger/balance-history.ts';
import type { Db } from '../../../src/bank/store/open.ts';
import { ADA, type Books, into, openBooks } from './books.ts';

const KEPT = 16;

/** The database, with the number of times that transfers were read from it. */
function countReads(sqlite: Books['sqlite']): { db: Db; count: number } {
  const reads = { db: null as unknown as Db, count: 0 };
  const $client = {
    get inTransaction() {
      return sqlite.inTransaction;
    },
    prepare(sql: string) {
      const statement = sqlite.prepare(sql);
      const { all } = statement;
      statement.all = (...given: unknown[]) => {
        reads.count += 1;
        return all.apply(statement, given);
      };
      return statement;
    },
  };
  reads.db = { $client } as unknown as Db;
  return reads;
}

test('a history reads only the transfers since its last reading, if it is one of the last sixteen', async () => {
  const { ledger, sqlite } = openBooks();
  ledger.post(into(ADA, 1_000));
  const reads = countReads(sqlite);
  const read = async (max: number): Promise<number> => {
    const before = reads.count;
    const history = await balanceHistory(reads.db, {
      account: ADA,
      isMaster: false,
      from: undefined,
      to: undefined,
      now: 10,
      max,
    });
    expect(history.points.at(-1)?.available).toBe(history.changes * 1_000);
    return reads.count - before;
  };
  for (let max = 100; max < 100 + KEPT; max += 1) expect(await read(max)).toBe(1);
  expect(await read(100)).toBe(0);
  expect(await read(100 + KEPT)).toBe(1);
  // The least recently read one was dropped.
  expect([await read(100), await read(101)]).toEqual([0, 1]);
  ledger.post(into(ADA, 1_000));
  expect(await read(100)).toBe(1);
});
