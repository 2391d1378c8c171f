/** Compares the schemas of two databases by the texts of their objects. */
import { ImageError } from './image-error.ts';

/** A table, an index or a trigger, as SQLite describes it. */
export interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string | null;
}

/** The objects of a schema by type and name, with their definitions. */
export type SchemaTexts = ReadonlyMap<string, string>;

export function textsOf(rows: readonly SchemaRow[]): SchemaTexts {
  const texts = new Map<string, string>();
  for (const { type, name, table, sql } of rows) {
    const key = `${type} ${name}`;
    // A second object of the same name makes the definition differ from ours.
    texts.set(key, `${texts.get(key) ?? ''}${JSON.stringify([table, sql])}`);
  }
  return texts;
}

/**
 * Refuses additional, missing and different objects of the schema, because triggers are code. This includes names
 * that begin with `sqlite_`: indexes of keys are in our own schema, and statistics influence how a statement runs.
 * Throws `ImageError`.
 */
export function requireSameTexts(found: SchemaTexts, own: SchemaTexts): void {
  const strange = [...new Set([...found.keys(), ...own.keys()])].filter(
    (row) => found.get(row) !== own.get(row),
  );
  if (strange.length > 0) {
    throw new ImageError(`its schema differs from Sandbank's: ${strange.slice(0, 3).join(', ')}`);
  }
}
