/**
 * Takes in images of banks. One from outside is examined before a sandbox goes on with it, because what a sandbox has
 * gone on with cannot be taken back; the books must be right as well as the bytes. A large one is examined in a thread of
 * its own, so that the banks of the process go on answering.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { statSync } from 'node:fs';
import { refuse } from '../kernel/refusal.ts';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import type { DataFolder } from './data-folder.ts';
import { lookInside } from './image-checks.ts';
import { AT_ONCE_BYTES, inThread, type ToExamine } from './image-thread.ts';
import type { Image } from './sandbox.ts';
import type { SeedImages } from './seed-images.ts';

/** An image from outside, brought to this program's schema. Refuses: `image_invalid`, and then nothing was changed. */
export async function takeImage(seedImages: SeedImages, bytes: Buffer): Promise<Buffer> {
  if (bytes.length <= AT_ONCE_BYTES) return checkedImage(seedImages, bytes);
  const image = await examined({ source: bytes, now: seedImages.now() });
  if (image === null) throw new Error('the thread gave no image back');
  return Buffer.from(image.buffer, image.byteOffset, image.length);
}

/**
 * Examines a file from outside that nobody has open, and brings it to this program's schema. Refuses: `image_invalid`,
 * and then the file is of no use.
 */
export async function takeFile(seedImages: SeedImages, path: string): Promise<void> {
  if (statSync(path).size > AT_ONCE_BYTES) await examined({ source: path, now: seedImages.now() });
  else refusing(() => examineFile(path, lookInside(seedImages.now())));
}

/**
 * A copy of the file of a snapshot, brought to this program's schema, for a sandbox to go on with. Refuses: `image_invalid`.
 */
export function checkedCopy(seedImages: SeedImages, folder: DataFolder, file: string): Promise<Image> {
  return copyOf(folder, file, (fresh) => takeFile(seedImages, fresh));
}

/** A copy of a file, for a sandbox to go on with; one that `check` refuses is removed. */
export async function copyOf(
  folder: DataFolder,
  file: string,
  check?: (fresh: string) => Promise<void>,
): Promise<{ file: string }> {
  const fresh = folder.unfinished();
  try {
    await folder.copy(file, fresh);
    await check?.(fresh);
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

async function examined({ source, now }: ToExamine): Promise<Uint8Array | null> {
  // A whole buffer changes hands; of a shared one the thread gets a copy.
  const isWhole = typeof source !== 'string' && source.length === source.buffer.byteLength;
  const answer = await inThread('examine', { source, now }, isWhole ? [source.buffer as ArrayBuffer] : []);
  if ('problem' in answer) throw invalid(answer.problem);
  return answer.image;
}
