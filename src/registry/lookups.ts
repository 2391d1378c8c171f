/**
 * Finds the sandbox of a key, a token or a name. In an open registry, a key creates its sandbox at the first use; in
 * a closed one, only created sandboxes are found. A sandbox whose slot another bank of the fleet serves is refused.
 */
import { slotOf } from '../kernel/slots.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Keys, keyOf, nameInKey } from './keys.ts';
import type { Entry } from './open-files.ts';
import type { Slots } from './slots.ts';
import { slotOfToken } from './token-marks.ts';

interface LookupOptions {
  /** All sandboxes, by their names. */
  entries: ReadonlyMap<string, Entry>;
  /** The names of those that are being removed. */
  leaving: ReadonlySet<string>;
  /** The name of the default sandbox. */
  stays: string;
  slots: Slots;
  keys(): Keys;
  /** Whether only created sandboxes exist. */
  isClosed: boolean;
  make(name: string): Sandbox;
}

export interface Lookups {
  /** Refuses: `slot_elsewhere`. */
  requireServed(name: string): void;
  byKey(key: string, isObserver?: boolean): Sandbox | undefined;
  byToken(token: string): Sandbox | undefined;
  byName(name: string): Sandbox | undefined;
  look(name: string): Sandbox | undefined;
  default(): Sandbox;
}

/** The lookups of one registry. */
export function createLookups({
  entries,
  leaving,
  stays,
  slots,
  keys,
  isClosed,
  make,
}: LookupOptions): Lookups {
  const use = (name: string): Sandbox | undefined => entries.get(name)?.sandbox;
  const requireServed = (name: string): void => {
    if (slots.isShared) slots.require(slotOf(name), `the sandbox ${name}`);
  };
  const byName = (name: string): Sandbox | undefined => {
    requireServed(name);
    return use(name);
  };
  const own = (): Sandbox => {
    const sandbox = byName(stays);
    if (sandbox === undefined) throw new Error('the registry is not open');
    return sandbox;
  };

  return {
    requireServed,
    byName,
    default: own,
    look: (name) => (entries.get(name)?.damage === undefined ? use(name) : undefined),

    byKey(key, isObserver = false) {
      const name = nameInKey(key);
      if (name !== undefined) requireServed(name);
      const created = keys().nameOf(key);
      if (created !== undefined) return use(created);
      if (name === undefined || key !== keyOf(name)) return undefined;
      if (isClosed) return name === stays ? own() : undefined;
      return use(name) ?? (leaving.has(name) || isObserver ? undefined : make(name));
    },

    byToken(token) {
      const slot = slotOfToken(token);
      if (slot === undefined) return undefined;
      slots.require(slot, 'the sandbox of this token');
      for (const [name, { tokenMark }] of entries) {
        if (!token.endsWith(tokenMark)) continue;
        const sandbox = use(name);
        if (sandbox?.store.tokens.find(token.slice(0, -tokenMark.length)) !== undefined) return sandbox;
      }
      return undefined;
    },
  };
}
