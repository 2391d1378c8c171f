/**
 * Masks for logged and displayed data. Code that logs a request or a record masks it first. Keys, secrets and the
 * numbers of people, accounts and cards are masked, and the user and password of addresses; routing numbers are public.
 */
import { maskAddresses } from './address.ts';

const DEEPEST_LEVEL = 32;
const SHORTEST_NUMBER_TO_SHOW = 8;
const SHORTEST_KEY_TO_SHOW = 12;
const MASK = '****';

/** Returns the masked form of a text. */
export type Mask = (text: string) => string;

/**
 * By the end of a field's name, in lower case without separators, so that `sub_account_number` and `accountNumber`
 * match the same row.
 */
const MASKS: readonly (readonly [RegExp, Mask])[] = [
  [/((account|card|id)number|^pan|^ssn|^ein)$/, maskNumber],
  [/(apikey|secret|token)$/, maskKey],
  [/(dateofbirth|authorization|^cvv|^pin)$/, () => MASK],
];

/** Cached by name: there are few field names, and matching a name takes longer than masking its value. */
const known = new Map<string, Mask | undefined>();
const MAX_KNOWN = 2000;

/** The number with stars except for its last four characters; shorter than eight characters, all are stars. */
export function maskNumber(text: string): string {
  const shown = text.length < SHORTEST_NUMBER_TO_SHOW ? 0 : 4;
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}

/** `****` and the last four characters of the key; `****` alone for a key shorter than twelve. Hides the length. */
export function maskKey(text: string): string {
  return text.length < SHORTEST_KEY_TO_SHOW ? MASK : MASK + text.slice(-4);
}

/**
 * Masks the strings and numbers of a JSON value by the names of their fields. Only objects with masked values are
 * copied.
 */
export function maskRecord(value: unknown): unknown {
  return masked(value, undefined, 0);
}

function masked(value: unknown, mask: Mask | undefined, level: number): unknown {
  if (mask !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return mask(String(value));
  if (typeof value === 'string') return maskAddresses(value);
  if (typeof value !== 'object' || value === null) return value;
  // A request body may be nested deeper than the stack.
  if (level === DEEPEST_LEVEL) return '[too deep to log]';
  return Array.isArray(value)
    ? changeFields(value, (_, item) => masked(item, mask, level + 1))
    : changeFields(value, (name, field) => masked(field, maskFor(name), level + 1));
}

/** Returns the record or list, or a copy if `change` returns different fields. */
export function changeFields(record: object, change: (name: string, field: unknown) => unknown): unknown {
  const fields = record as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    const changed = change(name, field);
    if (changed === field) continue;
    copy ??= (Array.isArray(record) ? [...record] : { ...record }) as Record<string, unknown>;
    copy[name] = changed;
  }
  return copy ?? record;
}

/** The mask for a field; `undefined` if its value is not masked. */
export function maskFor(name: string): Mask | undefined {
  if (known.has(name)) return known.get(name);
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  const mask = MASKS.find(([names]) => names.test(plain))?.[1];
  // Clients choose the names in a body, so the cache is limited.
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, mask);
  return mask;
}
