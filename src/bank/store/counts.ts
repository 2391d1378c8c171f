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
  webhooks: 'webhooks',
} as const;

type Noun = keyof typeof BY_ID;

const NOUNS = Object.keys(BY_ID) as Noun[];

/**
 * All of it with one statement, as most sandboxes are counted once, after a reset. `(SELECT @name)`, because SQLite
 * would plan the statement again at each run if it could see the value.
 */
const COUNTS = `SELECT ${[
  'coalesce((SELECT max(rowid) FROM transactions), 0)',
  'coalesce((SELECT max(seq) FROM facts), 0)',
  // The condition must be written as in the partial indexes.
  "(SELECT count(*) FROM deliveries WHERE state = 'waiting' AND attempts = 0)",
  "(SELECT count(*) FROM deliveries WHERE state = 'waiting' AND attempts > 0)",
  ...NOUNS.flatMap((name) => [
    `(SELECT count(*) FROM ${BY_ID[name]} WHERE id > (SELECT @${name}))`,
    `(SELECT max(id) FROM ${BY_ID[name]} WHERE id > (SELECT @${name}))`,
  ]),
].join(', ')}`;

type Counted = [
  transactions: number,
  events: number,
  first: number,
  again: number,
  ...nouns: (number | string | null)[],
];

/** The committed number of records of each noun. `unmadeDeliveries` counts the pending deliveries without a row. */
export function createCounts(sqlite: Driver, unmadeDeliveries: () => number): () => Record<string, number> {
  const steps = plannedSteps(sqlite);
  const statement = lazily(() => sqlite.prepare(COUNTS).raw());
  /** The number of records of each noun, and the last row that was counted. */
  let seen = NOUNS.map((name) => ({ name, count: 0, last: '' }));
  return () => {
    const after = Object.fromEntries(seen.map(({ name, last }) => [name, last]));
    const [transactions, events, first, again, ...found] = statement().get(after) as Counted;
    const now = seen.map(({ name, count, last }, at) => ({
      name,
      count: count + (found[2 * at] as number),
      last: (found[2 * at + 1] as string | null) ?? last,
    }));
    // Uncommitted rows may be rolled back.
    if (!sqlite.inTransaction) seen = now;
    const { webhooks = 0, ...nouns }: Record<string, number> = Object.fromEntries(
      now.map(({ name, count }) => [name, count]),
    );
    return {
      ...nouns,
      transactions,
      webhooks,
      events,
      planned_steps: steps.get(),
      waiting_deliveries: first + again + unmadeDeliveries(),
    };
  };
}
