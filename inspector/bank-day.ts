/** Times in New York, whose days are the banking days; the API has times in UTC. */

const ZONE = 'America/New_York';
// This locale writes `2026-11-27 15:22:00`.
const FORMAT = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
const WEEKDAY = new Intl.DateTimeFormat('en', { timeZone: ZONE, weekday: 'short' });

/** The date in New York at an instant, as `YYYY-MM-DD`. */
export const bankDayAt = (instant: string): string => FORMAT.format(new Date(instant)).slice(0, 10);

/** The weekday and time in New York at an instant, as `Fri 15:22`. */
export function newYorkTime(instant: string): string {
  const at = new Date(instant);
  return `${WEEKDAY.format(at)} ${FORMAT.format(at).slice(11, 16)}`;
}

/**
 * The instant of a typed time: in New York like `2026-12-01 10:00`, or with its own zone, like `2026-12-01T15:00Z`. A
 * text that is no time is returned as it is, for the error of the bank.
 */
export function fromNewYork(text: string): string {
  const wanted = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(wanted)) return text;
  // The offset of the zone depends on the instant, so the second step uses that of the first.
  const step = (at: number): number => wanted + at - Date.parse(`${FORMAT.format(at).replace(' ', 'T')}Z`);
  return new Date(step(step(wanted))).toISOString();
}
