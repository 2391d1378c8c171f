/**
 * The thread in which a large image is examined, one image in its life: what takes seconds must not keep a bank from
 * answering.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { examineFile, ImageError, readImage } from '../store/images.ts';
import { lookInside } from './image-checks.ts';
import type { Examined, ToExamine } from './intake.ts';

const { source, now } = workerData as ToExamine;

function examined(): Examined {
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

parentPort?.postMessage(examined());
