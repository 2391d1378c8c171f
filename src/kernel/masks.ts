/**
 * The masks of what is logged or shown to whoever asks: whoever logs a request or a record masks it first. Keys, secrets
 * and the numbers of people, accounts and cards are masked; routing numbers are public.
 */
const DEEPEST_LEVEL = 32;
const SHORTEST_NUMBER_TO_SHOW = 8;
const SHORTEST_KEY_TO_SHOW = 12;
const MASK = '****';

/** By the end of a field's name, in lower case without separators: `sub_account_number` and `accountNumber` are one. */
const MASKS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/((account|card|id)number|^pan|^ssn|^ein)$/, maskNumber],
  [/(apikey|secret|token)$/, maskKey],
  [/(dateofbirth|authorization|^cvv|^pin)$/, () => MASK],
];

/** The number with all but its last four characters starred; shorter than eight characters, all of them are. */
export function maskNumber(text: string): string {
  const shown = text.length < SHORTEST_NUMBER_TO_SHOW ? 0 : 4;
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}

/** `****` and the last four characters of the key; `****` alone for a key shorter than twelve. Hides the length. */
export function maskKey(text: string): string {
  return text.length < SHORTEST_KEY_TO_SHOW ? MASK : MASK + text.slice(-4);
}

/** A copy of a JSON value in which strings and numbers are masked where the name of their field says so. */
export function maskRecord(value: unknown): unknown {
  return copy(value, undefined, 0);
}

function copy(value: unknown, mask: ((text: string) => string) | undefined, level: number): unknown {
  if (mask !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return mask(String(value));
  if (typeof value !== 'object' || value === null) return value;
  // A request body may be nested deeper than the stack.
  if (level === DEEPEST_LEVEL) return '[too deep to log]';
  if (Array.isArray(value)) return value.map((item) => copy(item, mask, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, copy(field, maskFor(name), level + 1)]),
  );
}

function maskFor(name: string): ((text: string) => string) | undefined {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return MASKS.find(([names]) => names.test(plain))?.[1];
}
