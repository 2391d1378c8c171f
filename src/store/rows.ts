/**
 * The three statements that every noun needs, prepared once per sandbox and only when first used: a new sandbox must
 * open in about a millisecond, and most tests touch few tables.
 */
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { eq, getTableColumns, sql } from './drizzle.ts';
import type { Db } from './open.ts';
import { prepareRead, prepareWrite, type Query, type Write } from './statement.ts';

/**
 * A placeholder whose value SQLite's planner cannot look at. With its statistics built in, SQLite plans a statement
 * anew at each run when a bound value stands beside ORDER BY, LIMIT or max(): 14 microseconds instead of 4.
 */
export function unpeeked(name: string): SQL {
  return sql`(select ${sql.placeholder(name)})`;
}

/** A query with a LIMIT and an OFFSET that the planner cannot look at either; Drizzle would bind them as they are. */
export function paged(query: Query): Query {
  return {
    toSQL() {
      const { sql: text, params } = query.toSQL();
      return {
        sql: `${text} limit (select ?) offset (select ?)`,
        params: [...params, sql.placeholder('limit'), sql.placeholder('offset')],
      };
    },
  };
}

/** A query with a LIMIT that is written out, so that nothing is bound beside its ORDER BY. */
export function limited(query: Query, limit: number): Query {
  return {
    toSQL() {
      const { sql: text, params } = query.toSQL();
      return { sql: `${text} limit ${limit}`, params };
    },
  };
}

/** For every column of a table the value that is given at each run, by the name of its field. */
export function given<T extends SQLiteTable>(table: T): Record<keyof T['$inferSelect'], SQL> {
  const columns = Object.entries<SQLiteColumn>(getTableColumns(table));
  return Object.fromEntries(
    columns.map(([field, column]) => [field, sql`${sql.param(sql.placeholder(field), column)}`]),
  ) as Record<keyof T['$inferSelect'], SQL>;
}

/** Adds a row. What is in `own` is written so instead of being given; `undefined` is left to SQLite. */
export function prepareInsert(
  db: Db,
  table: SQLiteTable,
  own: Readonly<Record<string, SQL | undefined>> = {},
): Write {
  return prepareWrite(db, () => db.insert(table).values({ ...given(table), ...own }));
}

/** Adds a row, or replaces the one that has its key. */
export function prepareUpsert(db: Db, table: SQLiteTable, key: SQLiteColumn): Write {
  const others = Object.entries<SQLiteColumn>(getTableColumns(table)).filter(([, column]) => column !== key);
  return prepareWrite(db, () =>
    db
      .insert(table)
      .values(given(table))
      .onConflictDoUpdate({
        target: key,
        set: Object.fromEntries(
          others.map(([field, { name }]) => [field, sql`excluded.${sql.identifier(name)}`]),
        ),
      }),
  );
}

/** A table whose rows have an id. */
export type WithId = SQLiteTable & { id: SQLiteColumn };

/** Insert, read and replace the rows of one table by their id. */
export interface Rows<R> {
  insert(row: R): void;
  byId(id: string): R | undefined;
  /** Writes every column of a row that exists. */
  replace(row: R): void;
}

/** The statements of one table with an id. */
export function createRows<T extends WithId>(db: Db, table: T): Rows<T['$inferSelect']> {
  const plain: SQLiteTable = table;
  const withId = eq(table.id, sql.placeholder('id'));
  const insert = prepareInsert(db, table);
  const byId = prepareRead(db, table, (select) => select.from(plain).where(withId));
  const replace = prepareWrite(db, () => {
    const { id: _, ...rest } = given(table);
    return db.update(plain).set(rest).where(withId);
  });
  return {
    insert: (row) => void insert.run(row),
    byId: (id) => byId.get({ id }),
    replace: (row) => void replace.run(row),
  };
}
