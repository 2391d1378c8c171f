/**
 * A difference between the two sides, and the causes of differences. Each cause is a row: its meaning, and whether
 * the two values are part of its identity.
 */

export const CAUSES = {
  status: { means: 'different HTTP status', byValue: true },
  'error-code': { means: 'different error code', byValue: true },
  header: {
    means: 'a header is missing, exists only on the other side, or differs',
    byValue: true,
  },
  missing: { means: 'a field is missing on the other side', byValue: false },
  extra: { means: 'a field exists only on the other side', byValue: false },
  type: { means: 'different JSON type', byValue: true },
  emptiness: {
    means: 'different empty values, or only one side has a value',
    byValue: true,
  },
  format: { means: 'same type, different format', byValue: true },
  vocabulary: { means: 'a value that is not a documented one', byValue: true },
  rounding: { means: 'amounts differ by cents', byValue: false },
  value: { means: 'another value', byValue: true },
  relation: { means: 'different record: an id that does not match the id of the request', byValue: false },
  order: { means: 'same items in a different order', byValue: false },
  items: { means: 'different number of items, or an item that only one side has', byValue: false },
  'state-order': {
    means: 'states in a different order, or a state that the bank does not reach',
    byValue: true,
  },
  'not-reached': { means: 'only one side reaches the state', byValue: true },
  'event-missing': { means: 'an event that the other side does not send', byValue: false },
  'event-extra': { means: 'an event that only the other side sends', byValue: false },
  'event-order': { means: 'the events of a record in a different order', byValue: false },
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
  /** The printed value, form or type. */
  readonly here: string;
  readonly there: string;
  /** The operation that created the record of the response or event. */
  readonly origin?: string;
  /** The field for which a side refused the call. */
  readonly fault?: string;
}

/** Printed for this bank if the other side sent an event more than once. */
export const ONCE = 'once';

const LONGEST = 80;

/** Formats a value for a report. */
export function print(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
