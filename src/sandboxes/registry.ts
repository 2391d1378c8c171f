/**
 * Finds the sandbox of an API key. A key `test_<name>` opens its sandbox at the first use, cloned from the image of one
 * seeded bank, which takes about a millisecond; `test_default` is there from the start. Where sandboxes are closed only
 * created ones exist, each with a random key. With a data directory a sandbox is one file in it. A file is opened when
 * somebody asks for its sandbox, or when a step or a delivery of its bank is due, and closed after a minute without use; one
 * that cannot be used is set aside, and keeps nobody from the others. A sandbox in memory is data, so none is ever dropped
 * to make room for another: beyond the limit a new one is refused.
 */
import { existsSync } from 'node:fs';
import type { Send } from '../delivery/sender.ts';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { createSequence, type Id } from '../kernel/sequence.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import { withLog } from '../store/images.ts';
import { DataVersionError } from '../store/migrate.ts';
import { useLog } from '../store/open.ts';
import { openRestingIndex } from '../store/resting.ts';
import type { CountState } from './coverage.ts';
import {
  createDataFolder,
  type DataFolder,
  isAsClosed,
  SANDBOX_NAME,
  type StoredSandbox,
} from './data-folder.ts';
import { createDisk, type Files } from './disk.ts';
import { createEventExamples, type EventExamples } from './example.ts';
import type { Instance } from './instance.ts';
import { createKeys } from './keys.ts';
import { busy, classifyOpenError, createOpenFiles, type Entry, full } from './open-files.ts';
import { bytesOf, type Image, openSandbox, type Sandbox } from './sandbox.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import { createSecrets, type RandomText } from './secrets.ts';
import { defaultSeedDocument, type SeedDocument } from './seed-document.ts';
import { createSeedImages, type SeedImages } from './seed-images.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import { tokenMarkOf } from './token-marks.ts';

export { SANDBOX_NAME };
export const DEFAULT_SANDBOX = 'default';

export interface RegistryOptions {
  /** A directory, or `null` for banks in memory. */
  data: string | null;
  synchronous: 'off' | 'normal' | 'full';
  seed: string;
  /** What new sandboxes are seeded from; the default document unless given. */
  seedDocument?: SeedDocument | null;
  rails: RailsProfile;
  webhookUrl: string | null;
  webhookConcurrency?: number;
  clock: Clock;
  wallClock: Clock;
  send: Send;
  /** Draws secrets; without it they come from the seed, which anybody may know. */
  randomText?: RandomText;
  /** Only created sandboxes exist; a key ends in a random text from here. Open to every key unless given. */
  closed?: { randomText(): string };
  /** How many sandboxes there may be. */
  maxSandboxes?: number;
  /** How many sandboxes may have their files open at once. */
  maxOpen?: number;
  /** Real milliseconds between two looks for files that may be closed and banks that have something due. */
  lookEveryMs?: number;
  /** What writes the files that SQLite does not; Node's own unless given. */
  files?: Files;
  /** Counts the states that records reach, in whichever sandbox. */
  countState?: CountState;
  onError(sandbox: string, error: unknown): void;
  /** The file of a sandbox cannot be used, and why. */
  onSetAside?(sandbox: string, reason: string): void;
  /** Looks at a sandbox for the last time, before it is removed. */
  onRemove?(sandbox: Sandbox): Promise<void>;
}

/** A sandbox as a list shows it. */
interface SandboxRow {
  name: string;
  /** The key that everybody knows; `null` where a random one opens it, or none. */
  key: string | null;
  kept: 'memory' | 'file';
  /** False for a file that is closed until it is used. */
  open: boolean;
  /** Why its file cannot be used; `''` where it can. */
  problem: string;
  /** How large its database is; `null` where there is none. */
  bytes: number | null;
  /** When it was last asked for anything, on the real clock; `null` where nobody has since the start. */
  usedAt: Instant | null;
  /** Of one that is open. */
  clock: SandboxClock | null;
}

export interface Registry {
  /**
   * The sandbox that an API key opens; `undefined` for a key that opens none. Refuses: `sandboxes_full`. What is asked of a
   * sandbox whose file cannot be used, or not now, refuses `sandbox_damaged` or `sandboxes_busy`.
   */
  byKey(key: string): Sandbox | undefined;
  /** The sandbox that handed out a token; `undefined` when none of those here did. */
  byToken(token: string): Sandbox | undefined;
  /** A sandbox that there is, by its name. */
  byName(name: string): Sandbox | undefined;
  default(): Sandbox;
  /** The time on the default sandbox's clock; the real one where that cannot be used. */
  now(): Instant;
  /** Why the file of a sandbox cannot be used; `''` where it can. */
  problemOf(name: string): string;
  /** Throws what keeps the data directory from being written. */
  probe(): void;
  /** Sets a sandbox aside whose file an error shows to be damaged; does nothing for any other error. */
  noteFailure(name: string, error: unknown): void;
  /** An id for a request that belongs to no sandbox: it must not disturb the sequence of any. */
  strayId(): Id;
  /** The sandboxes that do not rest. */
  open(): Iterable<Sandbox>;
  /** Opens none, and is no use of any. */
  list(): SandboxRow[];
  /**
   * Makes a sandbox from an image, a seeded one unless given, and answers the key that opens it: the only time that a
   * random one is shown. Refuses: `field_invalid`, `sandbox_exists`, `sandboxes_full`.
   */
  create(name: string, image?: Image): { sandbox: Sandbox; key: string };
  /** Ends a sandbox with everything it kept. Refuses: `sandbox_not_found`, `illegal_step` for the default one. */
  remove(name: string): Promise<void>;
  /** Goes on with another bank in a sandbox, in one step, when nobody copies the present one. */
  exchange(sandbox: Sandbox, image: Image): Promise<void>;
  /** The data directory; `null` where everything is in memory. */
  readonly folder: DataFolder | null;
  readonly seedImages: SeedImages;
  readonly examples: EventExamples;
  readonly snapshots: Snapshots;
  close(): Promise<void>;
}

const KEY = /^test_(.*)$/s;
const MAX_SANDBOXES = 1000;

/** The key that opens a sandbox. */
export function keyOf(name: string): string {
  return `test_${name}`;
}

/** The sandboxes of one process. Fails as the opening of the data directory does. */
export function createRegistry(options: RegistryOptions): Registry {
  const { registry, open } = prepareRegistry(options);
  open();
  return registry;
}

/** A registry that has touched nothing yet. */
export interface PreparedRegistry {
  /** Of no use before `open`, but to be handed on. */
  readonly registry: Registry;
  /** Opens the data directory, and founds the default sandbox if there is none. */
  open(): void;
  /** After `open` failed and the registry was closed: takes away what it made. */
  undo(): void;
}

/** The sandboxes of one process, to be opened when everything else of the process is certain. */
export function prepareRegistry(options: RegistryOptions): PreparedRegistry {
  const { data, synchronous, seed, rails, webhookUrl, clock, wallClock, send, closed } = options;
  const { maxSandboxes = MAX_SANDBOXES, seedDocument = null } = options;
  const disk = createDisk(synchronous === 'full', options.files);
  const folder = data === null ? null : createDataFolder(data, disk);
  const entries = new Map<string, Entry>();
  const leaving = new Set<string>();
  const strays = createSequence(`${seed}/strays`);
  const seedImages = createSeedImages({
    seed,
    document: seedDocument,
    rails,
    webhookUrl,
    clock,
    path: folder?.seedSources ?? null,
    disk,
  });
  const secrets = createSecrets(options.randomText, folder?.secrets ?? null, disk);
  const snapshots = createSnapshots(folder?.snapshots ?? null, disk);
  let keys = createKeys(null, disk);
  let over = false;
  const openFiles = createOpenFiles({
    entries,
    folder,
    stays: DEFAULT_SANDBOX,
    wallClock,
    maxOpen: options.maxOpen,
    lookEveryMs: options.lookEveryMs,
    onError: options.onError,
  });

  const damaged = (name: string, reason: string): Refusal =>
    refuse('sandbox_damaged', {
      message: `the file of the sandbox ${name} cannot be used: ${reason}. Import an image into it, mend its file, or delete it with DELETE /_sandbox/sandboxes/${name}`,
    });

  const isSame = (a: StoredSandbox | undefined, b: StoredSandbox | undefined): boolean =>
    a?.bytes === b?.bytes && a?.modified === b?.modified;

  /** Stands around every opening of a file: one that cannot be used is asked for again only when it has changed. */
  const around = (name: string, open: () => Instance): Instance => {
    const entry = entries.get(name);
    if (over) throw new Error('the bank is closed');
    const file = folder?.find(name);
    if (entry?.damage !== undefined && isSame(entry.damage.file, file)) {
      throw damaged(name, entry.damage.reason);
    }
    if (entry !== undefined) openFiles.makeRoom();
    try {
      const problem = folder?.problemOf(name);
      if (problem !== undefined) throw new Error(problem);
      const instance = open();
      if (entry !== undefined) entry.damage = undefined;
      return instance;
    } catch (error) {
      const openError = classifyOpenError(error, file !== undefined);
      if (openError === 'files') throw busy(openFiles.list().length);
      // Another program has it, or the disk is full: that is over some day, and a start has to say so. So it has to where
      // the directory is of a newer program.
      const isStart = opened === undefined;
      if (openError === 'else' || (isStart && (openError === 'lock' || error instanceof DataVersionError))) {
        throw error;
      }
      if (openError === 'lock') throw damaged(name, 'another program has it open');
      const reason = error instanceof Error ? error.message : String(error);
      const isNew = entry?.damage?.reason !== reason;
      if (entry !== undefined) entry.damage = { reason, file: folder?.find(name) };
      if (isNew) options.onSetAside?.(name, reason);
      throw damaged(name, reason);
    }
  };

  const noteFailure = (name: string, error: unknown): void => {
    const entry = entries.get(name);
    const { code = '', message } = (error ?? {}) as { code?: string; message?: string };
    if (entry === undefined || folder === null || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return;
    entry.sandbox.drop();
    entry.damage = { reason: message ?? code, file: folder.find(name) };
    options.onSetAside?.(name, entry.damage.reason);
  };

  const add = (name: string, image: Image | undefined, isResting: boolean): Entry => {
    const path = folder?.pathOf(name);
    const common = {
      name,
      rails,
      clock,
      wallClock,
      send,
      disk,
      secrets: secrets.of(name),
      webhookConcurrency: options.webhookConcurrency,
      ...(options.countState !== undefined && { countState: options.countState }),
      seedSource: { seed, document: seedDocument ?? defaultSeedDocument(), webhookUrl },
      onError(error: unknown) {
        noteFailure(name, error);
        options.onError(name, error);
      },
    };
    const openIt = (): Sandbox =>
      openSandbox(
        path === undefined
          ? { ...common, place: { kind: 'image', image: bytesOf(image ?? seedImages.image()) } }
          : {
              ...common,
              place: { kind: 'file', path, synchronous },
              isResting: true,
              around: (open) => around(name, open),
            },
      );
    let sandbox = path === undefined ? openIt() : undefined;
    const entry: Entry = {
      get sandbox() {
        sandbox ??= openIt();
        return sandbox;
      },
      asked: () => sandbox,
      isOpen: () => sandbox?.isOpen() === true,
      tokenMark: tokenMarkOf(name),
      damage: undefined,
      dueAt: null,
    };
    entries.set(name, entry);
    if (path !== undefined && !isResting) openNew(name, entry, path, image);
    return entry;
  };

  /** Writes the file of a new sandbox and opens it. */
  const openNew = (name: string, { sandbox }: Entry, path: string, image: Image | undefined): void => {
    try {
      if (folder?.find(name) === undefined && folder?.problemOf(name) === undefined) {
        if (image === undefined || Buffer.isBuffer(image))
          disk.writeWhole(path, withLog(image ?? seedImages.image()));
        else {
          useLog(image.file);
          disk.putInPlace(image.file, path);
        }
      }
      sandbox.open();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'sandbox_damaged') entries.delete(name);
      throw error;
    }
  };

  /** Where file names know no case, two sandboxes would be one file. */
  const requireOwnFile = (name: string): void => {
    if (folder === null || !existsSync(folder.pathOf(name))) return;
    const other = [...entries.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
    if (other === undefined) return;
    throw refuse('sandbox_exists', {
      field: 'name',
      message: `the file of ${name} would be the file of ${other}: choose a name that differs by more than its case`,
    });
  };

  const make = (name: string, image?: Image): Sandbox => {
    if (entries.size >= maxSandboxes && name !== DEFAULT_SANDBOX) throw full(entries.size);
    requireOwnFile(name);
    return add(name, image, false).sandbox;
  };

  const use = (name: string): Sandbox | undefined => entries.get(name)?.sandbox;

  const requireName = (name: string): void => {
    if (SANDBOX_NAME.test(name)) return;
    throw refuse('field_invalid', {
      field: 'name',
      message: `name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, _ and -, the first a letter or digit`,
    });
  };

  let opened: Sandbox | undefined;
  const own = (): Sandbox => {
    if (opened === undefined) throw new Error('the registry is not open');
    return opened;
  };

  const openFolder = (files: DataFolder): void => {
    files.open();
    // The lock of the index keeps another process from touching anything else.
    const index = openRestingIndex(files.restingIndex, () => files.removeRestingIndex());
    openFiles.attach(index);
    const known = index.all();
    const unknown: string[] = [];
    const names = files.names();
    seedImages.settle();
    // A document that cannot be used is said at once, also where no new sandbox needs it yet.
    if (seedDocument !== null) seedImages.image();
    secrets.settle();
    keys = createKeys(files.keys, disk);
    opened = addDefault();
    for (const name of names) {
      if (name === DEFAULT_SANDBOX) continue;
      const found = files.find(name);
      const problem = files.problemOf(name);
      if (found === undefined && problem === undefined) continue;
      const entry = add(name, undefined, true);
      const resting = known.get(name);
      known.delete(name);
      if (found !== undefined && isAsClosed(found, resting)) entry.dueAt = resting.dueAt;
      else unknown.push(name);
    }
    for (const name of known.keys()) index.remove(name);
    openFiles.start(unknown);
  };

  /** The default sandbox is there also when its file cannot be used. */
  const addDefault = (): Sandbox => {
    try {
      return make(DEFAULT_SANDBOX);
    } catch (error) {
      const entry = entries.get(DEFAULT_SANDBOX);
      if (entry?.damage === undefined) throw error;
      return entry.sandbox;
    }
  };

  const registry: Registry = {
    byKey(key) {
      const created = keys.nameOf(key);
      if (created !== undefined) return use(created);
      const name = KEY.exec(key)?.[1];
      if (name === undefined || !SANDBOX_NAME.test(name)) return undefined;
      if (closed !== undefined) return name === DEFAULT_SANDBOX ? own() : undefined;
      return use(name) ?? (leaving.has(name) ? undefined : make(name));
    },
    byToken(token) {
      for (const [name, { tokenMark }] of entries) {
        if (!token.endsWith(tokenMark)) continue;
        const sandbox = use(name);
        if (sandbox?.store.tokens.find(token.slice(0, -tokenMark.length)) !== undefined) return sandbox;
      }
      return undefined;
    },
    byName: use,
    default: own,
    now: () => (entries.get(DEFAULT_SANDBOX)?.damage === undefined ? own().clock.now() : clock.now()),
    problemOf: (name) => entries.get(name)?.damage?.reason ?? '',
    probe: () => folder?.probe(),
    noteFailure,
    strayId: () => strays.id(clock.now()),
    open: () => openFiles.list().map(([, { sandbox }]) => sandbox),
    list: () =>
      [...entries].map(([name, { asked, damage }]) => {
        const sandbox = asked();
        const opened = sandbox?.opened();
        return {
          name,
          key: closed === undefined || name === DEFAULT_SANDBOX ? keyOf(name) : null,
          kept: data === null ? 'memory' : 'file',
          open: opened !== undefined,
          problem: damage?.reason ?? '',
          bytes: opened?.connection.bytes() ?? folder?.find(name)?.bytes ?? null,
          usedAt: sandbox?.usedAt() ?? null,
          clock: opened?.clock ?? null,
        };
      }),

    create(name, image) {
      requireName(name);
      if (entries.has(name) || leaving.has(name)) {
        throw refuse('sandbox_exists', {
          field: 'name',
          message: `there is a sandbox ${name}: choose another name, or DELETE /_sandbox/sandboxes/${name} first`,
        });
      }
      const sandbox = make(name, image);
      if (closed === undefined) return { sandbox, key: keyOf(name) };
      const key = `${keyOf(name)}_${closed.randomText()}`;
      keys.set(name, key);
      return { sandbox, key };
    },

    async remove(name) {
      if (name === DEFAULT_SANDBOX) {
        throw refuse('illegal_step', {
          message: 'the default sandbox is always there; POST /_sandbox/reset brings it back to how it began',
        });
      }
      const entry = entries.get(name);
      if (entry === undefined) throw notThere(name);
      entries.delete(name);
      leaving.add(name);
      try {
        keys.remove(name);
        if (entry.damage === undefined) await options.onRemove?.(entry.sandbox);
        try {
          await entry.sandbox.close();
        } catch (error) {
          // A full disk, which its end makes room on.
          options.onError(name, error);
        }
        snapshots.removeAll(name);
        folder?.removeSandbox(name);
        openFiles.removeFromIndex(name);
      } finally {
        leaving.delete(name);
      }
    },

    async exchange(sandbox, image) {
      await sandbox.copied();
      sandbox.replaceWith(image);
    },

    folder,
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots,

    async close() {
      over = true;
      await openFiles.close();
      entries.clear();
    },
  };

  return {
    registry,
    open() {
      over = false;
      if (folder === null) opened = make(DEFAULT_SANDBOX);
      else openFolder(folder);
    },
    undo: () => folder?.undo(),
  };
}

/** The refusal of a name that no sandbox has. */
export function notThere(name: string): Refusal {
  return refuse('sandbox_not_found', {
    message: `there is no sandbox ${name}; GET /_sandbox/sandboxes lists those there are`,
  });
}
