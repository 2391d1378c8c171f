/**
 * How the tests of a run find the server that its global set-up started.
 */
import type { ConnectOptions } from './bank.ts';
import type { StartOptions } from './start.ts';

/** The settings of a server that no test gave others. */
export const DEFAULT_OPTIONS: StartOptions = { rails: 'manual' };

/** Under this name vitest provides where the server is. */
export const SERVER_OF_RUN = 'sandbank';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sandbank?: ConnectOptions;
  }
}
