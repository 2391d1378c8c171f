/** The names of sandboxes and snapshots, and what is refused because of a name. */
import { counted } from '../../bank/kernel/count.ts';
import { type Refusal, refuse } from '../../bank/kernel/refusal.ts';

/** The sandbox that always exists and never rests. */
export const DEFAULT_SANDBOX = 'default';

/** 1 to 64 letters, digits, _ and -, the first a letter or digit. */
export const SANDBOX_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Checks the name of a sandbox or a snapshot. Refuses: `field_invalid`. */
export function parseName(name: string): string {
  if (SANDBOX_NAME.test(name)) return name;
  throw refuse('field_invalid', {
    field: 'name',
    message: `name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, _ and -, the first a letter or digit`,
  });
}

/** Refuses: `illegal_step` for the default sandbox. */
export function requireRemovable(name: string): void {
  if (name !== DEFAULT_SANDBOX) return;
  throw refuse('illegal_step', {
    message: 'the default sandbox cannot be deleted; POST /_sandbox/reset restores its initial records',
  });
}

/** The refusal of a name that is taken. */
export function taken(name: string): Refusal {
  return refuse('sandbox_exists', {
    field: 'name',
    message: `the sandbox ${name} exists already: choose another name, or DELETE /_sandbox/sandboxes/${name} first`,
  });
}

/** The refusal for an unknown sandbox. */
export function notThere(name: string): Refusal {
  return refuse('sandbox_not_found', {
    message: `there is no sandbox ${name}; GET /_sandbox/sandboxes lists the sandboxes`,
  });
}

/** The refusal if the maximum number of sandboxes exists. */
export function full(count: number): Refusal {
  return refuse('sandboxes_full', {
    message: `there ${count === 1 ? 'is' : 'are'} ${counted(count, 'sandbox', 'sandboxes')}, the maximum of SANDBANK_MAX_SANDBOXES: delete one with DELETE /_sandbox/sandboxes/{name}, or start the bank with a higher maximum`,
  });
}
