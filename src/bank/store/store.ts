/**
 * The rows of one sandbox, by noun: the statements that the bank needs, each prepared once. The store makes no
 * decisions; a missing row is `undefined`, and the bank decides what that means.
 */
import { DAY_MS } from '../kernel/time.ts';
import type { Holder, Member } from '../model/records.ts';
import {
  accounts,
  attachments,
  businessProfiles,
  cardHolders,
  cards,
  cardUsage,
  counterparties,
  documents,
  families,
  files,
  holders,
  idempotencyKeys,
  masterAccounts,
  members,
  meta,
  tokens,
  wallets,
  webhooks,
} from '../model/tables.ts';
import type { HolderStatus } from '../model/vocabulary.ts';
import { createAccountMonths } from './account-months.ts';
import { type AgendaItem, createAgenda } from './agenda.ts';
import { backlogsOf } from './backlogs.ts';
import { cachesOf, frozen } from './cache.ts';
import { createCounts } from './counts.ts';
import { createDecisionRows, createRtaRows } from './decisions.ts';
import { and, asc, desc, eq, gt, lte, sql } from './drizzle.ts';
import { lazily } from './lazily.ts';
import { createListing } from './lists.ts';
import type { Connection, Db } from './open.ts';
import {
  createRows,
  placeholdersOf,
  prepareInsert,
  prepareRowUpserts,
  prepareUpsert,
  type Rows,
  unpeeked,
  type WithId,
} from './rows.ts';
import { createSearch } from './search.ts';
import { prepareRead, prepareRowWrite, prepareWrite, type Select } from './statement.ts';
import { createSurroundingRows } from './surroundings.ts';
import { createTransactionRows } from './transactions.ts';

export type { AgendaItem };

/** How long a response is stored under its idempotency key, on the sandbox's clock. */
export const IDEMPOTENCY_MS = DAY_MS;

export type StoredAnswer = typeof idempotencyKeys.$inferSelect;
export type StoredFile = typeof files.$inferSelect;

export type Store = ReturnType<typeof createStore>;

/** Opens the rows of a connection. */
export function createStore({ db, sqlite }: Connection) {
  const savepoint = lazily(() => createSavepoints(sqlite));
  return {
    /** Runs an action; if it throws, only its own writes are rolled back. */
    savepoint: <T>(action: () => T): T => savepoint()(action),
    /** Registers how to undo a command's changes in memory if it is rolled back. */
    onUndo: cachesOf(sqlite).onUndo,
    meta: createMeta(db),
    masterAccounts: createRows(db, masterAccounts),
    holders: createHolderRows(db),
    members: createMemberRows(db),
    accounts: createAccountRows(db),
    accountMonths: createAccountMonths(db),
    families: listed(db, families),
    wallets: listed(db, wallets),
    businessProfiles: createProfileRows(db),
    cardHolders: remembered(db, 'card_holders', listed(db, cardHolders)),
    cards: remembered(db, 'cards', listed(db, cards)),
    cardUsage: createCardUsage(db),
    counterparties: remembered(db, 'counterparties', listed(db, counterparties)),
    transactions: createTransactionRows(db),
    agenda: createAgenda(db),
    decisions: createDecisionRows(db),
    rtaDecisions: createRtaRows(db),
    documents: listed(db, documents),
    attachments: listed(db, attachments),
    tokens: createTokenRows(db),
    files: createRows(db, files),
    webhooks: createWebhookRows(db),
    answers: createAnswers(db),
    counts: createCounts(sqlite, backlogsOf(db).waiting),
    search: createSearch(sqlite),
    surroundings: createSurroundingRows(db),
  };
}

/** Runs actions in a savepoint of the current commit. */
function createSavepoints(sqlite: Connection['sqlite']) {
  const caches = cachesOf(sqlite);
  return <T>(action: () => T): T => {
    const undo = caches.mark();
    try {
      return sqlite.atomically(action);
    } catch (error) {
      // A disk error may have ended the whole transaction; then the group rolls everything back.
      if (sqlite.inTransaction) undo();
      throw error;
    }
  };
}

/** The rows of a table and its lists. */
function listed<T extends WithId>(db: Db, table: T) {
  return { ...createRows(db, table), list: createListing<T['$inferSelect']>(db, table) };
}

/** Cached rows of a table that is read far more often than written. The rows are frozen, because callers share them. */
function remembered<R extends { id: string }, T extends Rows<R>>(db: Db, name: string, rows: T): T {
  const known = cachesOf(db.$client).named<string, R>(name);
  return {
    ...rows,
    insert(row: R) {
      known.remove(row.id);
      rows.insert(row);
    },
    replace(row: R) {
      known.remove(row.id);
      rows.replace(row);
    },
    byId(id: string) {
      const present = known.get(id);
      if (present !== undefined) return present;
      const row = rows.byId(id);
      return row === undefined ? undefined : known.set(id, frozen(row));
    },
  };
}

/** The keys of `meta`. They are listed so that the check of imported images must have a shape for each. */
export type MetaKey =
  | 'program'
  | 'seeded'
  | 'seed'
  | 'sequence'
  | 'clock'
  | 'failing_webhooks'
  | 'last_drops'
  | 'rta'
  | 'settings'
  | 'rules';

const OF_META = { value: meta.value };
const byKey = (select: Select) => select.from(meta).where(eq(meta.key, sql.placeholder('key')));

function createMeta(db: Db) {
  const value = prepareRead(db, OF_META, byKey);
  const write = prepareUpsert(db, meta.key);
  return {
    read<T>(key: MetaKey): T | undefined {
      const row = value.get({ key });
      return row === undefined ? undefined : (JSON.parse(row.value) as T);
    },
    write: (key: MetaKey, value: unknown) => void write.run({ key, value: JSON.stringify(value) }),
  };
}

function createHolderRows(db: Db) {
  const rows = listed(db, holders);
  const statuses = cachesOf(db.$client).named<string, HolderStatus>('holder_statuses');
  const sameNumber = prepareRead(db, { id: holders.id }, (select) =>
    select.from(holders).where(
      and(
        eq(holders.idNumber, sql.placeholder('idNumber')),
        eq(holders.type, sql.placeholder('type')),
        // needed for the partial index
        sql`${holders.idNumber} <> ''`,
      ),
    ),
  );
  const statusOf = prepareRead(db, { status: holders.status }, (select) =>
    select.from(holders).where(eq(holders.id, sql.placeholder('id'))),
  );
  // The condition must be written as in the partial index, or SQLite does not use it.
  const samePhone = prepareRead(db, { id: holders.id }, (select) =>
    select
      .from(holders)
      .where(
        sql`json_extract(${holders.person}, '$.phone') = ${sql.placeholder('phone')} and ${holders.type} = 'person'`,
      ),
  );
  return {
    ...rows,
    insert(row: Holder): void {
      statuses.remove(row.id);
      rows.insert(row);
    },
    replace(row: Holder): void {
      statuses.remove(row.id);
      rows.replace(row);
    },
    statusOf(id: string): HolderStatus | undefined {
      const known = statuses.get(id) ?? statusOf.get({ id })?.status;
      return known === undefined ? undefined : statuses.set(id, known);
    },
    /** The ids of the persons who have this phone. */
    withPhone: (phone: string): string[] => samePhone.all({ phone }).map(({ id }) => id),
    /** The ids of the holders of `type` with this id number. */
    withIdNumber: (type: string, idNumber: string): string[] =>
      sameNumber.all({ type, idNumber }).map(({ id }) => id),
  };
}

function createMemberRows(db: Db) {
  const ofHolder = prepareRead(db, members, (select) =>
    select
      .from(members)
      .where(eq(members.holderId, unpeeked('holderId')))
      .orderBy(asc(members.id)),
  );
  return {
    ...listed(db, members),
    ofHolder: (holderId: string): Member[] => ofHolder.all({ holderId }),
  };
}

function createAccountRows(db: Db) {
  const byNumber = prepareRead(db, { id: accounts.id }, (select) =>
    select
      .from(accounts)
      // Any number of accounts may have no account number, so the index contains only those with one.
      .where(
        and(
          eq(accounts.accountNumber, sql.placeholder('accountNumber')),
          sql`${accounts.accountNumber} <> ''`,
        ),
      ),
  );
  const rename = prepareWrite(db, () =>
    db
      .update(accounts)
      .set({ holderName: sql`${sql.placeholder('holderName')}` })
      .where(eq(accounts.holderId, sql.placeholder('holderId'))),
  );
  return {
    ...remembered(db, 'accounts', listed(db, accounts)),
    /** Writes the holder's name on all accounts of a holder. */
    renameHolder(holderId: string, holderName: string): void {
      cachesOf(db.$client).named('accounts').clear();
      rename.run({ holderId, holderName });
    },
    idOfNumber: (accountNumber: string): string | undefined => byNumber.get({ accountNumber })?.id,
  };
}

const addUsage = (db: Db) =>
  db
    .insert(cardUsage)
    .values(placeholdersOf(cardUsage))
    .onConflictDoUpdate({
      target: [cardUsage.cardId, cardUsage.day],
      set: {
        amount: sql`${cardUsage.amount} + excluded.amount`,
        count: sql`${cardUsage.count} + excluded.count`,
      },
    });

function createCardUsage(db: Db) {
  const added = prepareRowWrite(db, cardUsage, addUsage);
  const since = prepareRead(
    db,
    {
      amount: sql<number>`coalesce(sum(${cardUsage.amount}), 0)`,
      count: sql<number>`coalesce(sum(${cardUsage.count}), 0)`,
    },
    (select) =>
      select
        .from(cardUsage)
        .where(
          and(
            eq(cardUsage.cardId, sql.placeholder('cardId')),
            sql`${cardUsage.day} >= ${sql.placeholder('day')}`,
          ),
        ),
  );
  return {
    add(cardId: string, day: string, amount: number, count: number): void {
      added.add({ cardId, day, amount, count });
    },
    since: (cardId: string, day: string) => since.get({ cardId, day }) ?? { amount: 0, count: 0 },
  };
}

/** The profiles of businesses, by their holder. */
function createProfileRows(db: Db) {
  const byHolder = prepareRead(db, businessProfiles, (select) =>
    select.from(businessProfiles).where(eq(businessProfiles.holderId, sql.placeholder('holderId'))),
  );
  const write = prepareUpsert(db, businessProfiles.holderId);
  return {
    byHolder: (holderId: string) => byHolder.get({ holderId }),
    /** Adds or replaces the profile. */
    write(profile: typeof businessProfiles.$inferSelect): void {
      write.run(profile);
    },
  };
}

function createTokenRows(db: Db) {
  const insert = prepareInsert(db, tokens);
  const find = prepareRead(db, tokens, (select) =>
    select.from(tokens).where(eq(tokens.token, sql.placeholder('token'))),
  );
  const use = prepareWrite(db, () =>
    db
      .update(tokens)
      .set({ usedAt: sql`${sql.placeholder('usedAt')}` })
      .where(eq(tokens.token, sql.placeholder('token'))),
  );
  return {
    insert(token: typeof tokens.$inferSelect): void {
      insert.run(token);
    },
    find: (token: string) => find.get({ token }),
    markUsed(token: string, usedAt: number): void {
      use.run({ token, usedAt });
    },
  };
}

function createWebhookRows(db: Db) {
  const all = prepareRead(db, webhooks, (select) =>
    select.from(webhooks).where(sql`${webhooks.status} <> 'deleted'`).orderBy(desc(webhooks.id)),
  );
  return {
    ...listed(db, webhooks),
    present: () => all.all(),
  };
}

function createAnswers(db: Db) {
  const kept = prepareRowUpserts(db, idempotencyKeys.key, { knownBy: 'key' });
  const fresh = prepareRead(db, idempotencyKeys, (select) =>
    select
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.key, sql.placeholder('key')),
          gt(idempotencyKeys.createdAt, sql.placeholder('after')),
        ),
      ),
  );
  const purge = prepareWrite(db, () =>
    db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, sql.placeholder('until'))),
  );
  return {
    /** The response stored under `key`, if it was created after the instant `after`. */
    find: (key: string, after: number): StoredAnswer | undefined =>
      kept.about(key, () => fresh.get({ key, after })),
    /** Stores a response, and replaces an expired one with the same key. */
    keep(answer: StoredAnswer): void {
      kept.add(answer);
    },
    /** Deletes the responses that were stored at or before the instant `until`. */
    purge: (until: number): number => purge.run({ until }).changes,
  };
}
