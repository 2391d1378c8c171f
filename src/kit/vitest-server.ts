/**
 * How the tests of a run find the server that its global set-up started.
 */
import type { ConnectOptions, Sandbank } from './bank.ts';
import type { StartOptions } from './start.ts';

/** The settings of a server that no test gave others. */
export const DEFAULT_OPTIONS: StartOptions = { rails: 'manual' };

/** Under this name vitest provides where the server is. */
export const SERVER_OF_RUN = 'sandbank';

/** Where a bank is, as plain values, which is what vitest can hand to its workers. */
export function placeOf({ url, apiKey, ca, env }: Sandbank): ConnectOptions {
  const { SANDBANK_CONTROL_TOKEN: controlToken } = env;
  return {
    url,
    apiKey,
    ...(controlToken !== undefined && { controlToken }),
    ...(ca !== undefined && { ca }),
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly sandbank?: ConnectOptions;
  }
}
