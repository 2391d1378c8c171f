/**
 * Finds the sandbox of an API key. A key `test_<name>` opens its sandbox at the first use, cloned from the image of one
 * seeded bank, which takes about a millisecond; `test_default` is there from the start. Where sandboxes are closed only
 * created ones exist, each with a random key. With a data directory a sandbox is one file in it. A sandbox rests after a
 * minute without use: its file is closed, or its bank in memory is compressed. It is opened when somebody asks for it, or
 * when a step or a delivery of its bank is due. A file that cannot be used is set aside, and keeps nobody from the others.
 * A sandbox in memory is data, so none is ever dropped to make room for another: beyond the limit a new one is refused.
 */
import type { Send } from '../delivery/sender.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { createSequence, type Id } from '../kernel/sequence.ts';
import { parseSlots } from '../kernel/slots.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import { type BackgroundJobs, createBackgroundJobs } from '../sandbox/background-jobs.ts';
import { createDisk, type Files } from '../sandbox/disk.ts';
import { createEventExamples, type EventExamples } from '../sandbox/example.ts';
import type { Counters, Instance } from '../sandbox/instance.ts';
import type { Image, Sandbox } from '../sandbox/sandbox.ts';
import type { SandboxClock } from '../sandbox/sandbox-clock.ts';
import { createSecrets, type RandomText } from '../sandbox/secrets.ts';
import { defaultSeedDocument, type SeedDocument } from '../sandbox/seed-document.ts';
import { createSeedImages, type SeedImages } from '../sandbox/seed-images.ts';
import { createSnapshots, type Snapshots } from '../sandbox/snapshots.ts';
import { createAdditions } from './additions.ts';
import { createDamage } from './damage.ts';
import { createDataFolder, type DataFolder, SANDBOX_NAME } from './data-folder.ts';
import { createKeys, type Keys, keyOf } from './keys.ts';
import { createLookups } from './lookups.ts';
import { createOpenFiles, type Entry } from './open-files.ts';
import { openFolder } from './opening.ts';
import { createRemoval } from './removal.ts';
import { createSlotMoves, type SlotMoves } from './slot-moves.ts';
import { createSlots, type Slots } from './slots.ts';

export { SANDBOX_NAME };
export const DEFAULT_SANDBOX = 'default';

export interface RegistryOptions {
  /** A directory, or `null` for banks in memory. */
  data: string | null;
  synchronous: 'off' | 'normal' | 'full';
  seed: string;
  /** What new sandboxes are seeded from; the default document unless given. */
  seedDocument?: SeedDocument | null;
  /** New sandboxes of the default document begin with a month of history. */
  seedHistory?: boolean;
  rails: RailsProfile;
  webhookUrl: string | null;
  webhookConcurrency?: number;
  /** The address of the server: links begin with it until a sandbox was called at another. */
  baseUrl?: () => string;
  clock: Clock;
  wallClock: Clock;
  send: Send;
  /** Draws secrets; without it they come from the seed, which anybody may know. */
  randomText?: RandomText;
  /** Only created sandboxes exist; a key ends in a random text from here. Open to every key unless given. */
  closed?: { randomText(): string };
  /** What secrets are derived from; a root of its own unless given. */
  secretRoot?: string | null;
  /** The slots that this bank of a fleet serves, like `0-127`; every sandbox is served unless given. */
  slots?: string;
  /** How many sandboxes there may be. */
  maxSandboxes?: number;
  /** How many files of sandboxes may be open at once. */
  maxOpen?: number;
  /** Real milliseconds without use after which a sandbox rests; a minute unless given. */
  restAfterMs?: number;
  /** Real milliseconds between two looks for sandboxes that may rest and banks that have something due. */
  lookEveryMs?: number;
  /** What writes the files that SQLite does not; Node's own unless given. */
  files?: Files;
  /** Counts what happens in whichever sandbox. */
  counters?: Counters;
  onError(sandbox: string, error: unknown): void;
  /** What the banks do by themselves; `onError` gets its failures unless given. */
  jobs?: BackgroundJobs;
  /** The file of a sandbox cannot be used, and why. */
  onSetAside?(sandbox: string, reason: string, file: string): void;
  /** Sandboxes in the data directory belong to slots that are not served, so nobody reaches them. */
  onNotServed?(sandboxes: string[]): void;
  /** Looks at a sandbox for the last time, before it is removed or moves to another bank. */
  onRemove?(sandbox: Sandbox): Promise<void>;
}

/** A sandbox as a list shows it. */
interface SandboxRow {
  name: string;
  /** The key that everybody knows; `null` where a random one opens it, or none. */
  key: string | null;
  kept: 'memory' | 'file';
  /** False for one that rests until it is used. */
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
   * The sandbox that an API key opens; `undefined` for a key that opens none. Refuses: `sandboxes_full`, and as the two below
   * `slot_elsewhere` for a sandbox of another bank. What is asked of a sandbox whose file cannot be used, or not now, refuses
   * `sandbox_damaged` or `sandboxes_busy`.
   */
  byKey(key: string, isObserver?: boolean): Sandbox | undefined;
  /** The sandbox that handed out a token; `undefined` when none of those here did. */
  byToken(token: string): Sandbox | undefined;
  /** A sandbox that there is, by its name. */
  byName(name: string): Sandbox | undefined;
  /** A sandbox as far as it can be used, for what only wants to know more of it. */
  look(name: string): Sandbox | undefined;
  /** Refuses `slot_elsewhere` where another bank has it. */
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
  /**
   * Goes on with another bank in a sandbox, in one step, when nobody copies the present one. Answers what `look` reads of the
   * new bank; what throws changes nothing.
   */
  exchange<T = void>(sandbox: Sandbox, image: Image, look?: (bank: Instance) => T): Promise<T>;
  /** The data directory; `null` where everything is in memory. */
  readonly folder: DataFolder | null;
  readonly seedImages: SeedImages;
  readonly examples: EventExamples;
  readonly snapshots: Snapshots;
  readonly slots: Slots;
  readonly slotMoves: SlotMoves;
  readonly jobs: BackgroundJobs;
  /** Tells whether two banks derive the same secrets. */
  secretFingerprint(): string;
  close(): Promise<void>;
}

const MAX_SANDBOXES = 1000;
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

/** What a registry is made of. */
function createParts(options: RegistryOptions) {
  const { data, synchronous, seed, rails, webhookUrl, clock, wallClock, send, closed } = options;
  const { maxSandboxes = MAX_SANDBOXES, seedDocument = null, seedHistory: history = false } = options;
  const { maxOpen, lookEveryMs, restAfterMs: idleMs } = options;
  const stays = DEFAULT_SANDBOX;
  const disk = createDisk(synchronous === 'full', options.files);
  const folder = data === null ? null : createDataFolder(data, disk);
  const entries = new Map<string, Entry>();
  const leaving = new Set<string>();
  const path = folder?.seedSources ?? null;
  const input = { seed, history, rails, webhookUrl, clock };
  const seedImages = createSeedImages({ ...input, document: seedDocument, path, disk });
  const secrets = createSecrets(options.randomText, folder?.secrets ?? null, disk, options.secretRoot);
  const slots = createSlots(parseSlots(options.slots ?? 'all') ?? null, folder?.slots ?? null, disk);
  const snapshots = createSnapshots(folder?.snapshots ?? null, disk);
  const state = { keys: createKeys(null, disk), isOpen: false, isClosed: false };
  const keys = (): Keys => state.keys;
  const onError = (name: string, error: unknown): void => {
    damage.note(name, error);
    options.onError(name, error);
  };
  const onFail = ({ sandbox, error }: { sandbox: string; error: unknown }): void => onError(sandbox, error);
  const jobs = options.jobs ?? createBackgroundJobs({ wallClock, onFail, onRecover() {} });
  const shared = { entries, folder, stays };
  const openFiles = createOpenFiles({ ...shared, wallClock, maxOpen, idleMs, lookEveryMs, jobs });
  const damage = createDamage({
    ...shared,
    openFiles,
    isStarting: () => !state.isOpen,
    onSetAside: options.onSetAside,
  });
  const removal = createRemoval({
    ...shared,
    leaving,
    requireServed: (name) => lookups.requireServed(name),
    snapshots,
    openFiles,
    keys,
    add: (name) => void additions.add(name, undefined, true),
    onRemove: options.onRemove,
    onError: options.onError,
  });
  const additions = createAdditions({
    ...shared,
    disk,
    synchronous,
    maxSandboxes,
    seedImages,
    openFiles,
    around: damage.around,
    clean: removal.clean,
    isClosed: () => state.isClosed,
    sandboxOptions: (name) => ({
      name,
      rails,
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
  const lookups = createLookups({
    ...shared,
    leaving,
    slots,
    keys,
    isClosed: closed !== undefined,
    make: additions.make,
  });
  return {
    ...shared,
    disk,
    leaving,
    seedImages,
    secrets,
    slots,
    snapshots,
    state,
    keys,
    jobs,
    openFiles,
    damage,
    removal,
    additions,
    lookups,
  };
}

/** The sandboxes of one process, to be opened when everything else of the process is certain. */
export function prepareRegistry(options: RegistryOptions): PreparedRegistry {
  const { clock, closed, onRemove } = options;
  const parts = createParts(options);
  const { stays, entries, leaving, folder, disk, keys, state, seedImages, snapshots, slots, openFiles } =
    parts;
  const { damage, removal, lookups } = parts;
  const { add, make, requireRoom } = parts.additions;
  const strays = createSequence(`${options.seed}/strays`);

  /** The default sandbox is there also when its file cannot be used, and where its slot is served. */
  const addDefault = (): void => {
    if (!slots.serves(stays)) return;
    try {
      make(stays);
    } catch (error) {
      if (entries.get(stays)?.damage === undefined) throw error;
    }
  };
  const openIt = (files: DataFolder): void =>
    openFolder(files, {
      stays,
      slots,
      openFiles,
      settle({ keys: path }) {
        seedImages.settle();
        // A document that cannot be used is said at once, also where no new sandbox needs it yet.
        if (options.seedDocument != null) seedImages.image();
        parts.secrets.settle();
        state.keys = createKeys(path, disk);
      },
      addDefault,
      add: (name) => add(name, undefined, true),
      onNotServed: options.onNotServed,
    });

  const registry: Registry = {
    ...lookups,
    now: () => lookups.look(stays)?.clock.now() ?? clock.now(),
    problemOf: (name) => entries.get(name)?.damage?.reason ?? '',
    probe: () => folder?.probe(),
    noteFailure: damage.note,
    strayId: () => strays.id(clock.now()),
    open: () => openFiles.list().map(([, { sandbox }]) => sandbox),
    list: () => [...entries].map((entry) => rowOf(entry, folder, closed === undefined)),
    remove: removal.remove,
    folder,
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots,
    slots,
    jobs: parts.jobs,
    slotMoves: createSlotMoves({
      entries,
      folder,
      slots,
      disk,
      keys,
      snapshots,
      seedImages,
      openFiles,
      add: (name, image) => void add(name, image, true),
      requireRoom,
      onLeave: async (sandbox) => onRemove?.(sandbox),
    }),
    secretFingerprint: parts.secrets.fingerprint,

    create(name, image) {
      requireName(name);
      lookups.requireServed(name);
      if (entries.has(name) || leaving.has(name)) throw taken(name);
      // What could not be removed with a sandbox of this name.
      if (snapshots.list(name).length > 0) snapshots.removeAll(name);
      if (closed === undefined) return { sandbox: make(name, image), key: keyOf(name) };
      // A proxy reads the name before the point.
      const key = `${keyOf(name)}.${closed.randomText()}`;
      keys().set(name, key);
      try {
        return { sandbox: make(name, image), key };
      } catch (error) {
        removal.clean(name, () => keys().remove(name));
        throw error;
      }
    },

    async exchange(sandbox, image, look) {
      try {
        await sandbox.copied();
        return sandbox.replaceWith(image, look);
      } catch (error) {
        if (!Buffer.isBuffer(image)) folder?.discard(image.file);
        throw error;
      }
    },

    async close() {
      state.isClosed = true;
      await openFiles.close();
      entries.clear();
    },
  };

  return {
    registry,
    open() {
      state.isClosed = false;
      if (folder === null) addDefault();
      else openIt(folder);
      state.isOpen = true;
    },
    undo: () => folder?.undo(),
  };
}

/** A sandbox in a list; to be in one is no use of it. */
function rowOf(
  [name, { requested, damage }]: readonly [string, Entry],
  folder: DataFolder | null,
  isOpenToAll: boolean,
): SandboxRow {
  const sandbox = requested();
  const opened = sandbox?.opened();
  return {
    name,
    key: isOpenToAll || name === DEFAULT_SANDBOX ? keyOf(name) : null,
    kept: folder === null ? 'memory' : 'file',
    open: opened !== undefined,
    problem: damage?.reason ?? '',
    bytes: opened?.connection.bytes() ?? sandbox?.restingBytes() ?? folder?.find(name)?.bytes ?? null,
    usedAt: sandbox?.usedAt() ?? null,
    clock: opened?.clock ?? null,
  };
}

function requireName(name: string): void {
  if (SANDBOX_NAME.test(name)) return;
  throw refuse('field_invalid', {
    field: 'name',
    message: `name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, _ and -, the first a letter or digit`,
  });
}

function taken(name: string): Refusal {
  return refuse('sandbox_exists', {
    field: 'name',
    message: `the sandbox ${name} exists already: choose another name, or DELETE /_sandbox/sandboxes/${name} first`,
  });
}
