/**
 * Conditions that filter lists of records. The fields are the filters of a list (`filters.ts`) or, below the bank,
 * the columns of a table.
 */

export type Value = string | number;

/** A column of a record, or a path in a JSON column: `rails.ach.accountNumber`. */
export type Column<R> = (keyof R & string) | `${keyof R & string}.${string}`;

/** The required value of a field. */
type Test =
  | { readonly is: Value }
  | { readonly not: Value }
  | { readonly oneOf: readonly Value[] }
  | { readonly from: Value }
  | { readonly to: Value }
  /** A substring of the text, not case-sensitive. */
  | { readonly contains: string }
  /** Not the empty text. */
  | { readonly isSet: true }
  /** No value at all. */
  | { readonly isNull: true }
  /** An object with this key and value. */
  | { readonly hasPair: readonly [key: string, value: string] };
type FieldCondition<F extends string> = { readonly field: F } & Test;

/** A condition of a row: a test of one field, or one of several lists of conditions that must all match. */
export type Condition<F extends string> =
  | FieldCondition<F>
  | { readonly anyOf: readonly (readonly Condition<F>[])[] };

/** A condition that keeps the name of its field for the compiler, also where lists of conditions are put together. */
export function on<const F extends string>(field: F, test: Test): Condition<F> {
  return { field, ...test };
}
