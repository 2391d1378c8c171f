/**
 * The thread in which a large image is examined, or compared with another: one piece of work in its life, as what takes
 * seconds must not keep a bank from answering.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { compareImages } from '../store/image-comparison.ts';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import { lookInside } from './image-checks.ts';
import type { Examined, ImageTask, ToExamine } from './image-thread.ts';

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

const task = workerData as ImageTask;
parentPort?.postMessage(
  task.work === 'examine'
    ? examined(task.input)
    : compareImages(task.input.before, task.input.after, task.input.limit),
);
