/**
 * The registry of an object: of all sandboxes only the one at hand is here. Which one that is goes with the request, because
 * several objects share this module and its server. What needs files or other sandboxes is refused by name.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { createSequence } from '../kernel/sequence.ts';
import type { Clock } from '../kernel/time.ts';
import { keyOf, nameInKey } from '../registry/keys.ts';
import { DEFAULT_SANDBOX, type Registry, SANDBOX_NAME } from '../registry/registry.ts';
import { notThere } from '../registry/removal.ts';
import { createSlots } from '../registry/slots.ts';
import { unmarkToken } from '../registry/token-marks.ts';
import type { BackgroundJobs } from '../sandbox/background-jobs.ts';
import { createDisk } from '../sandbox/disk.ts';
import { createEventExamples } from '../sandbox/example.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';

/** The object that a request is in. */
export interface Here {
  readonly name: string;
  /** Whether the sandbox was ever made. */
  readonly isThere: boolean;
  /** Opens it, and makes it if it is not there. */
  sandbox(): Sandbox;
  remove(): Promise<void>;
  /** The names of all sandboxes, as far as this request needs them. */
  readonly listed: readonly string[];
}

export interface ObjectRegistryOptions {
  here(): Here;
  clock: Clock;
  seed: string;
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
export function createObjectRegistry({ here, clock, seed, jobs }: ObjectRegistryOptions): Registry {
  const strays = createSequence(`${seed}/strays`);
  const own = (name: string): Sandbox => {
    const at = here();
    // Only one that copies another sandbox gets here.
    if (at.name !== name) throw unavailable('a copy of another sandbox');
    return at.sandbox();
  };
  const byName = (name: string): Sandbox | undefined => {
    const at = here();
    return at.name === name && at.isThere ? at.sandbox() : undefined;
  };
  const images = refusing('an image of a bank');
  const seedImages: SeedImages = {
    settle() {},
    now: () => clock.now(),
    image: images,
    defaultImage: images,
    imageOf: images,
    imageFrom: images,
    withClock: images,
    withTemporary: images,
  };
  const snapshots = refusing('a snapshot');
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
      if (image !== undefined) throw unavailable('a copy of a sandbox');
      if (!SANDBOX_NAME.test(name)) {
        throw refuse('field_invalid', {
          field: 'name',
          message: `name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, _ and -, the first a letter or digit`,
        });
      }
      const at = here();
      if (at.isThere) {
        throw refuse('sandbox_exists', {
          field: 'name',
          message: `there is a sandbox ${name}: choose another name, or DELETE /_sandbox/sandboxes/${name} first`,
        });
      }
      return { sandbox: at.sandbox(), key: keyOf(name) };
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
    exchange: images,
    folder: null,
    seedImages,
    examples: createEventExamples(seedImages),
    snapshots: {
      list: () => [],
      find: () => undefined,
      take: snapshots,
      put: snapshots,
      remove: () => false,
      removeAll() {},
    },
    slots: createSlots(null, null, createDisk(false)),
    slotMoves: { contents: slots, change: slots, imageOf: slots, take: slots },
    jobs,
    secretFingerprint: () => '',
    async close() {},
  };
}
