/**
 * The random keys of created sandboxes, stored as hashes: a key is shown once, and the data directory does not reveal
 * it. They are not stored in the banks, because a restore or an import must not change the keys.
 */
import { hash } from 'node:crypto';
import { type Disk, readJson } from '../sandbox/disk.ts';
import { SANDBOX_NAME } from './data-folder.ts';

/** The name of a sandbox, and in the key of a closed sandbox a dot and a random text. */
const KEY = /^test_([^.]*)(?:\..*)?$/s;

/** A call with this header creates no sandbox: for one that does not exist it is refused. */
export const OBSERVER_HEADER = 'x-sandbox-observer';

/** The public key of a sandbox. */
export function keyOf(name: string): string {
  return `test_${name}`;
}

/** The sandbox that a key names; `undefined` if it names none. */
export function nameInKey(key: string): string | undefined {
  const name = KEY.exec(key)?.[1];
  return name !== undefined && SANDBOX_NAME.test(name) ? name : undefined;
}

export interface Keys {
  /** The sandbox that a random key opens. */
  nameOf(key: string): string | undefined;
  /** Stores the key of a sandbox and replaces its previous key. */
  set(name: string, key: string): void;
  /** The digest of a sandbox's random key, which can be transferred to another bank; `null` if it has none. */
  digestOf(name: string): string | null;
  /** Stores the digest of a key. */
  setDigest(name: string, digest: string): void;
  remove(name: string): void;
}

/** The keys of one process; without a path they are only in memory. */
export function createKeys(path: string | null, disk: Disk): Keys {
  const hashes = path === null ? {} : read(path);
  const names = new Map(Object.entries(hashes).map(([name, hashed]) => [hashed, name]));

  const save = (): void => {
    if (path === null) return;
    const stored = Object.fromEntries([...names].map(([hashed, name]) => [name, hashed]));
    disk.writeWhole(path, `${JSON.stringify(stored, null, 2)}\n`);
  };
  /** Sets or removes the digest of a sandbox. Throws if the file cannot be written, and then changes nothing. */
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
