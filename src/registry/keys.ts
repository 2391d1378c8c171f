/**
 * The random keys of created sandboxes, kept hashed: a key is shown once, and whoever reads the data directory gets
 * none. They are beside the banks and not in them, because a restore or an import must not change who may call.
 */
import { hash } from 'node:crypto';
import { type Disk, readJson } from '../sandbox/disk.ts';
import { SANDBOX_NAME } from './data-folder.ts';

/** The name of a sandbox, and after a point what nobody can guess of a closed one's key. */
const KEY = /^test_([^.]*)(?:\..*)?$/s;

/** A call with this header makes no sandbox: whoever looks at one that does not exist is told so. */
export const OBSERVER_HEADER = 'x-sandbox-observer';

/** The key that opens a sandbox which anybody may open. */
export function keyOf(name: string): string {
  return `test_${name}`;
}

/** The sandbox that a key names; `undefined` where it names none. */
export function nameInKey(key: string): string | undefined {
  const name = KEY.exec(key)?.[1];
  return name !== undefined && SANDBOX_NAME.test(name) ? name : undefined;
}

export interface Keys {
  /** The sandbox that a random key opens. */
  nameOf(key: string): string | undefined;
  /** Remembers the key of a sandbox, in place of one that it has already. */
  set(name: string, key: string): void;
  /** The digest of a sandbox's random key, which another bank may take over; `null` where it has none. */
  digestOf(name: string): string | null;
  /** Remembers a key by its digest. */
  setDigest(name: string, digest: string): void;
  remove(name: string): void;
}

/** The keys of one process; without a path they go with it. */
export function createKeys(path: string | null, disk: Disk): Keys {
  const hashes = path === null ? {} : read(path);
  const names = new Map(Object.entries(hashes).map(([name, hashed]) => [hashed, name]));

  const save = (): void => {
    if (path === null) return;
    const stored = Object.fromEntries([...names].map(([hashed, name]) => [name, hashed]));
    disk.writeWhole(path, `${JSON.stringify(stored, null, 2)}\n`);
  };
  /** Gives a sandbox this digest or none. Throws what keeps the file from being written, and then nothing is changed. */
  const change = (name: string, digest: string | undefined): void => {
    const before = [...names];
    for (const [hashed, other] of before) if (other === name) names.delete(hashed);
    if (digest !== undefined) names.set(digest, name);
    else if (names.size === before.length) return;
    try {
      save();
    } catch (error) {
      names.clear();
      for (const [hashed, other] of before) names.set(hashed, other);
      throw error;
    }
  };

  return {
    nameOf: (key) => (names.size === 0 ? undefined : names.get(hash('sha256', key))),
    set: (name, key) => change(name, hash('sha256', key)),
    digestOf: (name) => [...names].find(([, of]) => of === name)?.[0] ?? null,
    setDigest: change,
    remove: (name) => change(name, undefined),
  };
}

function read(path: string): Record<string, string> {
  return readJson(path, 'the keys of created sandboxes', asHashes) ?? {};
}

function asHashes(value: unknown): Record<string, string> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.values(value).every((hashed) => typeof hashed === 'string')
    ? (value as Record<string, string>)
    : undefined;
}
