// The tables in the program match those of the migrations, and the allowed values of each column are defined.
import { getTableColumns, getTableName } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { shapesOf } from '../../../src/bank/model/columns.ts';
import * as tables from '../../../src/bank/model/tables.ts';
import { openConnection } from '../../../src/bank/store/open.ts';
import { WAITING_TABLES } from '../../../src/bank/store/waiting-rows.ts';

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

function migratedBank() {
  const connection = openConnection({ kind: 'memory' });
  onTestFinished(() => connection.close());
  return connection.sqlite;
}

test('the schema in the code has exactly the tables of the migrations', () => {
  const made = migratedBank()
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all();
  expect(Object.values(tables).map(getTableName).sort()).toEqual(made);
});

test('each table whose rows may wait follows those to which it refers, and no view reads one', () => {
  const sqlite = migratedBank();
  const early = WAITING_TABLES.flatMap((table, place) =>
    (sqlite.pragma(`foreign_key_list(${table})`) as { table: string }[])
      .filter((reference) => WAITING_TABLES.indexOf(reference.table) > place)
      .map((reference) => `${table} before ${reference.table}`),
  );
  expect(early).toEqual([]);
  expect(sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").all()).toEqual([]);
});

for (const table of Object.values(tables)) {
  const name = getTableName(table);

  test(`${name} has the columns that the migrations create`, () => {
    const made = migratedBank().pragma(`table_info(${name})`) as ColumnInfo[];
    const known = Object.values<{ name: string; notNull: boolean; getSQLType(): string }>(
      getTableColumns(table),
    ).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      notnull: Number(column.notNull),
    }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(known.sort(byName)).toEqual(
      made
        // A key that SQLite numbers itself is never null, although it is not declared so.
        .map(({ name: column, type, notnull, pk }) => ({
          name: column,
          type,
          notnull: pk > 0 && type === 'INTEGER' ? 1 : notnull,
        }))
        .sort(byName),
    );
  });

  test(`each column of ${name} has a check of its values`, () => {
    expect(Object.keys(shapesOf(table))).toEqual(Object.keys(getTableColumns(table)));
  });
}
