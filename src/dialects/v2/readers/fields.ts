/**
 * What a schema cannot say of a single value: that an amount is more than nothing, that a date exists, that a phone is
 * one. An empty text is how the platform writes "not set", so it is read as that and not refused.
 * A reader names a field as the wire does, by its own name without the objects around it, as the platform's examples do.
 */
import { type Cents, parseMoney } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { isDate } from '../../../kernel/time.ts';

const E164 = /^\+[1-9]\d{1,14}$/;

/** Reads an amount greater than zero. Refuses: `amount_invalid`. */
export function readAmount(text: string): Cents {
  const cents = parseMoney(text);
  if (cents === undefined || cents === 0) throw refuse('amount_invalid', { field: 'amount' });
  return cents;
}

/** Reads a boolean of v2, which is written as a word. */
export function readFlag(value: 'true' | 'false' | boolean): boolean {
  return value === true || value === 'true';
}

/** Reads a date that exists, or `''`. Refuses: `field_invalid`. */
export function readDate(field: string, text: string): string {
  if (text !== '' && !isDate(text)) {
    throw refuse('field_invalid', { field, message: `${field} is a date that exists, written YYYY-MM-DD` });
  }
  return text;
}

/** Reads a phone in E.164, or `''`. Refuses: `phone_invalid`. */
export function readPhone(text: string): string {
  if (text !== '' && !E164.test(text)) throw refuse('phone_invalid', { field: 'phone' });
  return text;
}

/** A field that is there only when its value was sent. */
export function sent<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]: Value });
}
