/** Writes the bundle of the worker that runs a sandbox as a Durable Object; resolves with the paths of the files in it. */
export declare function bundleWorker(file: string): Promise<Record<string, unknown>>;
