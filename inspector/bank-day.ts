/** The date of the banking days: they are those of New York, while all times are in UTC. */

const FORMAT = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The date in New York at an instant, as `YYYY-MM-DD`. */
export const bankDayAt = (instant: string): string => FORMAT.format(new Date(instant));
