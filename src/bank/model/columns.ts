/** Drizzle columns, each with the schema of its values. */
import { type Static, type TSchema, type TUnsafe, Type } from '@sinclair/typebox';
import type { SQLiteColumnBuilderBase, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { core, columns as drizzleColumns } from './drizzle.cjs';
import { Amount, Cents, Count, Flag, Id, IdOrNone, Instant, oneOf, orNull, Text } from './parts.ts';

const { sqliteTable, text: textColumn, integer: integerColumn, blob, customType } = drizzleColumns;
const { getTableColumns } = core;

const shapes = new WeakMap<SQLiteColumnBuilderBase, TSchema>();
const columnsOf = new WeakMap<SQLiteTable, Record<string, SQLiteColumnBuilderBase>>();

const shaped = <C extends SQLiteColumnBuilderBase>(column: C, shape: TSchema): C => {
  shapes.set(column, shape);
  return column;
};

export const text = (name: string) => shaped(textColumn(name), Text);
export const id = (name: string) => shaped(textColumn(name), Id);
/** An id, or `''` for none. */
export const idOrNone = (name: string) => shaped(textColumn(name), IdOrNone);
/** One of these words. */
export const word = <const W extends readonly string[]>(name: string, words: W) =>
  shaped(textColumn(name).$type<W[number]>(), oneOf(words));

export const integer = (name: string, shape: TSchema = Cents) => shaped(integerColumn(name), shape);
export const cents = (name: string) => integer(name);
/** Cents, never negative. */
export const amount = (name: string) => integer(name, Amount);
export const count = (name: string) => integer(name, Count);
export const instant = (name: string) => integer(name, Instant);

export const flag = (name: string) =>
  shaped(
    customType<{ data: boolean; driverData: number }>({
      dataType: () => 'integer',
      toDriver: (value) => (value ? 1 : 0),
      fromDriver: (value) => value === 1,
    })(name),
    Flag,
  );

/** A value kept as JSON text. Placeholders reach the encoder with `null` too, which Drizzle's own mode would quote. */
export const json = <S extends TSchema>(name: string, shape: S) =>
  shaped(
    customType<{ data: Static<S>; driverData: string | null }>({
      dataType: () => 'text',
      toDriver: (value) => (value === null ? null : JSON.stringify(value)),
      fromDriver: (value) => JSON.parse(value as string),
    })(name),
    shape,
  );

/** Words separated by spaces. */
export const words = (name: string) =>
  shaped(
    customType<{ data: readonly string[]; driverData: string }>({
      dataType: () => 'text',
      toDriver: (value) => value.join(' '),
      fromDriver: (value) => (value === '' ? [] : value.split(' ')),
    })(name),
    Type.Array(Text),
  );

export const bytes = (name: string) => shaped(blob(name, { mode: 'buffer' }), Type.Unknown());

/** A table of these columns, by the names of the fields of its records. */
export function table<N extends string, C extends Record<string, SQLiteColumnBuilderBase>>(
  name: N,
  columns: C,
) {
  const made = sqliteTable(name, columns);
  columnsOf.set(made, columns);
  return made;
}

type Shapes<R> = { [Field in keyof R]: TUnsafe<R[Field]> };

/** The schemas of the fields of a table's rows. Every column must be created by a function of this file. */
export function shapesOf<T extends SQLiteTable>(of: T): Shapes<T['$inferSelect']> {
  const builders = columnsOf.get(of) ?? {};
  return Object.fromEntries(
    Object.entries<{ notNull: boolean }>(getTableColumns(of)).map(([field, { notNull }]) => {
      const builder = builders[field];
      const shape = builder && shapes.get(builder);
      if (shape === undefined) throw new Error(`no schema is known for the column of ${field}`);
      return [field, notNull ? shape : orNull(shape)];
    }),
  ) as Shapes<T['$inferSelect']>;
}
