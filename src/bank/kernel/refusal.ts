/**
 * A refusal is an error response of the bank: a row of the table in `refusals.ts`, thrown as a `Refusal`. The code is
 * part of the interface, its kind determines the HTTP status, and each API version formats it.
 */
import { REFUSALS, type RefusalCode } from './refusals.ts';

/** The details of a refusal besides its code. */
export interface RefusalDetail {
  /** The internal name of the invalid field, which each version formats. */
  field?: string;
  /** The problem, the expected value and the solution, if the message of the table is not specific enough. */
  message?: string;
  /** The legal events. */
  legal?: readonly string[];
}

/** A message may quote the client's value, which may be a megabyte. */
const LONGEST_MESSAGE = 4000;
const LONGEST_FIELD = 300;

/** The bank refused the request and changed nothing. */
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
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}...`;
}

/** Creates the refusal `code`, which the caller throws. */
export function refuse(code: RefusalCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}

/** The same refusal with `path` before its field. */
function within(path: string, { code, field, message, legal }: Refusal): Refusal {
  const whole = `${path}.${field}`;
  const sentence = message.startsWith(`${field} `) ? whole + message.slice(field.length) : message;
  return refuse(code, { field: whole, message: sentence, legal });
}

/** Reads an object at a path of the request. A refusal that is thrown names the field by its whole path. */
export function readAt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal && error.field !== '' ? within(path, error) : error;
  }
}

/** Returns the record. Refuses: `code` if it is undefined. */
export function found<T>(record: T | undefined, code: RefusalCode, detail?: RefusalDetail): T {
  if (record === undefined) throw refuse(code, detail);
  return record;
}
