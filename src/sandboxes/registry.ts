/**
 * Finds the sandbox of an API key. A key `test_<name>` opens its sandbox at the first use, cloned from the image of one
 * founded bank, which takes about a millisecond; `test_default` is there from the start. Where sandboxes are closed only
 * created ones exist, each with a random key. With a data directory a sandbox is one file in it; what is found there is
 * opened again, because its webhooks and planned steps are owed, and rests while nobody needs it. A sandbox in memory is
 * data, so none is ever dropped to make room for another: beyond the limit a new one is refused.
 */
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Send } from '../delivery/sender.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { createSequence, type Id } from '../kernel/sequence.ts';
import { type Clock, MINUTE_MS } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import { letGo, withLog } from '../store/images.ts';
import type { Place } from '../store/open.ts';
import { writeWhole } from './data-files.ts';
import { createEventExamples, type EventExamples } from './example.ts';
import { defaultFixture } from './fixture.ts';
import { createFounder, type Founder } from './founder.ts';
import { createHandle, type Handle } from './handle.ts';
import { createKeys } from './keys.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import { tokenMarkOf } from './token-marks.ts';

export const DEFAULT_SANDBOX = 'default';
export const SANDBOX_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export interface RegistryOptions {
  /** A directory, or `null` for banks in memory. */
  data: string | null;
  synchronous: 'off' | 'normal' | 'full';
  seed: string;
  rails: RailsProfile;
  webhookUrl: string | null;
  webhookConcurrency?: number;
  clock: Clock;
  wallClock: Clock;
  send: Send;
  /** Only created sandboxes exist; a key ends in a random text from here. Open to every key unless given. */
  closed?: { randomText(): string };
  /** How many sandboxes there may be. */
  maxSandboxes?: number;
  /** How many files are kept open; more only while they are used or owe something. */
  maxOpenFiles?: number;
  onError(sandbox: string, error: unknown): void;
  /** Looks at a sandbox for the last time, before it is removed. */
  onRemove?(sandbox: Sandbox): Promise<void>;
}

/** A sandbox as a list shows it. */
interface SandboxRow {
  name: string;
  /** The key that everybody knows; `null` where a random one opens it, or none. */
  key: string | null;
  kept: 'memory' | 'file';
  /** False for a file that rests until it is used. */
  open: boolean;
}

export interface Registry {
  /** The sandbox that an API key opens; `undefined` for a key that opens none. Refuses: `sandboxes_full`. */
  byKey(key: string): Sandbox | undefined;
  /** The sandbox that handed out a token; `undefined` when none of those here did. */
  byToken(token: string): Sandbox | undefined;
  /** A sandbox that there is, by its name. */
  byName(name: string): Sandbox | undefined;
  default(): Sandbox;
  /** An id for a request that belongs to no sandbox: it must not disturb the sequence of any. */
  strayId(): Id;
  /** The sandboxes that do not rest. */
  open(): Iterable<Sandbox>;
  list(): SandboxRow[];
  /**
   * Makes a sandbox from an image, a founded one unless given, and answers the key that opens it: the only time that a
   * random one is shown. Refuses: `field_invalid`, `sandbox_exists`, `sandboxes_full`.
   */
  create(name: string, image?: Buffer): { sandbox: Sandbox; key: string };
  /** Ends a sandbox with everything it kept. Refuses: `sandbox_not_found`, `illegal_step` for the default one. */
  remove(name: string): Promise<void>;
  /** Goes on with another bank in a sandbox, in one step. */
  exchange(sandbox: Sandbox, image: Buffer): void;
  readonly founder: Founder;
  readonly examples: EventExamples;
  readonly snapshots: Snapshots;
  close(): Promise<void>;
}

interface Entry {
  handle: Handle;
  tokenMark: string;
  /** On the real clock. */
  usedAt: number;
}

const ENDING = '.sqlite';
/** What SQLite keeps beside a database while it is open, and after a kill. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
const SNAPSHOTS = 'snapshots';
const KEYS = 'keys.json';
const FOUNDINGS = 'founding.json';
const KEY = /^test_(.*)$/s;
const MAX_SANDBOXES = 1000;
const MAX_OPEN_FILES = 200;
/** A request that began is over by then. */
const IDLE_MS = MINUTE_MS;
/** A use of one sandbox must not have to look through all the others. */
const LOOKED_AT_ONCE = 8;

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
  /** Opens what is in the data directory, or founds the default sandbox. */
  open(): void;
  /** After `open` failed and the registry was closed: takes away what it made. */
  undo(): void;
}

/** The sandboxes of one process, to be opened when everything else of the process is certain. */
export function prepareRegistry(options: RegistryOptions): PreparedRegistry {
  const { data, synchronous, seed, rails, webhookUrl, clock, wallClock, send, closed } = options;
  const { maxSandboxes = MAX_SANDBOXES, maxOpenFiles = MAX_OPEN_FILES } = options;
  const entries = new Map<string, Entry>();
  const leaving = new Set<string>();
  const strays = createSequence(`${seed}/strays`);
  const inData = (name: string): string | null => (data === null ? null : join(data, name));
  const founder = createFounder({ seed, rails, webhookUrl, clock, path: inData(FOUNDINGS) });
  const snapshots = createSnapshots(inData(SNAPSHOTS));
  let keys = createKeys(null);

  const pathOf = (name: string): string => join(data ?? '', name + ENDING);

  const openAt = (name: string, place: Place): Sandbox =>
    openSandbox({
      name,
      place,
      rails,
      clock,
      wallClock,
      send,
      webhookConcurrency: options.webhookConcurrency,
      founding: { seed, fixture: defaultFixture(), webhookUrl },
      onError: (error) => options.onError(name, error),
    });

  /** What is kept in memory is never closed, so it needs nobody who opens it again. */
  const alwaysOpen = (sandbox: Sandbox): Handle => ({
    sandbox,
    isOpen: () => true,
    rest: async () => false,
    close: () => sandbox.close(),
  });

  const handleOf = (name: string, image: Buffer | undefined): Handle => {
    if (data === null) return alwaysOpen(openAt(name, { kind: 'image', image: image ?? founder.image() }));
    const path = pathOf(name);
    if (!existsSync(path)) writeWhole(path, withLog(image ?? founder.image()));
    const open = (): Sandbox => openAt(name, { kind: 'file', path, synchronous });
    return name === DEFAULT_SANDBOX ? alwaysOpen(open()) : createHandle(open);
  };

  const openNow = (): [string, Entry][] => [...entries].filter(([, { handle }]) => handle.isOpen());

  const tooManyOpen = (): number => (data === null ? 0 : openNow().length - maxOpenFiles);

  /** Lets those rest that were not used for the longest time, when more files are open than need to be. */
  const rest = async (excess: number): Promise<void> => {
    const now = wallClock.now();
    const idle = openNow()
      .map(([, entry]) => entry)
      .filter(({ usedAt }) => now - usedAt >= IDLE_MS)
      .toSorted((a, b) => a.usedAt - b.usedAt)
      .slice(0, excess + LOOKED_AT_ONCE);
    // One that may not rest yet is not asked again at once.
    for (const entry of idle) entry.usedAt = now;
    for (const { handle } of idle) {
      if (tooManyOpen() <= 0) return;
      await handle.rest();
    }
  };
  const makeRoom = (): void => {
    const excess = tooManyOpen();
    if (excess > 0) rest(excess).catch((error: unknown) => options.onError('', error));
  };

  /** Where file names know no case, two sandboxes would be one file. */
  const requireOwnFile = (name: string): void => {
    if (data === null || !existsSync(pathOf(name))) return;
    const other = [...entries.keys()].find((known) => known.toLowerCase() === name.toLowerCase());
    if (other === undefined) return;
    throw refuse('sandbox_exists', {
      field: 'name',
      message: `the file of ${name} would be the file of ${other}: choose a name that differs by more than its case`,
    });
  };

  const make = (name: string, image?: Buffer): Sandbox => {
    if (entries.size >= maxSandboxes && name !== DEFAULT_SANDBOX) throw full(entries.size);
    requireOwnFile(name);
    const handle = handleOf(name, image);
    entries.set(name, { handle, tokenMark: tokenMarkOf(name), usedAt: wallClock.now() });
    makeRoom();
    return handle.sandbox;
  };

  const use = (name: string): Sandbox | undefined => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    if (data !== null) entry.usedAt = wallClock.now();
    if (!entry.handle.isOpen()) makeRoom();
    return entry.handle.sandbox;
  };

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
  /** What the opening made, the newest last. */
  const made: { path: string; isFolder: boolean }[] = [];
  const willMake = (path: string): void => {
    if (!existsSync(path)) made.push({ path, isFolder: false });
  };

  /** The default sandbox comes first, because its lock keeps another process from touching anything. */
  const openFiles = (folder: string): void => {
    const first = mkdirSync(folder, { recursive: true });
    if (first !== undefined)
      for (const path of foldersFrom(first, folder)) made.push({ path, isFolder: true });
    willMake(join(folder, FOUNDINGS));
    willMake(pathOf(DEFAULT_SANDBOX));
    opened = make(DEFAULT_SANDBOX);
    founder.settle();
    keys = createKeys(join(folder, KEYS));
    for (const file of readdirSync(folder)) {
      const name = file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : '';
      if (!SANDBOX_NAME.test(name) || name === DEFAULT_SANDBOX) continue;
      const handle = handleOf(name, undefined);
      // Nobody has used it yet, so it is the first to rest if it owes nothing.
      entries.set(name, { handle, tokenMark: tokenMarkOf(name), usedAt: 0 });
    }
    makeRoom();
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
    strayId: () => strays.id(clock.now()),
    open: () => openNow().map(([, { handle }]) => handle.sandbox),
    list: () =>
      [...entries].map(([name, { handle }]) => ({
        name,
        key: closed === undefined || name === DEFAULT_SANDBOX ? keyOf(name) : null,
        kept: data === null ? 'memory' : 'file',
        open: handle.isOpen(),
      })),

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
        await options.onRemove?.(entry.handle.sandbox);
        await entry.handle.close();
        snapshots.forget(name);
        if (data !== null) {
          for (const end of ['', ...SIDE_FILES]) rmSync(pathOf(name) + end, { force: true });
        }
      } finally {
        leaving.delete(name);
      }
    },

    exchange(sandbox, image) {
      if (data === null) {
        sandbox.replaceWith(image);
        return;
      }
      const keep = letGo(sandbox.connection);
      try {
        sandbox.replaceWith(image);
      } catch (error) {
        keep();
        throw error;
      }
    },

    founder,
    examples: createEventExamples(founder),
    snapshots,

    async close() {
      await Promise.all([...entries.values()].map(({ handle }) => handle.close()));
      entries.clear();
    },
  };

  return {
    registry,
    open() {
      if (data === null) opened = make(DEFAULT_SANDBOX);
      else openFiles(data);
    },
    undo() {
      for (const { path, isFolder } of made.splice(0).reverse()) {
        if (isFolder) removeEmpty(path);
        else for (const end of ['', ...SIDE_FILES]) rmSync(path + end, { force: true });
      }
    },
  };
}

/** The folders from one to another below it, both of them. */
function foldersFrom(first: string, last: string): string[] {
  const folders = [resolve(last)];
  while (folders[0] !== undefined && folders[0].length > resolve(first).length) {
    folders.unshift(dirname(folders[0]));
  }
  return folders;
}

/** Takes a folder away unless somebody put something into it. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Then it is not ours alone.
  }
}

/** The refusal of a name that no sandbox has. */
export function notThere(name: string): Refusal {
  return refuse('sandbox_not_found', {
    message: `there is no sandbox ${name}; GET /_sandbox/sandboxes lists those there are`,
  });
}

function full(count: number): Refusal {
  return refuse('sandboxes_full', {
    message: `there are ${count} sandboxes, as many as SANDBANK_MAX_SANDBOXES allows: delete one with DELETE /_sandbox/sandboxes/{name}, or start with a higher limit`,
  });
}
