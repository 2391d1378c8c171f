/** Connects the tests of a run to the server that its global setup started. */
import { randomUUID } from 'node:crypto';
import type { ConnectOptions, Sandbank } from './bank.ts';
import type { StartOptions } from './start.ts';

/** The default settings of a server. */
export const DEFAULT_OPTIONS: StartOptions = { rails: 'manual' };

/** The key under which vitest provides the address of the server. */
export const SERVER_OF_RUN = 'sandbank';

/** The address of a bank as plain values, which vitest can pass to its workers. */
export function placeOf({ url, apiKey, ca, env }: Sandbank): ConnectOptions {
  const { SANDBANK_CONTROL_TOKEN: controlToken } = env;
  return {
    url,
    apiKey,
    ...(controlToken !== undefined && { controlToken }),
    ...(ca !== undefined && { ca }),
  };
}

/** Makes a first sandbox: the server then loads what it needs, and no test waits for that. */
export async function makeOne(server: Sandbank): Promise<void> {
  const first = await server.inSandbox(`vitest_${randomUUID()}`);
  await first.clock.freeze();
  await first.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly sandbank?: ConnectOptions;
  }
}
