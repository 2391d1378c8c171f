/**
 * Accepts images of banks. An imported image is examined before a sandbox uses it, because this cannot be undone; the
 * bytes and the books must be correct. A large image is examined, and written to its file, in a separate thread, so
 * that the process still answers requests.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { statSync } from 'node:fs';
import { refuse } from '../../bank/kernel/refusal.ts';
import { ImageError } from '../../bank/store/image-error.ts';
import { examineFile, readImage } from '../../bank/store/images.ts';
import type { Image } from '../sandbox/bank-replacement.ts';
import { lookInside } from '../sandbox/image-checks.ts';
import { AT_ONCE_BYTES, inThread, type ToExamine } from '../sandbox/image-thread.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import type { DataFolder } from './data-folder.ts';

/** An imported image, in the pieces in which it arrived. It can be taken only once. */
export class Upload {
  readonly pieces: Buffer<ArrayBuffer>[];
  readonly length: number;

  constructor(pieces: Buffer<ArrayBuffer>[], length: number) {
    this.pieces = pieces;
    this.length = length;
  }
}

/**
 * Examines and migrates an imported image. The result is in memory or, with a data directory, an unfinished file in
 * it. Refuses: `image_invalid`, and then changes nothing.
 */
export async function takeImage(
  seedImages: SeedImages,
  folder: DataFolder | null,
  { pieces, length }: Upload,
): Promise<Image> {
  if (length <= AT_ONCE_BYTES) return checkedImage(seedImages, pieces);
  if (folder === null) {
    const image = await examined({ pieces, now: seedImages.now() });
    if (image === null) throw new Error('the thread returned no image');
    return Buffer.from(image.buffer);
  }
  const file = folder.unfinished();
  try {
    await examined({ file, pieces, now: seedImages.now() });
    await folder.flush(file);
  } catch (error) {
    folder.discard(file);
    throw error;
  }
  return { file };
}

/**
 * Examines and migrates an imported file that is not open elsewhere. Refuses: `image_invalid`, and then the file
 * cannot be used.
 */
export async function takeFile(seedImages: SeedImages, path: string): Promise<void> {
  if (statSync(path).size > AT_ONCE_BYTES) await examined({ file: path, now: seedImages.now() });
  else refusing(() => examineFile(path, lookInside(seedImages.now())));
}

/** Copies and migrates the file of a snapshot, for use by a sandbox. Refuses: `image_invalid`. */
export function checkedCopy(seedImages: SeedImages, folder: DataFolder, file: string): Promise<Image> {
  return copyOf(folder, file, (fresh) => takeFile(seedImages, fresh));
}

/** Copies a file for use by a sandbox; removes the copy if `check` refuses it. */
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

/** The synchronous form of `takeImage` for a small image. Refuses: `image_invalid`. */
function checkedImage(seedImages: SeedImages, pieces: readonly Buffer[]): Buffer {
  return refusing(() => readImage(pieces, lookInside(seedImages.now())));
}

/** Converts an `ImageError` to the refusal `image_invalid`. */
export function refusing<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw invalid(error.message);
  }
}

function invalid(problem: string): Error {
  return refuse('image_invalid', {
    message: `this image cannot be used: ${problem}. GET /_sandbox/export creates a valid image; nothing was changed`,
  });
}

async function examined(task: ToExamine): Promise<Uint8Array<ArrayBuffer> | null> {
  const transferred = (task.pieces ?? []).map(({ buffer }) => buffer);
  const answer = await inThread('examine', task, transferred);
  if ('problem' in answer) throw invalid(answer.problem);
  return answer.image;
}
