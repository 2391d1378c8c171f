/**
 * The three statements that every noun needs, prepared once per sandbox and only when first used: a new sandbox must
 * open in about a millisecond, and most tests touch few tables.
 */
import type { Placeholder, SQL } from 'drizzle-orm';
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

type Given<T extends SQLiteTable> = Record<keyof T['$inferSelect'], Placeholder>;

/** For every column of a table the value that is given at each run, by the name of its field. */
export function given<T extends SQLiteTable>(table: T): Given<T> {
  const fields = Object.keys(getTableColumns(table));
  return Object.fromEntries(fields.map((field) => [field, sql.placeholder(field)])) as Given<T>;
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
  return prepareWrite(db, () => {
    const others = Object.entries<SQLiteColumn>(getTableColumns(table)).filter(
      ([, column]) => column !== key,
    );
    const set = Object.fromEntries(
      others.map(([field, { name }]) => [field, sql`excluded.${sql.identifier(name)}`]),
    );
    return db.insert(table).values(given(table)).onConflictDoUpdate({ target: key, set });
  });
}

/** Writes what is given of these fields, or of all others, to the rows whose key is given by its name. */
export function prepareUpdate(db: Db, table: SQLiteTable, key: string, fields?: readonly string[]): Write {
  return prepareWrite(db, () => {
    const columns: Record<string, SQLiteColumn> = getTableColumns(table);
    const names = fields ?? Object.keys(columns).filter((name) => name !== key);
    const set = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
    return db
      .update(table)
      .set(set)
      .where(sql`${columns[key]} = ${sql.placeholder(key)}`);
  });
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
  const insert = prepareInsert(db, table);
  const byId = prepareRead(db, table, (select) =>
    select.from(plain).where(eq(table.id, sql.placeholder('id'))),
  );
  const replace = prepareUpdate(db, table, 'id');
  return {
    insert: (row) => void insert.run(row),
    byId: (id) => byId.get({ id }),
    replace: (row) => void replace.run(row),
  };
}
