/**
 * Moves the clock of a sandbox from one due instant to the next. At each instant it runs the due steps and waits for
 * all deliveries, so one long advance and many short ones produce the same bank. It holds no lock: a receiver may
 * call the bank meanwhile, and the effects are part of the result. A sandbox runs one advance at a time, and
 * replacing its bank ends the advance.
 */
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import { RAILS, railOf } from '../../bank/model/rails/index.ts';
import type { Webhook } from '../../bank/model/records.ts';
import type { TransactionStatus } from '../../bank/model/vocabulary.ts';
import type { Due } from '../../bank/outbox/queue.ts';
import { createHistory, type History, type OpenTransaction } from '../../bank/store/history.ts';
import { isDatabaseFailure } from '../../bank/store/open.ts';
import { type ChangeMark, type Changes, readChanges } from './changes.ts';
import type { Sandbox } from './sandbox.ts';

/** How long a caller waits, in real milliseconds, and the signal that aborts the wait. */
export interface Patience {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/** Why the clock stopped early, and the delivery that it waited for. */
export interface Stop {
  /**
   * A delivery has no response, its result could not be written, a step could not be written, or the deadline passed.
   */
  reason: StopReason;
  /** `null` if the clock did not wait for a delivery. */
  delivery: Due | null;
  apiVersion: Webhook['apiVersion'] | null;
}

export const STOP_REASONS = ['in_flight', 'commit_failed', 'write_failed', 'deadline'] as const;
type StopReason = (typeof STOP_REASONS)[number];

export interface Travelled extends Changes {
  /** Why it ended early; `null` if it did not. */
  stoppedBy: Stop | null;
  /** Whether nothing was due or in flight at the end; false at the deadline and after a failure. */
  quiescent: boolean;
  /** Why it ended early or why the changes are not known; otherwise `''`. */
  problem: string;
  from: Instant;
  /** The time of the clock at the end. */
  to: Instant;
}

export interface Settled extends Travelled {
  /** The transactions that proceed only with a command: in review, or blocked. */
  left: OpenTransaction[];
}

/**
 * Runs due steps and waits for deliveries in flight until there are none; returns false at the deadline. It does not
 * move the clock, so steps that are planned for later stay planned on a frozen clock.
 */
export async function waitUntilQuiet(
  sandbox: Sandbox,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const watch = startWatch(sandbox, { deadlineMs, signal });
  try {
    return await becomeQuiet(sandbox, watch);
  } finally {
    watch.end();
  }
}

/**
 * Moves the clock to `target`. Refuses: `field_invalid` if `target` is in the past, `illegal_step` during another
 * advance, `write_conflict` if the bank is replaced meanwhile.
 */
export function advance(sandbox: Sandbox, target: Instant, patience: Patience): Promise<Travelled> {
  return travel(sandbox, patience, (control) => control.goTo(target));
}

/**
 * Moves the clock until all transactions in progress are complete. A card hold that waits for its merchant is not in
 * progress; a test spend, which the bank captures, is. With manual rails, each transaction is moved along its rail
 * instead. Refuses like `advance`.
 */
export async function settle(sandbox: Sandbox, patience: Patience): Promise<Settled> {
  let left: OpenTransaction[] = [];
  const travelled = await travel(sandbox, patience, async (control) => {
    let isQuiet = await control.goTo(sandbox.clock.now());
    while (isQuiet) {
      const next = control.history.nextTransactionDueAt();
      if (next === undefined) break;
      isQuiet = await control.goTo(Math.max(next, sandbox.clock.now()));
    }
    if (isQuiet && sandbox.rails === 'manual') isQuiet = await stepAll(sandbox, control);
    if (!control.isOver()) left = transactionsLeft(sandbox, control.history);
    return isQuiet;
  });
  return { ...travelled, left };
}

/** Refuses a change of the clock during an advance. */
export function requireStill(sandbox: Sandbox): void {
  if (!travelling.has(sandbox)) return;
  throw refuse('illegal_step', {
    message:
      'the clock of this sandbox is being moved by another advance or settle: wait for its response, then repeat the request',
  });
}

/** The earliest instant at which a step or a retry is due. */
export function nextDueAt({ store, courier }: Sandbox): Instant | undefined {
  const step = store.agenda.nextDueAt();
  const retry = courier?.nextDueAt() ?? undefined;
  return step === undefined || retry === undefined ? (step ?? retry) : Math.min(step, retry);
}

/**
 * The sandboxes whose clock is being moved. A receiver that requests an advance during an advance would wait for
 * itself.
 */
const travelling = new WeakSet<Sandbox>();

/** Moves a clock step by step. */
interface TravelControl {
  readonly history: History;
  /** Moves the clock up to `target`, through every due instant; returns false if it stops before `target`. */
  goTo(target: Instant): Promise<boolean>;
  /** Runs due steps and waits for deliveries in flight; returns false if it ends before. */
  settleDown(): Promise<boolean>;
  /** Records the statuses of transactions before they change. */
  note(transactions: Iterable<{ id: Id; status: TransactionStatus }>): void;
  isOver(): boolean;
}

const NO_CHANGES: Changes = { transitions: [], postings: [], events: [], deliveries: [] };
const NOTED_AT_ONCE = 10_000;

/**
 * Moves the clock with `go`. A disk failure before the first change is thrown. A later failure ends the advance, and
 * the result has the time that the clock reached.
 */
async function travel(
  sandbox: Sandbox,
  patience: Patience,
  go: (control: TravelControl) => Promise<boolean>,
): Promise<Travelled> {
  requireStill(sandbox);
  travelling.add(sandbox);
  const watch = startWatch(sandbox, patience);
  try {
    const history = createHistory(sandbox.connection.db);
    const moment = history.moment();
    const from = sandbox.clock.now();
    const noted = new Map<Id, ChangeMark>();

    const note: TravelControl['note'] = (transactions) => {
      const after = sandbox.outbox.latestSeq();
      for (const { id, status } of transactions) if (!noted.has(id)) noted.set(id, { status, after });
    };
    const noteDue = (until: Instant): void => {
      const due = sandbox.store.agenda.due(until, NOTED_AT_ONCE);
      note(due.flatMap(({ subjectId }) => sandbox.store.transactions.byId(subjectId) ?? []));
    };
    const setting = sandbox.clock.setting();
    const hasChanged = (): boolean =>
      sandbox.clock.setting() !== setting || sandbox.outbox.latestSeq() > moment.lastFact;
    let problem = '';
    const endAt = (error: unknown): void => {
      if (!isDatabaseFailure(error) || !hasChanged()) throw error;
      problem = (error as Error).message;
    };
    const settleDown = async (): Promise<boolean> => {
      if (watch.isOver()) return false;
      noteDue(sandbox.clock.now());
      return becomeQuiet(sandbox, watch);
    };
    const moveTo = async (instant: Instant): Promise<boolean> => {
      if (watch.isOver()) return false;
      if (instant > sandbox.clock.now()) await sandbox.setClock((clock) => clock.moveTo(instant));
      return settleDown();
    };
    const control: TravelControl = {
      history,
      note,
      settleDown,
      isOver: watch.isOver,
      async goTo(target) {
        let isQuiet = await settleDown();
        while (isQuiet) {
          const next = nextDueAt(sandbox);
          if (next === undefined || next > target) return moveTo(target);
          isQuiet = await moveTo(next);
        }
        return false;
      },
    };

    let quiescent = false;
    try {
      quiescent = await go(control);
    } catch (error) {
      if (watch.why() !== 'replaced') endAt(error);
    }
    if (watch.why() === 'replaced') {
      throw refuse('write_conflict', {
        message:
          'the bank of this sandbox was replaced (a reset, a restore, a seed) while its clock was moved, and the clock of the new bank did not move: repeat the request',
      });
    }
    let changes: Changes = NO_CHANGES;
    try {
      changes = readChanges(sandbox, history, moment, noted);
    } catch (error) {
      endAt(error);
      problem = `the clock was moved, but the changes could not be read: ${problem}`;
    }
    const isDone = quiescent && problem === '';
    const stoppedBy = isDone ? null : whyStopped(sandbox, problem);
    return { quiescent: isDone, problem, stoppedBy, from, to: sandbox.clock.now(), ...changes };
  } finally {
    watch.end();
    travelling.delete(sandbox);
  }
}

/** Why the clock stopped: the delivery that has waited for a response for the longest time, or the disk. */
function whyStopped({ courier, queue }: Sandbox, problem: string): Stop {
  const nothing = { delivery: null, apiVersion: null };
  if (problem !== '') return { reason: 'write_failed', ...nothing };
  if (courier?.isPaused() === true) return { reason: 'commit_failed', ...nothing };
  // The clock was moved, so a failed read must not throw.
  try {
    const [first] = courier?.deliveriesInFlight() ?? [];
    const delivery = first === undefined ? undefined : queue.waitingBySeq(first.seq);
    if (delivery !== undefined) {
      const apiVersion = queue.webhook(delivery.delivery.webhookId)?.apiVersion ?? null;
      return { reason: 'in_flight', delivery, apiVersion };
    }
  } catch (error) {
    if (!isDatabaseFailure(error)) throw error;
  }
  return { reason: 'deadline', ...nothing };
}

/** Runs one step of each transaction at a time, so that they proceed in parallel as on a calendar. */
async function stepAll(sandbox: Sandbox, control: TravelControl): Promise<boolean> {
  const stuck = new Set<Id>();
  while (!control.isOver()) {
    const open = control.history.transactionsIn(MOVING_STATES).filter((transaction) => {
      const { id, rail, status } = transaction;
      return !stuck.has(id) && ownEvent(rail, status) !== undefined && !isSetOut(sandbox, transaction);
    });
    if (open.length === 0) return true;
    control.note(open);
    await Promise.all(
      open.map(({ id }) => sandbox.commit(() => stepByItself(sandbox, id)).catch(() => void stuck.add(id))),
    );
    if (!(await control.settleDown())) return false;
  }
  return false;
}

/** Applies the next event of the timetable, or the outcome that was chosen when the transaction was created. */
function stepByItself({ bank }: Sandbox, id: Id): void {
  const { rail, status, outcome } = bank.payments.byId(id);
  // An outcome with its own instant is on the agenda.
  const decided = outcome?.status === status && outcome.at === undefined ? outcome : undefined;
  const event = decided?.event ?? ownEvent(rail, status);
  if (event !== undefined) bank.payments.applyEvent(id, event, decided?.reason ?? undefined);
}

function ownEvent(rail: OpenTransaction['rail'], status: TransactionStatus) {
  const event = railOf(rail).timetable[status]?.event;
  return event === 'expire' ? undefined : event;
}

/** The statuses in which the timetable of some rail has a next step. */
const MOVING_STATES = [
  ...new Set(Object.values(RAILS).flatMap(({ timetable }) => Object.keys(timetable) as TransactionStatus[])),
];

function transactionsLeft(sandbox: Sandbox, history: History): OpenTransaction[] {
  return history
    .transactionsIn([...MOVING_STATES, 'in_review'])
    .filter(({ rail, status }) => status === 'in_review' || ownEvent(rail, status) !== undefined)
    .filter((transaction) => !isSetOut(sandbox, transaction));
}

/**
 * Whether a transaction is a seeded check that waits for its images, for users who try the upload; it is not in
 * progress.
 */
function isSetOut({ bank, seeded }: Sandbox, { id, rail }: OpenTransaction): boolean {
  if (rail !== 'check_deposit' || !Object.values(seeded.ids).includes(id)) return false;
  const { details } = bank.payments.byId(id);
  return details.kind === 'check' && details.awaitsImages;
}

/** How often the courier is checked while a full disk pauses deliveries. */
const HELD_LOOK_MS = 100;

async function becomeQuiet(sandbox: Sandbox, watch: Watch): Promise<boolean> {
  while (!watch.isOver()) {
    const { agenda, courier } = sandbox;
    await watch.during(agenda.runDue());
    if (watch.isOver()) return false;
    // A retry may be due before its timer fires.
    courier?.wake();
    await watch.during(courier?.idle());
    if (watch.isOver()) return false;
    if (courier?.isPaused() === true) {
      await watch.during(new Promise((resolve) => setTimeout(resolve, HELD_LOOK_MS)));
      continue;
    }
    const next = nextDueAt(sandbox);
    if (next === undefined || next > sandbox.clock.now()) return true;
    // A due item that can never complete must not block the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

/** Determines when the wait ends. */
interface Watch {
  isOver(): boolean;
  why(): 'deadline' | 'gone' | 'replaced' | undefined;
  /** Waits for `work` or the end of the wait; `work` then continues in the background. */
  during(work: Promise<unknown> | undefined): Promise<void>;
  end(): void;
}

function startWatch({ listeners }: Sandbox, { deadlineMs, signal }: Patience): Watch {
  let why: ReturnType<Watch['why']>;
  let ring = (): void => {};
  const rung = new Promise<void>((resolve) => {
    ring = resolve;
  });
  const over = (reason: NonNullable<typeof why>) => () => {
    why ??= reason;
    ring();
  };
  const gone = over('gone');
  const replaced = over('replaced');
  const timer = setTimeout(over('deadline'), deadlineMs);
  const stopListening = listeners.listen(({ type }) => {
    if (type === 'replaced' || type === 'closed') replaced();
  });
  signal?.addEventListener('abort', gone, { once: true });
  if (signal?.aborted === true) gone();

  return {
    isOver: () => why !== undefined,
    why: () => why,
    during: async (work) => void (await Promise.race([work, rung])),
    end() {
      clearTimeout(timer);
      stopListening();
      signal?.removeEventListener('abort', gone);
    },
  };
}
