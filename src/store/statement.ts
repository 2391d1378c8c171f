/**
 * A statement is written with Drizzle, once, and run by better-sqlite3. Drizzle's own way of running a prepared
 * statement looks at every parameter and column anew each time, which costs a payment as much as half its SQL; here
 * that is done when the statement is prepared. Prepared at the first use: a new sandbox opens in about a millisecond.
 */
import type { Statement as Sqlite } from 'better-sqlite3';
import { is, Param, Placeholder } from './drizzle.ts';

/** What Drizzle made of a query. Its fields are not public, so their absence is refused when a statement is prepared. */
interface Prepared {
  readonly query: { readonly sql: string; readonly params: readonly unknown[] };
  readonly stmt: Sqlite;
  readonly fields?: readonly { readonly path: readonly string[]; readonly field: Field }[] | undefined;
}

interface Field {
  readonly columnType?: string;
  readonly decoder?: { mapFromDriverValue(value: unknown): unknown };
  mapFromDriverValue?(value: unknown): unknown;
}

type Values = Record<string, unknown>;
type Bind = (values: Values) => unknown[];
type Read = (row: unknown[]) => unknown;

/** Columns whose value in SQLite is the value in the record. */
const PLAIN = new Set(['SQLiteText', 'SQLiteInteger']);

/** A value that is made at its first use. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A prepared statement, made at its first use; `run`, `get` and `all` as Drizzle's. */
export function statement<T extends object>(prepare: () => T): () => T {
  return lazily(() => fast(prepare() as unknown as Prepared) as unknown as T);
}

function fast(prepared: Prepared) {
  const { stmt, query, fields } = prepared;
  if (stmt === undefined || query === undefined)
    throw new Error('this version of Drizzle prepares differently');
  const bind = binderOf(query.params);
  if (fields === undefined) {
    return { run: (values: Values = {}) => stmt.run(bind(values)) };
  }
  const read = readerOf(fields);
  stmt.raw(true);
  return {
    run: (values: Values = {}) => stmt.run(bind(values)),
    get(values: Values = {}) {
      const row = stmt.get(bind(values)) as unknown[] | undefined;
      return row === undefined ? undefined : read(row);
    },
    all: (values: Values = {}) => (stmt.all(bind(values)) as unknown[][]).map(read),
  };
}

/** The parameters in their order: a constant, a value by its name, or one that its column encodes. */
function binderOf(params: readonly unknown[]): Bind {
  const plan = params.map(
    (param): { name?: string; value?: unknown; encode?: (value: unknown) => unknown } => {
      if (is(param, Placeholder)) return { name: param.name };
      if (!is(param, Param) || !is(param.value, Placeholder)) return { value: param };
      const { encoder } = param;
      const plain = PLAIN.has((encoder as Field).columnType ?? '');
      return {
        name: param.value.name,
        ...(!plain && { encode: (value) => encoder.mapToDriverValue(value) }),
      };
    },
  );
  const length = plan.length;
  return (values) => {
    const bound = new Array<unknown>(length);
    for (let at = 0; at < length; at += 1) {
      const step = plan[at];
      if (step === undefined) continue;
      const value = step.name === undefined ? step.value : values[step.name];
      bound[at] = step.encode === undefined ? value : step.encode(value);
    }
    return bound;
  };
}

/** A row as the record that was selected: flat, or by table for a join. */
function readerOf(fields: NonNullable<Prepared['fields']>): Read {
  const plan = fields.map(({ path, field }) => ({
    outer: path.length > 1 ? path[0] : undefined,
    name: path.at(-1) ?? '',
    decode: decoderOf(field),
  }));
  return (row) => {
    const record: Values = {};
    for (let at = 0; at < plan.length; at += 1) {
      const step = plan[at];
      if (step === undefined) continue;
      const { outer, name, decode } = step;
      const raw = row[at];
      const value = decode === undefined || raw === null ? raw : decode(raw);
      if (outer === undefined) record[name] = value;
      else {
        record[outer] ??= {};
        (record[outer] as Values)[name] = value;
      }
    }
    return record;
  };
}

function decoderOf(field: Field): ((value: unknown) => unknown) | undefined {
  if (field.columnType === undefined) {
    const { decoder } = field;
    return decoder === undefined ? undefined : (value) => decoder.mapFromDriverValue(value);
  }
  return PLAIN.has(field.columnType) ? undefined : (value) => field.mapFromDriverValue?.(value);
}
