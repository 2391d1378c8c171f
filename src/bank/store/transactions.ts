/**
 * The rows of transactions and their lists. A transaction has a place in its account's list, which only the store
 * uses.
 */
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Id } from '../kernel/sequence.ts';
import { type Column, type Condition, on, type Value } from '../model/conditions.ts';
import type { Transaction } from '../model/records.ts';
import { transactions } from '../model/tables.ts';
import { cachesOf } from './cache.ts';
import { and, asc, eq, getTableColumns, sql } from './drizzle.ts';
import { createListing, type OffsetWindow, type Page, type Window } from './lists.ts';
import type { Db } from './open.ts';
import { prepareRows, prepareUpdate, unpeeked } from './rows.ts';
import { prepareRead } from './statement.ts';

/** The columns that never change, so an update does not write their indexes. */
const FIXED = [
  'accountId',
  'holderId',
  'holderType',
  'familyId',
  'personId',
  'accountSeq',
  'cardId',
  'parentId',
  'externalReferenceId',
  'createdAt',
] as const;

/** The statements of transactions. */
export function createTransactionRows(db: Db) {
  // The place in the account's list is internal and not in the record.
  const { accountSeq: _, ...columns } = getTableColumns(transactions);
  const byId = prepareRead(db, columns, (select) =>
    select.from(transactions).where(eq(transactions.id, sql.placeholder('id'))),
  );
  const insert = prepareRows(db, transactions, { knownBy: 'id' });
  const last = prepareRead(db, { n: sql<number>`coalesce(max(${transactions.accountSeq}), 0)` }, (select) =>
    select.from(transactions).where(sql`${transactions.accountId} is ${unpeeked('accountId')}`),
  );
  const places = cachesOf(db.$client).named<string | null, number>('last_places');
  const ofParent = prepareRead(db, columns, (select) =>
    select
      .from(transactions)
      .where(and(eq(transactions.parentId, unpeeked('parentId')), sql`${transactions.parentId} <> ''`))
      .orderBy(asc(transactions.id)),
  );
  const change = prepareUpdate(db, transactions, 'id', FIXED);
  return {
    byId: (id: string): Transaction | undefined => insert.about(id, () => byId.get({ id })),
    /** Writes the columns of a transaction that may change. */
    change: (row: Transaction): void => void change.run(row),
    ofParent: (parentId: string): Transaction[] => ofParent.all({ parentId }),
    ...createTransactionLists(db, columns),
    /** Adds a row at the end of its account's list. */
    append(row: Transaction): void {
      const { accountId } = row;
      const accountSeq = (places.get(accountId) ?? last.get({ accountId })?.n ?? 0) + 1;
      places.set(accountId, accountSeq);
      insert.add({ ...row, accountSeq });
    },
  };
}

type OnTransaction = Condition<Column<Transaction>>;
type Field = Column<Transaction> | 'longAccountId';
/** An account with as many transactions is searched in the index of all transactions, and not row by row. */
const LONG_ACCOUNT = 2_000;

const NOT_REFUSED_BY_CARD: OnTransaction = {
  anyOf: [[on('method', { not: 'card_issuing' })], [on('status', { not: 'declined' })]],
};

/**
 * The lists of transactions. The transactions of an account are numbered, so for a list without other filters the
 * first page and the total take constant time. The total of all transactions is the number of rows, because none is
 * ever deleted.
 */
function createTransactionLists(db: Db, columns: Record<string, SQLiteColumn>) {
  // A transaction that is not booked is ordered by its creation.
  const derived = {
    movedAt: sql`coalesce(${transactions.bookedAt}, ${transactions.createdAt})`,
    // The plus prevents the index of accounts, which would read each row of a long account.
    longAccountId: sql`+${transactions.accountId}`,
  };
  const options = { columns, derived, sparse: ['cardId', 'parentId', 'externalReferenceId'] };
  const listing = createListing<Transaction, Field>(db, transactions, {
    ...options,
    isIndexed: true,
  });
  const numbered = createListing<Transaction>(db, transactions, { ...options, key: 'accountSeq' });
  const lastOfAccount = prepareRead(
    db,
    { n: sql<number>`coalesce(max(${transactions.accountSeq}), 0)` },
    (select) => select.from(transactions).where(eq(transactions.accountId, unpeeked('accountId'))),
  );
  const lastInSuspense = prepareRead(
    db,
    { n: sql<number>`coalesce(max(${transactions.accountSeq}), 0)` },
    (select) => select.from(transactions).where(sql`${transactions.accountId} is null`),
  );
  const lastOfAll = prepareRead(db, { n: sql<number>`coalesce(max(rowid), 0)` }, (select) =>
    select.from(transactions),
  );
  // The condition must be written as in the partial index, or SQLite does not use it.
  const refusedByCard = (of?: SQL) =>
    prepareRead(db, { n: sql<number>`count(*)` }, (select) =>
      select
        .from(transactions)
        .where(and(sql`${transactions.method} = 'card_issuing' and ${transactions.status} = 'declined'`, of)),
    );
  const refusedOfAccount = refusedByCard(eq(transactions.accountId, unpeeked('accountId')));
  const refusedOfAll = refusedByCard();
  const placeOf = prepareRead(
    db,
    { accountSeq: transactions.accountSeq, accountId: transactions.accountId },
    (select) => select.from(transactions).where(eq(transactions.id, sql.placeholder('id'))),
  );

  /** Converts the cursor to a place in the account's list; `undefined` if the transaction is not in it. */
  const numberedWindow = (accountId: string, window: Window): Window | undefined => {
    if (window.kind === 'offset') return window.order === undefined ? window : undefined;
    const place = (id: string): string | undefined => {
      if (id === '') return '';
      const found = placeOf.get({ id });
      return found?.accountId === accountId ? String(found.accountSeq) : undefined;
    };
    const [after, before] = [place(window.after), place(window.before)];
    return after === undefined || before === undefined ? undefined : { ...window, after, before };
  };

  const countOf = (accountId: Value): number => lastOfAccount.get({ accountId })?.n ?? 0;
  const ofAny = (test: OnTransaction): Condition<Field> =>
    'field' in test && test.field === 'accountId' && 'is' in test && countOf(test.is) >= LONG_ACCOUNT
      ? on('longAccountId', { is: test.is })
      : test;

  return {
    list: {
      ...listing,
      page: (where: readonly OnTransaction[], window: Window): Page<Transaction> =>
        listing.page(where.map(ofAny), window, where.length === 0 ? lastOfAll.get()?.n : undefined),
    },
    /** A page of all matches after a cursor, whose total is the number of all transactions. */
    search: (where: readonly OnTransaction[], limit: number, after: Id | ''): Page<Transaction> =>
      listing.page(where.map(ofAny), { kind: 'cursor', limit, after, before: '' }, lastOfAll.get()?.n),
    /** A page of one account's transactions. */
    ofAccount(accountId: string, window: Window): Page<Transaction> {
      const where: OnTransaction[] = [on('accountId', { is: accountId })];
      const own = numberedWindow(accountId, window);
      const total = countOf(accountId);
      return own === undefined ? listing.page(where, window, total) : numbered.page(where, own, total);
    },
    /**
     * A page of the transactions of one account or (`''`) of all accounts, without refused card authorizations;
     * ordered by `createdAt`, `movedAt` or, by default, newest first. Without conditions the total is not counted.
     */
    entries(accountId: string, where: readonly OnTransaction[], window: OffsetWindow): Page<Transaction> {
      const one = accountId !== '';
      const count = (row: { n: number } | undefined): number => row?.n ?? 0;
      const total = () =>
        one
          ? countOf(accountId) - count(refusedOfAccount.get({ accountId }))
          : count(lastOfAll.get()) - count(refusedOfAll.get()) - count(lastInSuspense.get());
      const isNumbered = one && (where.length === 0 || countOf(accountId) < LONG_ACCOUNT);
      const { order } = window;
      // Rows are created in the order of their keys.
      const field = order?.field === 'createdAt' ? (isNumbered ? 'accountSeq' : 'id') : order?.field;
      const ofOne = on('accountId', { is: accountId });
      const ordered = {
        ...window,
        ...(order !== undefined && field !== undefined && { order: { ...order, field } }),
      };
      const rest = [NOT_REFUSED_BY_CARD, ...where];
      return isNumbered
        ? numbered.page([ofOne, ...rest], ordered, where.length === 0 ? total() : undefined)
        : listing.page(
            [one ? ofAny(ofOne) : on('accountId', { isSet: true }), ...rest],
            ordered,
            where.length === 0 ? total() : undefined,
          );
    },
    /** The list by the ids of the entries in the master account. */
    inMaster: createListing<Transaction>(db, transactions, { ...options, key: 'masterId' }),
  };
}
