/**
 * The return codes of ACH, published by NACHA, in our own words. Each has a meaning, a sender and a time limit.
 * Dishonored and contested returns (R61 to R77) answer a return, not a payment.
 * Source: the return reason codes of the NACHA Operating Rules; decision `ach-return-window` in docs/fidelity.md.
 */
import table from '../../../data/return-codes.json' with { type: 'json' };
import type { Reason } from './parts.ts';
import type { ReturnWindow } from './timetable.ts';

/** Who sends the return. */
export const RETURNED_BY = ['RDFI', 'ODFI', 'ACH operator', 'government agency', 'gateway'] as const;
type ReturnedBy = (typeof RETURNED_BY)[number];

/** The kind of problem. */
export const RETURN_CLASSES = [
  'funds',
  'account',
  'authorization',
  'file',
  'bank',
  'enrollment',
  'check',
  'dishonored',
  'contested',
  'international',
] as const;
type ReturnClass = (typeof RETURN_CLASSES)[number];

/** The time limit of a return, in words, and as a number of days if one is fixed. */
interface TimeLimit {
  readonly words: string;
  readonly window: ReturnWindow | null;
}

export interface ReturnCode {
  readonly code: string;
  readonly title: string;
  readonly meaning: string;
  readonly class: ReturnClass;
  readonly returnedBy: ReturnedBy;
  readonly timeLimit: TimeLimit;
}

/** A row of the file. The words of a window are made from its days, unless the file has other words. */
interface TimeLimitRow {
  readonly words?: string;
  readonly window: ReturnWindow | null;
}

/**
 * The time limits by name. `unauthorized` is for debits that a consumer did not authorize, mostly with a written
 * statement. The operator sends files every banking day: decision `ach-return-window` in docs/fidelity.md. A code that
 * answers a return counts from the settlement of that return, which is not a payment in this bank.
 */
const TIME_LIMITS = Object.fromEntries(
  Object.entries<TimeLimitRow>(table.timeLimits as Record<string, TimeLimitRow>).map(
    ([name, { words, window }]) => [
      name,
      { words: words ?? `${window?.days} ${window?.of} days after settlement`, window },
    ],
  ),
) as Readonly<Record<keyof typeof table.timeLimits, TimeLimit>>;

type Row = Omit<ReturnCode, 'timeLimit'> & { readonly timeLimit: keyof typeof TIME_LIMITS };

/** Every current code, in order. */
export const RETURN_CODES: readonly ReturnCode[] = (table.codes as readonly Row[]).map((row) => ({
  ...row,
  timeLimit: TIME_LIMITS[row.timeLimit],
}));

const BY_CODE = new Map(RETURN_CODES.map((row) => [row.code, row]));

/** The row of a code; `undefined` if there is none. */
export function returnCode(code: string): ReturnCode | undefined {
  return BY_CODE.get(code);
}

/** The time limit of a code; the ordinary one for a return without a code. */
export function timeLimitOf(code: string): TimeLimit {
  return returnCode(code)?.timeLimit ?? TIME_LIMITS.ordinary;
}

/** The reason of a returned payment for a code. Throws for an unknown code. */
export function reasonOfReturn(code: string): Reason {
  const row = returnCode(code);
  if (row === undefined) throw new Error(`${code} is not a return code`);
  return { code, message: row.title.charAt(0).toLowerCase() + row.title.slice(1) };
}
