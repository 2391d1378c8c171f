/**
 * One open database as a bank: only this file connects its modules. An instance exists from the opening of a database
 * to its closing; a reset or a restore gives a sandbox another instance.
 */

import { formatEventFor, formatEventId, formatWebhookId } from '../../bank/api/events.ts';
import { type Courier, createCourier } from '../../bank/delivery/courier.ts';
import type { Receiver } from '../../bank/delivery/receiver.ts';
import type { Send } from '../../bank/delivery/sender.ts';
import { createSequence, type Id } from '../../bank/kernel/sequence.ts';
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../bank/kernel/time.ts';
import type { AuditReport } from '../../bank/ledger/audit.ts';
import { createLedger } from '../../bank/ledger/ledger.ts';
import type { Program } from '../../bank/model/records.ts';
import type { RailsProfile } from '../../bank/model/timetable.ts';
import type { Shortfall } from '../../bank/model/vocabulary.ts';
import type { DropReason, DropRules } from '../../bank/outbox/deliveries.ts';
import { createOutbox, type Outbox } from '../../bank/outbox/outbox.ts';
import { createQueue, type Queue } from '../../bank/outbox/queue.ts';
import { cachesOf } from '../../bank/store/cache.ts';
import type { Driver } from '../../bank/store/driver.ts';
import {
  type Commit,
  createGroupCommit,
  type GroupCommit,
  type Submit,
} from '../../bank/store/group-commit.ts';
import { removeSurroundingsIn } from '../../bank/store/images.ts';
import { type Connection, openConnection, type Place } from '../../bank/store/open.ts';
import { createStore, type Store } from '../../bank/store/store.ts';
import { auditBank } from '../../bank/verbs/audit.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import { createBankClock } from '../../bank/verbs/dependencies.ts';
import { type AgendaRunner, createAgendaRunner } from './agenda-runner.ts';
import { reportedJobs, type SandboxJobs } from './background-jobs.ts';
import { createCheckPages } from './check-pages.ts';
import type { CountState } from './coverage.ts';
import { createDropReports } from './drop-reports.ts';
import type { Listeners } from './listeners.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { SandboxSecrets } from './secrets.ts';
import type { SeedSource } from './seeding.ts';
import { openOrSeedBank, type SeededBank } from './seeding.ts';
import { createAnswerPurge, createStoredClock, createStoredSequence } from './stored-state.ts';

/** The counters of a process for all its banks. */
export interface Counters {
  countState: CountState;
  /** Counts a commit with its number of commands. */
  countCommit(commands: number): void;
  /** Counts dropped deliveries. */
  countDropped(reason: DropReason, count: number): void;
}

/** The dependencies of an instance. */
export interface InstanceOptions {
  rails: RailsProfile;
  /** Default: `refused`. */
  shortfall?: Shortfall | undefined;
  /** The clock that the sandbox's clock follows until it is set. */
  clock: Clock;
  /** The real time, for the signatures of deliveries: receivers allow only minutes. */
  wallClock: Clock;
  /** How a delivery leaves this process; `null` for a bank that only makes an image. */
  send: Send | null;
  /** Keeps the deliveries to the built-in receiver; without it they are sent like any other, and get no response. */
  receiver?: Receiver;
  /** The source of the bank's secrets. */
  secrets: SandboxSecrets;
  /** How many first attempts of one webhook are in flight at most. */
  webhookConcurrency?: number | undefined;
  counters?: Counters;
  /** The name and the address of the sandbox, for the pages of its checks; without them checks have no pages. */
  pages?: { readonly name: string; baseUrl(): string };
  /** Seeds a bank when the database is empty. */
  seedSource: SeedSource & { seed: string };
  /** Runs the background work of the bank, and keeps its failures; without it `onError` receives them. */
  jobs?: SandboxJobs;
  onError(error: unknown): void;
}

/** Failed, waiting or dropped deliveries, which are logged but are not failures of the program. */
export class DeliveryProblem extends Error {
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(what: string, detail: Readonly<Record<string, unknown>>) {
    super(`${what}: ${JSON.stringify(detail)}`);
    this.what = what;
    this.detail = detail;
  }
}

export interface Instance {
  readonly bank: Bank;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly queue: Queue;
  readonly clock: SandboxClock;
  readonly program: Program;
  /** The ids of the records that the bank was seeded with, by name. */
  readonly seeded: SeededBank;
  /** Starts the background work of the bank: due steps, and deliveries. Does not throw. */
  start(): void;
  /** Runs a command with the others of this turn of the event loop, in one commit. */
  readonly commit: Commit;
  /** The same without a promise. */
  readonly submit: Submit;
  readonly agenda: AgendaRunner;
  readonly courier: Courier | null;
  /** When the last delivery of a webhook was dropped; `null` if none was. */
  lastDroppedAt(webhookId: Id): Instant | null;
  readonly connection: Connection;
  /** Draws an id, for requests. */
  nextId(): Id;
  audit(): AuditReport;
  /** The whole bank as a SQLite image: data, clock, agenda, outbox and the position of its sequence. */
  image(): Buffer;
  /** Writes the whole bank to another file, in steps, so that other requests are answered meanwhile. */
  writeTo(path: string): Promise<void>;
  /** Whether no command, response or delivery is in flight, so that it can be closed within this turn. */
  isIdle(): boolean;
  /** Real milliseconds until its next background work; 0 during such work, `null` if none is planned. */
  nextDueIn(): number | null;
  /** Sets the clock and keeps its setting with the bank. */
  setClock(set: (clock: SandboxClock) => void): Promise<void>;
  /** Ends timers and deliveries; undelivered events stay in the database. */
  close(): Promise<void>;
  /** Writes the state that is kept in memory until the end. Throws if that fails; then the bank continues. */
  finish(): void;
  /**
   * Ends immediately: queued commands run, deliveries in flight are not waited for. Throws if the database cannot be
   * written; then the bank continues as before.
   */
  abandon(): void;
}

const FAILING_KEY = 'failing_webhooks';
/** How many events about one resource a fast receiver accepts while the event loop turns a few times. */
const RESOURCE_CONCURRENCY = 8;
const RETRY_MS = 5 * SECOND_MS;

/** Opens the bank of a database, seeding it if the database is empty. */
export function openInstance(place: Place, listeners: Listeners, options: InstanceOptions): Instance {
  const connection = openConnection(place);
  try {
    return instanceOf(connection, listeners, options);
  } catch (error) {
    // Its lock would block every process, this one included.
    connection.close();
    throw error;
  }
}

const logDelivery =
  ({ onError }: InstanceOptions) =>
  (message: string, detail: Record<string, unknown>): void =>
    onError(new DeliveryProblem(message, detail));

/** Makes the reports of dropped deliveries. The clock and the courier are created later. */
function createDrops(
  options: InstanceOptions,
  { meta }: Store,
  sqlite: Driver,
  later: { clock(): SandboxClock; courier(): Courier | null },
) {
  const reports = createDropReports({
    meta,
    onUndo: cachesOf(sqlite).onUndo,
    clock: { now: () => later.clock().now() },
    log: logDelivery(options),
    count: (reason, count) => options.counters?.countDropped(reason, count),
    setTimer,
  });
  const rules: DropRules = {
    isStalled: (webhookId) => later.courier()?.isStalled(webhookId) ?? false,
    onDrop: reports.note,
  };
  return { reports, rules };
}

/** Notifies listeners of published events, and retries a failed reading. */
function createPublisher(outbox: Outbox, listeners: Listeners, jobs: SandboxJobs) {
  let publishedUpTo = outbox.latestSeq();
  let cancel = (): void => {};
  const publishEvents = (): void => {
    const latest = outbox.latestSeq();
    // A new listener receives only later events.
    if (!listeners.hasListeners()) publishedUpTo = latest;
    for (; publishedUpTo < latest; publishedUpTo += 1) {
      const fact = outbox.fact(publishedUpTo + 1);
      if (fact !== undefined) listeners.emit({ type: 'fact', fact });
    }
  };
  /** Observers wait for events, not for the next commit, so a failed reading is retried soon. */
  const publish = (): void => {
    cancel();
    if (!jobs.run('publish', publishEvents)) cancel = setTimer(RETRY_MS, publish);
  };
  return { publish, end: () => cancel() };
}

/** The parts of a bank that its courier needs. */
interface CourierParts {
  readonly options: InstanceOptions & { send: Send };
  readonly listeners: Listeners;
  readonly jobs: SandboxJobs;
  readonly store: Store;
  readonly queue: Queue;
  readonly clock: SandboxClock;
  readonly group: GroupCommit;
  readonly bank: Bank;
  readonly seed: string;
}

/** Makes the courier of a bank, and the function that ends the timer that wakes it after a failure. */
function courierOf(parts: CourierParts): { courier: Courier; end(): void } {
  const { options, listeners, jobs, store, queue, clock, group, bank, seed } = parts;
  const { program } = bank;
  let cancelRetry = (): void => {};
  /** A wake that failed may have set no timer; then only the next commit would wake the courier. */
  const wakeLater = (): void => {
    cancelRetry();
    cancelRetry = setTimer(RETRY_MS, () => courier.wake());
  };
  const courier = createCourier({
    queue,
    commit: group.run,
    send: options.send,
    ...(options.receiver !== undefined && { receiver: options.receiver }),
    render: (fact, kind, ordinal, webhook) => ({
      id: formatEventId(webhook.apiVersion, fact, ordinal),
      body: formatEventFor(webhook.apiVersion, { fact, kind, ordinal, program }),
    }),
    clock,
    wallClock: options.wallClock,
    // Derived from its arguments, so that the order of responses does not change the sequence.
    random: (delivery, attempt) => createSequence(`${seed}/retry/${delivery}/${attempt}`).fraction(),
    ...(options.webhookConcurrency !== undefined && { concurrency: options.webhookConcurrency }),
    // Strictly sequential means one in flight in total.
    resourceConcurrency: options.webhookConcurrency === 1 ? 1 : RESOURCE_CONCURRENCY,
    failing: {
      read: () => store.meta.read<Record<Id, Instant>>(FAILING_KEY) ?? {},
      keep: (all) => store.meta.write(FAILING_KEY, all),
    },
    timers: {
      set(ms, action) {
        const wait = clock.realUntil(clock.now() + ms);
        return wait === null ? () => {} : setTimer(wait, action);
      },
    },
    isClockStopped: () => clock.setting().rate === 0,
    nextTurn: (action) => void setImmediate(action),
    hasCommands: () => !group.isEmpty(),
    onAttempt: (attempt, webhook) =>
      listeners.emit({
        type: 'attempt',
        attempt: { ...attempt, at: clock.now(), webhookId: formatWebhookId(webhook) },
      }),
    onDeactivated: (webhookId) => void bank.webhooks.change(webhookId, { status: 'deactivated' }),
    runJob(wake) {
      cancelRetry();
      if (!jobs.run('deliver', wake) || courier.isPaused()) wakeLater();
    },
    onFailure(error) {
      jobs.failed('deliver', error);
      wakeLater();
    },
    onRecorded: () => jobs.succeeded('record'),
    onRecordFailed(error) {
      jobs.failed('record', error);
      // The courier's own timer runs on the sandbox's clock, which may be frozen.
      wakeLater();
    },
    log: logDelivery(options),
  });
  return { courier, end: () => cancelRetry() };
}

/** The real milliseconds until the next background work: see `nextDueIn` of an instance. */
function dueIn(
  { store, queue, clock }: Pick<Instance, 'store' | 'queue' | 'clock'>,
  courier: Courier | null,
) {
  // In memory only the courier keeps the chaos settings.
  if (courier !== null && (courier.chaoses().size > 0 || queue.webhooksWaiting().length > 0)) return 0;
  const instants = [store.agenda.nextDueAt(), courier?.nextDueAt()].filter((at) => typeof at === 'number');
  const waits = instants.map((at) => clock.realUntil(at)).filter((wait) => wait !== null);
  return waits.length === 0 ? null : Math.min(...waits);
}

/** The bank of a database with the address of its check pages, seeded if the database is empty. */
function openBank(
  connection: Connection,
  dependencies: Parameters<typeof openOrSeedBank>[1],
  { seedSource, secrets, pages }: InstanceOptions,
  save: () => void,
): { bank: Bank; seeded: SeededBank } {
  const { bank, seeded } = openOrSeedBank(connection, dependencies, seedSource, secrets, save);
  if (pages === undefined) return { bank, seeded };
  const checkPage = createCheckPages({ name: pages.name, linkSecret: seeded.linkSecret }, pages.baseUrl);
  return { bank: { ...bank, program: { ...bank.program, checkPage } }, seeded };
}

function instanceOf(connection: Connection, listeners: Listeners, options: InstanceOptions): Instance {
  const { rails, shortfall = 'refused', jobs = reportedJobs(options.onError), send } = options;
  const { db, sqlite } = connection;
  const store = createStore(connection);
  let courier: Courier | null = null;
  const drops = createDrops(options, store, sqlite, { clock: () => clock, courier: () => courier });
  const outbox = createOutbox(db, drops.rules);
  const queue = createQueue(db, drops.rules);
  const ledger = createLedger(db);
  const stored = { store, connection };
  const storedClock = createStoredClock(stored, options.clock, outbox.fact(outbox.latestSeq())?.at);
  const { clock } = storedClock;
  const { seed, sequence, save: saveSequence } = createStoredSequence(stored, options.seedSource.seed);
  const { bank, seeded } = openBank(
    connection,
    { store, outbox, ledger, sequence, railsProfile: rails, shortfall, clock: createBankClock(clock) },
    options,
    () => {
      queue.fill();
      saveSequence();
    },
  );
  const purgeAnswers = createAnswerPurge(stored, clock);
  const publisher = createPublisher(outbox, listeners, jobs);
  const group = createGroupCommit(sqlite, {
    markSequence() {
      const position = sequence.position();
      return () => sequence.moveTo(position);
    },
    afterBegin: ledger.deferCounters,
    beforeCommit() {
      ledger.writeCounters();
      queue.fill();
      saveSequence();
      storedClock.save();
      purgeAnswers();
    },
    afterCommit(commands) {
      options.counters?.countCommit(commands);
      // The callers have their answers: a failure from here on belongs to no command, so nothing here throws.
      drops.reports.committed();
      publisher.publish();
      courier?.wake(commands);
      agenda.look();
    },
    afterUndo: outbox.clearWebhookCache,
  });
  const agenda = createAgendaRunner({
    store,
    bank,
    commit: group.run,
    clock,
    jobs,
    onError: options.onError,
  });
  let endCourierTimer = (): void => {};
  if (send !== null) {
    const parts = { options: { ...options, send }, listeners, jobs, store, queue, clock, group, bank, seed };
    ({ courier, end: endCourierTimer } = courierOf(parts));
  }

  const endTimers = (): void => {
    publisher.end();
    endCourierTimer();
    drops.reports.close();
  };

  const finish = (): void => {
    group.flush();
    saveSequence();
  };

  return {
    start() {
      if (courier === null) return;
      courier.wake();
      agenda.look();
    },
    bank,
    store,
    outbox,
    queue,
    clock,
    program: bank.program,
    seeded,
    commit: group.run,
    submit: group.submit,
    agenda,
    courier,
    lastDroppedAt: drops.reports.lastDroppedAt,
    connection,
    nextId: () => sequence.id(clock.now()),
    audit: () => auditBank(db),
    image() {
      finish();
      return connection.image();
    },
    async writeTo(path) {
      finish();
      await connection.writeTo(path);
      removeSurroundingsIn(path);
    },
    isIdle: () => group.isEmpty() && (courier === null || courier.inFlight() === 0),
    nextDueIn: () => dueIn({ store, queue, clock }, courier),
    async setClock(set) {
      await group.run(() => {
        const movedMs = storedClock.set(set);
        // A wait keeps its remaining time; a step with a date keeps its date.
        if (movedMs < 0) queue.shiftRetries(movedMs);
      });
      agenda.rearm();
      courier?.wake();
    },
    async close() {
      agenda.stop();
      try {
        group.flush();
        await courier?.stop();
        finish();
      } finally {
        // Also if the last write failed: everything that was acknowledged is in the database.
        endTimers();
        group.close();
        connection.close();
      }
    },
    finish,
    abandon() {
      agenda.stop();
      try {
        finish();
      } catch (error) {
        agenda.resume();
        throw error;
      }
      endTimers();
      group.close();
      courier?.abandon();
      connection.close();
    },
  };
}

/**
 * A timer that does not keep the process alive; returns a function that cancels it. It checks again after a minute at
 * the latest: timers do not notice that the machine slept or that its clock was adjusted.
 */
function setTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, Math.min(ms, MINUTE_MS));
  timer.unref();
  return () => clearTimeout(timer);
}
