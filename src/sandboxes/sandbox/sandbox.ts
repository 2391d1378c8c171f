/**
 * A sandbox is one bank with its state: database, clock, random sequence, agenda and webhooks. Two sandboxes share
 * only the process. A reset or a restore replaces the bank of a sandbox in one step, so a request runs either on the
 * old bank or on the new one. A resting sandbox has its file closed, or its image in memory compressed; the next use
 * opens it.
 * Source: decision `reset-and-restore` in docs/fidelity.md.
 */
import { ACCEPTING, createReceiver, type Receiver } from '../../bank/delivery/receiver.ts';
import type { Send } from '../../bank/delivery/sender.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Clock } from '../../bank/kernel/time.ts';
import type { RailsProfile } from '../../bank/model/timetable.ts';
import type { Place } from '../../bank/store/open.ts';
import { reportedJobs, type SandboxJobs } from './background-jobs.ts';
import { exchangeBank, type Image, type Seat } from './bank-replacement.ts';
import { Coverage } from './coverage.ts';
import { createDisk, type Disk } from './disk.ts';
import { Faults } from './faults.ts';
import { type Instance, type InstanceOptions, openInstance } from './instance.ts';
import { createJournal, type Journal } from './journal.ts';
import { Listeners } from './listeners.ts';
import { packImage, type RestingImage, releaseImage, unpackImage } from './resting-image.ts';
import { createSurroundings, type Surroundings } from './surroundings.ts';

export interface SandboxOptions extends Omit<InstanceOptions, 'pages'> {
  name: string;
  /** Its address before the first call; without it checks have no pages. */
  baseUrl?: (() => string) | undefined;
  place: Place;
  /** Writes the files of a sandbox that is stored in a file; the default does not sync. */
  disk?: Disk;
  /** Does not open the bank before its first use. */
  isResting?: boolean;
  /** The image of a new sandbox in memory: a resting sandbox keeps only the difference. */
  restingBase?(): Buffer;
  /** Wraps every opening; the caller receives its errors. */
  around?(open: () => Instance): Instance;
  /** Called when its bank was opened, or replaced by another one that is open. */
  onOpen?(): void;
}

/** Compressing an image of this size takes about ten milliseconds. */
const MOST_RESTING_BYTES = 8 * 1024 * 1024;

/** Opens a sandbox, seeding its bank if its database is empty. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const sandbox = new Sandbox(options);
  if (options.isResting !== true) sandbox.open();
  return sandbox;
}

/** The current bank of a sandbox, and the parts that outlive a bank. */
export class Sandbox implements Omit<Instance, 'abandon' | 'finish' | 'isIdle' | 'start' | 'submit'> {
  readonly name: string;
  readonly rails: RailsProfile;
  /** The real time, which dates signatures: a receiver allows only minutes. */
  readonly wallClock: Clock;
  /** Sends real-time requests to a client. */
  readonly send: Send;
  readonly listeners = new Listeners();
  /** The coverage, across banks. */
  readonly coverage: Coverage;
  /** How many banks there were before this one; only this class changes it. */
  bankNumber = 0;
  readonly #options: Omit<SandboxOptions, 'place'>;
  #place: Place;
  readonly #jobs: SandboxJobs;
  readonly #disk: Disk;
  readonly #faults: Faults;
  readonly #journal: Journal;
  readonly #receiver: Receiver;
  #surroundings: Surroundings | undefined;
  #instance: Instance | undefined;
  /** The image of a sandbox that rests in memory. */
  #resting: RestingImage | undefined;
  /** Whether the next opened bank is another one. */
  #isNewBank = false;
  #usedAt: number;
  #calledAt: string | undefined;
  /** The refusal of every use once it is closed. */
  #closed: Refusal | undefined;
  #copies = 0;
  /** Resolves when no copy of its file is in progress, so it may be closed. */
  #copying: Promise<unknown> | undefined;

  constructor({ place, ...options }: SandboxOptions) {
    const { name, rails, wallClock, seedSource, disk = createDisk(false) } = options;
    this.name = name;
    this.rails = rails;
    this.wallClock = wallClock;
    this.send = options.send ?? sendNothing;
    this.coverage = new Coverage(options.counters?.countState);
    this.#options = options;
    this.#place = place;
    this.#jobs = options.jobs ?? reportedJobs(options.onError);
    this.#disk = disk;
    this.#usedAt = wallClock.now();
    const isStored = place.kind === 'file' || place.kind === 'object';
    const touch = isStored ? (): void => this.surroundings.touch() : undefined;
    this.#faults = new Faults(seedSource.seed, () => this.clock.now());
    this.#journal = createJournal(undefined, undefined, touch);
    this.#receiver = createReceiver(undefined, undefined, touch);
    if (isStored) this.#surroundings = this.#createSurroundings(isStored);
  }

  /** In memory they store nothing, and are created for the first setting. */
  get surroundings(): Surroundings {
    this.#surroundings ??= this.#createSurroundings(false);
    return this.#surroundings;
  }

  /** The faults of requests. They belong to the bank that they were set up for and are removed with it. */
  get faults() {
    return this.#surrounded(this.#faults);
  }
  /** The last requests, across banks. */
  get journal() {
    return this.#surrounded(this.#journal);
  }
  /** The deliveries to the built-in receiver, across banks; the settings of its responses are removed with the bank. */
  get receiver() {
    return this.#surrounded(this.#receiver);
  }
  get bank() {
    return this.#current().bank;
  }
  get store() {
    return this.#current().store;
  }
  get outbox() {
    return this.#current().outbox;
  }
  get queue() {
    return this.#current().queue;
  }
  get clock() {
    return this.#current().clock;
  }
  get program() {
    return this.#current().program;
  }
  get seeded() {
    return this.#current().seeded;
  }
  get commit() {
    return this.#current().commit;
  }
  get agenda() {
    return this.#current().agenda;
  }
  get courier() {
    return this.#current().courier;
  }
  get connection() {
    return this.#current().connection;
  }

  // Functions, so that they can be passed on without the sandbox, like those of an instance. They are made when they
  // are read, because there are thousands of sandboxes.
  get lastDroppedAt(): Instance['lastDroppedAt'] {
    return (webhookId) => this.#current().lastDroppedAt(webhookId);
  }
  get nextId(): Instance['nextId'] {
    return () => this.#current().nextId();
  }
  get audit(): Instance['audit'] {
    return () => this.#current().audit();
  }
  get image(): Instance['image'] {
    return () => this.#current().image();
  }
  get setClock(): Instance['setClock'] {
    return (set) => this.#current().setClock(set);
  }
  get nextDueIn(): Instance['nextDueIn'] {
    return () => this.#current().nextDueIn();
  }

  async writeTo(path: string): Promise<void> {
    // A bank that cannot be opened is not being copied, so callers that wait for the end of a copy must not wait
    // for it.
    const writing = this.#current().writeTo(path);
    this.#copies += 1;
    const written = writing.finally(() => {
      this.#copies -= 1;
    });
    this.#copying = Promise.allSettled([this.#copying, written]);
    await written;
  }

  /** Records the address of a call; links start with it. */
  calledAt(address: string): void {
    this.#calledAt = address;
  }
  isOpen(): boolean {
    return this.#instance !== undefined;
  }
  /** Its bank, opened if it rests. Several uses of one bank read it once, because each reading notes the time. */
  open(): Instance {
    return this.#current();
  }
  /** Its bank if it is open; this does not count as use, so the file may still be closed. */
  opened(): Instance | undefined {
    return this.#instance;
  }
  /** When it was last used, on the real clock. */
  usedAt(): number {
    return this.#usedAt;
  }
  /** The size of the database of a sandbox that rests in memory; otherwise `null`. */
  restingBytes(): number | null {
    return this.#resting?.bytes ?? null;
  }

  /**
   * Closes the file, or compresses the image in memory, if no background work is due within `idleMs` and no caller
   * waits. Returns the real time at which such work is next due, with `null` for never, or `undefined` if the bank
   * stays open. Throws if the file cannot be written; then the bank stays open and works as before.
   */
  rest(idleMs: number): { dueAt: number | null } | undefined {
    const instance = this.#instance;
    if (instance === undefined || this.#copies > 0 || this.listeners.hasListeners() || !instance.isIdle())
      return undefined;
    const wait = instance.nextDueIn();
    if (wait !== null && wait <= idleMs) return undefined;
    const { restingBase } = this.#options;
    let packed: RestingImage | undefined;
    if (this.#place.kind !== 'file') {
      // Compressing a large image would block the event loop, and there are few of them.
      if (restingBase === undefined || instance.connection.bytes() > MOST_RESTING_BYTES) return undefined;
      const image = instance.image();
      packed = packImage(image, restingBase());
      releaseImage(image);
    }
    this.#surroundings?.finish(instance);
    instance.abandon();
    this.#resting = packed;
    this.coverage.follow(undefined);
    this.#instance = undefined;
    return { dueAt: wait === null ? null : this.wallClock.now() + wait };
  }

  /** Closes the file of a damaged bank, even if work is in progress. */
  drop(): void {
    const dropped = this.#instance;
    this.#instance = undefined;
    this.coverage.follow(undefined);
    try {
      dropped?.abandon();
    } catch {
      dropped?.connection.close();
    }
  }

  /** Resolves when no copy of its file is in progress. */
  async copied(): Promise<void> {
    while (this.#copies > 0) await this.#copying;
  }

  /**
   * Replaces the bank with the bank of an image, in one step, when no copy of the file is in progress. Earlier
   * commands run on the old bank first. Returns the result of `look`, which reads the new bank before the step: if it
   * throws, nothing changes. `preview` opens a bank of an image that is known to be good, only to be read.
   */
  replaceWith<T = void>(
    image: Image,
    look: (bank: Instance) => T = () => undefined as T,
    preview?: () => Instance,
  ): T {
    if (this.#copies > 0) throw new Error('the file of the sandbox is being copied');
    // A sandbox that was deleted meanwhile must not get a file again.
    if (this.#closed !== undefined) throw this.#closed;
    this.#surroundings?.leave();
    const seen = exchangeBank(this.#seat(), image, look, preview);
    this.bankNumber += 1;
    this.#faults.restart();
    this.#receiver.setAnswering(ACCEPTING);
    this.listeners.emit({ type: 'replaced' });
    return seen;
  }

  /** Refuses callers that still hold a deleted sandbox. */
  async close(): Promise<void> {
    if (this.#closed !== undefined) return;
    this.#closed = refuse('sandbox_not_found');
    this.listeners.emit({ type: 'closed' });
    const closing = this.#instance;
    this.#instance = undefined;
    this.#resting = undefined;
    try {
      if (closing !== undefined) this.#surroundings?.finish(closing);
    } catch {
      // It is a failing job; the sandbox ends all the same.
    }
    await closing?.close();
  }

  #current(): Instance {
    this.#usedAt = this.wallClock.now();
    if (this.#instance !== undefined) return this.#instance;
    if (this.#closed !== undefined) throw this.#closed;
    const { around = (open) => open() } = this.#options;
    const image = this.#resting === undefined ? undefined : unpackImage(this.#resting);
    const from: Place = image === undefined ? this.#place : { kind: 'image', image };
    const opened = around(() => this.#prepare(from));
    if (image !== undefined) releaseImage(image);
    this.#use(opened);
    this.#jobs.succeeded('open');
    return opened;
  }

  /** Opens a bank that was not opened yet, because its file may have stored this. */
  #surrounded<T>(part: T): T {
    if (this.#surroundings?.isRead() === false) this.#current();
    return part;
  }

  #createSurroundings(isStored: boolean): Surroundings {
    return createSurroundings({
      isStored,
      faults: this.#faults,
      receiver: this.#receiver,
      journal: this.#journal,
      banks: {
        before: () => this.bankNumber,
        restore: (count) => {
          this.bankNumber = count;
        },
      },
      jobs: this.#jobs,
      instance: () => this.#instance,
      open: () => this.#current(),
    });
  }

  /** Opens the bank of a database without starting its background work; with `send: null` it has none. */
  #prepare(from: Place, changes: { send?: null } = {}): Instance {
    const { name, baseUrl } = this.#options;
    const pages = baseUrl && { name, baseUrl: () => this.#calledAt ?? baseUrl() };
    const options = { ...this.#options, receiver: this.#receiver, ...(pages && { pages }), ...changes };
    return openInstance(from, this.listeners, options);
  }

  #use(opened: Instance): void {
    const isNewBank = this.#isNewBank;
    this.#instance = opened;
    this.#resting = undefined;
    // A bank in memory never opens its first image again, which may be large.
    if (this.#place.kind === 'image') this.#place = { kind: 'memory' };
    this.#options.onOpen?.();
    try {
      if (isNewBank) this.coverage.enter(opened.outbox);
      else this.coverage.follow(opened.outbox);
    } catch (error) {
      // Coverage then starts with the facts that it reads next; the bank opens all the same.
      this.#options.onError(error);
    }
    this.#surroundings?.opened(opened, isNewBank);
    this.#isNewBank = false;
    opened.start();
  }

  /** The parts of this sandbox for an exchange. */
  #seat(): Seat {
    const { onError } = this.#options;
    return {
      place: this.#place,
      disk: this.#disk,
      bank: () => this.#instance,
      prepare: (from, changes) => this.#prepare(from, changes),
      leave: (bank) => this.coverage.leave(bank.outbox),
      ended: () => {
        this.#instance = undefined;
      },
      use: (fresh) => {
        this.#isNewBank = true;
        // The file is replaced. If it cannot be opened now, the next use opens it.
        if (fresh === undefined) this.#jobs.run('open', () => this.open());
        else this.#use(fresh);
      },
      onError,
    };
  }
}

/** The sender of a bank without receivers. */
const sendNothing: Send = async () => ({
  status: null,
  durationMs: 0,
  error: 'this bank sends no events',
  retryAfter: null,
});
