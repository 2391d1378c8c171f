/**
 * The thread in which a large image is examined, or compared with another: one piece of work in its life, as what takes
 * seconds must not keep a bank from answering.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import { type Comparison, compareImages } from './comparison.ts';
import { lookInside } from './image-checks.ts';
import type { Examined, ImageTask, ToCompare, ToExamine } from './image-thread.ts';
import type { Image } from './sandbox.ts';
import { createSeedImages } from './seed-images.ts';

function examined({ source, now }: ToExamine): Examined {
  try {
    if (typeof source === 'string') {
      examineFile(source, lookInside(now));
      return { image: null };
    }
    return {
      image: readImage(Buffer.from(source.buffer, source.byteOffset, source.length), lookInside(now)),
    };
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { problem: error.message };
  }
}

/** A buffer that changed hands is one of plain bytes. */
function received(image: Image | Uint8Array): Image {
  if (!(image instanceof Uint8Array)) return image;
  return Buffer.from(image.buffer, image.byteOffset, image.length);
}

function compared({ before, after, limit, now }: ToCompare): Comparison {
  // Nothing is seeded: both images have their banks.
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
parentPort?.postMessage(task.work === 'examine' ? examined(task.input) : compared(task.input));
