/**
 * What the bank will do by itself with a movement, and when: what was decided for it, or what the timetable of its rail
 * says. A movement has at most one planned step, which is in the agenda and, as its instant, in the record.
 * Source: row 120 of docs/fidelity.md.
 */
import type { Instant } from '../kernel/time.ts';
import { railEvents, railOf } from '../model/rails.ts';
import type { Transaction } from '../model/records.ts';
import { dueAt, isSameDay } from '../model/timetable.ts';
import type { AgendaItem } from '../store/store.ts';
import type { Parts } from './parts.ts';
import { inTime } from './return-windows.ts';

export interface MovementPlans {
  /** Plans the next step, seen from `now`, and notes its instant in the record that is being written. */
  plan(transaction: Transaction, now: Instant): void;
  /** Takes the planned step off the agenda. */
  unplan(transaction: Transaction): void;
}

const NO_ACH = { sameDay: false, effectiveDate: '' };

/** The plans of one bank. */
export function createMovementPlans({ store, rails }: Pick<Parts, 'store' | 'rails'>): MovementPlans {
  const nextStep = (transaction: Transaction, now: Instant): Pick<AgendaItem, 'dueAt' | 'event'> | null => {
    const { outcome, details, rail, status } = transaction;
    // A check that nobody has seen yet goes nowhere.
    const usual =
      details.kind === 'check' && details.awaitsImages ? undefined : railOf(rail).timetable[status];
    let due: Instant | null = null;
    if (usual !== undefined) {
      const ach =
        details.kind === 'ach'
          ? // What asked for the same day too late goes as an ordinary one of the next.
            { ...details, sameDay: isSameDay(transaction.createdAt, details.sameDay) }
          : NO_ACH;
      due = dueAt(usual.when, rails, now, ach);
    }
    if (outcome?.at !== undefined && railEvents(rail, status).includes(outcome.event)) {
      const at = Math.max(now, inTime(transaction, outcome, outcome.at));
      if (due === null || at <= due) return { dueAt: at, event: outcome.event };
    }
    if (usual === undefined || due === null) return null;
    const deviates = outcome !== null && outcome.at === undefined && outcome.status === status;
    return { dueAt: due, event: deviates ? outcome.event : usual.event };
  };

  return {
    plan(transaction, now) {
      const next = nextStep(transaction, now);
      if (next === null) return;
      transaction.dueAt = next.dueAt;
      store.agenda.add({ ...next, subjectId: transaction.id, task: 'transaction' });
    },
    unplan(transaction) {
      if (transaction.dueAt === null) return;
      store.agenda.remove(transaction.dueAt, transaction.id);
      transaction.dueAt = null;
    },
  };
}
