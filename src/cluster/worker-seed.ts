/**
 * Passes the seed document to a worker, which can read no file while it starts, and whose variables may be too short for it: it is
 * text before the code of the worker.
 */
const NAME = 'sandbankSeed';

/** The worker with a seed document as JSON. */
export const withSeed = (worker: Buffer, json: string): Buffer =>
  Buffer.concat([Buffer.from(`globalThis.${NAME} = ${JSON.stringify(json)};\n`), worker]);

/** The seed document of this worker as JSON; `undefined` if it has none. */
export const seedOfWorker = (): string | undefined => (globalThis as { [NAME]?: string })[NAME];
