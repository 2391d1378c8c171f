/**
 * Instants are milliseconds since 1970 in UTC. Only the composition root reads the machine's clock. A bank gets a
 * `Clock`, so that a test can freeze and move it and get reproducible results.
 */

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** The clock of a bank. */
export interface Clock {
  now(): Instant;
}

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

let lastSecond = Number.NaN;
let lastText = '';

/** Writes an instant as `2026-11-20T18:14:04Z`; fractions of a second are dropped. */
export function formatInstant(instant: Instant): string {
  const second = Math.floor(instant / SECOND_MS);
  if (second !== lastSecond) {
    lastText = `${new Date(second * SECOND_MS).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Writes an instant, or `""` if there is none. */
export function formatInstantOrEmpty(instant: Instant | null): string {
  return instant === null ? '' : formatInstant(instant);
}

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function utcDate(instant: Instant): string {
  return formatInstant(instant).slice(0, 10);
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Parses a time with its zone, such as `2026-11-20T18:14:04Z`; returns `undefined` for anything else. */
export function parseInstant(text: string): Instant | undefined {
  const date = INSTANT.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Whether a text is an existing date in the format `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
