/**
 * The small shapes that every v1 record is made of. In answers an unset text is `''`, an unset object or list `null`
 * and an unset time `''`, and no field is ever left out; booleans are JSON booleans.
 * Source: the conventions of the platform's v1 reference; row 13 of docs/fidelity.md.
 */
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { MONEY_PATTERN } from '../../../kernel/money.ts';

export const Text = Type.String();
/** `2026-11-20T18:14:04Z`, or `''` while there is none. */
export const Timestamp = Type.String();
/** A sum of an answer: two places, never a sign. */
export const Money = Type.String();
/** A sum of an answer that may be below zero: debits of transactions, balances. */
export const SignedMoney = Type.String();
/** A sum of a request. */
export const Amount = Type.String({ pattern: MONEY_PATTERN, description: 'dollars and cents, like "12.50"' });
/** Pairs of the client's own; an empty value removes its key. */
export const MetadataInput = Type.Record(Type.String(), Type.String(), { emptyClears: true });

/** One of a list of words. */
export function wordOf<const W extends readonly string[]>(words: W) {
  return Type.Unsafe<W[number]>(Type.String({ enum: [...words] }));
}

/** The shape, or `null`. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A record of an answer: every field is always there, and no other. */
export function record<P extends TProperties>(title: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, additionalProperties: false });
}

/** A part of a record that has no name of its own. */
export function part<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** The body of a request: a field that it does not know is let through, and named in a hint by the plugin. */
export function body<P extends TProperties>(title: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, additionalProperties: true });
}

export const Metadata = orNull(Type.Record(Type.String(), Type.String()));
