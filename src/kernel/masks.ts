/**
 * The masks of what is logged or shown to whoever asks: whoever logs a request or a record masks it first. Keys, secrets
 * and the numbers of people, accounts and cards are masked; routing numbers are public.
 */
const DEEPEST_LEVEL = 32;
const SHORTEST_NUMBER_TO_SHOW = 8;
const SHORTEST_KEY_TO_SHOW = 12;
const MASK = '****';

/** What is shown of a text. */
export type Mask = (text: string) => string;

/** By the end of a field's name, in lower case without separators: `sub_account_number` and `accountNumber` are one. */
const MASKS: readonly (readonly [RegExp, Mask])[] = [
  [/((account|card|id)number|^pan|^ssn|^ein)$/, maskNumber],
  [/(apikey|secret|token)$/, maskKey],
  [/(dateofbirth|authorization|^cvv|^pin)$/, () => MASK],
];

/** The names of fields are few, and looking at one takes longer than at its value. */
const known = new Map<string, Mask | undefined>();
const MAX_KNOWN = 2000;

/** The number with all but its last four characters starred; shorter than eight characters, all of them are. */
export function maskNumber(text: string): string {
  const shown = text.length < SHORTEST_NUMBER_TO_SHOW ? 0 : 4;
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}

/** `****` and the last four characters of the key; `****` alone for a key shorter than twelve. Hides the length. */
export function maskKey(text: string): string {
  return text.length < SHORTEST_KEY_TO_SHOW ? MASK : MASK + text.slice(-4);
}

/**
 * A JSON value in which strings and numbers are masked where the name of their field says so. Only what has something to mask is
 * copied.
 */
export function maskRecord(value: unknown): unknown {
  return masked(value, undefined, 0);
}

function masked(value: unknown, mask: Mask | undefined, level: number): unknown {
  if (mask !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return mask(String(value));
  if (typeof value !== 'object' || value === null) return value;
  // A request body may be nested deeper than the stack.
  if (level === DEEPEST_LEVEL) return '[too deep to log]';
  return Array.isArray(value)
    ? changeFields(value, (_, item) => masked(item, mask, level + 1))
    : changeFields(value, (name, field) => masked(field, maskFor(name), level + 1));
}

/** The record or the list itself, or a copy with the fields that `change` gives otherwise. */
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

/** How the value of a field is masked; `undefined` if it is shown. */
export function maskFor(name: string): Mask | undefined {
  if (known.has(name)) return known.get(name);
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  const mask = MASKS.find(([names]) => names.test(plain))?.[1];
  // Whoever sends a body chooses the names in it.
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, mask);
  return mask;
}
