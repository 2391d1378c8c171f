/**
 * Every way in which the bank says no is one row of the table in `refusals.ts`, thrown as a `Refusal`.
 * The code is interface; its kind decides the HTTP status; a version decides how it is spelled.
 */
import { REFUSALS, type RefusalCode } from './refusals.ts';

/** What a refusal may say beyond its code. */
export interface RefusalDetail {
  /** The domain name of the field at fault; a version spells it its own way. */
  field?: string;
  /** What was wrong, expected and to be done, when the table's own sentence is not enough. */
  message?: string;
  /** The events that would have been legal. */
  legal?: readonly string[];
}

/** A sentence says what a client sent, and that may be a megabyte. */
const LONGEST_MESSAGE = 4000;
const LONGEST_FIELD = 300;

/** The bank's "no": nothing was changed. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string;
  readonly legal: readonly string[];

  constructor(code: RefusalCode, detail: RefusalDetail) {
    super(shorten(detail.message ?? REFUSALS[code].message, LONGEST_MESSAGE));
    this.name = 'Refusal';
    this.code = code;
    this.field = shorten(detail.field ?? '', LONGEST_FIELD);
    this.legal = detail.legal ?? [];
  }
}

function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}...`;
}

/** Makes the refusal `code`, to be thrown. */
export function refuse(code: RefusalCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}

/** The same refusal about a field of an object: `path` goes before the field that it names. */
function within(path: string, { code, field, message, legal }: Refusal): Refusal {
  const whole = `${path}.${field}`;
  const sentence = message.startsWith(`${field} `) ? whole + message.slice(field.length) : message;
  return refuse(code, { field: whole, message: sentence, legal });
}

/** Reads an object at a path of the request: a refusal that it throws names the field by its whole path. */
export function readAt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal && error.field !== '' ? within(path, error) : error;
  }
}

/** What was looked up. Refuses: `code` where there is none. */
export function found<T>(record: T | undefined, code: RefusalCode, detail?: RefusalDetail): T {
  if (record === undefined) throw refuse(code, detail);
  return record;
}
