/**
 * The options with which a test opens a registry: banks in memory, a clock that the test moves, and receivers that
 * respond with 200.
 */
import type { RegistryOptions } from '../../../src/sandboxes/registry/registry.ts';
import type { HandClock } from '../../support/sandbox.ts';

export const optionsFor = (clock: HandClock, errors: unknown[] = []): RegistryOptions => ({
  data: null,
  synchronous: 'off',
  seed: 'test',
  rails: 'fast',
  webhookUrl: null,
  clock,
  wallClock: clock,
  send: async () => ({ status: 200, durationMs: 1, error: '', retryAfter: null }),
  onError: (_, error) => errors.push(error),
});
