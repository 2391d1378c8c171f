/**
 * Starts a worker thread for one task on images: a task that takes seconds must not block the event loop.
 */
import { Worker } from 'node:worker_threads';
import type { Instant } from '../../bank/kernel/time.ts';
import type { Image } from './bank-replacement.ts';
import type { Comparison } from './comparison.ts';

/** An image to examine, and the instant of the clock that its bank would follow. */
export interface ToExamine {
  /** The file that has the image; the image is kept in memory unless given. */
  file?: string;
  /** The bytes to write to the file first, or the image in memory. */
  pieces?: readonly Uint8Array<ArrayBuffer>[];
  now: Instant;
}

/** The image in this program's schema (`null` for a file, which has it then), or what is wrong. */
export type Examined = { image: Uint8Array<ArrayBuffer> | null } | { problem: string };

/** Two images whose records are to be compared, and how many of each noun are to be named; files are used up. */
export interface ToCompare {
  before: Image;
  after: Image;
  limit: number;
  now: Instant;
}

/** The tasks of the thread, and their results. */
export interface ImageWork {
  examine: { input: ToExamine; output: Examined };
  compare: { input: ToCompare; output: Comparison };
}
export type ImageTask = {
  [Work in keyof ImageWork]: { work: Work; input: ImageWork[Work]['input'] };
}[keyof ImageWork];

// In the sources this is a .ts file and in the bundle a .js file, like the worker in the same folder.
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./image-worker.ts', import.meta.url)
  : new URL('./image-worker.js', import.meta.url);

/** A smaller image is processed faster than a thread starts. */
export const AT_ONCE_BYTES = 1024 * 1024;

/** Runs a task in a thread. Transferred buffers cannot be used here afterwards. */
export async function inThread<Work extends keyof ImageWork>(
  work: Work,
  input: ImageWork[Work]['input'],
  transferred: readonly ArrayBuffer[] = [],
): Promise<ImageWork[Work]['output']> {
  const worker = new Worker(SCRIPT, {
    name: 'images',
    workerData: { work, input },
    transferList: [...transferred],
    // The worker must not inherit the flags of the process.
    execArgv: [],
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that works on images ended early')));
  });
}
