/**
 * Runs the planned steps of a bank when they are due on the sandbox's clock. The plan is in the database, so it
 * survives a restart; this module keeps only one timer, for the next step. Steps run in slices, each step as its own
 * command, so that a bank with many overdue steps still answers requests.
 * Source: decision `missed-steps` in docs/fidelity.md.
 */

import { MINUTE_MS } from '../../bank/kernel/time.ts';
import type { Commit } from '../../bank/store/group-commit.ts';
import { isDatabaseFailure } from '../../bank/store/open.ts';
import type { AgendaItem, Store } from '../../bank/store/store.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import type { SandboxJobs } from './background-jobs.ts';
import type { SandboxClock } from './sandbox-clock.ts';

export interface AgendaRunner {
  /** Checks whether a step was planned before the one that the timer waits for. Cheap if there is none. */
  look(): void;
  /** Sets the timer again, because the clock was set. A failure is recorded and tried again. */
  rearm(): void;
  /** Continues after `stop`, because the bank could not be closed. */
  resume(): void;
  /** Runs every step that is due, in order, and returns their number. */
  runDue(): Promise<number>;
  stop(): void;
}

export interface AgendaDependencies {
  store: Store;
  bank: Bank;
  commit: Commit;
  clock: SandboxClock;
  onError(error: unknown): void;
  /** Records each run that the timer started: it succeeded, or its commit failed and is retried. */
  jobs: SandboxJobs;
}

const SLICE = 100;
const RETRY_MS = 5000;
/**
 * Timers do not notice that the machine slept or that its clock was adjusted, so the runner checks again after this
 * time.
 */
const LONGEST_WAIT_MS = MINUTE_MS;

/** The runner of one sandbox's agenda. */
export function createAgendaRunner({
  store,
  bank,
  commit,
  clock,
  onError,
  jobs,
}: AgendaDependencies): AgendaRunner {
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;
  let running: Promise<number> | undefined;
  let stopped = false;

  const take = async (item: AgendaItem): Promise<number> => {
    let failure: unknown;
    const attempt = (): number => {
      failure = undefined;
      // A step of this slice may have planned another step that is due before the rest of the slice.
      const next = store.agenda.nextDueAt();
      if (next !== undefined && next < item.dueAt) return 0;
      try {
        bank.takePlannedStep(item);
      } catch (error) {
        failure = error;
        throw error;
      }
      return 1;
    };
    try {
      return await commit(attempt);
    } catch (error) {
      // The commit or the database failed, not the step: the step stays planned.
      if (failure === undefined || isDatabaseFailure(failure)) throw error;
      onError(failure);
      // A step that cannot run would stay due forever.
      await commit(() => store.agenda.remove(item.dueAt, item.subjectId));
      return 1;
    }
  };

  const runSlices = async (): Promise<number> => {
    let taken = 0;
    while (!stopped) {
      const due = store.agenda.due(clock.now(), SLICE);
      if (due.length === 0) break;
      // Commands of one turn run in the order in which they were given.
      for (const one of await Promise.all(due.map(take))) taken += one;
    }
    return taken;
  };

  /** A failure is recorded and retried where it happens. */
  const start = (): void => {
    runDue().catch(() => {});
  };
  /** A disk that is full now may have space later. */
  const retryLater = (error: unknown): void => {
    jobs.failed('settle', error);
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => arm(clock.now()), RETRY_MS).unref();
  };

  const arm = (dueAt: number | undefined): void => {
    clearTimeout(timer);
    armedFor = dueAt ?? Number.POSITIVE_INFINITY;
    if (dueAt === undefined || stopped) return;
    const wait = clock.realUntil(dueAt);
    // A frozen clock starts no step by itself.
    if (wait === null) return;
    if (wait === 0) {
      // Before the next request, which may read what this step writes.
      start();
      return;
    }
    timer = setTimeout(start, Math.min(wait, LONGEST_WAIT_MS));
    timer.unref();
  };

  const runDue = (): Promise<number> => {
    running ??= runSlices().then(
      (taken) => {
        running = undefined;
        jobs.succeeded('settle');
        rearm();
        return taken;
      },
      (error: unknown) => {
        running = undefined;
        // An immediate try would only fail again.
        retryLater(error);
        throw error;
      },
    );
    return running;
  };

  const rearm = (): void => {
    if (stopped || running !== undefined) return;
    try {
      arm(store.agenda.nextDueAt());
    } catch (error) {
      retryLater(error);
    }
  };

  return {
    look() {
      if (stopped || running !== undefined) return;
      try {
        const planned = store.agenda.takePlanned();
        if (planned < armedFor) arm(planned);
      } catch (error) {
        retryLater(error);
      }
    },
    rearm,
    resume() {
      stopped = false;
      rearm();
    },
    runDue,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
