/**
 * The rows of one sandbox, by noun: the statements that the bank needs, each prepared once, few of them. Nothing here
 * decides anything; a row that is missing is `undefined` and the bank says what that means.
 */
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
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
  Transaction,
  Webhook,
} from '../model/records.ts';
import type { HolderStatus } from '../model/vocabulary.ts';
import { createAccountMonths } from './account-months.ts';
import { createDecisionRows, createRtaRows } from './decisions.ts';
import { and, asc, desc, eq, getTableColumns, gt, lte, sql } from './drizzle.ts';
import {
  type Condition,
  createListing,
  type Listing,
  type OffsetWindow,
  type Page,
  type Window,
} from './lists.ts';
import type { Connection, Db } from './open.ts';
import { createRows, placeholders, type Rows, unpeeked } from './rows.ts';
import {
  accounts,
  agenda,
  attachments,
  businessProfiles,
  cardHolders,
  cards,
  cardUsage,
  counterparties,
  deliveries,
  documents,
  facts,
  families,
  files,
  holders,
  idempotencyKeys,
  ledgerAccounts,
  masterAccounts,
  members,
  meta,
  tokens,
  transactions,
  webhooks,
} from './schema.ts';
import { lazily, statement } from './statement.ts';

/** How long an answer is replayed under its idempotency key, on the sandbox's clock. */
export const IDEMPOTENCY_MS = DAY_MS;

export type AgendaItem = typeof agenda.$inferSelect;
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
    agenda: createAgenda(db),
    decisions: createDecisionRows(db),
    rtaDecisions: createRtaRows(db),
    documents: withList<Document>(createRows(db, documents), createListing(db, documents)),
    attachments: withList<Attachment>(createRows(db, attachments), createListing(db, attachments)),
    tokens: createTokenRows(db),
    files: createRows(db, files),
    webhooks: createWebhookRows(db),
    answers: createAnswers(db),
    counts: createCounts(db),
  };
}

/** Runs actions in a savepoint of the commit that is under way. */
function createAttempts(sqlite: Connection['sqlite']) {
  const begin = sqlite.prepare('SAVEPOINT attempt');
  const keep = sqlite.prepare('RELEASE attempt');
  const undo = sqlite.prepare('ROLLBACK TO attempt');
  return <T>(action: () => T): T => {
    begin.run();
    try {
      return action();
    } catch (error) {
      undo.run();
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

/** How many there are of each noun. */
function createCounts(db: Db) {
  const tables = {
    holders,
    accounts,
    card_holders: cardHolders,
    cards,
    counterparties,
    transactions,
    webhooks,
    events: facts,
    planned_steps: agenda,
  };
  const count = (table: SQLiteTable, where?: SQL): number =>
    db.select({ n: sql<number>`count(*)` }).from(table).where(where).get()?.n ?? 0;
  return (): Record<string, number> => ({
    ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, count(table)])),
    waiting_deliveries: count(deliveries, eq(deliveries.state, 'waiting')),
  });
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
      .where(eq(accounts.accountNumber, sql.placeholder('accountNumber')))
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

function createTransactionRows(db: Db) {
  // Its place in the account's list is the store's own; the record does not carry it.
  const { accountSeq: _, ...columns } = getTableColumns(transactions);
  const byId = statement(() =>
    db
      .select(columns)
      .from(transactions)
      .where(eq(transactions.id, sql.placeholder('id')))
      .prepare(),
  );
  const insert = statement(() =>
    db
      .insert(transactions)
      .values({
        ...placeholders(transactions),
        accountSeq: sql`(select coalesce(max(account_seq), 0) + 1 from transactions
          where account_id is ${unpeeked('accountId')})`,
      } as never)
      .prepare(),
  );
  const ofParent = statement(() =>
    db
      .select(columns)
      .from(transactions)
      .where(and(eq(transactions.parentId, unpeeked('parentId')), sql`${transactions.parentId} <> ''`))
      .orderBy(asc(transactions.id))
      .prepare(),
  );
  // What a movement is and whose never changes, so its indexes need not be written again.
  const change = statement(() => {
    const {
      id,
      accountId,
      holderId,
      holderType,
      familyId,
      accountSeq,
      cardId,
      parentId,
      externalReferenceId,
      createdAt,
      ...rest
    } = placeholders(transactions);
    return db
      .update(transactions)
      .set(rest as never)
      .where(eq(transactions.id, sql.placeholder('id')))
      .prepare();
  });
  return {
    byId: (id: string): Transaction | undefined => byId().get({ id }),
    /** Writes what may change of a transaction. */
    change(row: Transaction): void {
      change().run(row as never);
    },
    ofParent: (parentId: string): Transaction[] => ofParent().all({ parentId }),
    ...createTransactionLists(db, columns),
    /** Adds a row at the end of its account's list. */
    append(row: Transaction): void {
      insert().run(row as never);
    },
  };
}

const NOT_REFUSED_BY_CARD: Condition = {
  anyOf: [[{ field: 'method', not: 'card_issuing' }], [{ field: 'status', not: 'declined' }]],
};

/**
 * The lists of transactions. Those of one account and nothing else are numbered, so the first page and the total cost
 * the same however many there are; the total of all is that of the rows, of which none is ever deleted.
 */
function createTransactionLists(db: Db, columns: Record<string, SQLiteColumn>) {
  const derived = { movedAt: sql`coalesce(${transactions.settledAt}, ${transactions.createdAt})` };
  const listing = createListing<Transaction>(db, transactions, { columns, derived });
  const numbered = createListing<Transaction>(db, transactions, { columns, derived, key: 'accountSeq' });
  const lastOfAccount = statement(() =>
    db
      .select({ n: sql<number>`coalesce(max(${transactions.accountSeq}), 0)` })
      .from(transactions)
      .where(eq(transactions.accountId, unpeeked('accountId')))
      .prepare(),
  );
  const lastInSuspense = statement(() =>
    db
      .select({ n: sql<number>`coalesce(max(${transactions.accountSeq}), 0)` })
      .from(transactions)
      .where(sql`${transactions.accountId} is null`)
      .prepare(),
  );
  const lastOfAll = statement(() =>
    db.select({ n: sql<number>`coalesce(max(rowid), 0)` }).from(transactions).prepare(),
  );
  // Spelled as in the partial index, which SQLite would not use otherwise.
  const refusedByCard = (of?: SQL) =>
    db
      .select({ n: sql<number>`count(*)` })
      .from(transactions)
      .where(and(sql`${transactions.method} = 'card_issuing' and ${transactions.status} = 'declined'`, of))
      .prepare();
  const refusedOfAccount = statement(() => refusedByCard(eq(transactions.accountId, unpeeked('accountId'))));
  const refusedOfAll = statement(() => refusedByCard());
  const placeOf = statement(() =>
    db
      .select({ accountSeq: transactions.accountSeq, accountId: transactions.accountId })
      .from(transactions)
      .where(eq(transactions.id, sql.placeholder('id')))
      .prepare(),
  );

  /** The cursor as a place in the account's list; `undefined` for a transaction that is not in it. */
  const numberedWindow = (accountId: string, window: Window): Window | undefined => {
    if (window.kind === 'offset') return window.order === undefined ? window : undefined;
    const place = (id: string): string | undefined => {
      if (id === '') return '';
      const found = placeOf().get({ id });
      return found?.accountId === accountId ? String(found.accountSeq) : undefined;
    };
    const [after, before] = [place(window.after), place(window.before)];
    return after === undefined || before === undefined ? undefined : { ...window, after, before };
  };

  return {
    list: {
      ...listing,
      page: (where: readonly Condition[], window: Window): Page<Transaction> =>
        where.length === 0 ? listing.page(where, window, lastOfAll().get()?.n) : listing.page(where, window),
    },
    /** A page of one account's transactions. */
    ofAccount(accountId: string, window: Window): Page<Transaction> {
      const where: Condition[] = [{ field: 'accountId', is: accountId }];
      const own = numberedWindow(accountId, window);
      const total = lastOfAccount().get({ accountId })?.n ?? 0;
      return own === undefined ? listing.page(where, window, total) : numbered.page(where, own, total);
    },
    /**
     * A page of what an account has that is not a card's refused authorization, of one account or (`''`) of all; ordered
     * by `createdAt`, `movedAt` or, unless told, newest first. Without conditions its total costs nothing.
     */
    entries(accountId: string, where: readonly Condition[], window: OffsetWindow): Page<Transaction> {
      const one = accountId !== '';
      const count = (row: { n: number } | undefined): number => row?.n ?? 0;
      const total = () =>
        one
          ? count(lastOfAccount().get({ accountId })) - count(refusedOfAccount().get({ accountId }))
          : count(lastOfAll().get()) - count(refusedOfAll().get()) - count(lastInSuspense().get());
      const { order } = window;
      // Rows were made in the order of their keys.
      const field = order?.field === 'createdAt' ? (one ? 'accountSeq' : 'id') : order?.field;
      return (one ? numbered : listing).page(
        [
          one ? { field: 'accountId', is: accountId } : { field: 'accountId', isSet: true },
          NOT_REFUSED_BY_CARD,
          ...where,
        ],
        { ...window, ...(order !== undefined && field !== undefined && { order: { ...order, field } }) },
        where.length === 0 ? total() : undefined,
      );
    },
    /** The list by the ids of the entries in the master account. */
    inMaster: createListing<Transaction>(db, transactions, { columns, key: 'masterId' }),
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

function createAgenda(db: Db) {
  const insert = statement(() =>
    db
      .insert(agenda)
      .values(placeholders(agenda) as never)
      .prepare(),
  );
  const remove = statement(() =>
    db
      .delete(agenda)
      .where(
        and(eq(agenda.dueAt, sql.placeholder('dueAt')), eq(agenda.subjectId, sql.placeholder('subjectId'))),
      )
      .prepare(),
  );
  const verification = statement(() =>
    db
      .select({ dueAt: agenda.dueAt })
      .from(agenda)
      .where(and(eq(agenda.subjectId, sql.placeholder('subjectId')), sql`${agenda.task} = 'verification'`))
      .prepare(),
  );
  const eventAt = statement(() =>
    db
      .select({ event: agenda.event })
      .from(agenda)
      .where(
        and(eq(agenda.dueAt, sql.placeholder('dueAt')), eq(agenda.subjectId, sql.placeholder('subjectId'))),
      )
      .prepare(),
  );
  const due = statement(() =>
    db
      .select()
      .from(agenda)
      .where(lte(agenda.dueAt, unpeeked('now')))
      .orderBy(asc(agenda.dueAt), asc(agenda.subjectId))
      .limit(unpeeked('limit') as never)
      .prepare(),
  );
  const first = statement(() =>
    db
      .select({ dueAt: agenda.dueAt })
      .from(agenda)
      .orderBy(asc(agenda.dueAt), asc(agenda.subjectId))
      .limit(sql`1` as never)
      .prepare(),
  );
  /** `undefined` until it was asked for: what an earlier process planned is in the table alone. */
  let earliest: number | undefined;
  return {
    add(item: AgendaItem): void {
      insert().run(item);
      if (earliest !== undefined && item.dueAt < earliest) earliest = item.dueAt;
    },
    /** The earliest instant planned since the last time this was asked; what was rolled back may be among it. */
    takePlanned(): number {
      const planned = earliest ?? first().get()?.dueAt ?? Number.POSITIVE_INFINITY;
      earliest = Number.POSITIVE_INFINITY;
      return planned;
    },
    remove(dueAt: number, subjectId: string): void {
      remove().run({ dueAt, subjectId });
    },
    /** When the check of a holder ends, if that is planned. */
    verificationDueAt: (subjectId: string): number | undefined => verification().get({ subjectId })?.dueAt,
    /** What is planned for a subject at an instant. */
    eventAt: (dueAt: number, subjectId: string): string | undefined =>
      eventAt().get({ dueAt, subjectId })?.event,
    /** What is due, in the order in which it happens. */
    due: (now: number, limit: number): AgendaItem[] => due().all({ now, limit }),
    nextDueAt: (): number | undefined => first().get()?.dueAt,
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
