/**
 * Reads single values that a schema cannot judge: an amount of nothing, a date that does not exist, a phone that
 * nobody can call. Fields are named as the bank names them; the error body spells them as v1 does.
 * Source: rows 8 and 10 of docs/fidelity.md; the rules of fields in the platform's v1 reference.
 */
import { type Cents, parseMoney } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { isDate } from '../../../kernel/time.ts';

const PHONE = /^\+[1-9]\d{6,14}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const COUNTRY = /^[A-Za-z]{2}$/;

/** An amount greater than zero. Refuses: `amount_invalid`. */
export function readAmount(field: string, text: string): Cents {
  const cents = parseMoney(text);
  if (cents === undefined || cents === 0) throw refuse('amount_invalid', { field });
  return cents;
}

/** A date that exists, or `''`. Refuses: `field_invalid`. */
export function readDate(field: string, text: string): string {
  if (text === '' || isDate(text)) return text;
  throw refuse('field_invalid', { field, message: `must be a date that exists, YYYY-MM-DD; got "${text}"` });
}

/** An E.164 number, or `''`. Refuses: `phone_invalid`. */
export function readPhone(field: string, text: string): string {
  if (text === '' || PHONE.test(text)) return text;
  throw refuse('phone_invalid', { field });
}

/** An email address, or `''`. Refuses: `field_invalid`. */
export function readEmail(field: string, text: string): string {
  if (text === '' || EMAIL.test(text)) return text;
  throw refuse('field_invalid', { field, message: `must be an email address; got "${text}"` });
}

/** A country in two letters, or `''`. Refuses: `field_invalid`. */
export function readCountry(field: string, text: string): string {
  if (text === '' || COUNTRY.test(text)) return text.toUpperCase();
  throw refuse('field_invalid', {
    field,
    message: `must be a country in two letters, like "US"; got "${text}"`,
  });
}

/** Of the named fields, those that were sent: one that was not stays absent. */
export function sent<T extends object, K extends keyof T>(body: T, names: readonly K[]): Pick<T, K> {
  const found: Partial<T> = {};
  for (const name of names) if (body[name] !== undefined) found[name] = body[name];
  return found as Pick<T, K>;
}
