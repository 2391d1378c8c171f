/**
 * Money is a whole number of cents in a plain `number`, which is fast and exact up to 90 trillion dollars. Requests
 * and responses use decimal strings with two places; only the functions in this file convert between them.
 * Source: decision `largest-amount` in docs/fidelity.md.
 */

/** A whole number of US cents. */
export type Cents = number;

/** The maximum value of a ledger counter. Larger doubles are not exact. */
export const MAX_CENTS: Cents = Number.MAX_SAFE_INTEGER;

/** The format of an amount: no sign, no leading zeros, two places, at most 13 digits of dollars. */
export const MONEY_PATTERN = '^(0|[1-9]\\d{0,12})\\.\\d{2}$';

/** The same, or a whole number of dollars. */
export const MONEY_OR_DOLLARS_PATTERN = '^(0|[1-9]\\d{0,12})(\\.\\d{2})?$';

const MONEY = new RegExp(MONEY_PATTERN);

/** Parses `"12.50"` as 1250 cents; returns `undefined` for any other format. */
export function parseMoney(text: string): Cents | undefined {
  if (!MONEY.test(text)) return undefined;
  return Number(text.slice(0, -3)) * 100 + Number(text.slice(-2));
}

/** Parses an amount that may be a whole number of dollars: `"12"` or `"12.50"`. */
export function parseMoneyOrDollars(text: string): Cents | undefined {
  return parseMoney(/^\d+$/.test(text) ? `${text}.00` : text);
}

/** Writes 1250 cents as `"12.50"`, and -5 as `"-0.05"`. */
export function formatMoney(cents: Cents): string {
  const size = cents < 0 ? -cents : cents;
  const rest = size % 100;
  const text = `${(size - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
  return cents < 0 ? `-${text}` : text;
}
