/**
 * Finds the sandbox of a key, a token or a name. In an open registry, a key creates its sandbox at the first use; in
 * a closed one, only created sandboxes are found.
 */
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Keys, keyOf, nameInKey } from './keys.ts';
import { DEFAULT_SANDBOX } from './names.ts';
import type { Entry } from './open-files.ts';

interface LookupOptions {
  /** All sandboxes, by their names. */
  entries: ReadonlyMap<string, Entry>;
  /** The names of those that are being removed. */
  leaving: ReadonlySet<string>;
  keys: Keys;
  /** Set if only created sandboxes exist. */
  closed?: object;
  make(name: string): Sandbox;
}

export interface Lookups {
  /** The sandbox that an API key opens; `undefined` for a key that opens none. Refuses: `sandboxes_full`. */
  byKey(key: string, isObserver?: boolean): Sandbox | undefined;
  /** The sandbox that issued a token; `undefined` if none of this process did. */
  byToken(token: string): Sandbox | undefined;
  /** An existing sandbox, by its name. */
  byName(name: string): Sandbox | undefined;
  /** A sandbox if it can be used, for reads that do not count as a use. */
  look(name: string): Sandbox | undefined;
  /** The default sandbox. */
  default(): Sandbox;
}

/** The lookups of one registry. */
export function createLookups({ entries, leaving, keys, closed, make }: LookupOptions): Lookups {
  const byName = (name: string): Sandbox | undefined => entries.get(name)?.sandbox;
  const own = (): Sandbox => {
    const sandbox = byName(DEFAULT_SANDBOX);
    if (sandbox === undefined) throw new Error('the registry is not open');
    return sandbox;
  };

  return {
    byName,
    default: own,
    look: (name) => (entries.get(name)?.damage === undefined ? byName(name) : undefined),

    byKey(key, isObserver = false) {
      const name = nameInKey(key);
      const created = keys.nameOf(key);
      if (created !== undefined) return byName(created);
      if (name === undefined || key !== keyOf(name)) return undefined;
      if (closed !== undefined) return name === DEFAULT_SANDBOX ? own() : undefined;
      return byName(name) ?? (leaving.has(name) || isObserver ? undefined : make(name));
    },

    byToken(token) {
      for (const [name, { tokenMark }] of entries) {
        if (!token.endsWith(tokenMark)) continue;
        const sandbox = byName(name);
        if (sandbox?.store.tokens.find(token.slice(0, -tokenMark.length)) !== undefined) return sandbox;
      }
      return undefined;
    },
  };
}
