/** The number of records of each noun. SQLite counts the rows of a table of 100,000 in some 40 microseconds. */
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';

/** The tables, by the names of their counts. */
const TABLES = {
  holders: 'holders',
  accounts: 'accounts',
  card_holders: 'card_holders',
  cards: 'cards',
  counterparties: 'counterparties',
  transactions: 'transactions',
  webhooks: 'webhooks',
  events: 'facts',
  planned_steps: 'agenda',
  // The conditions must be written as in the partial indexes.
  first: "deliveries WHERE state = 'waiting' AND attempts = 0",
  again: "deliveries WHERE state = 'waiting' AND attempts > 0",
} as const;

const COUNTS = `SELECT ${Object.entries(TABLES).map(([name, from]) => `(SELECT count(*) FROM ${from}) AS ${name}`)}`;

/** The number of records of each noun. `unmadeDeliveries` counts the pending deliveries without a row. */
export function createCounts(sqlite: Driver, unmadeDeliveries: () => number): () => Record<string, number> {
  const statement = lazily(() => sqlite.prepare(COUNTS));
  return () => {
    const { first, again, ...counts } = statement().get() as Record<keyof typeof TABLES, number>;
    return { ...counts, waiting_deliveries: first + again + unmadeDeliveries() };
  };
}
