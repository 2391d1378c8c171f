/**
 * Takes in images of banks. One from outside is examined before a sandbox goes on with it, because what a sandbox has
 * gone on with cannot be taken back; the books must be right as well as the bytes. A large one is examined in a thread of
 * its own, so that the banks of the process go on answering.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { refuse } from '../kernel/refusal.ts';
import type { Instant } from '../kernel/time.ts';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import type { DataFolder } from './data-folder.ts';
import { lookInside } from './image-checks.ts';
import type { Image } from './sandbox.ts';
import type { SeedImages } from './seed-images.ts';

/** What the thread is given: an image, or the path of one; and the instant of the clock that its bank would follow. */
export interface ToExamine {
  source: Uint8Array | string;
  now: Instant;
}

/** What it answers: the image in this program's schema (`null` for a file, which has it then), or what is wrong. */
export type Examined = { image: Uint8Array | null } | { problem: string };

// As source this is a .ts file, compiled a .js file, and so is the worker beside it.
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./image-worker.ts', import.meta.url)
  : new URL('./image-worker.js', import.meta.url);

/** A smaller image is examined sooner than a thread has started. */
const AT_ONCE_BYTES = 1024 * 1024;

/** An image from outside, brought to this program's schema. Refuses: `image_invalid`, and then nothing was changed. */
export async function takeImage(seedImages: SeedImages, bytes: Buffer): Promise<Buffer> {
  if (bytes.length <= AT_ONCE_BYTES) return checkedImage(seedImages, bytes);
  const image = await inThread({ source: bytes, now: seedImages.now() });
  if (image === null) throw new Error('the thread gave no image back');
  return Buffer.from(image.buffer, image.byteOffset, image.length);
}

/**
 * Examines a file from outside that nobody has open, and brings it to this program's schema. Refuses: `image_invalid`,
 * and then the file is of no use.
 */
export async function takeFile(seedImages: SeedImages, path: string): Promise<void> {
  if (statSync(path).size > AT_ONCE_BYTES) await inThread({ source: path, now: seedImages.now() });
  else refusing(() => examineFile(path, lookInside(seedImages.now())));
}

/**
 * A copy of the file of a snapshot, brought to this program's schema, for a sandbox to go on with. Refuses: `image_invalid`.
 */
export async function checkedCopy(seedImages: SeedImages, folder: DataFolder, file: string): Promise<Image> {
  const fresh = folder.unfinished();
  try {
    await folder.copy(file, fresh);
    await takeFile(seedImages, fresh);
  } catch (error) {
    folder.discard(fresh);
    throw error;
  }
  return { file: fresh };
}

/** The same as `takeImage`, at once: for an image that is small, or was made here. Refuses: `image_invalid`. */
export function checkedImage(seedImages: SeedImages, bytes: Buffer): Buffer {
  return refusing(() => readImage(bytes, lookInside(seedImages.now())));
}

function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw invalid(error.message);
  }
}

function invalid(problem: string): Error {
  return refuse('image_invalid', {
    message: `this is no bank that can be gone on with: ${problem}. GET /_sandbox/export makes one that is; nothing was changed`,
  });
}

async function inThread({ source, now }: ToExamine): Promise<Uint8Array | null> {
  // A whole buffer changes hands; of a shared one the thread gets a copy.
  const isWhole = typeof source !== 'string' && source.length === source.buffer.byteLength;
  const worker = new Worker(SCRIPT, {
    name: 'images',
    workerData: { source, now } satisfies ToExamine,
    transferList: isWhole ? [source.buffer as ArrayBuffer] : [],
    // The flags of the process are not the worker's.
    execArgv: [],
  });
  const examined = await new Promise<Examined>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that examines images ended early')));
  });
  if ('problem' in examined) throw invalid(examined.problem);
  return examined.image;
}
