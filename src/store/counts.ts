/**
 * How many there are of each noun, without counting them anew: the whole of a bank is asked for by every other test. Rows
 * that are never deleted are read off their last number, or counted on from the last one that was seen; what comes and
 * goes is added and taken off when it is written, and a command that is taken back takes its part back.
 */

import { cachesOf } from './cache.ts';
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';

/** A number that goes with the transactions of its database. */
export interface Tally {
  /** The number now; counted once for each opening. */
  get(): number;
  add(change: number): void;
}

/** How many steps are planned. */
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

/** Tables whose rows stay, with ids in the order of their making, by the names of their counts. */
const BY_ID = {
  holders: 'holders',
  accounts: 'accounts',
  card_holders: 'card_holders',
  cards: 'cards',
  counterparties: 'counterparties',
} as const;

/** How many there are of each noun, as it was committed. `unmadeDeliveries` counts those that wait without a row. */
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
      // What is not committed may yet be taken back.
      if (!sqlite.inTransaction) seen = now;
      return now.count;
    };
  };
  const nouns = Object.entries(BY_ID).map(([name, table]) => [name, onward(table)] as const);
  const transactions = number('SELECT coalesce(max(rowid), 0) FROM transactions');
  const webhooks = onward('webhooks');
  const events = number('SELECT coalesce(max(seq), 0) FROM facts');
  // Spelled as in the partial indexes, which hold nothing else.
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
