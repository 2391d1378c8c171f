/**
 * The registry of an object, which has only one sandbox: that of the current request, because several objects share
 * this module and its server.
 */
import { createSequence } from '../../bank/kernel/sequence.ts';
import type { Clock } from '../../bank/kernel/time.ts';
import type { Images } from '../../sandboxes/registry/images.ts';
import { keyOf, nameInKey, randomKeyOf } from '../../sandboxes/registry/keys.ts';
import {
  DEFAULT_SANDBOX,
  full,
  notThere,
  parseName,
  requireRemovable,
  taken,
} from '../../sandboxes/registry/names.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import { unmarkToken } from '../../sandboxes/registry/token-marks.ts';
import type { BackgroundJobs } from '../../sandboxes/sandbox/background-jobs.ts';
import type { Image } from '../../sandboxes/sandbox/bank-replacement.ts';
import { createEventExamples } from '../../sandboxes/sandbox/example.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { createSandboxClock } from '../../sandboxes/sandbox/sandbox-clock.ts';
import type { Aside, SeedImages } from '../../sandboxes/sandbox/seed-images.ts';
import type { Snapshots } from '../../sandboxes/sandbox/snapshots.ts';
import type { Listed } from './directory.ts';
import type { Keeper } from './snapshots.ts';
import { UNAVAILABLE } from './unavailable.ts';

/** The response of an object to another one that is created as a copy of it. */
export interface Copied {
  /** False for a sandbox that was never created. */
  readonly isThere: boolean;
  /** The image of its current state or of the requested snapshot; `null` if it does not exist. */
  readonly image: Uint8Array | null;
  /** The names of its snapshots. */
  readonly snapshots: readonly string[];
}

/** The object of a request. */
export interface Here extends Keeper {
  /** Whether the sandbox was ever created. */
  readonly isThere: boolean;
  /** Whether the maximum number of other sandboxes exists. */
  readonly isFull: boolean;
  /** Opens the sandbox, and creates it if it does not exist. */
  sandbox(): Sandbox;
  /** Creates the sandbox as a copy of this image. */
  make(image: Image): Sandbox;
  /** Uses the database for another purpose, and restores the rows afterwards. */
  readonly aside: Aside;
  /** The image of a sandbox or of one of its snapshots, from the object of that sandbox. */
  copyOf(name: string, snapshot?: string): Promise<Copied>;
  remove(): Promise<void>;
  /** Whether this random key opens the sandbox. */
  hasKey(key: string): boolean;
  setKey(key: string): void;
  /** The sandboxes that this request needs. */
  readonly listed: readonly Listed[];
  /** The problem that prevents the use of all sandboxes, if this request checks it. */
  readonly problem: Error | null;
}

export interface ObjectRegistryOptions {
  here(): Here;
  clock: Clock;
  seed: string;
  seedImages: SeedImages;
  snapshots: Snapshots;
  images: Images;
  jobs: BackgroundJobs;
  maxSandboxes: number;
  /**
   * Closes the registry: only created sandboxes exist, and their keys end with this random text. Default: open to
   * every key.
   */
  closed?: { randomText(): string };
}

/** The runtime closes an unused object after about ten seconds. */
const FORGOTTEN_AFTER_MS = 10_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The registry of the objects of this module. */
export function createObjectRegistry(options: ObjectRegistryOptions): Registry {
  const { here, clock, seed, seedImages, snapshots, images, jobs, maxSandboxes, closed } = options;
  const strays = createSequence(`${seed}/strays`);
  /** Checks that another sandbox may be created. Refuses: `sandboxes_full`. */
  const requireRoom = ({ name, isThere, isFull }: Here): void => {
    if (!isThere && isFull && name !== DEFAULT_SANDBOX) throw full(maxSandboxes);
  };
  const own = (name: string): Sandbox => {
    const at = here();
    if (at.name !== name) throw new Error(`this is the object of ${at.name}, and not of ${name}`);
    requireRoom(at);
    return at.sandbox();
  };
  const byName = (name: string): Sandbox | undefined => {
    const at = here();
    return at.name === name && at.isThere ? at.sandbox() : undefined;
  };

  return {
    byKey(key, isObserver = false) {
      const name = nameInKey(key);
      if (name === undefined) return undefined;
      const at = here();
      if (key !== keyOf(name)) {
        return at.name === name && at.isThere && at.hasKey(key) ? at.sandbox() : undefined;
      }
      if (closed !== undefined && name !== DEFAULT_SANDBOX) return undefined;
      return isObserver && !at.isThere ? undefined : own(name);
    },
    byToken(token) {
      const { name } = here();
      const plain = unmarkToken(name, token);
      const sandbox = plain === '' ? undefined : byName(name);
      return sandbox?.store.tokens.find(plain) === undefined ? undefined : sandbox;
    },
    byName,
    look: byName,
    default: () => own(DEFAULT_SANDBOX),
    now: () => byName(here().name)?.clock.now() ?? clock.now(),
    probe() {
      const { problem } = here();
      if (problem !== null) throw problem;
    },
    noteFailure() {},
    strayId: () => strays.id(clock.now()),
    open: () => [],
    totals: () => ({
      waitingDeliveries: sum(here().listed.map((one) => one.waitingDeliveries)),
      plannedSteps: sum(here().listed.map((one) => one.plannedSteps)),
      longestWaitMs: Math.max(0, ...here().listed.map((one) => one.longestWaitMs)),
    }),
    list: () =>
      here().listed.map(({ name, bytes, usedAt, at, clock: setting }) => {
        const isOpen = clock.now() - at < FORGOTTEN_AFTER_MS;
        return {
          name,
          key: closed === undefined || name === DEFAULT_SANDBOX ? keyOf(name) : null,
          kept: 'file',
          open: isOpen,
          problem: '',
          bytes,
          usedAt,
          clock: isOpen ? createSandboxClock(clock, setting) : null,
        };
      }),
    create(name, image) {
      parseName(name);
      const at = here();
      if (at.isThere) throw taken(name);
      requireRoom(at);
      const make = (): Sandbox => (image === undefined ? at.sandbox() : at.make(image));
      if (closed === undefined) return { sandbox: make(), key: keyOf(name) };
      const key = randomKeyOf(name, closed);
      at.setKey(key);
      return { sandbox: make(), key };
    },
    async remove(name) {
      const at = here();
      requireRemovable(name);
      if (!at.isThere) throw notThere(name);
      await at.remove();
    },
    exchange: async (sandbox, image, look) => sandbox.replaceWith(image, look),
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots,
    images,
    jobs,
    unavailable: UNAVAILABLE,
    async close() {},
  };
}
