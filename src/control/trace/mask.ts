/**
 * Masks what a trace shows. Fields are masked by their names, also inside of texts that are JSON. A value that was masked in
 * one place is then masked wherever else it stands: in a description, in a path, in the message of the test's error.
 */
import { maskRecord } from '../../kernel/masks.ts';

/** Shorter values are ordinary words and numbers as well: a PIN, a code, a part of an amount. */
const SHORTEST_SECRET = 8;
/** What an id, a key or a number is written with. */
const TOKEN = /[A-Za-z0-9_+/=-]{8,}/g;
const DEEPEST_LEVEL = 40;

/** A JSON value without secrets, numbers of accounts and cards, and id numbers. */
export function maskTrace<T>(value: T): T {
  const masks = new Map<string, string>();
  const masked = maskFields(value, masks, 0);
  return maskTokens(masked, masks, 0) as T;
}

/** Masks fields by their names, and remembers what each was. */
function maskFields(value: unknown, masks: Map<string, string>, level: number): unknown {
  if (typeof value === 'string') return maskText(value, masks, level);
  if (typeof value !== 'object' || value === null || level > DEEPEST_LEVEL) return value;
  if (Array.isArray(value)) return value.map((item) => maskFields(item, masks, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (typeof field !== 'string' && typeof field !== 'number') {
        return [name, maskFields(field, masks, level + 1)];
      }
      const { [name]: shown } = maskRecord({ [name]: field }) as Record<string, string | number>;
      if (shown === field) return [name, maskFields(field, masks, level + 1)];
      const text = String(field);
      if (text.length >= SHORTEST_SECRET && !text.includes('*')) masks.set(text, String(shown));
      return [name, shown];
    }),
  );
}

/** The body of a delivery or of an answer is a text that is JSON. */
function maskText(text: string, masks: Map<string, string>, level: number): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(maskFields(JSON.parse(text), masks, level + 1));
  } catch {
    return text;
  }
}

function maskTokens(value: unknown, masks: ReadonlyMap<string, string>, level: number): unknown {
  if (masks.size === 0) return value;
  if (typeof value === 'string') {
    return value.length < SHORTEST_SECRET ? value : value.replace(TOKEN, (token) => maskToken(token, masks));
  }
  if (typeof value !== 'object' || value === null || level > DEEPEST_LEVEL * 2) return value;
  if (Array.isArray(value)) return value.map((item) => maskTokens(item, masks, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      maskTokens(name, masks, level + 1),
      maskTokens(field, masks, level + 1),
    ]),
  );
}

/** The whole token, or a part of it between separators. */
function maskToken(token: string, masks: ReadonlyMap<string, string>): string {
  const whole = masks.get(token);
  if (whole !== undefined) return whole;
  return token.replace(/[A-Za-z0-9]{8,}/g, (part) => masks.get(part) ?? part);
}
