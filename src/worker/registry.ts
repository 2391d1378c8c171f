/**
 * The registry of an object: of all sandboxes only the one at hand is here. Which one that is goes with the request, because
 * several objects share this module and its server. What needs files or other sandboxes is refused by name.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { createSequence } from '../kernel/sequence.ts';
import type { Clock } from '../kernel/time.ts';
import type { Images } from '../registry/images.ts';
import { keyOf, nameInKey } from '../registry/keys.ts';
import { DEFAULT_SANDBOX, type Registry, requireName, taken } from '../registry/registry.ts';
import { notThere } from '../registry/removal.ts';
import { createSlots } from '../registry/slots.ts';
import { unmarkToken } from '../registry/token-marks.ts';
import type { BackgroundJobs } from '../sandbox/background-jobs.ts';
import { createDisk } from '../sandbox/disk.ts';
import { createEventExamples } from '../sandbox/example.ts';
import type { Image, Sandbox } from '../sandbox/sandbox.ts';
import type { Aside, SeedImages } from '../sandbox/seed-images.ts';
import type { Snapshots } from '../sandbox/snapshots.ts';
import type { Keeper } from './snapshots.ts';

/** What an object answers another one that begins as a copy of it. */
export interface Copied {
  /** False for a sandbox that was never made. */
  readonly isThere: boolean;
  /** Of its present state, or of the snapshot that was named; `null` where there is no such thing. */
  readonly image: Uint8Array | null;
  /** The names of its snapshots. */
  readonly snapshots: readonly string[];
}

/** The object that a request is in. */
export interface Here extends Keeper {
  /** Whether the sandbox was ever made. */
  readonly isThere: boolean;
  /** Opens it, and makes it if it is not there. */
  sandbox(): Sandbox;
  /** Makes it as a copy of this image. */
  make(image: Image): Sandbox;
  /** Uses its database for something else, and then has the rows back. */
  readonly aside: Aside;
  /** The image of a sandbox or of one of its snapshots, from the object of that sandbox. */
  copyOf(name: string, snapshot?: string): Promise<Copied>;
  remove(): Promise<void>;
  /** The names of all sandboxes, as far as this request needs them. */
  readonly listed: readonly string[];
}

export interface ObjectRegistryOptions {
  here(): Here;
  clock: Clock;
  seed: string;
  seedImages: SeedImages;
  snapshots: Snapshots;
  images: Images;
  jobs: BackgroundJobs;
}

/** What an object cannot do, and what to do instead. */
function unavailable(what: string): Refusal {
  return refuse('not_emulated', {
    message: `${what} is not available here, where a sandbox is an object of workerd; sandbank start has it`,
  });
}

const refusing = (what: string) => (): never => {
  throw unavailable(what);
};

/** The registry of the objects of this module. */
export function createObjectRegistry({
  here,
  clock,
  seed,
  seedImages,
  snapshots,
  images,
  jobs,
}: ObjectRegistryOptions): Registry {
  const strays = createSequence(`${seed}/strays`);
  const own = (name: string): Sandbox => {
    const at = here();
    if (at.name !== name) throw new Error(`this is the object of ${at.name}, and not of ${name}`);
    return at.sandbox();
  };
  const byName = (name: string): Sandbox | undefined => {
    const at = here();
    return at.name === name && at.isThere ? at.sandbox() : undefined;
  };
  const slots = refusing('a move of slots');

  return {
    byKey(key, isObserver = false) {
      const name = nameInKey(key);
      if (name === undefined || key !== keyOf(name)) return undefined;
      return isObserver && !here().isThere ? undefined : own(name);
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
    problemOf: () => '',
    probe() {},
    noteFailure() {},
    strayId: () => strays.id(clock.now()),
    open: () => [],
    list: () =>
      here().listed.map((name) => ({
        name,
        key: keyOf(name),
        kept: 'file',
        open: false,
        problem: '',
        bytes: null,
        usedAt: null,
        clock: null,
      })),
    create(name, image) {
      requireName(name);
      const at = here();
      if (at.isThere) throw taken(name);
      return { sandbox: image === undefined ? at.sandbox() : at.make(image), key: keyOf(name) };
    },
    async remove(name) {
      const at = here();
      if (name === DEFAULT_SANDBOX) {
        throw refuse('illegal_step', {
          message: 'the default sandbox cannot be deleted; POST /_sandbox/reset restores its first records',
        });
      }
      if (!at.isThere) throw notThere(name);
      await at.remove();
    },
    exchange: async (sandbox, image, look) => sandbox.replaceWith(image, look),
    folder: null,
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots,
    images,
    slots: createSlots(null, null, createDisk(false)),
    slotMoves: { contents: slots, change: slots, imageOf: slots, take: slots },
    jobs,
    secretFingerprint: () => '',
    async close() {},
  };
}
