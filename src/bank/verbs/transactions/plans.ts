/**
 * The scheduled step of a transaction: its planned outcome, or the next step of its rail's timetable. A transaction
 * has at most one, as a row of the agenda and as a time in the record. An ACH payment is returned within the window
 * of the code, counted from its effective date, which exists in every profile.
 * Source: decisions `ach-return-window`, `ach-reversal-window`, `ach-held-up`, `v1-magic-amounts` and
 * `payment-outcome-order` in docs/fidelity.md.
 */
import { dateIn, isBankingDay, PACIFIC } from '../../kernel/calendar.ts';
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant, HOUR_MS, type Instant } from '../../kernel/time.ts';
import { type RailEvent, railEvents, railOf } from '../../model/rails/index.ts';
import type { AchDetails, PlannedOutcome, Transaction } from '../../model/records.ts';
import { RETURN_CODE_NAMES, timeLimitOf } from '../../model/return-codes.ts';
import {
  dueAt,
  isSameDay,
  type RailsProfile,
  returnableUntil,
  SAME_DAY_MAX,
  STEPS,
} from '../../model/timetable.ts';
import type { TransactionStatus } from '../../model/vocabulary.ts';
import type { AgendaItem } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';

type ReturnablePayment = Pick<Transaction, 'rail' | 'details'>;

/** The end of a return window, and the date from which it counts. */
interface ReturnLimit {
  readonly words: string;
  readonly effectiveDate: string;
  /** The last time for a return. */
  readonly until: Instant;
}

/**
 * Until when a payment can be returned with a code; `null` if the rail has no window or the code no fixed number of
 * days.
 */
export function returnLimitOf({ rail, details }: ReturnablePayment, code: string): ReturnLimit | null {
  if (railOf(rail).returnsInWindow !== true || details.kind !== 'ach') return null;
  const { effectiveDate } = details;
  const { words, window } = timeLimitOf(code);
  const until = window === null ? null : returnableUntil(window, effectiveDate);
  return until === null ? null : { words, effectiveDate, until };
}

/** Every return window of a payment with its codes, in the order in which they close. */
export function returnWindowsOf(payment: ReturnablePayment): (ReturnLimit & { codes: readonly string[] })[] {
  const byWords = new Map<string, ReturnLimit & { codes: string[] }>();
  for (const code of RETURN_CODE_NAMES) {
    const timeLimit = timeLimitOf(code);
    const known = byWords.get(timeLimit.words);
    if (known !== undefined) known.codes.push(code);
    else {
      const limit = returnLimitOf(payment, code);
      if (limit !== null) byWords.set(timeLimit.words, { ...limit, codes: [code] });
    }
  }
  return [...byWords.values()].toSorted((left, right) => left.until - right.until);
}

/** Refuses: `return_too_late`. */
export function requireInTime(payment: ReturnablePayment, code: string, now: Instant): void {
  const limit = returnLimitOf(payment, code);
  if (limit === null || now <= limit.until) return;
  const { words, effectiveDate, until } = limit;
  throw refuse('return_too_late', {
    field: 'late',
    message:
      `${code || 'a return'} is possible only within its window, ${words}: this payment settled on ${effectiveDate} and could be returned until ` +
      `${formatInstant(until)}; send "late": true to return it anyway`,
  });
}

/** Until when a settled payment of a client can be reversed; `null` if its rail has no limit. */
export function reversibleUntil({
  rail,
  settledAt,
}: Pick<Transaction, 'rail' | 'settledAt'>): Instant | null {
  const { reversedWithinMs } = railOf(rail);
  return reversedWithinMs === undefined || settledAt === null ? null : settledAt + reversedWithinMs;
}

/** Refuses: `reversal_too_late`. */
export function requireReversible(payment: Pick<Transaction, 'rail' | 'settledAt'>, now: Instant): void {
  const until = reversibleUntil(payment);
  if (until === null || now <= until) return;
  throw refuse('reversal_too_late', {
    field: 'late',
    message:
      `an ACH payment that this bank sent can be reversed for 24 hours after its settlement, here until ` +
      `${formatInstant(until)}; send "late": true to reverse it anyway`,
  });
}

/** The time of a planned return: at the latest when its window closes, unless it is `late`. */
export function inTime(
  payment: ReturnablePayment,
  { event, reason, late }: PlannedOutcome,
  at: Instant,
): Instant {
  if (event !== 'return' || late === true) return at;
  return Math.min(at, returnLimitOf(payment, reason?.code ?? '')?.until ?? at);
}

export interface TransactionPlans {
  /** Schedules the next step from `now`, and sets its time in the record, which the caller writes. */
  plan(transaction: Transaction, now: Instant): void;
  /** Removes the scheduled step from the agenda. */
  cancelPlanned(transaction: Transaction): void;
}

/** A same-day payment that is too late or too large, or is sent on another day, is an ordinary one. */
export function isProcessedSameDay(
  { createdAt, amount }: Pick<Transaction, 'createdAt' | 'amount'>,
  { sameDay, effectiveDate }: AchDetails,
): boolean {
  return isSameDay(createdAt, sameDay, amount) && dateIn(PACIFIC, createdAt) === effectiveDate;
}

/**
 * What the bank changed in the speed and date that a client requested for an ACH payment; `''` for nothing. The
 * requested date is `''` for none. Decisions `ach-same-day` and `ach-effective-date` in docs/fidelity.md.
 */
export function changedTerms(payment: Transaction, requestedDate = ''): string {
  const { details, createdAt, amount, status } = payment;
  if (details.kind !== 'ach' || status === 'declined') return '';
  const { effectiveDate } = details;
  const remarks: string[] = [];
  if (details.sameDay && !isProcessedSameDay(payment, details)) {
    let why = 'the request came after 12:15 Pacific, or on a day without banks';
    if (amount > SAME_DAY_MAX) why = `same-day payments are at most ${formatMoney(SAME_DAY_MAX)}`;
    else if (isSameDay(createdAt, true, amount)) why = 'a later effective date was requested';
    remarks.push(`not processed on the same day, because ${why}: it posts on ${effectiveDate}`);
  }
  if (requestedDate !== '' && requestedDate !== effectiveDate) {
    const why = requestedDate < effectiveDate && isBankingDay(requestedDate) ? 'too early' : 'no banking day';
    const past = requestedDate < dateIn(PACIFIC, createdAt) ? 'in the past' : why;
    remarks.push(`the effective date ${requestedDate} is ${past}: it was moved to ${effectiveDate}`);
  }
  return remarks.join('; ');
}

type Step = Pick<AgendaItem, 'dueAt' | 'event'>;

/** The next full hour. */
const nextHour = (instant: Instant): Instant => (Math.floor(instant / HOUR_MS) + 1) * HOUR_MS;

const NOT_ACH = { sameDay: false, effectiveDate: '' };

/** The planned outcome in a state in which nothing is scheduled, like a dispute of a captured purchase. */
function plannedStep(
  { outcome, rail, status }: Transaction,
  now: Instant,
  railsProfile: RailsProfile,
): Step | null {
  if (outcome === null || outcome.status !== status || outcome.at !== undefined) return null;
  const { event } = outcome;
  const when = railOf(rail).planned?.[event];
  const at = when === undefined ? null : dueAt(when, railsProfile, now, NOT_ACH);
  return at === null ? null : { dueAt: at, event };
}

function nextStep(transaction: Transaction, now: Instant, railsProfile: RailsProfile): Step | null {
  const { outcome, details, rail, status } = transaction;
  // A check deposit is not submitted before its images are sent.
  const scheduled =
    details.kind === 'check' && details.awaitsImages ? undefined : railOf(rail).timetable[status];
  let due: Instant | null = null;
  if (scheduled !== undefined) {
    const ach =
      details.kind === 'ach' ? { ...details, sameDay: isProcessedSameDay(transaction, details) } : NOT_ACH;
    due = dueAt(scheduled.when, railsProfile, now, ach);
  }
  if (outcome?.at !== undefined && railEvents(rail, status).includes(outcome.event)) {
    const at = Math.max(now, inTime(transaction, outcome, outcome.at));
    if (due === null || at <= due) return { dueAt: at, event: outcome.event };
  }
  if (scheduled === undefined) return plannedStep(transaction, now, railsProfile);
  if (due === null) return null;
  const deviates = outcome !== null && outcome.at === undefined && outcome.status === status;
  if (outcome?.hourly === true && railsProfile === 'calendar') {
    const run = Math.max(now, nextHour(transaction.createdAt));
    due = deviates ? run : Math.min(due, run);
  }
  return { dueAt: due, event: deviates ? outcome.event : scheduled.event };
}

/** The last scheduled step of a payment whose next one is known, with the status after it. */
export function lastStep(
  transaction: Transaction,
  first: Step,
  railsProfile: RailsProfile,
): { at: Instant; status: TransactionStatus } {
  let step = first;
  let current = transaction;
  // A rail has fewer steps.
  for (let count = 0; count < STEPS.length; count += 1) {
    const status =
      railOf(current.rail).steps[current.status]?.[step.event as RailEvent]?.to ?? current.status;
    current = { ...current, status };
    const next = nextStep(current, step.dueAt, railsProfile);
    if (next === null) break;
    step = next;
  }
  return { at: step.dueAt, status: current.status };
}

/** Creates the scheduler of a bank's transactions. */
export function createTransactionPlans({
  store,
  railsProfile,
}: Pick<Dependencies, 'store' | 'railsProfile'>): TransactionPlans {
  return {
    plan(transaction, now) {
      const next = nextStep(transaction, now, railsProfile);
      if (next === null) return;
      transaction.dueAt = next.dueAt;
      store.agenda.add({ ...next, subjectId: transaction.id, task: 'transaction' });
    },
    cancelPlanned(transaction) {
      if (transaction.dueAt === null) return;
      store.agenda.remove(transaction.dueAt, transaction.id);
      transaction.dueAt = null;
    },
  };
}
