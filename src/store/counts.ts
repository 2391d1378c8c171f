/**
 * The number of records of each noun, without counting them each time, because every other test requests the summary
 * of a bank. For rows that are never deleted, the number comes from the last row number, or is counted from the last
 * known row. Other numbers are updated at each write, and corrected when a command is rolled back.
 */

import { cachesOf } from './cache.ts';
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';

/** A number that follows the transactions of its database. */
export interface Tally {
  /** The current number, counted once after the database was opened. */
  get(): number;
  add(change: number): void;
}

/** The number of planned steps. */
export function plannedSteps(sqlite: Driver): Tally {
  const known = cachesOf(sqlite).named<'planned_steps', number>('counts');
  const count = lazily(() => sqlite.prepare('SELECT count(*) FROM agenda').pluck());
  const key = 'planned_steps';
  return {
    get: () => known.get(key) ?? known.set(key, count().get() as number),
    add(change) {
      const present = known.get(key);
      if (present !== undefined) known.set(key, present + change);
    },
  };
}

/** Tables whose rows are never deleted and have ids in the order of creation, by the names of their counts. */
const BY_ID = {
  holders: 'holders',
  accounts: 'accounts',
  card_holders: 'card_holders',
  cards: 'cards',
  counterparties: 'counterparties',
} as const;

/** The committed number of records of each noun. `unmadeDeliveries` counts the pending deliveries without a row. */
export function createCounts(sqlite: Driver, unmadeDeliveries: () => number): () => Record<string, number> {
  const steps = plannedSteps(sqlite);
  const number = (sql: string): (() => number) => {
    const statement = lazily(() => sqlite.prepare(sql).pluck());
    return () => statement().get() as number;
  };
  const onward = (table: string): (() => number) => {
    const later = lazily(() =>
      sqlite.prepare(`SELECT count(*) AS rows, max(id) AS last FROM ${table} WHERE id > ?`),
    );
    let seen = { count: 0, last: '' };
    return () => {
      const { rows, last } = later().get(seen.last) as { rows: number; last: string | null };
      const now = { count: seen.count + rows, last: last ?? seen.last };
      // Uncommitted rows may be rolled back.
      if (!sqlite.inTransaction) seen = now;
      return now.count;
    };
  };
  const nouns = Object.entries(BY_ID).map(([name, table]) => [name, onward(table)] as const);
  const transactions = number('SELECT coalesce(max(rowid), 0) FROM transactions');
  const webhooks = onward('webhooks');
  const events = number('SELECT coalesce(max(seq), 0) FROM facts');
  // The condition must be written as in the partial indexes.
  const first = number("SELECT count(*) FROM deliveries WHERE state = 'waiting' AND attempts = 0");
  const again = number("SELECT count(*) FROM deliveries WHERE state = 'waiting' AND attempts > 0");
  return () => ({
    ...Object.fromEntries(nouns.map(([name, count]) => [name, count()])),
    transactions: transactions(),
    webhooks: webhooks(),
    events: events(),
    planned_steps: steps.get(),
    waiting_deliveries: first() + again() + unmadeDeliveries(),
  });
}
