/**
 * The source of secrets: keys and signing secrets. Ids and numbers come from the seed, which may be public, so
 * secrets do not. The secrets of a seeded bank are derived from a root that only this process, or its data directory,
 * has, and from the name of the sandbox: a reset and a restart produce the same secrets, and no sandbox reveals those
 * of another. All other secrets are random. With seeded secrets, each comes from the sequence.
 * Source: decisions `random-secrets`, `secret-lifetimes` and `seeded-secrets` in docs/fidelity.md.
 */
import { createHmac } from 'node:crypto';
import { ALPHANUMERIC } from '../../bank/kernel/sequence.ts';
import type { SecretFor } from '../../bank/verbs/dependencies.ts';
import { type Disk, readJson } from './disk.ts';

/** `length` characters of an alphabet, which cannot be guessed. */
export type RandomText = (length: number, alphabet: string) => string;

/** The secret of the seed with the name `what`: the same while the root is the same; at most 32 characters. */
export type SeededSecret = (what: string, length: number, alphabet: string) => string;

/** The secrets of one sandbox. */
export interface SandboxSecrets {
  /** A new secret for each call. */
  readonly fresh: SecretFor;
  /** `null` if the seed keeps the values of the sequence. */
  readonly seededSecret: SeededSecret | null;
}

export interface Secrets {
  /** Reads the root, or creates it, if it was not read yet. Throws `DataFileError`. */
  load(): void;
  /** The secrets of a sandbox by its name. */
  of(sandbox: string): SandboxSecrets;
}

/** The values of the sequence. */
export const SEEDED_SECRETS: SandboxSecrets = {
  fresh: (drawn) => drawn,
  seededSecret: null,
};

/** A little more than 256 bits. */
const ROOT_LENGTH = 44;
/**
 * Enough that no character of an alphabet is noticeably more frequent than another; a digest has enough bytes for 32
 * characters.
 */
const BYTES_PER_CHARACTER = 2;

/**
 * The secrets of one process. Without a source of random texts they are seeded. The root is the given one; otherwise
 * it is read or created at its first use, and stored in the file at `path`, or only in memory if `path` is `null`.
 */
export function createSecrets(
  randomText: RandomText | undefined,
  path: string | null,
  disk: Disk,
  input: string | null = null,
): Secrets {
  if (randomText === undefined) {
    return { of: () => SEEDED_SECRETS, load: () => {} };
  }
  let known = input ?? undefined;
  const root = (): string => {
    known ??= storedRoot(randomText, path, disk);
    return known;
  };
  return {
    load: () => void root(),
    of: (sandbox) => ({
      fresh: (drawn, alphabet) => randomText(drawn.length, alphabet),
      seededSecret: (what, length, alphabet) => derive(root(), `${sandbox}/${what}`, length, alphabet),
    }),
  };
}

/** Throws `DataFileError` for a damaged file. */
function storedRoot(randomText: RandomText, path: string | null, disk: Disk): string {
  const stored = path === null ? undefined : readJson(path, 'the root of the secrets', asRoot);
  if (stored !== undefined) return stored;
  const root = randomText(ROOT_LENGTH, ALPHANUMERIC);
  if (path !== null) disk.writeWhole(path, `${JSON.stringify({ root })}\n`);
  return root;
}

function asRoot(value: unknown): string | undefined {
  const { root } = (value ?? {}) as { root?: unknown };
  return typeof root === 'string' && root.length >= ROOT_LENGTH ? root : undefined;
}

function derive(root: string, what: string, length: number, alphabet: string): string {
  const bytes = createHmac('sha512', root).update(what).digest();
  let text = '';
  while (text.length < length) {
    text += alphabet[bytes.readUInt16BE(text.length * BYTES_PER_CHARACTER) % alphabet.length];
  }
  return text;
}
