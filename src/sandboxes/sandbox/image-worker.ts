/**
 * The worker thread that examines a large image, or compares it with another: one task per thread, because a task
 * that takes seconds must not block the event loop.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { ImageError } from '../../bank/store/image-error.ts';
import { examineFile, readImage } from '../../bank/store/images.ts';
import type { Image } from './bank-replacement.ts';
import { type Comparison, compareImages } from './comparison.ts';
import { OWNER_ONLY } from './disk.ts';
import { lookInside } from './image-checks.ts';
import type { Examined, ImageTask, ToCompare, ToExamine } from './image-thread.ts';
import { createSeedImages } from './seed-images.ts';

function examined({ file, pieces, now }: ToExamine): Examined {
  try {
    if (file === undefined) return { image: readImage(pieces ?? [], lookInside(now)) };
    if (pieces !== undefined) writePieces(file, pieces);
    examineFile(file, lookInside(now));
    return { image: null };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { problem: error.message };
  }
}

function writePieces(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', OWNER_ONLY);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** A transferred buffer is an array of plain bytes. */
function received(image: Image | Uint8Array): Image {
  if (!(image instanceof Uint8Array)) return image;
  return Buffer.from(image.buffer, image.byteOffset, image.length);
}

function compared({ before, after, limit, now }: ToCompare): Comparison {
  // Nothing is seeded: both images already have a bank.
  const seedImages = createSeedImages({
    seed: '',
    rails: 'manual',
    webhookUrl: null,
    clock: { now: () => now },
    path: null,
  });
  return compareImages(seedImages, received(before), received(after), limit);
}

const task = workerData as ImageTask;
if (task.work === 'compare') parentPort?.postMessage(compared(task.input));
else {
  const answer = examined(task.input);
  parentPort?.postMessage(answer, 'image' in answer && answer.image !== null ? [answer.image.buffer] : []);
}
