/**
 * The codes under which an ACH entry is sent back: what NACHA publishes, in our own words. A code says why; who may
 * use it and until when depends on the code. Dishonored and contested returns (R61 to R77) answer a return, not a payment.
 * Source: the return reason codes of the NACHA Operating Rules; decision `ach-return-window` in docs/fidelity.md.
 */
import table from '../../data/return-codes.json' with { type: 'json' };
import type { Reason } from './parts.ts';
import type { ReturnWindow } from './timetable.ts';

/** Who sends the entry back. */
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

/** How late a return may come, in words; and as days, where a number of days after settlement is fixed. */
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

/** As the file has it: what is said of a window is made of its days, unless the file has other words for it. */
interface TimeLimitRow {
  readonly words?: string;
  readonly window: ReturnWindow | null;
}

/**
 * How late it may be, by the names that the codes use. `unauthorized` is for what a consumer never authorized, most of
 * it with a written statement. The operator's files go out every banking day: decision `ach-return-window` in
 * docs/fidelity.md. What answers a return is counted from the settlement of that return, which is no payment here.
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

/** The row of a code; `undefined` when there is none. */
export function returnCode(code: string): ReturnCode | undefined {
  return BY_CODE.get(code);
}

/** The time limit of a return under a code; the ordinary one for a return that names none. */
export function timeLimitOf(code: string): TimeLimit {
  return returnCode(code)?.timeLimit ?? TIME_LIMITS.ordinary;
}

/** The code as the reason of a payment that was sent back. Throws for a code that is none. */
export function reasonOfReturn(code: string): Reason {
  const row = returnCode(code);
  if (row === undefined) throw new Error(`${code} is not a return code`);
  return { code, message: row.title.charAt(0).toLowerCase() + row.title.slice(1) };
}
