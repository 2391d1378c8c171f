/**
 * The functions that a registry does not have: a sandbox in a Durable Object has no sockets and no files. `GET
 * /_sandbox` lists them, and their requests are refused.
 */
import { refuse } from '../../bank/kernel/refusal.ts';

/** A function of the control plane that some registries do not have. */
export type Capability = 'connection faults';

export interface Unavailable {
  readonly what: string;
  readonly why: string;
}

/** Refuses: `not_emulated`, with the reason, for what is in the list. */
export function requireAvailable(
  { unavailable }: { readonly unavailable: readonly Unavailable[] },
  what: Capability,
): void {
  const missing = unavailable.find((one) => one.what === what);
  if (missing === undefined) return;
  throw refuse('not_emulated', { message: `${what} are not available here: ${missing.why}` });
}
