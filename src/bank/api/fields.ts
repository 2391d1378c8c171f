/**
 * The fields and shapes that both versions share, and the parsers of single values. A record in a response is closed:
 * it has exactly these fields. The body of a request is open: an unknown field is ignored and named in a hint. The
 * differences of the versions are in their `fields.ts`.
 * Source: the data conventions of the platform's v1 and v2 references; decisions `unknown-fields`, `id-format` and
 * `value-strictness` in docs/fidelity.md.
 */
import { type TObject, type TProperties, type TString, Type } from '@sinclair/typebox';
import { type Cents, parseMoney } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { RefusalCode } from '../kernel/refusals.ts';
import type { Id } from '../kernel/sequence.ts';
import { type IdKind, tryParseId } from './ids.ts';

/** A record in a response, with its name and description in the OpenAPI document; it has exactly these fields. */
export function record<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: false });
}

/** An unnamed part of a record. */
export function object<P extends TProperties>(properties: P): TObject<P> {
  return Type.Object(properties, { additionalProperties: false });
}

export interface BodyOptions {
  /** The platform's own message for a missing field. */
  missing?: Record<string, string>;
  /** An empty list or text in this object clears a value; it does not mean "not sent". */
  emptyClears?: boolean;
}

/** A body, with its name and description in the OpenAPI document; unknown fields are allowed and ignored. */
export function body<P extends TProperties>(
  title: string,
  description: string,
  properties: P,
  options: BodyOptions = {},
): TObject<P> {
  return Type.Object(properties, { title, description, additionalProperties: true, ...options });
}

/**
 * The format of a text, which the OpenAPI documents show as `format`; with `orEmpty` the text can also be `""`.
 * Requests are not validated against it: the parser checks them, with its own message.
 */
export interface TextForm {
  readonly form?: 'date-time' | 'date' | 'email' | 'uri';
  readonly orEmpty?: true;
}

export const DATE_TIME: TextForm = { form: 'date-time' };
export const DATE: TextForm = { form: 'date' };
export const DATE_OR_EMPTY: TextForm = { form: 'date', orEmpty: true };
export const EMAIL: TextForm = { form: 'email' };
export const EMAIL_OR_EMPTY: TextForm = { form: 'email', orEmpty: true };
export const URI: TextForm = { form: 'uri' };
export const URI_OR_EMPTY: TextForm = { form: 'uri', orEmpty: true };

/** A text in a response, with a description. */
export function text(description: string, form: TextForm = {}): TString {
  return Type.String({ description, ...form });
}

/** A text in a request that must contain a visible character. Decision `blank-texts` in docs/fidelity.md. */
export function filledText(maxLength: number, description = 'a text that is not blank'): TString {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S', description });
}

export const Text: TString = Type.String();
/** An amount in a response: two decimals, no sign. */
export const Money = text('Dollars and cents, like "12.50".');
/** An amount in a response that can be negative: debits of transactions, balances. */
export const SignedMoney = text('Dollars and cents, like "12.50"; with a minus below zero.');
export const LimitMoney = text('Dollars and cents, like "12.50"; "" for no limit.');
/** A time that every record has. */
export const Timestamp = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z".', DATE_TIME);
export const Time = text('ISO 8601 in UTC, like "2026-11-20T18:14:04Z"; "" when unset.', {
  form: 'date-time',
  orEmpty: true,
});
export const DateText = text('A date, YYYY-MM-DD; "" when unset.', DATE_OR_EMPTY);
export const EmailText = text('An email address, like "mara@quill.example"; "" when unset.', EMAIL_OR_EMPTY);
export const PhoneText = text('E.164, like "+14155550100"; "" when unset.');
export const AccountNumber = text('The number of the account at its bank; "" when unset.');
export const RoutingNumber = text('Nine digits, ABA; "" when unset.');
export const Month = text('Two digits, "01" to "12"; "" when unset.');
export const Year = text('Four digits; "" when unset.');

const NOT_FOUND = {
  program: 'program_not_found',
  master_account: 'master_account_not_found',
  holder: 'holder_not_found',
  person: 'holder_not_found',
  business: 'holder_not_found',
  family: 'family_not_found',
  wallet: 'wallet_not_found',
  member: 'member_not_found',
  account: 'account_not_found',
  card_holder: 'card_holder_not_found',
  card: 'card_not_found',
  counterparty: 'counterparty_not_found',
  transaction: 'transaction_not_found',
  transfer: 'transfer_not_found',
  document: 'document_not_found',
  attachment: 'attachment_not_found',
  webhook: 'webhook_not_found',
} as const satisfies Partial<Record<IdKind, RefusalCode>>;

/** The kinds of records that a request can name by their ids. */
export type NamedKind = keyof typeof NOT_FOUND;

/**
 * Parses an id of this kind in the format of either version; `field` is set if the id is in the body and not in the
 * path. A malformed id is refused like an unknown one. Refuses: the kind's `..._not_found`.
 */
export function parseId(kind: NamedKind, text: string, field = ''): Id {
  const id = tryParseId(kind, text);
  if (id === undefined) throw refuse(NOT_FOUND[kind], { field });
  return id;
}

/** Parses an amount greater than zero, in cents. Refuses: `amount_invalid`. */
export function parseAmount(text: string, field = 'amount'): Cents {
  const cents = parseMoney(text);
  if (cents === undefined || cents === 0) throw refuse('amount_invalid', { field });
  return cents;
}

const EMAIL_FORM = /^[^\s@]+@[^\s@]+$/;

/** An email address, or `''`. Decision `email-form` in docs/fidelity.md. Refuses: `field_invalid`. */
export function parseEmail(field: string, text: string): string {
  if (text === '' || EMAIL_FORM.test(text)) return text;
  throw refuse('field_invalid', { field, message: `must be an email address; got "${text}"` });
}

/** A field that is present only if its value was sent. */
export function ifPresent<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value });
}

/** Those of the named fields of a body that were sent; the others are absent. */
export function pickSent<T extends object, K extends keyof T>(body: T, names: readonly K[]): Pick<T, K> {
  const found: Partial<T> = {};
  for (const name of names) if (body[name] !== undefined) found[name] = body[name];
  return found as Pick<T, K>;
}
