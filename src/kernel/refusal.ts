/**
 * Every way in which the bank says no is one row of the table in `refusals.ts`, thrown as a `Refusal`.
 * The code is interface; its kind decides the HTTP status; a dialect decides how it is spelled.
 */
import { REFUSALS, type RefusalCode } from './refusals.ts';

/** What a refusal may say beyond its code. */
export interface RefusalDetail {
  /** The domain name of the field at fault; a dialect spells it its own way. */
  field?: string;
  /** What was wrong, expected and to be done, when the table's own sentence is not enough. */
  message?: string;
  /** The events that would have been legal. */
  legal?: readonly string[];
}

/** The bank's "no": nothing was changed. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly field: string;
  readonly legal: readonly string[];

  constructor(code: RefusalCode, detail: RefusalDetail) {
    super(detail.message ?? REFUSALS[code].message);
    this.name = 'Refusal';
    this.code = code;
    this.field = detail.field ?? '';
    this.legal = detail.legal ?? [];
  }
}

/** Makes the refusal `code`, to be thrown. */
export function refuse(code: RefusalCode, detail: RefusalDetail = {}): Refusal {
  return new Refusal(code, detail);
}
