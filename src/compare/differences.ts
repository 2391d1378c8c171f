/**
 * A difference between the two sides, and the causes that differences are named by. Each cause is a row: what it means, and
 * whether the two values are part of what it is.
 */

export const CAUSES = {
  status: { means: 'another status of HTTP', byValue: true },
  'error-code': { means: 'another code of an error', byValue: true },
  header: {
    means: 'a header is missing, is there only on the other side, or says something else',
    byValue: true,
  },
  missing: { means: 'a field is missing on the other side', byValue: false },
  extra: { means: 'a field is there only on the other side', byValue: false },
  type: { means: 'another type of JSON', byValue: true },
  emptiness: {
    means: 'what stands for nothing is another value, or only one side has a value',
    byValue: true,
  },
  format: { means: 'the same type written in another way', byValue: true },
  vocabulary: { means: 'a word that is not one of the documented words', byValue: true },
  rounding: { means: 'amounts that differ by cents', byValue: false },
  value: { means: 'another value', byValue: true },
  relation: { means: 'another record: an id that does not belong to the id of the request', byValue: false },
  order: { means: 'the same items in another order', byValue: false },
  items: { means: 'another number of items, or an item that only one side has', byValue: false },
  'state-order': {
    means: 'the states in another order, or a state that the bank does not pass',
    byValue: true,
  },
  'not-reached': { means: 'only one side reaches the state', byValue: true },
  'event-missing': { means: 'an event that the other side does not send', byValue: false },
  'event-extra': { means: 'an event that only the other side sends', byValue: false },
  'event-order': { means: 'the events of a record in another order', byValue: false },
  'event-late': { means: 'an event comes much later on the other side', byValue: false },
} as const satisfies Readonly<Record<string, { means: string; byValue: boolean }>>;

export type Cause = keyof typeof CAUSES;

/** One difference at one place. `here` is this bank, `there` the other side. */
export interface Found {
  readonly cause: Cause;
  readonly operation: string;
  readonly step: string;
  /** The path of the field: `data[].status`; the name of a header; the kind of an event. */
  readonly field: string;
  /** As it is printed: a value, a form, or a type. */
  readonly here: string;
  readonly there: string;
  /** The operation that made the record that the answer or event is about. */
  readonly origin?: string;
  /** The field for which a side refused the call. */
  readonly fault?: string;
}

/** How often this bank sent an event that the other side sent again. */
export const ONCE = 'once';

const LONGEST = 80;

/** A value in a report. */
export function print(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
