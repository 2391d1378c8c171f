/**
 * Makes the images that banks begin with, and begin again with after a reset. An image is a pure function of its seed,
 * its instant and its document, all three of which are kept in the bank itself: a bank that was restarted, cloned or
 * imported is reset to the very ids that it was seeded with. With a data directory the instant at which its sandboxes
 * were first seeded is kept there too, so that a key which is first used after a restart opens the same bank as before.
 * Source: decisions `seeded-records` and `restart-and-seed` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';
import { Refusal, refuse } from '../kernel/refusal.ts';
import { type Clock, type Instant, parseInstant } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import type { Place } from '../store/open.ts';
import { createDisk, type Disk, readJson } from './disk.ts';
import type { InstanceOptions } from './instance.ts';
import { type Image, openSandbox, type Sandbox, sideFilesOf } from './sandbox.ts';
import { CLOCK_KEY, type SandboxClock } from './sandbox-clock.ts';
import { SEEDED_SECRETS } from './secrets.ts';
import { checkDocument, watchEntries } from './seed-checks.ts';
import { defaultSeedDocument, type SeedDocument } from './seed-document.ts';
import { imageFromTemplate } from './seed-template.ts';

/** What a bank was seeded from; without a document from the default one. */
export interface Seed {
  seed: string;
  at: Instant;
  document: SeedDocument | null;
  /** The accounts of the default document had a month of payments before. */
  history?: true;
}

export interface SeedImagesOptions {
  seed: string;
  /** What new sandboxes are seeded from; the default document unless given. */
  document?: SeedDocument | null;
  /** New sandboxes of the default document begin with a month of history. */
  history?: boolean;
  rails: RailsProfile;
  webhookUrl: string | null;
  /** The clock that a bank follows until it is set otherwise. */
  clock: Clock;
  /** The file in which the instants of seedings are stored; with the process alone when `null`. */
  path: string | null;
  /** Writes the files; waits for nothing, unless given. */
  disk?: Disk;
  /** Where banks are opened that are only looked at; this process opens as many databases as it likes unless given. */
  aside?: Aside;
}

/** Has a database for as long as an action takes, with an image or empty; its file is gone then. */
export type Aside = <T>(image: Image | null, action: (place: Place) => T) => T;

export interface SeedImages {
  /** Settles when new sandboxes are seeded, if that is not settled yet. Throws `DataFileError`. */
  settle(): void;
  /** The image of a new sandbox, the same for all of this process, and for the next one in the same data directory. */
  image(): Buffer;
  /** An image of the default document, which has every record that an example may need. */
  defaultImage(): Buffer;
  /** The image that a bank was seeded as; of a bank that does not know, or is damaged, `image`. */
  imageOf(sandbox: Sandbox): Buffer;
  /** Seeds a bank from a document at an instant. Refuses: `field_invalid` with the path in the document. */
  imageFrom(document: SeedDocument, at: Instant): Buffer;
  /** An image whose clock goes on from what `clock` shows. */
  withClock(image: Buffer, clock: SandboxClock): Buffer;
  /** The instant of the clock that a bank follows until it is set otherwise. */
  now(): Instant;
  /** Opens an image as a temporary sandbox, with nobody to send to, for as long as `look` takes; its file is gone then. */
  withTemporary<T>(image: Image, look: (sandbox: Sandbox) => T): T;
}

const SEED_KEY = 'seed';
/** Images of documents that are kept: a suite has few, and each may be large. */
const MAX_IMAGES = 16;

/** A seed source as its file has it; the instant as text, with its milliseconds. */
interface StoredSeedSource {
  seed: string;
  rails: string;
  at: string;
}

/** The seed images of one process. */
export function createSeedImages({
  seed,
  document = null,
  history = false,
  rails,
  webhookUrl,
  clock,
  path,
  disk = createDisk(false),
  aside = inOwnDatabase(disk),
}: SeedImagesOptions): SeedImages {
  const images = new Map<string, Buffer>();
  let own: Buffer | undefined;
  let settledAt: Instant | undefined;

  /** When this seed was first seeded with these rails, which is now unless it is written down. */
  const seededAt = (): Instant => {
    if (path === null) return clock.now();
    const stored = readJson(path, 'when the sandboxes were seeded', asSeedSources) ?? [];
    const known = stored.find((seedSource) => seedSource.seed === seed && seedSource.rails === rails);
    if (known !== undefined) return Date.parse(known.at);
    const at = clock.now();
    const all: StoredSeedSource[] = [...stored, { seed, rails, at: new Date(at).toISOString() }];
    disk.writeWhole(path, `${JSON.stringify(all, null, 2)}\n`);
    return at;
  };
  const settle = (): Instant => {
    settledAt ??= seededAt();
    return settledAt;
  };

  /** Opens a bank with nobody to send to for as long as `look` takes, seeding it without an image. */
  const openAside = <T>(bytes: Image | null, from: Seed, look: (sandbox: Sandbox) => T): T =>
    aside(bytes, (place) => {
      const sandbox = openSandbox({ name: 'aside', place, ...seedingOf(from, { rails, webhookUrl }) });
      try {
        return look(sandbox);
      } finally {
        // Within this turn, and nothing of it is needed any more: a full disk loses nothing.
        sandbox.drop();
      }
    });

  const templateOf = ({ seed: text, at, document: own, history: month }: Seed): Buffer | undefined =>
    own === null && month === undefined && webhookUrl === null
      ? imageFromTemplate(text, rails, at)
      : undefined;

  const seedFrom = (from: Seed): Buffer =>
    openAside(null, from, (seeded) => {
      seeded.store.meta.write(SEED_KEY, from);
      return seeded.image();
    });

  const found = (from: Seed): Buffer => {
    const key = hash('sha256', JSON.stringify(from));
    const known = images.get(key);
    if (known !== undefined) return known;
    const image = templateOf(from) ?? seedFrom(from);
    const [oldest] = images.keys();
    if (images.size >= MAX_IMAGES && oldest !== undefined) images.delete(oldest);
    images.set(key, image);
    return image;
  };

  const defaultImage = (): Buffer => found({ seed, at: settle(), document: null });

  const imageFrom = (from: SeedDocument, at: Instant): Buffer => {
    checkDocument(from);
    const watched = watchEntries(from);
    try {
      return found({ seed, at, document: watched.document });
    } catch (error) {
      // What the bank itself says no to: two persons with one number, an account for somebody it did not verify.
      if (!(error instanceof Refusal)) throw error;
      const field = watched.at();
      throw refuse('field_invalid', { field, message: `${field}: ${error.message}` });
    }
  };

  const image = (): Buffer => {
    own ??=
      document !== null
        ? imageFrom(document, settle())
        : history
          ? found({ seed, at: settle(), document, history })
          : defaultImage();
    return own;
  };

  const withTemporary: SeedImages['withTemporary'] = (bytes, look) =>
    openAside(bytes, { seed, at: clock.now(), document: null }, look);

  return {
    settle: () => void settle(),
    now: () => clock.now(),
    image,
    defaultImage,
    imageOf(sandbox) {
      const from = seedOf(sandbox);
      return from === undefined ? image() : found(from);
    },
    imageFrom,
    withTemporary,
    withClock(bytes, of) {
      const setting = { ...of.setting(), shows: of.now(), setAt: clock.now() };
      return withTemporary(bytes, (sandbox) => {
        sandbox.store.meta.write(CLOCK_KEY, setting);
        return sandbox.image();
      });
    },
  };
}

type Seeding = Pick<SeedImagesOptions, 'rails' | 'webhookUrl'>;

/** How a bank is opened to seed it. */
function seedingOf(from: Seed, { rails, webhookUrl }: Seeding): InstanceOptions {
  // Fixed, so that the same instant makes the same ids.
  const fixedClock = { now: () => from.at };
  return {
    rails,
    clock: fixedClock,
    wallClock: fixedClock,
    send: null,
    // Whoever goes on with the image puts secrets of its own in their place.
    secrets: SEEDED_SECRETS,
    seedSource: {
      seed: from.seed,
      document: from.document ?? defaultSeedDocument(),
      webhookUrl,
      ...(from.history && { history: true }),
    },
    onError: (error) => {
      throw error;
    },
  };
}

/** A database of this process: in memory, or the file of the image. */
const inOwnDatabase =
  (disk: Disk): Aside =>
  (image, action) => {
    if (image === null) return action({ kind: 'memory' });
    if (Buffer.isBuffer(image)) return action({ kind: 'image', image });
    try {
      return action({ kind: 'file', path: image.file, synchronous: 'off' });
    } finally {
      disk.remove([image.file, ...sideFilesOf(image.file)]);
    }
  };

/** What a bank was seeded from; `undefined` where it does not know, or is damaged. */
export function seedOf(sandbox: Pick<Sandbox, 'store'>): Seed | undefined {
  try {
    return sandbox.store.meta.read<Seed>(SEED_KEY);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'sandbox_damaged') return undefined;
    throw error;
  }
}

function asSeedSources(value: unknown): StoredSeedSource[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isFounding = (one: unknown): boolean => {
    const { seed, rails, at } = (one ?? {}) as Partial<Record<keyof StoredSeedSource, unknown>>;
    return (
      typeof seed === 'string' &&
      typeof rails === 'string' &&
      typeof at === 'string' &&
      parseInstant(at) !== undefined
    );
  };
  return value.every(isFounding) ? value : undefined;
}
