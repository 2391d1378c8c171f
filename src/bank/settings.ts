/**
 * A setting of the bank that is kept in its `meta`, so that snapshots hold it, and read again only after it was written:
 * what every payment asks for must not cost a query.
 */
import type { MetaKey, Store } from '../store/store.ts';

/** `get` answers what is made of the stored value. */
export interface Setting<Stored, Opened> {
  get(): Opened;
  /** Writes it, inside the caller's transaction. If that is rolled back, the next use reads it anew. */
  put(value: Stored): void;
}

/** The value under `key`, `unset` until it is written. */
export function openSetting<Stored, Opened extends object>(
  store: Store,
  key: MetaKey,
  unset: Stored,
  open: (stored: Stored) => Opened,
): Setting<Stored, Opened> {
  let opened: Opened | undefined;
  const readAnew = (): void => {
    opened = undefined;
  };
  return {
    get() {
      opened ??= open(store.meta.read<Stored>(key) ?? unset);
      return opened;
    },
    put(value) {
      store.onTakeBack(readAnew);
      store.meta.write(key, value);
      readAnew();
    },
  };
}
