/**
 * The return codes of ACH, published by NACHA, in our own words. Each has a meaning, a sender, a time limit and the
 * dates between which it is in force.
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
  /** The first day on which this row is in force; `''` for a row that always was. */
  readonly from: string;
  /** The first day on which this row is no longer in force; `''` for none. */
  readonly until: string;
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

type Row = Omit<ReturnCode, 'timeLimit' | 'from' | 'until'> &
  Partial<Pick<ReturnCode, 'from' | 'until'>> & { readonly timeLimit: keyof typeof TIME_LIMITS };

/** Every row of the table, in order. A code whose meaning changes has a row for each period. */
export const RETURN_CODES: readonly ReturnCode[] = (table.codes as readonly Row[]).map((row) => ({
  from: '',
  until: '',
  ...row,
  timeLimit: TIME_LIMITS[row.timeLimit],
}));

/** Every code of the table once, in order. */
export const RETURN_CODE_NAMES: readonly string[] = [...new Set(RETURN_CODES.map(({ code }) => code))];

const rowsOf = (code: string): readonly ReturnCode[] => RETURN_CODES.filter((row) => row.code === code);

/** Whether a row is in force on a date. */
export function isInForce({ from, until }: ReturnCode, date: string): boolean {
  return from <= date && (until === '' || date < until);
}

/** The row of a code that is in force on a date; `undefined` if there is none. */
export function returnCode(code: string, date: string): ReturnCode | undefined {
  return rowsOf(code).find((row) => isInForce(row, date));
}

/** The first day of a code; `undefined` for an unknown code. */
export function firstDayOf(code: string): string | undefined {
  return rowsOf(code)[0]?.from;
}

/** The time limit of a code; the ordinary one for a return without a code. It is the same in every row of a code. */
export function timeLimitOf(code: string): TimeLimit {
  return rowsOf(code)[0]?.timeLimit ?? TIME_LIMITS.ordinary;
}

const messageOf = ({ title }: ReturnCode): string => title.charAt(0).toLowerCase() + title.slice(1);

/** The reason of a payment that is returned on a date; before the first row of the code it is that row. Throws for an unknown code. */
export function reasonOfReturn(code: string, date = ''): Reason {
  const row = returnCode(code, date) ?? rowsOf(code)[0];
  if (row === undefined) throw new Error(`${code} is not a return code`);
  return { code, message: messageOf(row) };
}

/** The network's message of a return: the recorded one if a row of the code has it; `undefined` for an unknown code. */
export function networkMessage({ code, message }: Reason): string | undefined {
  const rows = rowsOf(code);
  return rows?.map(messageOf).find((own) => own === message) ?? (rows?.[0] && messageOf(rows[0]));
}
