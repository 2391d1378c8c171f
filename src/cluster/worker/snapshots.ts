/**
 * The snapshots of an object, stored next to its rows. Each is stored in parts, because a value can have at most two
 * megabytes.
 */
import type { Snapshots } from '../../sandboxes/sandbox/snapshots.ts';
import type { ObjectStorage } from './object-driver.ts';

/** The storage of the current object. */
export interface Keeper {
  readonly name: string;
  readonly storage: ObjectStorage;
}

/** The sizes of the snapshots in bytes, by name. */
type Index = Readonly<Record<string, number>>;

const INDEX_KEY = 'snapshots';
const PART_BYTES = 1024 * 1024;

const partKey = (name: string, part: number): string => `snapshot/${name}/${part}`;
const partsOf = (bytes: number): number[] => [...Array(Math.ceil(bytes / PART_BYTES)).keys()];

/** The snapshots of the current object; those of other sandboxes are not available. */
export function createObjectSnapshots(keeper: () => Keeper): Snapshots {
  const kvOf = (sandbox: string) => {
    const { name, storage } = keeper();
    return name === sandbox ? storage.kv : undefined;
  };
  const indexOf = (sandbox: string): Index => (kvOf(sandbox)?.get(INDEX_KEY) ?? {}) as Index;
  const change = (action: (kv: ObjectStorage['kv']) => void): void => {
    const { storage } = keeper();
    storage.transactionSync(() => action(storage.kv));
  };
  const removeFrom = (kv: ObjectStorage['kv'], index: Index, name: string): Index => {
    const { [name]: bytes = 0, ...rest } = index;
    for (const part of partsOf(bytes)) kv.delete(partKey(name, part));
    return rest;
  };
  return {
    list: (sandbox) =>
      Object.entries(indexOf(sandbox))
        .map(([name, bytes]) => ({ name, bytes }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    find(sandbox, name) {
      const kv = kvOf(sandbox);
      const index = indexOf(sandbox);
      if (kv === undefined || !Object.hasOwn(index, name)) return undefined;
      const parts = partsOf(index[name] ?? 0).map((part) => kv.get(partKey(name, part)) as Uint8Array);
      return { image: Buffer.concat(parts), isAsTaken: true };
    },
    async take(sandbox, name) {
      const bytes = sandbox.image();
      change((kv) => {
        const rest = removeFrom(kv, indexOf(sandbox.name), name);
        // Copies each part, because a view would keep the whole memory.
        for (const part of partsOf(bytes.length)) {
          const view = bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
          kv.put(partKey(name, part), Uint8Array.from(view));
        }
        kv.put(INDEX_KEY, { ...rest, [name]: bytes.length });
      });
      return bytes.length;
    },
    remove(sandbox, name) {
      const index = indexOf(sandbox);
      if (!Object.hasOwn(index, name)) return false;
      change((kv) => kv.put(INDEX_KEY, removeFrom(kv, index, name)));
      return true;
    },
    removeAll(sandbox) {
      for (const name of Object.keys(indexOf(sandbox))) this.remove(sandbox, name);
    },
  };
}
