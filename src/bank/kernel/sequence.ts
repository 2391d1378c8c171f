/**
 * All random values of a sandbox except secrets come from one seeded sequence: the same seed and the same calls give
 * the same ids and numbers, byte for byte, so they can be predicted from the seed. A value is a pure function of
 * (seed, position), so only the position must be stored to continue the sequence in a restored bank.
 * Source: decision `seeded-chance` in docs/fidelity.md.
 */
import type { Instant } from './time.ts';

/** An identifier without its prefix: 32 lower-case hexadecimal digits of a UUID version 7. */
export type Id = string;

/** The seeded sequence of one sandbox. */
export interface Sequence {
  /** A new time-ordered id; later ids sort after earlier ones. */
  id(now: Instant): Id;
  /** A whole number from 0 up to, not including, `below`. */
  integer(below: number): number;
  /** A number from 0 up to, not including, 1. */
  fraction(): number;
  /** `length` decimal digits. */
  digits(length: number): string;
  /** `length` characters drawn from `alphabet`. */
  text(length: number, alphabet: string): string;
  /** The position of the sequence, which must be stored. */
  position(): SequencePosition;
  /** Continues from a stored position. */
  moveTo(position: SequencePosition): void;
}

/** The number of values that were generated, and the time and counter of the last id. */
export interface SequencePosition {
  drawn: number;
  lastMs: number;
  lastCounter: number;
}

export const HEX = '0123456789abcdef';
export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const UPPER_ALPHANUMERIC = ALPHANUMERIC.slice(0, 26) + ALPHANUMERIC.slice(52);

const COUNTER_LIMIT = 0x1000;
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const hex8 = (word: number): string =>
  `${HEX_BYTES[(word >>> 24) & 255]}${HEX_BYTES[(word >>> 16) & 255]}${HEX_BYTES[(word >>> 8) & 255]}${HEX_BYTES[word & 255]}`;

/** 32 well mixed bits of a 32-bit word (the finalizer of MurmurHash3). */
function mix(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Opens the sequence of `seed` at its beginning. */
export function createSequence(seed: string): Sequence {
  const low = hashText(seed);
  const high = hashText(`${seed}/high`);
  let drawn = 0;
  let lastMs = 0;
  let lastCounter = 0;

  const word = (): number => {
    drawn += 1;
    return (mix(drawn ^ low) ^ mix(Math.imul(drawn, 0x9e3779b1) + high)) >>> 0;
  };
  const fraction = (): number => word() / 0x1_0000_0000;
  const integer = (below: number): number => Math.floor(fraction() * below);
  const text = (length: number, alphabet: string): string => {
    let out = '';
    while (out.length < length) out += alphabet[integer(alphabet.length)];
    return out;
  };

  return {
    id(now) {
      // The 12 bits after the version count the ids of one millisecond, so that ids are in the order of creation even
      // if the clock is frozen or set back; a full counter continues in the next millisecond.
      if (now > lastMs) {
        lastMs = now;
        lastCounter = 0;
      } else {
        lastCounter += 1;
        if (lastCounter === COUNTER_LIMIT) {
          lastMs += 1;
          lastCounter = 0;
        }
      }
      const upper = Math.floor(lastMs / 0x1_0000);
      const time = hex8(upper) + HEX_BYTES[(lastMs >>> 8) & 255] + HEX_BYTES[lastMs & 255];
      const counter = `7${HEX[lastCounter >>> 8]}${HEX_BYTES[lastCounter & 255]}`;
      return time + counter + hex8((word() & 0x3fffffff) | 0x80000000) + hex8(word());
    },
    integer,
    fraction,
    digits: (length) => text(length, '0123456789'),
    text,
    position: () => ({ drawn, lastMs, lastCounter }),
    moveTo(position) {
      drawn = position.drawn;
      lastMs = position.lastMs;
      lastCounter = position.lastCounter;
    },
  };
}
