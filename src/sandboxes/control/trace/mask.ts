/**
 * Masks the secrets of a trace. Fields are masked by their names, also inside texts that are JSON. A value that was
 * masked in one place is then masked in every other place: in a description, in a path, in the message of the test's
 * error. A trace may have many megabytes, so each part is written as bytes immediately, and secrets are searched in
 * the bytes.
 */
import { maskAddresses } from '../../../bank/kernel/address.ts';
import { changeFields, type Mask, maskFor, maskKey } from '../../../bank/kernel/masks.ts';

/** Shorter values are ordinary words and numbers as well: a PIN, a code, a part of an amount. */
const SHORTEST_SECRET = 8;
/** Not a number: a field of this name has the result of the check of an id number. */
const WORDS = /^[a-z_]+$/;
/** The characters of ids, keys and numbers, and their separators. */
const PART = /[A-Za-z0-9]{8,}/g;
const SEPARATORS = '_+/=-';
const DEEPEST_LEVEL = 40;

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75];
/** By byte: 0 ends a token, 1 separates its parts, 2 is in a part. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9]/.test(character) ? 2 : SEPARATORS.includes(character) ? 1 : 0;
});

/** Hashes of 16 bits quickly exclude tokens that are not secrets. */
const HASH_BEGIN = 0x811c9dc5;
const hashOf = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
const slotOf = (hash: number): number => (hash >>> 16) ^ (hash & 0xffff);

/** The masks of one trace. */
export interface TraceMask {
  /** Writes a value as JSON. Secret fields are masked, and their values are remembered. */
  write(value: unknown): Buffer;
  /** Masks in JSON every value that `write` masked so far. */
  hide(json: Buffer): Buffer;
}

/** Masks numbers of accounts and cards, secrets and id numbers. */
export function createTraceMask(): TraceMask {
  const masks = new Map<string, string>();

  const maskValue = (value: string | number, mask: Mask): string => {
    const text = String(value);
    const shown = mask(text);
    const isWord = mask !== maskKey && WORDS.test(text);
    if (shown !== text && text.length >= SHORTEST_SECRET && !text.includes('*') && !isWord)
      masks.set(text, shown);
    return shown;
  };

  /** The body of a delivery or a response is a text that is JSON. */
  const maskText = (text: string, level: number): string => {
    if (!/^\s*[[{]/.test(text)) return maskAddresses(text);
    try {
      const value: unknown = JSON.parse(text);
      const masked = maskFields(value, undefined, level + 1);
      return masked === value ? text : JSON.stringify(masked);
    } catch {
      return text;
    }
  };

  const shownAs = (value: unknown, mask: Mask | undefined, level: number): unknown => {
    if (mask !== undefined && (typeof value === 'string' || typeof value === 'number')) {
      const shown = maskValue(value, mask);
      if (shown !== value) return shown;
    }
    return typeof value === 'string' ? maskText(value, level) : maskFields(value, mask, level + 1);
  };

  /** The items of a list are masked by the name of the list. Only values with masked fields are copied. */
  const maskFields = (value: unknown, mask: Mask | undefined, level: number): unknown => {
    if (typeof value !== 'object' || value === null || level > DEEPEST_LEVEL) return value;
    return Array.isArray(value)
      ? changeFields(value, (_, item) => shownAs(item, mask, level))
      : changeFields(value, (name, field) => shownAs(field, maskFor(name), level));
  };

  return {
    write: (value) => Buffer.from(JSON.stringify(shownAs(value, undefined, 0))),
    hide(json) {
      if (masks.size === 0) return json;
      const chunks: Buffer[] = [];
      let kept = 0;
      for (const { from, to } of suspects(json, masks.keys())) {
        const token = json.toString('latin1', from, to);
        const shown = maskToken(token, masks);
        if (shown === token) continue;
        chunks.push(json.subarray(kept, from), Buffer.from(shown));
        kept = to;
      }
      chunks.push(json.subarray(kept));
      return Buffer.concat(chunks);
    },
  };
}

/** The whole token, or a part of it between separators. */
function maskToken(token: string, masks: ReadonlyMap<string, string>): string {
  return masks.get(token) ?? token.replace(PART, (part) => masks.get(part) ?? part);
}

/** The positions of tokens in the texts of JSON that are or contain one of the secrets, with a few false positives. */
function* suspects(json: Buffer, secrets: Iterable<string>): Generator<{ from: number; to: number }> {
  const isSuspect = new Uint8Array(1 << 16);
  for (const secret of secrets) {
    isSuspect[slotOf(Buffer.from(secret).reduce(hashOf, HASH_BEGIN))] = 1;
  }
  let isInText = false;
  for (let at = 0; at < json.length; ) {
    const byte = json[at] ?? 0;
    if (byte === BACKSLASH) {
      at += json[at + 1] === LETTER_U ? 6 : 2;
      continue;
    }
    if (byte === QUOTE) isInText = !isInText;
    if (!isInText || KIND[byte] === 0) {
      at += 1;
      continue;
    }
    const from = at;
    let whole = HASH_BEGIN;
    let part = HASH_BEGIN;
    let found = 0;
    for (; at < json.length; at += 1) {
      const next = json[at] ?? 0;
      const kind = KIND[next];
      if (kind === 0) break;
      whole = hashOf(whole, next);
      if (kind === 2) {
        part = hashOf(part, next);
      } else {
        found |= isSuspect[slotOf(part)] ?? 0;
        part = HASH_BEGIN;
      }
    }
    found |= (isSuspect[slotOf(part)] ?? 0) | (isSuspect[slotOf(whole)] ?? 0);
    if (found === 1 && at - from >= SHORTEST_SECRET) yield { from, to: at };
  }
}
