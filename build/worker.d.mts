/**
 * Writes the bundle of the worker that runs a sandbox as a Durable Object, with further migrations by the names of their files;
 * resolves with the paths of the files in it.
 */
export declare function bundleWorker(
  file: string,
  migrations?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>>;
