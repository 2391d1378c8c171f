/**
 * A setting of the bank, stored in its table `meta`, so that snapshots contain it. It is cached until it is written,
 * so that payments need no query for it.
 */
import type { MetaKey, Store } from '../store/store.ts';

/** `get` returns the parsed value. */
export interface Setting<Stored, Opened> {
  get(): Opened;
  /** Writes it, inside the caller's transaction. After a rollback the next use reads it again. */
  put(value: Stored): void;
}

/** Opens the setting `key`; its value is `unset` until it is written. */
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
      store.onUndo(readAnew);
      store.meta.write(key, value);
      readAnew();
    },
  };
}
