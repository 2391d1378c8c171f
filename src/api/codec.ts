/**
 * Fields that are both read and written, each stated once: its name on the wire, the key of its value in the record, its
 * shape in a request and in an answer, and how a value is parsed and formatted. The shapes of bodies and answers, the
 * reader and the writer are made from the same table, so a field that a body takes is either parsed, or declared as one
 * that the bank decides (`shown`, `always`). A field between them that no body has is declared too (`told`, `constant`).
 */
import { type Static, type TOptional, type TSchema, Type } from '@sinclair/typebox';

/** A value in both directions; `W` is what records hold, `V` the part of it that a request can set. */
export interface Codec<I extends TSchema, O extends TSchema, V, W = V> {
  readonly input: I;
  readonly output: O;
  /** Returns `undefined` for a value that means "not sent". `name` is the field's name on the wire. */
  parse(value: Static<I>, name: string): V;
  format(value: W): Static<O>;
}

/** A field of a record: a codec and the key of its value. */
export interface Field<K extends string, I extends TSchema, O extends TSchema, V, W>
  extends Codec<I, O, V, W> {
  readonly key: K;
}

/** A field that a body may repeat and that the bank decides. */
interface Shown<K extends string, I extends TSchema, O extends TSchema, W> {
  readonly key: K;
  readonly input: I;
  readonly output: O;
  readonly parse?: undefined;
  format(value: W): Static<O>;
}

/** A field that only answers have. */
interface Told<K extends string, O extends TSchema, W> {
  readonly key: K;
  readonly input?: undefined;
  readonly output: O;
  readonly parse?: undefined;
  format(value: W): Static<O>;
}

/** Both shapes write the value as the record holds it. */
export function plain<I extends TSchema, O extends TSchema>(
  input: I,
  output: O & (Static<I> extends Static<O> ? unknown : never),
): Codec<I, O, Static<I>, Static<O>> {
  return { input, output, parse: (value) => value, format: (value) => value };
}

/** A value that the record holds in another form. */
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

/** A field that is written from the record; a body may repeat it, which changes nothing. */
export function shown<const K extends string, I extends TSchema, O extends TSchema, W>(
  key: K,
  { input, output, format }: { input: I; output: O; format: (value: W) => Static<O> },
): Shown<K, I, O, W> {
  return { key, input, output, format };
}

/** A field that always has this value, whatever a body says. */
export function always<I extends TSchema, O extends TSchema>(
  input: I,
  output: O,
  value: Static<O>,
): Shown<'', I, O, unknown> {
  return { key: '', input, output, format: () => value };
}

/** A field that only answers have, written from the record. */
export function told<const K extends string, O extends TSchema, W>(
  key: K,
  output: O,
  format: (value: W) => Static<O>,
): Told<K, O, W> {
  return { key, output, format };
}

/** A field that only answers have, always with this value. */
export function constant<O extends TSchema>(output: O, value: Static<O>): Told<'', O, unknown> {
  return { key: '', output, format: () => value };
}

// biome-ignore lint/suspicious/noExplicitAny: the fields of a table have nothing in common
type AnyField = Field<string, any, any, any, any> | Shown<string, any, any, any> | Told<string, any, any>;
type Table = Readonly<Record<string, AnyField>>;

/** The fields that a body has. */
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
/** What was sent, by the keys of the record. */
type Parsed<F extends Table> = { [N in keyof F as KeyOf<F, N>]?: ValueOf<F[N]> };
/** The part of a record that is written. */
type Held<F extends Table> = {
  readonly [N in keyof F as F[N]['key'] extends '' ? never : F[N]['key']]: HeldBy<F[N]>;
};
type Written<F extends Table> = { [N in keyof F]: Static<F[N]['output']> };

/** The fields of one object of the wire. */
export interface Fields<F extends Table, R extends keyof F> {
  /** The properties of a body, the required ones first; all others may be left out. */
  readonly inputs: Inputs<F, R>;
  /** The same for a change, which may leave out any of them. */
  readonly changes: Inputs<F, never>;
  /** The properties of an answer. */
  readonly outputs: Outputs<F>;
  /** The values of the fields that were sent; refuses what their codecs refuse. */
  parse(body: Sent<F>): Parsed<F>;
  format(record: Held<F>): Written<F>;
}

/** Makes shapes, reader and writer from a table of fields, in the order of the table but for what a body requires. */
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
