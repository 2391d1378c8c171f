/**
 * The small shapes that every v1 record is made of. In answers an unset text is `''`, an unset object or list `null`
 * and an unset time `''`, and no field is ever left out; booleans are JSON booleans.
 * Source: the conventions of the platform's v1 reference; row 13 of docs/fidelity.md.
 */
import { type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { MONEY_PATTERN } from '../../../kernel/money.ts';

/** A text of an answer that needs an explanation. */
export const text = (description: string) => Type.String({ description });

export const Text = Type.String();
export const IdText = text('A prefix and a UUID; "" when unset.');
export const Timestamp = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z"; "" when unset.');
export const DateText = text('A date, YYYY-MM-DD; "" when unset.');
/** A sum of an answer: two places, never a sign. */
export const Money = text('Dollars and cents, like "12.50".');
/** A sum of an answer that may be below zero: debits of transactions, balances. */
export const SignedMoney = text('Dollars and cents, like "12.50"; with a minus below zero.');
export const LimitMoney = text('Dollars and cents, like "12.50"; "" for no limit.');
export const PhoneText = text('E.164, like "+14155550100"; "" when unset.');
export const AccountNumber = text('The number of the account at its bank; "" when unset.');
export const RoutingNumber = text('Nine digits, ABA; "" when unset.');
export const IdNumber = text('The number of the document or registration that idType names; "" when unset.');
export const Month = text('Two digits, "01" to "12"; "" when unset.');
export const Year = text('Four digits; "" when unset.');
export const Last4 = text('The last four digits of the number; "" when unset.');
export const Currency = wordOf(['USD']);
export const CurrencyRate = text(
  'Units of the account\'s currency for one of the merchant\'s, like "1.000000000".',
);
/** A sum of a request. */
export const Amount = Type.String({ pattern: MONEY_PATTERN, description: 'dollars and cents, like "12.50"' });
/** Pairs of the client's own; an empty value removes its key. */
export const MetadataInput = Type.Record(Type.String(), Type.String(), {
  description: "Pairs of the client's own to set; an empty value removes its key.",
  emptyClears: true,
});

/** One of a list of words. */
export function wordOf<const W extends readonly string[]>(words: W, description?: string) {
  const options = description === undefined ? {} : { description };
  return Type.Unsafe<W[number]>(Type.String({ enum: [...words], ...options }));
}

/** The shape, or `null`. */
export function orNull<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** A record of an answer, by its name in the OpenAPI document and what it is: every field is always there, and no other. */
export function record<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

/** A part of a record that has no name of its own. */
export function part<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

/** The body of a request, by its name in the OpenAPI document and what it is: a field that it does not know is let through, and named in a hint by the plugin. */
export function body<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: true });
}

export const Metadata = orNull(
  Type.Record(Type.String(), Type.String(), { description: "Pairs of the client's own; null for none." }),
);
