/**
 * Tables of fields that requests and responses share. A row has the name of the field in JSON, the key of its value in
 * the record, its shapes in a request and in a response, and how its value is parsed and formatted. The shapes, the
 * parser and the formatter are made from the same table, so a field that a body accepts is either parsed, or declared
 * as one that the bank decides (`shown`, `always`). A field that only responses have is declared too (`responseOnly`,
 * `constant`).
 */
import { type Static, type TOptional, type TSchema, Type } from '@sinclair/typebox';

/** Parses and formats a value. `W` is its type in records, `V` the part of it that a request can set. */
export interface Codec<I extends TSchema, O extends TSchema, V, W = V> {
  readonly input: I;
  readonly output: O;
  /** Returns `undefined` for a value that means "not sent". `name` is the name of the field in JSON. */
  parse(value: Static<I>, name: string): V;
  format(value: W): Static<O>;
}

/** A field of a record: a codec and the key of its value. */
export interface Field<K extends string, I extends TSchema, O extends TSchema, V, W>
  extends Codec<I, O, V, W> {
  readonly key: K;
}

/** A field that the bank decides; a body may contain it, without effect. */
interface Shown<K extends string, I extends TSchema, O extends TSchema, W> {
  readonly key: K;
  readonly input: I;
  readonly output: O;
  readonly parse?: undefined;
  format(value: W): Static<O>;
}

/** A field that only responses have. */
interface Output<K extends string, O extends TSchema, W> {
  readonly key: K;
  readonly input?: undefined;
  readonly output: O;
  readonly parse?: undefined;
  format(value: W): Static<O>;
}

/** A value that requests, responses and records write in the same way. */
export function plain<I extends TSchema, O extends TSchema>(
  input: I,
  output: O & (Static<I> extends Static<O> ? unknown : never),
): Codec<I, O, Static<I>, Static<O>> {
  return { input, output, parse: (value) => value, format: (value) => value };
}

/** A value that has another form in the record. */
export function codec<I extends TSchema, O extends TSchema, V, W>(
  input: I,
  output: O,
  parse: (value: Static<I>, name: string) => V,
  format: (value: W) => Static<O>,
): Codec<I, O, V, W> {
  return { input, output, parse, format };
}

/** The field whose value has this key in the record. */
export function as<const K extends string, I extends TSchema, O extends TSchema, V, W>(
  key: K,
  { input, output, parse, format }: Codec<I, O, V, W>,
): Field<K, I, O, V, W> {
  return { key, input, output, parse, format };
}

/** A field for each of these names, whose value has the same key in the record. */
export function each<const N extends string, I extends TSchema, O extends TSchema, V, W>(
  names: readonly N[],
  one: Codec<I, O, V, W>,
): { readonly [K in N]: Field<K, I, O, V, W> } {
  return Object.fromEntries(names.map((name) => [name, as(name, one)])) as {
    readonly [K in N]: Field<K, I, O, V, W>;
  };
}

/** A field that is formatted from the record; a body may contain it, without effect. */
export function shown<const K extends string, I extends TSchema, O extends TSchema, W>(
  key: K,
  { input, output, format }: { input: I; output: O; format: (value: W) => Static<O> },
): Shown<K, I, O, W> {
  return { key, input, output, format };
}

/** A field with a constant value; a body may contain it, without effect. */
export function always<I extends TSchema, O extends TSchema>(
  input: I,
  output: O,
  value: Static<O>,
): Shown<'', I, O, unknown> {
  return { key: '', input, output, format: () => value };
}

/** A field that only responses have, formatted from the record. */
export function responseOnly<const K extends string, O extends TSchema, W>(
  key: K,
  output: O,
  format: (value: W) => Static<O>,
): Output<K, O, W> {
  return { key, output, format };
}

/** A field that only responses have, with a constant value. */
export function constant<O extends TSchema>(output: O, value: Static<O>): Output<'', O, unknown> {
  return { key: '', output, format: () => value };
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of a table have nothing in common
type AnyField = Field<string, any, any, any, any> | Shown<string, any, any, any> | Output<string, any, any>;
type Table = Readonly<Record<string, AnyField>>;

/** The names of the fields that a body can have. */
type Taken<F extends Table> = { [N in keyof F]: F[N]['input'] extends TSchema ? N : never }[keyof F];
type InputOf<C> = C extends { readonly input: infer I extends TSchema } ? I : never;
type Inputs<F extends Table, R> = {
  [N in Taken<F>]: N extends R ? InputOf<F[N]> : TOptional<InputOf<F[N]>>;
};
type Outputs<F extends Table> = { [N in keyof F]: F[N]['output'] };
type Sent<F extends Table> = { readonly [N in Taken<F>]?: Static<InputOf<F[N]>> | undefined };

type ValueOf<C> = C extends { parse(value: never, name: string): infer V } ? Exclude<V, undefined> : never;
type HeldBy<C> = C extends { format(value: infer W): unknown } ? W : never;
type KeyOf<F extends Table, N extends keyof F> = F[N] extends { parse: (...input: never) => unknown }
  ? F[N]['key']
  : never;
/** The sent values, by the keys of the record. */
type Parsed<F extends Table> = { [N in keyof F as KeyOf<F, N>]?: ValueOf<F[N]> };
/** The part of a record that is formatted. */
type Held<F extends Table> = {
  readonly [N in keyof F as F[N]['key'] extends '' ? never : F[N]['key']]: HeldBy<F[N]>;
};
type Written<F extends Table> = { [N in keyof F]: Static<F[N]['output']> };

/** The fields of one JSON object. */
export interface Fields<F extends Table, R extends keyof F> {
  /** The properties of a body, the required ones first; all others may be left out. */
  readonly inputs: Inputs<F, R>;
  /** The same for an update, in which all are optional. */
  readonly changes: Inputs<F, never>;
  /** The properties of a response. */
  readonly outputs: Outputs<F>;
  /** The values of the fields that were sent; refuses what their codecs refuse. */
  parse(body: Sent<F>): Parsed<F>;
  format(record: Held<F>): Written<F>;
}

/**
 * Makes the shapes, the parser and the formatter from a table of fields, in its order; the required fields of a body
 * come first.
 */
export function fields<const F extends Table, const R extends keyof F = never>(
  table: F,
  required: readonly R[] = [],
): Fields<F, R> {
  const all = Object.entries<AnyField>(table);
  const read = all.flatMap(([name, { key, parse }]) => (parse === undefined ? [] : [{ name, key, parse }]));
  const taken = Object.fromEntries(
    all.flatMap(([name, { input }]) => (input === undefined ? [] : [[name, input]])),
  );
  const optional = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, Type.Optional(taken[name] as TSchema)]));
  const names = [...new Set<string>([...(required as readonly string[]), ...Object.keys(taken)])];
  const must = Object.fromEntries(names.slice(0, required.length).map((name) => [name, taken[name]]));
  return {
    inputs: { ...must, ...optional(names.slice(required.length)) } as Inputs<F, R>,
    changes: optional(names) as Inputs<F, never>,
    outputs: Object.fromEntries(all.map(([name, { output }]) => [name, output])) as Outputs<F>,
    parse(body) {
      const parsed: Record<string, unknown> = {};
      for (const { name, key, parse } of read) {
        const sent: unknown = (body as Record<string, unknown>)[name];
        if (sent === undefined) continue;
        const value: unknown = parse(sent, name);
        if (value !== undefined) parsed[key] = value;
      }
      return parsed as Parsed<F>;
    },
    format(record) {
      const written: Record<string, unknown> = {};
      for (const [name, { key, format }] of all)
        written[name] = format((record as Record<string, unknown>)[key]);
      return written as Written<F>;
    },
  };
}
