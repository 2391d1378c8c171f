/**
 * The images of sandboxes for the control plane: it copies, stores, imports, exports and compares them. Each runtime
 * has an implementation, so operations do not depend on the runtime. This file has the interface and the
 * implementation for a process, whose images are SQLite databases in memory or files of the data directory.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Image } from '../sandbox/bank-replacement.ts';
import { type Comparison, compareImages, sizeOf } from '../sandbox/comparison.ts';
import { AT_ONCE_BYTES, inThread } from '../sandbox/image-thread.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import { type Snapshot, type Snapshots, smallImageOf } from '../sandbox/snapshots.ts';
import type { DataFolder } from './data-folder.ts';
import { checkedCopy, copyOf, takeImage, type Upload } from './image-import.ts';
import { notThere, parseName } from './names.ts';

/** The media type of a SQLite database. */
export const SQLITE_TYPE = 'application/vnd.sqlite3';

/** The sandbox that a call addresses. */
interface Addressed {
  /** Opens the sandbox. */
  readonly sandbox: Sandbox;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface Images {
  /** The media type of the result of `body`. */
  readonly type: string;
  /** An image of the current state of a sandbox, for one use. */
  of(sandbox: Sandbox): Promise<Image>;
  /**
   * The image of a snapshot, checked and up to date. Refuses: `field_invalid`, `snapshot_not_found`, `image_invalid`.
   */
  ofSnapshot(sandbox: string, name: string): Promise<Image>;
  /**
   * The image of a sandbox, or else of a snapshot of the addressed sandbox; `<sandbox>/<snapshot>` names a snapshot
   * of another sandbox. Refuses: `sandbox_not_found`, and like `ofSnapshot`.
   */
  named(from: string, addressed: Addressed): Promise<Image>;
  /** The image of an import, checked and up to date. Refuses: `image_invalid`, without changes. */
  take(upload: Upload): Promise<Image>;
  /** The image as the body of a response. The image cannot be used afterwards. */
  body(image: Image): Buffer;
  /** Compares two images, which cannot be used afterwards. The result lists at most `limit` records of each kind. */
  compare(before: Image, after: Image, limit: number): Promise<Comparison>;
  /** Removes an image for one use. */
  discard(image: Image): void;
}

/** Finds a snapshot of a sandbox. Refuses: `field_invalid`, `snapshot_not_found`. */
export function foundSnapshot(snapshots: Snapshots, sandbox: string, name: string): Snapshot {
  const found = snapshots.find(sandbox, parseName(name));
  if (found !== undefined) return found;
  throw noSnapshot(
    sandbox,
    name,
    snapshots.list(sandbox).map((row) => row.name),
  );
}

/** The refusal of a snapshot that a sandbox does not have. */
export const noSnapshot = (sandbox: string, name: string, known: readonly string[]): Error =>
  refuse('snapshot_not_found', {
    message: `the sandbox ${sandbox} has no snapshot ${name}; PUT /_sandbox/snapshots/${name} takes one`,
    legal: known,
  });

/**
 * Resolves `from`: with a slash it names a snapshot of a sandbox, otherwise a sandbox or a snapshot of the addressed
 * sandbox.
 */
export function parseFrom(from: string): { name: string; snapshot: string | undefined } {
  const [name = '', snapshot, ...rest] = from.split('/');
  if (rest.length > 0) throw notThere(name);
  return { name, snapshot };
}

/** The refusal of a name that is neither a sandbox nor a snapshot. */
export const namesNothing = (from: string, addressed: string): Error =>
  refuse('sandbox_not_found', {
    field: 'from',
    message: `from names ${JSON.stringify(from)}, which is neither a sandbox nor a snapshot of ${addressed}; <sandbox>/<snapshot> names a snapshot of another sandbox`,
  });

interface ImagesOptions {
  folder: DataFolder | null;
  seedImages: SeedImages;
  snapshots: Snapshots;
  byName(name: string): Sandbox | undefined;
}

/** The images of a process. With a data directory they are files in it. */
export function createImages({ folder, seedImages, snapshots, byName }: ImagesOptions): Images {
  const of: Images['of'] = async (sandbox) => {
    if (folder === null) return sandbox.image();
    const image = smallImageOf(sandbox);
    if (image !== undefined) return image;
    const file = folder.unfinished();
    try {
      await sandbox.writeTo(file);
    } catch (error) {
      folder.discard(file);
      throw error;
    }
    return { file };
  };
  const ofSnapshot: Images['ofSnapshot'] = async (sandbox, name) => {
    const { image, isAsTaken } = foundSnapshot(snapshots, sandbox, name);
    if (folder === null || Buffer.isBuffer(image)) return image;
    if (!isAsTaken) return checkedCopy(seedImages, folder, image.file);
    return statSync(image.file).size > AT_ONCE_BYTES ? copyOf(folder, image.file) : readFileSync(image.file);
  };
  const discard: Images['discard'] = (image) => {
    if (!Buffer.isBuffer(image)) folder?.discard(image.file);
  };
  return {
    type: SQLITE_TYPE,
    of,
    ofSnapshot,
    async named(from, addressed) {
      const { sandbox: present } = addressed;
      const { name, snapshot } = parseFrom(from);
      const sandbox = byName(name);
      if (snapshot !== undefined) {
        if (sandbox === undefined) throw notThere(name);
        return ofSnapshot(name, snapshot);
      }
      if (sandbox !== undefined) return of(sandbox);
      if (snapshots.list(present.name).some((row) => row.name === name)) {
        return ofSnapshot(present.name, name);
      }
      throw namesNothing(from, present.name);
    },
    take: (upload) => takeImage(seedImages, folder, upload),
    body: (image) => (Buffer.isBuffer(image) ? image : streamed(image.file, () => discard(image))),
    /** A worker thread compares large images; it gets copies of images in memory. */
    async compare(before, after, limit) {
      const isLarge = sizeOf(before) + sizeOf(after) > 2 * AT_ONCE_BYTES;
      if (!isLarge) return compareImages(seedImages, before, after, limit);
      return inThread('compare', { before, after, limit, now: seedImages.now() });
    },
    discard,
  };
}

/** A stream of a file, which the server sends like a buffer; `remove` is called at its end. */
function streamed(file: string, remove: () => void): Buffer {
  const end = (): void => {
    try {
      remove();
    } catch {
      // No caller waits for the removal, and the next start removes remaining files.
    }
  };
  return createReadStream(file).once('close', end) as unknown as Buffer;
}
