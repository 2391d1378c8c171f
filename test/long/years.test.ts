/** A short share of `npm run years`: one bank from day to day, compared with the published rules. */
import { expect, test } from 'vitest';
import { runYears } from '../years/run.ts';

/** With the change of the clocks, Thanksgiving, and holidays on Saturdays; and with a leap day. */
const SPANS = [
  { from: '2027-11-01', to: '2028-01-04', seed: 1 },
  { from: '2028-02-24', to: '2028-03-18', seed: 2 },
];
const TIMEOUT_MS = 120_000;

test.each(SPANS)(
  'dates, windows, balances and statements from $from to $to agree with the rules',
  async (span) => {
    const { payments, differences } = await runYears(span);
    expect(differences).toEqual([]);
    expect(payments).toBeGreaterThan(60);
  },
  TIMEOUT_MS,
);
