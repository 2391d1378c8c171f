/**
 * Finds the sandbox of an API key. A key `test_<name>` creates its sandbox at the first use, from the image of one
 * seeded bank, which takes about a millisecond; `test_default` exists from the start. In a closed registry only
 * created sandboxes exist, each with a random key. With a data directory a sandbox is one file in it. A sandbox rests
 * after a minute without use: its file is closed, or its bank in memory is compressed. It is opened again for a
 * request, or when a step or a delivery of its bank is due. A file that cannot be used is set aside and does not
 * affect other sandboxes. A sandbox in memory is never dropped to make room for another: beyond the limit, new ones
 * are refused.
 */
import type { Send } from '../../bank/delivery/sender.ts';
import { createSequence, type Id } from '../../bank/kernel/sequence.ts';
import type { Clock, Instant } from '../../bank/kernel/time.ts';
import type { RailsProfile } from '../../bank/model/timetable.ts';
import type { Shortfall } from '../../bank/model/vocabulary.ts';
import { type BackgroundJobs, createBackgroundJobs } from '../sandbox/background-jobs.ts';
import type { Image } from '../sandbox/bank-replacement.ts';
import { createDisk, type Files } from '../sandbox/disk.ts';
import { createEventExamples, type EventExamples } from '../sandbox/example.ts';
import type { Counters, Instance } from '../sandbox/instance.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxClock } from '../sandbox/sandbox-clock.ts';
import { createSecrets, type RandomText } from '../sandbox/secrets.ts';
import { defaultSeedDocument, type SeedDocument } from '../sandbox/seed-document.ts';
import { createSeedImages, type SeedImages } from '../sandbox/seed-images.ts';
import { createSnapshots, type Snapshots } from '../sandbox/snapshots.ts';
import { createAdditions } from './additions.ts';
import { createDamage } from './damage.ts';
import { createDataFolder, type DataFolder } from './data-folder.ts';
import { createImages, type Images } from './images.ts';
import { createKeys, keyOf, randomKeyOf } from './keys.ts';
import { createLookups, type Lookups } from './lookups.ts';
import { DEFAULT_SANDBOX, parseName, taken } from './names.ts';
import { createOpenFiles, type Entry } from './open-files.ts';
import { openFolder } from './opening.ts';
import { createRemoval, type Removal } from './removal.ts';
import { type Totals, totalsOf } from './totals.ts';
import type { Unavailable } from './unavailable.ts';

export interface RegistryOptions {
  /** A directory, or `null` for banks in memory. */
  data: string | null;
  synchronous: 'off' | 'normal' | 'full';
  seed: string;
  /** The seed document of new sandboxes. Default: the default document. */
  seedDocument?: SeedDocument | null;
  /** Whether new sandboxes of the default document begin with a month of history. */
  seedHistory?: boolean;
  rails: RailsProfile;
  shortfall?: Shortfall;
  webhookUrl: string | null;
  webhookConcurrency?: number;
  /** The address of the server, with which links begin until a sandbox is called at another address. */
  baseUrl?: () => string;
  clock: Clock;
  wallClock: Clock;
  send: Send;
  /** Generates secrets; without it they come from the random seed, which is not secret. */
  randomText?: RandomText;
  /**
   * Closes the registry: only created sandboxes exist, and their keys end with this random text. Default: open to
   * every key.
   */
  closed?: { randomText(): string };
  /** The root from which secrets are derived. Default: a separate root. */
  secretRoot?: string | null;
  /** The maximum number of sandboxes. */
  maxSandboxes?: number;
  /** The maximum number of open files of sandboxes. */
  maxOpen?: number;
  /** Real milliseconds without use after which a sandbox rests. Default: a minute. */
  restAfterMs?: number;
  /** Real milliseconds between two searches for idle sandboxes and due banks. */
  lookEveryMs?: number;
  /** Writes the files that SQLite does not write. Default: Node's functions. */
  files?: Files;
  /** Counts events in all sandboxes. */
  counters?: Counters;
  onError(sandbox: string, error: unknown): void;
  /** The background jobs of the banks. Default: `onError` gets their failures. */
  jobs?: BackgroundJobs;
  /** Called when the file of a sandbox cannot be used. */
  onSetAside?(sandbox: string, reason: string, file: string): void;
  /** Called when a sandbox begins to rest. */
  onRest?(): void;
  /** Called before a sandbox is removed. */
  onRemove?(sandbox: Sandbox): Promise<void>;
}

/** A sandbox in a list. */
interface SandboxRow {
  name: string;
  /** The public key; `null` if it has a random key or none. */
  key: string | null;
  kept: 'memory' | 'file';
  /** False while it rests. */
  open: boolean;
  /** Why its file cannot be used; `''` if it can. */
  problem: string;
  /** The size of its database; `null` if there is none. */
  bytes: number | null;
  /** The real time of its last use; `null` if it was not used since the start. */
  usedAt: Instant | null;
  /** The clock of an open sandbox. */
  clock: SandboxClock | null;
}

/** The methods of a sandbox whose file cannot be used refuse with `sandbox_damaged` or `sandboxes_busy`. */
export interface Registry extends Lookups, Pick<Removal, 'remove'> {
  /** The time on the default sandbox's clock; the real time if that sandbox cannot be used. */
  now(): Instant;
  /** Throws if the data directory cannot be written. */
  probe(): void;
  /** Sets a sandbox aside if the error shows that its file is damaged; ignores any other error. */
  noteFailure(name: string, error: unknown): void;
  /** An id for a request without a sandbox, which must not use the random sequence of a sandbox. */
  strayId(): Id;
  /** The sandboxes that do not rest. */
  open(): Iterable<Sandbox>;
  /** Lists the sandboxes. Opens none, and does not count as a use. */
  list(): SandboxRow[];
  /**
   * Creates a sandbox from an image, by default a seeded one, and returns its key. A random key is returned only
   * here. Refuses: `field_invalid`, `sandbox_exists`, `sandboxes_full`.
   */
  create(name: string, image?: Image): { sandbox: Sandbox; key: string };
  /**
   * Replaces the bank of a sandbox in one step, after copies of the current bank have finished. Returns the result of
   * `look` on the new bank, or on the one that `preview` opens from the same image. If an error is thrown, nothing changes.
   */
  exchange<T = void>(
    sandbox: Sandbox,
    image: Image,
    look?: (bank: Instance) => T,
    preview?: () => Instance,
  ): Promise<T>;
  /** The pending work of the open sandboxes. */
  totals(): Totals;
  readonly seedImages: SeedImages;
  readonly examples: EventExamples;
  readonly snapshots: Snapshots;
  readonly images: Images;
  readonly jobs: BackgroundJobs;
  /** The functions that this registry lacks; empty if it has files and sockets. */
  readonly unavailable: readonly Unavailable[];
  close(): Promise<void>;
}

const MAX_SANDBOXES = 1000;

/** The sandboxes of one process. Throws the errors of opening the data directory. */
export function createRegistry(options: RegistryOptions): Registry {
  const { registry, open } = prepareRegistry(options);
  open();
  return registry;
}

/** A registry that has not accessed the disk yet. */
export interface PreparedRegistry {
  /** Must not be used before `open`. */
  readonly registry: Registry;
  /** Opens the data directory, and seeds the default sandbox if there is none. */
  open(): void;
  /** After `open` failed and the registry was closed, removes everything that it created. */
  undo(): void;
}

/** Creates the parts of a registry. */
function createParts(options: RegistryOptions) {
  const { data, seed, rails, webhookUrl, clock, wallClock, send } = options;
  const { maxSandboxes = MAX_SANDBOXES, seedDocument = null, seedHistory: history = false } = options;
  const disk = createDisk(options.synchronous === 'full', options.files);
  const folder = data === null ? null : createDataFolder(data, disk);
  const entries = new Map<string, Entry>();
  const leaving = new Set<string>();
  const state: { phase: 'starting' | 'open' | 'closed' } = { phase: 'starting' };
  const path = folder?.seedSources ?? null;
  const seedImages = createSeedImages({ ...options, document: seedDocument, history, path, disk });
  const secrets = createSecrets(options.randomText, folder?.secrets ?? null, disk, options.secretRoot);
  const snapshots = createSnapshots(folder?.snapshots ?? null, disk);
  const keys = createKeys(folder?.keys ?? null, disk);
  const onError = (name: string, error: unknown): void => {
    damage.note(name, error);
    options.onError(name, error);
  };
  const onFail = ({ sandbox, error }: { sandbox: string; error: unknown }): void => onError(sandbox, error);
  const jobs = options.jobs ?? createBackgroundJobs({ wallClock, onFail, onRecover() {} });
  const shared = { ...options, entries, leaving, folder, disk, keys, seedImages, snapshots, jobs };
  const openFiles = createOpenFiles(shared);
  const damage = createDamage({ ...shared, openFiles, isStarting: () => state.phase === 'starting' });
  const removal = createRemoval({
    ...shared,
    openFiles,
    add: (name) => void additions.add(name),
  });
  const additions = createAdditions({
    ...shared,
    maxSandboxes,
    openFiles,
    around: damage.around,
    clean: removal.clean,
    isClosed: () => state.phase === 'closed',
    sandboxOptions: (name) => ({
      name,
      rails,
      shortfall: options.shortfall,
      clock,
      wallClock,
      send,
      disk,
      secrets: secrets.of(name),
      webhookConcurrency: options.webhookConcurrency,
      baseUrl: options.baseUrl ?? (() => 'http://localhost:4800'),
      ...(options.counters !== undefined && { counters: options.counters }),
      seedSource: { seed, document: seedDocument ?? defaultSeedDocument(), webhookUrl },
      jobs: jobs.of(name),
      onError: (error: unknown) => onError(name, error),
    }),
  });
  const lookups = createLookups({ ...shared, make: additions.make });
  return { ...shared, state, secrets, openFiles, damage, removal, additions, lookups };
}

/** Prepares the sandboxes of one process, to be opened when everything else of the process is ready. */
export function prepareRegistry(options: RegistryOptions): PreparedRegistry {
  const { clock, closed } = options;
  const parts = createParts(options);
  const { entries, leaving, folder, keys, state, seedImages, snapshots, jobs, openFiles } = parts;
  const { damage, removal, lookups } = parts;
  const { add, make } = parts.additions;
  const strays = createSequence(`${options.seed}/strays`);
  const openSandboxes = (): Sandbox[] => openFiles.list().map(([, { sandbox }]) => sandbox);

  /** The default sandbox exists even if its file cannot be used. */
  const addDefault = (): void => {
    try {
      make(DEFAULT_SANDBOX);
    } catch (error) {
      if (entries.get(DEFAULT_SANDBOX)?.damage === undefined) throw error;
    }
  };
  /** Reads what the data directory has for all sandboxes. */
  const loadShared = (): void => {
    seedImages.fixTime();
    // An invalid document is reported at once, even if no new sandbox needs it yet.
    if (options.seedDocument != null) seedImages.image();
    parts.secrets.load();
    keys.load();
  };

  const registry: Registry = {
    ...lookups,
    now: () => lookups.look(DEFAULT_SANDBOX)?.clock.now() ?? clock.now(),
    probe: () => folder?.probe(),
    noteFailure: damage.note,
    strayId: () => strays.id(clock.now()),
    open: openSandboxes,
    list: () => [...entries].map((entry) => rowOf(entry, folder, closed === undefined)),
    remove: removal.remove,
    totals: () => totalsOf(openSandboxes()),
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots,
    images: createImages({ folder, seedImages, snapshots, byName: lookups.byName }),
    jobs,
    unavailable: [],

    create(name, image) {
      parseName(name);
      if (entries.has(name) || leaving.has(name)) throw taken(name);
      // Snapshots that could not be removed with an earlier sandbox of this name.
      if (snapshots.list(name).length > 0) snapshots.removeAll(name);
      if (closed === undefined) return { sandbox: make(name, image), key: keyOf(name) };
      const key = randomKeyOf(name, closed);
      keys.set(name, key);
      try {
        return { sandbox: make(name, image), key };
      } catch (error) {
        removal.clean(name, () => keys.remove(name));
        throw error;
      }
    },

    async exchange(sandbox, image, look, preview) {
      try {
        await sandbox.copied();
        return sandbox.replaceWith(image, look, preview);
      } catch (error) {
        if (!Buffer.isBuffer(image)) folder?.discard(image.file);
        throw error;
      }
    },

    async close() {
      state.phase = 'closed';
      await openFiles.close();
      entries.clear();
    },
  };

  return {
    registry,
    open() {
      state.phase = 'starting';
      if (folder === null) addDefault();
      else openFolder(folder, { openFiles, loadShared, addDefault, add });
      state.phase = 'open';
    },
    undo: () => folder?.undo(),
  };
}

/** The row of a sandbox in a list, which does not count as a use. */
function rowOf(
  [name, entry]: readonly [string, Entry],
  folder: DataFolder | null,
  isOpenToAll: boolean,
): SandboxRow {
  const sandbox = entry.requested();
  const opened = sandbox?.opened();
  return {
    name,
    key: isOpenToAll || name === DEFAULT_SANDBOX ? keyOf(name) : null,
    kept: folder === null ? 'memory' : 'file',
    open: opened !== undefined,
    problem: entry.damage?.reason ?? '',
    bytes: opened?.connection.bytes() ?? sandbox?.restingBytes() ?? folder?.find(name)?.bytes ?? null,
    usedAt: sandbox?.usedAt() ?? null,
    clock: opened?.clock ?? null,
  };
}
