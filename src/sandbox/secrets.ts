/**
 * Where secrets come from: whatever opens something or signs something. Ids and numbers come from the seed, which anybody
 * may know, so secrets do not. Those of a seeded bank are derived from a root that only this process, or its data directory,
 * has, and from the name of the sandbox: so a reset and a restart give the same ones again, and no sandbox tells those of
 * another. All others are drawn anew. Where secrets are seeded, each is what the sequence drew for it.
 * Source: decisions `random-secrets`, `secret-lifetimes` and `seeded-secrets` in docs/fidelity.md.
 */
import { createHmac } from 'node:crypto';
import type { SecretFor } from '../bank/dependencies.ts';
import { ALPHANUMERIC, HEX } from '../kernel/sequence.ts';
import { type Disk, readJson } from './disk.ts';

/** `length` characters of an alphabet that nobody can guess. */
export type RandomText = (length: number, alphabet: string) => string;

/** The secret of the seed that is called `what`: the same for as long as the root is; of 32 characters at most. */
export type SeededSecret = (what: string, length: number, alphabet: string) => string;

/** The secrets of one sandbox. */
export interface SandboxSecrets {
  /** Another one each time. */
  readonly fresh: SecretFor;
  /** `null` where the seed keeps what the sequence drew. */
  readonly seededSecret: SeededSecret | null;
}

export interface Secrets {
  /** Reads the root, or makes it, if that has not been done. Throws `DataFileError`. */
  settle(): void;
  /** Those of the sandbox of a name. */
  of(sandbox: string): SandboxSecrets;
  /** Tells roots apart and nothing else of them; `''` where secrets are seeded. */
  fingerprint(): string;
}

/** What the sequence drew. */
export const SEEDED_SECRETS: SandboxSecrets = {
  fresh: (drawn) => drawn,
  seededSecret: null,
};

/** 256 bits and some more. */
const ROOT_LENGTH = 44;
const FINGERPRINT_LENGTH = 16;
/** So many that no character of an alphabet is noticeably more frequent than another; a digest has enough for 32. */
const BYTES_PER_CHARACTER = 2;

/**
 * The secrets of one process. Without a source of random texts they are seeded. The root is the given one; else it is read, or
 * made, when it is first needed, and kept in the file at `path`; with the process alone when `null`.
 */
export function createSecrets(
  randomText: RandomText | undefined,
  path: string | null,
  disk: Disk,
  input: string | null = null,
): Secrets {
  if (randomText === undefined) {
    return { of: () => SEEDED_SECRETS, settle: () => {}, fingerprint: () => '' };
  }
  let known = input ?? undefined;
  const root = (): string => {
    known ??= storedRoot(randomText, path, disk);
    return known;
  };
  return {
    settle: () => void root(),
    of: (sandbox) => ({
      fresh: (drawn, alphabet) => randomText(drawn.length, alphabet),
      seededSecret: (what, length, alphabet) => derive(root(), `${sandbox}/${what}`, length, alphabet),
    }),
    fingerprint: () => derive(root(), '/fingerprint', FINGERPRINT_LENGTH, HEX),
  };
}

/** Throws `DataFileError` for a file that is not as it was written. */
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
