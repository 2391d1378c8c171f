/** Writes the bundle of the worker that runs a sandbox as a Durable Object. */
export declare function bundleWorker(file: string): Promise<void>;
