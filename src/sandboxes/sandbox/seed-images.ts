/**
 * Makes the images of new banks and of banks after a reset. An image is a pure function of its seed, its instant and
 * its document. The bank stores all three, so a reset of a restarted, cloned or imported bank produces the ids of its
 * seeding. A data directory also stores the instant of the first seeding, so a key that is first used after a restart
 * opens the same bank as before.
 * Source: decisions `seeded-records` and `restart-and-seed` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import { type Clock, type Instant, parseInstant } from '../../bank/kernel/time.ts';
import type { RailsProfile } from '../../bank/model/timetable.ts';
import type { Place } from '../../bank/store/open.ts';
import { type Image, sideFilesOf } from './bank-replacement.ts';
import { createDisk, type Disk, readJson } from './disk.ts';
import { type Instance, type InstanceOptions, openInstance } from './instance.ts';
import { Listeners } from './listeners.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { CLOCK_KEY, type SandboxClock } from './sandbox-clock.ts';
import { SEEDED_SECRETS } from './secrets.ts';
import { checkDocument, watchEntries } from './seed-checks.ts';
import { defaultSeedDocument, type SeedDocument } from './seed-document.ts';
import { imageFromTemplate } from './seed-template.ts';

/** The source of a bank's seeding; `document` is `null` for the default document. */
export interface Seed {
  seed: string;
  at: Instant;
  document: SeedDocument | null;
  /** Whether the bank has a month of history. */
  history?: true;
}

export interface SeedImagesOptions {
  seed: string;
  /** The document of new sandboxes; without it the default document. */
  document?: SeedDocument | null;
  /** Whether new sandboxes of the default document have a month of history. */
  history?: boolean;
  rails: RailsProfile;
  webhookUrl: string | null;
  /** The clock that a bank follows until it is set otherwise. */
  clock: Clock;
  /** The file that stores the instants of seeding; with `null` they are kept in memory. */
  path: string | null;
  /** Writes the files; the default does not sync. */
  disk?: Disk;
  /** Provides databases for banks that are only read; by default each gets its own database in this process. */
  aside?: Aside;
}

/** Provides a database, empty or with an image, while an action runs, and removes its file afterwards. */
export type Aside = <T>(image: Image | null, action: (place: Place) => T) => T;

export interface SeedImages {
  /** Fixes the instant at which new sandboxes are seeded, if it is not fixed yet. Throws `DataFileError`. */
  fixTime(): void;
  /**
   * The image of a new sandbox. It is the same for every sandbox of this process and of later processes with the same
   * data directory.
   */
  image(): Buffer;
  /** An image of the default document, which has every record that an example needs. */
  defaultImage(): Buffer;
  /** The image from which a bank was seeded, or `image()` if the bank does not store its seed or is damaged. */
  imageOf(sandbox: Sandbox): Buffer;
  /** Seeds a bank from a document at an instant. Refuses: `field_invalid` with the path in the document. */
  imageFrom(document: SeedDocument, at: Instant): Buffer;
  /** Returns a copy of an image whose clock continues from the time of `clock`. */
  withClock(image: Buffer, clock: SandboxClock): Buffer;
  /**
   * A bank of an image that was made here, only to be read, for example before a reset. It is opened once for each image and has the
   * secrets of the seed, not those of a sandbox.
   */
  preview(image: Buffer): Instance;
  /** The time of the clock that a bank follows until it is set otherwise. */
  now(): Instant;
  /** Opens an image as a temporary sandbox without receivers while `look` runs, and removes its file afterwards. */
  withTemporary<T>(image: Image, look: (sandbox: Sandbox) => T): T;
}

const SEED_KEY = 'seed';
/** The number of images of seed documents in the cache: a test suite has few documents, and an image may be large. */
const MAX_IMAGES = 16;

/** A seed source in the stored form; the instant is an ISO text with milliseconds. */
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

  /** The instant at which this seed was first used with these rails: now, unless the file has one. */
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
  const fixTime = (): Instant => {
    settledAt ??= seededAt();
    return settledAt;
  };

  /** Opens a bank without receivers while `look` runs. Without an image the bank is seeded. */
  const openAside = <T>(bytes: Image | null, from: Seed, look: (sandbox: Sandbox) => T): T =>
    aside(bytes, (place) => {
      const sandbox = openSandbox({ name: 'aside', place, ...seedingOf(from, { rails, webhookUrl }) });
      try {
        return look(sandbox);
      } finally {
        // The bank ends in this turn. Its data is no longer needed, so a failure on a full disk is ignored.
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

  const defaultImage = (): Buffer => found({ seed, at: fixTime(), document: null });

  const imageFrom = (from: SeedDocument, at: Instant): Buffer => {
    checkDocument(from);
    const watched = watchEntries(from);
    try {
      return found({ seed, at, document: watched.document });
    } catch (error) {
      // The bank refuses some documents: two people with one number, an account for a person without verification.
      if (!(error instanceof Refusal)) throw error;
      const field = watched.at();
      throw refuse('field_invalid', { field, message: `${field}: ${error.message}` });
    }
  };

  const image = (): Buffer => {
    own ??=
      document !== null
        ? imageFrom(document, fixTime())
        : history
          ? found({ seed, at: fixTime(), document, history })
          : defaultImage();
    return own;
  };

  const previews = new WeakMap<Buffer, Instance>();
  const preview = (bytes: Buffer): Instance => {
    const known = previews.get(bytes);
    if (known !== undefined) return known;
    const from = { seed, at: fixTime(), document };
    const opened = openInstance({ kind: 'image', image: bytes }, new Listeners(), {
      ...seedingOf(from, { rails, webhookUrl }),
      clock,
    });
    previews.set(bytes, opened);
    return opened;
  };

  const withTemporary: SeedImages['withTemporary'] = (bytes, look) =>
    openAside(bytes, { seed, at: clock.now(), document: null }, look);

  return {
    fixTime: () => void fixTime(),
    now: () => clock.now(),
    image,
    defaultImage,
    imageOf(sandbox) {
      const from = seedOf(sandbox);
      return from === undefined ? image() : found(from);
    },
    imageFrom,
    preview,
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

/** The options that open a bank for seeding. */
function seedingOf(from: Seed, { rails, webhookUrl }: Seeding): InstanceOptions {
  // Fixed, so that the same instant produces the same ids.
  const fixedClock = { now: () => from.at };
  return {
    rails,
    clock: fixedClock,
    wallClock: fixedClock,
    send: null,
    // A sandbox that opens the image replaces them with its own secrets.
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

/** The source of a bank's seeding; `undefined` if the bank does not store it or is damaged. */
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
