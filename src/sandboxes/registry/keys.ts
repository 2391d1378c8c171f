/**
 * The random keys of created sandboxes, stored as hashes: a key is shown once, and the data directory does not reveal
 * it. They are not stored in the banks, because a restore or an import must not change the keys.
 */
import { hash } from 'node:crypto';
import { type Disk, readJson } from '../sandbox/disk.ts';
import { SANDBOX_NAME } from './names.ts';

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

/** The key of a created sandbox in a closed registry. */
export function randomKeyOf(name: string, { randomText }: { randomText(): string }): string {
  return `${keyOf(name)}.${randomText()}`;
}

export interface Keys {
  /** Reads the stored keys. Throws `DataFileError`. */
  load(): void;
  /** The sandbox that a random key opens. */
  nameOf(key: string): string | undefined;
  /** Stores the key of a sandbox and replaces its previous key. */
  set(name: string, key: string): void;
  remove(name: string): void;
}

/** The keys of one process; without a path they are only in memory. */
export function createKeys(path: string | null, disk: Disk): Keys {
  const names = new Map<string, string>();

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
    load() {
      names.clear();
      for (const [name, hashed] of Object.entries(path === null ? {} : read(path))) names.set(hashed, name);
    },
    nameOf: (key) => (names.size === 0 ? undefined : names.get(hash('sha256', key))),
    set: (name, key) => change(name, hash('sha256', key)),
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
