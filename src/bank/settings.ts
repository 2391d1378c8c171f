/**
 * A setting of the bank that is kept in its `meta`, so that snapshots hold it, and read again only after it was written:
 * what every payment asks for must not cost a query.
 */
import type { Store } from '../store/store.ts';

/** `get` answers what is made of the stored value. */
export interface Setting<Stored, Opened> {
  get(): Opened;
  /** Writes it, inside the caller's transaction. */
  put(value: Stored): void;
  /** Reads it anew at the next use: for after a transaction that wrote it and failed. */
  clearCache(): void;
}

/** The value under `key`, `unset` until it is written. */
export function openSetting<Stored, Opened extends object>(
  store: Store,
  key: string,
  unset: Stored,
  open: (stored: Stored) => Opened,
): Setting<Stored, Opened> {
  let opened: Opened | undefined;
  return {
    get() {
      opened ??= open(store.meta.read<Stored>(key) ?? unset);
      return opened;
    },
    put(value) {
      store.meta.write(key, value);
      opened = undefined;
    },
    clearCache() {
      opened = undefined;
    },
  };
}
