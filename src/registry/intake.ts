/**
 * Takes in images of banks. One from outside is examined before a sandbox goes on with it, because what a sandbox has
 * gone on with cannot be taken back; the books must be right as well as the bytes. A large one is examined, and
 * written to its file, in a thread of its own, so that the banks of the process go on answering.
 * Source: decision `import-checks` in docs/fidelity.md.
 */
import { statSync } from 'node:fs';
import { refuse } from '../kernel/refusal.ts';
import { lookInside } from '../sandbox/image-checks.ts';
import { AT_ONCE_BYTES, inThread, type ToExamine } from '../sandbox/image-thread.ts';
import type { Image } from '../sandbox/sandbox.ts';
import type { SeedImages } from '../sandbox/seed-images.ts';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import type { DataFolder } from './data-folder.ts';

/** An image from outside, in the pieces in which it arrived. It is used up by whoever takes it. */
export class Upload {
  readonly pieces: Buffer<ArrayBuffer>[];
  readonly length: number;

  constructor(pieces: Buffer<ArrayBuffer>[], length: number) {
    this.pieces = pieces;
    this.length = length;
  }
}

/**
 * An image from outside, brought to this program's schema: in memory, or where there is a data directory as an unfinished file
 * in it. Refuses: `image_invalid`, and then nothing was changed.
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
 * Examines a file from outside that nobody has open, and brings it to this program's schema. Refuses: `image_invalid`,
 * and then the file is of no use.
 */
export async function takeFile(seedImages: SeedImages, path: string): Promise<void> {
  if (statSync(path).size > AT_ONCE_BYTES) await examined({ file: path, now: seedImages.now() });
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

/** The same as `takeImage`, at once: for an image that is small. Refuses: `image_invalid`. */
function checkedImage(seedImages: SeedImages, pieces: readonly Buffer[]): Buffer {
  return refusing(() => readImage(pieces, lookInside(seedImages.now())));
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
    message: `this image cannot be used: ${problem}. GET /_sandbox/export creates a valid image; nothing was changed`,
  });
}

async function examined(task: ToExamine): Promise<Uint8Array<ArrayBuffer> | null> {
  const transferred = (task.pieces ?? []).map(({ buffer }) => buffer);
  const answer = await inThread('examine', task, transferred);
  if ('problem' in answer) throw invalid(answer.problem);
  return answer.image;
}
