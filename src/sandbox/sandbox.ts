/**
 * A sandbox is one bank with its state: database, clock, random sequence, agenda and webhooks. Two sandboxes share
 * only the process. A reset or a restore replaces the bank of a sandbox in one step, so a request runs either on the
 * old bank or on the new one. A resting sandbox has its file closed, or its image in memory compressed; the next use
 * opens it.
 * Source: decision `reset-and-restore` in docs/fidelity.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { ACCEPTING, createReceiver, type Receiver } from '../delivery/receiver.ts';
import type { Send } from '../delivery/sender.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Clock } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import { turnOffSync, withLog } from '../store/images.ts';
import { type Connection, type Place, useLog } from '../store/open.ts';
import { loadRows } from '../store/row-image.ts';
import { reportedJobs } from './background-jobs.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { createDisk, type Disk, unfinishedName } from './disk.ts';
import { createFaults, type Faults } from './faults.ts';
import { type Instance, type InstanceOptions, openInstance } from './instance.ts';
import { createJournal, type Journal } from './journal.ts';
import { createNotices, type Notices } from './notices.ts';
import { packImage, type RestingImage, unpackImage } from './resting-image.ts';
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
}

/**
 * An image of a bank: its bytes, or an unused file that becomes the sandbox's own. It is a SQLite database, or in a
 * Durable Object the rows of one.
 */
export type Image = Buffer | { readonly file: string };

/** An image as its bytes. */
export function bytesOf(image: Image): Buffer {
  return Buffer.isBuffer(image) ? image : readFileSync(image.file);
}

/** The current bank of a sandbox, and the parts that outlive a bank. */
export interface Sandbox extends Omit<Instance, 'abandon' | 'finish' | 'isIdle' | 'start'> {
  readonly name: string;
  readonly rails: RailsProfile;
  /** The real time, which dates signatures: a receiver allows only minutes. */
  readonly wallClock: Clock;
  /** Sends real-time requests to a client. */
  readonly send: Send;
  readonly notices: Notices;
  /** The faults of requests. They belong to the bank that they were set up for and are removed with it. */
  readonly faults: Faults;
  /** The last requests, across banks. */
  readonly journal: Journal;
  /** The deliveries to the built-in receiver, across banks; the settings of its responses are removed with the bank. */
  readonly receiver: Receiver;
  /** Sets faults, chaos and the receiver's responses, and stores them with the journal if the bank is in a file. */
  readonly surroundings: Surroundings;
  /** The coverage, across banks. */
  readonly coverage: Coverage;
  /** How many banks there were before this one. */
  readonly banksBefore: number;
  /** Records the address of a call; links start with it. */
  calledAt(baseUrl: string): void;
  isOpen(): boolean;
  /** Opens the bank if it rests. */
  open(): void;
  /** Its bank if it is open; this does not count as use, so the file may still be closed. */
  opened(): Instance | undefined;
  /** When it was last used, on the real clock. */
  usedAt(): number;
  /** The size of the database of a sandbox that rests in memory; otherwise `null`. */
  restingBytes(): number | null;
  /**
   * Closes the file, or compresses the image in memory, if no background work is due within `idleMs` and no caller
   * waits. Returns the real time at which such work is next due, with `null` for never, or `undefined` if the bank
   * stays open. Throws if the file cannot be written; then the bank stays open and works as before.
   */
  rest(idleMs: number): { dueAt: number | null } | undefined;
  /** Closes the file of a damaged bank, even if work is in progress. */
  drop(): void;
  /** Resolves when no copy of its file is in progress. */
  copied(): Promise<void>;
  /**
   * Ends this sandbox, because its bank continues in another one: returns the image of a bank in memory, and `null`
   * for a bank in a file. Later uses are refused with `refusal`.
   */
  retire(refusal: Refusal): Promise<Buffer | null>;
  /**
   * Replaces the bank with the bank of an image, in one step, when no copy of the file is in progress. Earlier
   * commands run on the old bank first. Returns the result of `look`, which reads the new bank before the step: if it
   * throws, nothing changes.
   */
  replaceWith<T = void>(image: Image, look?: (bank: Instance) => T): T;
}

/** Compressing an image of this size takes about ten milliseconds. */
const MOST_RESTING_BYTES = 8 * 1024 * 1024;

/** Stores an image as the file of a sandbox that is not open. */
export function putImage(disk: Disk, image: Image, path: string): void {
  if (Buffer.isBuffer(image)) {
    disk.writeWhole(path, withLog(image));
    return;
  }
  useLog(image.file);
  disk.putInPlace(image.file, path);
}

/** Opens a sandbox, seeding its bank if its database is empty. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its parts share the instance that is open; the parts of a bank are in files of their own
export function openSandbox(options: SandboxOptions): Sandbox {
  const { name, rails, wallClock, disk = createDisk(false), around = (open) => open() } = options;
  const notices = createNotices();
  const faults = createFaults(options.seedSource.seed, () => current().clock.now());
  const touch = (): void => surroundings.touch();
  const journal = createJournal(undefined, undefined, touch);
  const receiver = createReceiver(undefined, undefined, touch);
  const coverage = createCoverage(options.counters?.countState);
  const { place, jobs = reportedJobs(options.onError) } = options;
  let instance: Instance | undefined;
  /** The image of a sandbox that rests in memory. */
  let resting: RestingImage | undefined;
  let isNewBank = false;
  let banksBefore = 0;
  let usedAt = wallClock.now();
  let calledAt: string | undefined;
  const { baseUrl } = options;
  const pages = baseUrl === undefined ? undefined : { name, baseUrl: () => calledAt ?? baseUrl() };
  /** The refusal of every use once it is closed. */
  let closed: Refusal | undefined;
  let copies = 0;
  /** Resolves when no copy of its file is in progress, so it may be closed. */
  let copying: Promise<unknown> = Promise.resolve();

  const surroundings = createSurroundings({
    isStored: place.kind === 'file',
    faults,
    receiver,
    journal,
    banks: {
      before: () => banksBefore,
      restore(count) {
        banksBefore = count;
      },
    },
    jobs,
    instance: () => instance,
    open: () => current(),
  });
  /** Opens a bank that was not opened yet, because its file may have stored this. */
  const surrounded = <T>(part: T): T => {
    if (!surroundings.isRead()) current();
    return part;
  };

  const ofInstance = (): InstanceOptions => ({ ...options, receiver, ...(pages && { pages }) });

  const openAt = (from: Place): Instance => {
    const opened = around(() => openInstance(from, notices, ofInstance()));
    use(opened);
    jobs.succeeded('open');
    return opened;
  };

  const use = (opened: Instance): void => {
    instance = opened;
    resting = undefined;
    try {
      if (isNewBank) coverage.enter(opened.outbox);
      else coverage.follow(opened.outbox);
    } catch (error) {
      // Coverage then starts with the facts that it reads next; the bank opens all the same.
      options.onError(error);
    }
    surroundings.opened(opened, isNewBank);
    isNewBank = false;
    opened.start();
  };

  const current = (): Instance => {
    usedAt = wallClock.now();
    if (instance !== undefined) return instance;
    if (closed !== undefined) throw closed;
    return openAt(resting === undefined ? place : { kind: 'image', image: unpackImage(resting) });
  };

  const abandon = (): void => {
    if (instance === undefined) return;
    // Before anything ends, because it may fail.
    instance.finish();
    coverage.leave(instance.outbox);
    instance.abandon();
    instance = undefined;
  };

  /** Replaces the file of the sandbox. */
  const exchangeFile = (path: string, fresh: string, isDurable: boolean): void => {
    const takeBack = instance === undefined || isDurable ? undefined : turnOffSync(instance.connection);
    try {
      abandon();
    } catch (error) {
      takeBack?.();
      throw error;
    }
    // The log of the old bank must not be used with the new file. It is still needed if the file cannot be put in
    // place.
    const aside = sideFilesOf(path)
      .filter(existsSync)
      .map((file) => ({ file, to: unfinishedName(file) }));
    for (const { file, to } of aside) disk.putInPlace(file, to);
    try {
      disk.putInPlace(fresh, path);
    } catch (error) {
      for (const { file, to } of aside) disk.putInPlace(to, file);
      throw error;
    }
    try {
      disk.remove(aside.map(({ to }) => to));
    } catch (error) {
      // The next start removes them.
      options.onError(error);
    }
  };

  /** In memory the new bank is opened before the old one ends, because an end cannot be undone. */
  const exchangeInMemory = <T>(image: Image, look: (bank: Instance) => T): T => {
    instance?.finish();
    const fresh = openInstance({ kind: 'image', image: bytesOf(image) }, notices, ofInstance());
    let seen: T;
    try {
      seen = look(fresh);
      abandon();
    } catch (error) {
      fresh.abandon();
      throw error;
    }
    isNewBank = true;
    use(fresh);
    return seen;
  };

  /**
   * Replaces the bank in a Durable Object. It has one database, so the rows are replaced before the new bank is
   * opened, and restored if it cannot be opened.
   */
  const exchangeInObject = <T>(
    { open }: Extract<Place, { kind: 'object' }>,
    image: Image,
    look: (bank: Instance) => T,
  ): T => {
    const old = instance;
    old?.finish();
    const driver = open();
    const { fresh, seen } = driver.atomically(() => {
      if (old !== undefined) coverage.leave(old.outbox);
      loadRows(driver, bytesOf(image));
      const opened = openInstance({ kind: 'object', open: () => driver }, notices, ofInstance());
      try {
        return { fresh: opened, seen: look(opened) };
      } catch (error) {
        opened.abandon();
        throw error;
      }
    });
    // The rows belong to the new bank, so the old bank must not write to them.
    old?.connection.close();
    old?.abandon();
    isNewBank = true;
    use(fresh);
    return seen;
  };

  /** Opens the bank of an image only to read it: it runs no background work, and its changes are discarded. */
  const readImage = <T>(from: Place, look: (bank: Instance) => T): T => {
    const temporary = openInstance(from, notices, { ...ofInstance(), send: null });
    try {
      return look(temporary);
    } finally {
      temporary.abandon();
    }
  };

  // An image that cannot be opened or read must leave the old bank unchanged.
  const exchange = <T>(image: Image, look: (bank: Instance) => T): T => {
    if (place.kind === 'object') return exchangeInObject(place, image, look);
    if (place.kind !== 'file') return exchangeInMemory(image, look);
    const { path, synchronous } = place;
    let seen: T;
    const fresh = Buffer.isBuffer(image) ? unfinishedName(path) : image.file;
    try {
      if (Buffer.isBuffer(image)) {
        // Takes a third of the time that opening the file would take.
        seen = readImage({ kind: 'image', image }, look);
        disk.writeWhole(fresh, withLog(image));
      } else {
        useLog(fresh);
        seen = readImage({ kind: 'file', path: fresh, synchronous: 'off' }, look);
      }
      exchangeFile(path, fresh, synchronous === 'full');
    } catch (error) {
      disk.remove([fresh, ...sideFilesOf(fresh)]);
      throw error;
    }
    isNewBank = true;
    // The file is replaced. If it cannot be opened now, the next use opens it.
    jobs.run('open', () => void current());
    return seen;
  };

  const close = async (refusal: Refusal, handOver?: (connection: Connection) => void): Promise<void> => {
    if (closed !== undefined) return;
    closed = refusal;
    notices.emit({ type: 'closed' });
    const closing = instance;
    instance = undefined;
    resting = undefined;
    try {
      if (closing !== undefined) surroundings.finish(closing);
    } catch {
      // It is a failing job; the sandbox ends all the same.
    }
    await closing?.close(handOver);
  };

  const sandbox: Sandbox = {
    name,
    rails,
    wallClock,
    send: options.send ?? sendNothing,
    notices,
    coverage,
    surroundings,
    get faults() {
      return surrounded(faults);
    },
    get journal() {
      return surrounded(journal);
    },
    get receiver() {
      return surrounded(receiver);
    },
    get banksBefore() {
      return banksBefore;
    },
    get bank() {
      return current().bank;
    },
    get store() {
      return current().store;
    },
    get outbox() {
      return current().outbox;
    },
    get queue() {
      return current().queue;
    },
    get clock() {
      return current().clock;
    },
    get program() {
      return current().program;
    },
    get seeded() {
      return current().seeded;
    },
    get commit() {
      return current().commit;
    },
    get agenda() {
      return current().agenda;
    },
    get courier() {
      return current().courier;
    },
    get connection() {
      return current().connection;
    },
    lastDroppedAt: (webhookId) => current().lastDroppedAt(webhookId),
    nextId: () => current().nextId(),
    audit: () => current().audit(),
    image: () => current().image(),
    setClock: (set) => current().setClock(set),
    async writeTo(path) {
      // A bank that cannot be opened is not being copied, so callers that wait for the end of a copy must not wait
      // for it.
      const writing = current().writeTo(path);
      copies += 1;
      const written = writing.finally(() => {
        copies -= 1;
      });
      copying = Promise.allSettled([copying, written]);
      await written;
    },
    calledAt(address) {
      calledAt = address;
    },
    isOpen: () => instance !== undefined,
    open: () => void current(),
    opened: () => instance,
    usedAt: () => usedAt,
    restingBytes: () => resting?.bytes ?? null,
    rest(idleMs) {
      if (instance === undefined || copies > 0 || notices.hasListeners() || !instance.isIdle())
        return undefined;
      const wait = instance.nextDueIn();
      if (wait !== null && wait <= idleMs) return undefined;
      let packed: RestingImage | undefined;
      if (place.kind !== 'file') {
        // Compressing a large image would block the event loop, and there are few of them.
        if (options.restingBase === undefined || instance.connection.bytes() > MOST_RESTING_BYTES)
          return undefined;
        packed = packImage(instance.image(), options.restingBase());
      }
      surroundings.finish(instance);
      instance.abandon();
      resting = packed;
      coverage.follow(undefined);
      instance = undefined;
      return { dueAt: wait === null ? null : wallClock.now() + wait };
    },
    nextDueIn: () => current().nextDueIn(),
    drop() {
      const dropped = instance;
      instance = undefined;
      coverage.follow(undefined);
      try {
        dropped?.abandon();
      } catch {
        dropped?.connection.close();
      }
    },
    async copied() {
      while (copies > 0) await copying;
    },
    replaceWith(image, look = () => undefined as never) {
      if (copies > 0) throw new Error('the file of the sandbox is being copied');
      // A sandbox that was deleted meanwhile must not get a file again.
      if (closed !== undefined) throw closed;
      surroundings.leave();
      const seen = exchange(image, look);
      banksBefore += 1;
      faults.restart();
      receiver.setAnswering(ACCEPTING);
      notices.emit({ type: 'replaced' });
      return seen;
    },
    async retire(refusal) {
      await this.copied();
      let image: Buffer | null = resting === undefined ? null : unpackImage(resting);
      try {
        await close(refusal, (connection) => {
          if (place.kind !== 'file') image = connection.image();
        });
      } catch (error) {
        // The bank has ended nevertheless, and everything that was acknowledged is stored.
        options.onError(error);
      }
      return image;
    },
    // The refusal of callers that still hold a deleted sandbox.
    close: () => close(refuse('sandbox_not_found')),
  };
  if (options.isResting !== true) current();
  return sandbox;
}

/** The sender of a bank without receivers. */
const sendNothing: Send = async () => ({
  status: null,
  durationMs: 0,
  error: 'this bank sends no events',
  retryAfter: null,
});

/** The files that SQLite keeps beside a database while it is open, and after a kill. */
export function sideFilesOf(path: string): string[] {
  return ['-wal', '-shm', '-journal'].map((end) => path + end);
}
