/**
 * The rows of one sandbox, by noun: the statements that the bank needs, each prepared once, few of them. Nothing here
 * decides anything; a row that is missing is `undefined` and the bank says what that means.
 */
import { DAY_MS } from '../kernel/time.ts';
import type {
  Account,
  Attachment,
  Balance,
  Card,
  CardHolder,
  Counterparty,
  Document,
  Family,
  Holder,
  Member,
  Webhook,
} from '../model/records.ts';
import type { HolderStatus } from '../model/vocabulary.ts';
import { createAccountMonths } from './account-months.ts';
import { type AgendaItem, createAgenda } from './agenda.ts';
import { createCounts, markTallies, plannedSteps } from './counts.ts';
import { createDecisionRows, createRtaRows } from './decisions.ts';
import { and, asc, desc, eq, gt, lte, sql } from './drizzle.ts';
import { createListing, type Listing } from './lists.ts';
import type { Connection, Db } from './open.ts';
import { createRows, placeholders, type Rows, unpeeked } from './rows.ts';
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
  ledgerAccounts,
  masterAccounts,
  members,
  meta,
  tokens,
  webhooks,
} from './schema.ts';
import { lazily, statement } from './statement.ts';
import { createTransactionRows } from './transactions.ts';

export type { AgendaItem };

/** How long an answer is replayed under its idempotency key, on the sandbox's clock. */
export const IDEMPOTENCY_MS = DAY_MS;

export type StoredAnswer = typeof idempotencyKeys.$inferSelect;
export type StoredFile = typeof files.$inferSelect;

export type Store = ReturnType<typeof createStore>;

/** Opens the rows of a connection. */
export function createStore({ db, sqlite }: Connection) {
  const attempt = lazily(() => createAttempts(sqlite));
  return {
    /** Runs an action whose writes alone are taken back when it throws. */
    attempt: <T>(action: () => T): T => attempt()(action),
    meta: createMeta(db),
    masterAccounts: createRows(db, masterAccounts),
    holders: createHolderRows(db),
    members: createMemberRows(db),
    accounts: createAccountRows(db),
    accountMonths: createAccountMonths(db),
    families: withList<Family>(createRows(db, families), createListing(db, families)),
    businessProfiles: createProfileRows(db),
    cardHolders: withList<CardHolder>(createRows(db, cardHolders), createListing(db, cardHolders)),
    cards: withList<Card>(createRows(db, cards), createListing(db, cards)),
    cardUsage: createCardUsage(db),
    counterparties: withList<Counterparty>(createRows(db, counterparties), createListing(db, counterparties)),
    transactions: createTransactionRows(db),
    agenda: createAgenda(db, plannedSteps(sqlite)),
    decisions: createDecisionRows(db),
    rtaDecisions: createRtaRows(db),
    documents: withList<Document>(createRows(db, documents), createListing(db, documents)),
    attachments: withList<Attachment>(createRows(db, attachments), createListing(db, attachments)),
    tokens: createTokenRows(db),
    files: createRows(db, files),
    webhooks: createWebhookRows(db),
    answers: createAnswers(db),
    counts: createCounts(sqlite),
  };
}

/** Runs actions in a savepoint of the commit that is under way. */
function createAttempts(sqlite: Connection['sqlite']) {
  const begin = sqlite.prepare('SAVEPOINT attempt');
  const keep = sqlite.prepare('RELEASE attempt');
  const undo = sqlite.prepare('ROLLBACK TO attempt');
  return <T>(action: () => T): T => {
    begin.run();
    const takeBack = markTallies(sqlite);
    try {
      return action();
    } catch (error) {
      undo.run();
      takeBack();
      throw error;
    } finally {
      keep.run();
    }
  };
}

/** The rows of a table and its lists. */
function withList<R>(rows: Rows<R>, list: Listing<R>) {
  return { ...rows, list };
}

function createMeta(db: Db) {
  const read = statement(() =>
    db
      .select({ value: meta.value })
      .from(meta)
      .where(eq(meta.key, sql.placeholder('key')))
      .prepare(),
  );
  const write = statement(() =>
    db
      .insert(meta)
      .values({ key: sql.placeholder('key'), value: sql.placeholder('value') })
      .onConflictDoUpdate({ target: meta.key, set: { value: sql`excluded.value` } })
      .prepare(),
  );
  return {
    read<T>(key: string): T | undefined {
      const row = read().get({ key });
      return row === undefined ? undefined : (JSON.parse(row.value) as T);
    },
    write(key: string, value: unknown): void {
      write().run({ key, value: JSON.stringify(value) });
    },
  };
}

function createHolderRows(db: Db) {
  const sameNumber = statement(() =>
    db
      .select({ id: holders.id })
      .from(holders)
      .where(
        and(
          eq(holders.idNumber, sql.placeholder('idNumber')),
          eq(holders.type, sql.placeholder('type')),
          // lets SQLite use the partial index
          sql`${holders.idNumber} <> ''`,
        ),
      )
      .prepare(),
  );
  const statusOf = statement(() =>
    db
      .select({ status: holders.status })
      .from(holders)
      .where(eq(holders.id, sql.placeholder('id')))
      .prepare(),
  );
  // Spelled as in the partial index, which SQLite would not use otherwise.
  const samePhone = statement(() =>
    db
      .select({ id: holders.id })
      .from(holders)
      .where(
        sql`json_extract(${holders.person}, '$.phone') = ${sql.placeholder('phone')} and ${holders.type} = 'person'`,
      )
      .prepare(),
  );
  return {
    ...withList<Holder>(createRows(db, holders), createListing(db, holders)),
    statusOf: (id: string): HolderStatus | undefined => statusOf().get({ id })?.status,
    /** The ids of the persons who have this phone. */
    withPhone: (phone: string): string[] =>
      samePhone()
        .all({ phone })
        .map(({ id }) => id),
    /** The ids of the holders of `type` that carry this number. */
    withIdNumber: (type: string, idNumber: string): string[] =>
      sameNumber()
        .all({ type, idNumber })
        .map(({ id }) => id),
  };
}

function createMemberRows(db: Db) {
  const ofHolder = statement(() =>
    db
      .select()
      .from(members)
      .where(eq(members.holderId, unpeeked('holderId')))
      .orderBy(asc(members.id))
      .prepare(),
  );
  return {
    ...withList<Member>(createRows(db, members), createListing(db, members)),
    ofHolder: (holderId: string): Member[] => ofHolder().all({ holderId }),
  };
}

function createAccountRows(db: Db) {
  const withBalance = statement(() =>
    db
      .select()
      .from(accounts)
      .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, accounts.id))
      .where(eq(accounts.id, unpeeked('id')))
      .prepare(),
  );
  const byNumber = statement(() =>
    db
      .select({ id: accounts.id })
      .from(accounts)
      // Any number of accounts may be without one, so the index is of those that have one.
      .where(
        and(
          eq(accounts.accountNumber, sql.placeholder('accountNumber')),
          sql`${accounts.accountNumber} <> ''`,
        ),
      )
      .prepare(),
  );
  const rename = statement(() =>
    db
      .update(accounts)
      .set({ holderName: sql.placeholder('holderName') } as never)
      .where(eq(accounts.holderId, sql.placeholder('holderId')))
      .prepare(),
  );
  return {
    ...withList<Account>(createRows(db, accounts), createListing(db, accounts)),
    /** Writes the holder's name on all accounts of a holder. */
    renameHolder(holderId: string, holderName: string): void {
      rename().run({ holderId, holderName });
    },
    withBalance(id: string): { account: Account; balance: Balance } | undefined {
      const row = withBalance().get({ id });
      return row === undefined ? undefined : { account: row.accounts, balance: row.ledger_accounts };
    },
    idOfNumber: (accountNumber: string): string | undefined => byNumber().get({ accountNumber })?.id,
  };
}

function createCardUsage(db: Db) {
  const add = statement(() =>
    db
      .insert(cardUsage)
      .values(placeholders(cardUsage) as never)
      .onConflictDoUpdate({
        target: [cardUsage.cardId, cardUsage.day],
        set: {
          amount: sql`${cardUsage.amount} + excluded.amount`,
          count: sql`${cardUsage.count} + excluded.count`,
        },
      })
      .prepare(),
  );
  const since = statement(() =>
    db
      .select({
        amount: sql<number>`coalesce(sum(${cardUsage.amount}), 0)`,
        count: sql<number>`coalesce(sum(${cardUsage.count}), 0)`,
      })
      .from(cardUsage)
      .where(
        and(
          eq(cardUsage.cardId, sql.placeholder('cardId')),
          sql`${cardUsage.day} >= ${sql.placeholder('day')}`,
        ),
      )
      .prepare(),
  );
  return {
    add(cardId: string, day: string, amount: number, count: number): void {
      add().run({ cardId, day, amount, count });
    },
    since: (cardId: string, day: string) => since().get({ cardId, day }) ?? { amount: 0, count: 0 },
  };
}

/** The profiles of businesses, by their holder. */
function createProfileRows(db: Db) {
  const byHolder = statement(() =>
    db
      .select()
      .from(businessProfiles)
      .where(eq(businessProfiles.holderId, sql.placeholder('holderId')))
      .prepare(),
  );
  const write = statement(() =>
    db
      .insert(businessProfiles)
      .values(placeholders(businessProfiles) as never)
      .onConflictDoUpdate({
        target: businessProfiles.holderId,
        set: { projection: sql`excluded.projection`, disclosure: sql`excluded.disclosure` },
      })
      .prepare(),
  );
  return {
    byHolder: (holderId: string) => byHolder().get({ holderId }),
    /** Writes the profile, whether there was one or not. */
    write(profile: typeof businessProfiles.$inferSelect): void {
      write().run(profile);
    },
  };
}

function createTokenRows(db: Db) {
  const insert = statement(() =>
    db
      .insert(tokens)
      .values(placeholders(tokens) as never)
      .prepare(),
  );
  const find = statement(() =>
    db
      .select()
      .from(tokens)
      .where(eq(tokens.token, sql.placeholder('token')))
      .prepare(),
  );
  const use = statement(() =>
    db
      .update(tokens)
      .set({ usedAt: sql.placeholder('usedAt') } as never)
      .where(eq(tokens.token, sql.placeholder('token')))
      .prepare(),
  );
  return {
    insert(token: typeof tokens.$inferSelect): void {
      insert().run(token);
    },
    find: (token: string) => find().get({ token }),
    markUsed(token: string, usedAt: number): void {
      use().run({ token, usedAt });
    },
  };
}

function createWebhookRows(db: Db) {
  const all = statement(() =>
    db
      .select()
      .from(webhooks)
      .where(sql`${webhooks.status} <> 'deleted'`)
      .orderBy(desc(webhooks.id))
      .prepare(),
  );
  return {
    ...withList<Webhook>(createRows(db, webhooks), createListing(db, webhooks)),
    present: () => all().all(),
  };
}

function createAnswers(db: Db) {
  const keep = statement(() =>
    db
      .insert(idempotencyKeys)
      .values(placeholders(idempotencyKeys) as never)
      .onConflictDoUpdate({
        target: idempotencyKeys.key,
        set: {
          fingerprint: sql`excluded.fingerprint`,
          status: sql`excluded.status`,
          body: sql`excluded.body`,
          createdAt: sql`excluded.created_at`,
        },
      })
      .prepare(),
  );
  const fresh = statement(() =>
    db
      .select()
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.key, sql.placeholder('key')),
          gt(idempotencyKeys.createdAt, sql.placeholder('after')),
        ),
      )
      .prepare(),
  );
  const purge = statement(() =>
    db
      .delete(idempotencyKeys)
      .where(lte(idempotencyKeys.createdAt, sql.placeholder('until')))
      .prepare(),
  );
  return {
    /** The answer kept under `key` if it was made after the instant `after`. */
    find: (key: string, after: number): StoredAnswer | undefined => fresh().get({ key, after }),
    /** Keeps an answer; one that has expired under the same key makes room. */
    keep(answer: StoredAnswer): void {
      keep().run(answer);
    },
    /** Drops what was kept at or before the instant `until`. */
    purge: (until: number): number => purge().run({ until }).changes,
  };
}
