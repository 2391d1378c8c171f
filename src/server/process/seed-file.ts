/**
 * The file with the initial records of the bank: SANDBANK_SEED_FILE names a seed document, or a folder with one. It is
 * read and checked before the bank is created.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../bank/kernel/refusal.ts';
import { parseWholeJson } from '../../bank/kernel/whole-text.ts';
import { checkDocument } from '../../sandboxes/sandbox/seed-checks.ts';
import { type SeedDocument, SeedDocumentShape } from '../../sandboxes/sandbox/seed-document.ts';
import { shapeProblem } from '../http/validation.ts';

const HOW_TO_MEND = 'correct it, or unset SANDBANK_SEED_FILE for the default records';

/** The problem of a seed file; the message names the file and the path in it. */
export class SeedFileError extends Error {}

/** A seed document and the file that it came from. */
export interface SeedFile {
  readonly path: string;
  readonly document: SeedDocument;
}

/**
 * Reads the seed document at a path, which may be a folder with one JSON file. `null` for a folder without one, which
 * may be an empty mount. Throws `SeedFileError`.
 */
export function readSeedFile(input: string): SeedFile | null {
  const path = fileAt(input);
  if (path === null) return null;
  let document: unknown;
  try {
    document = parseWholeJson(textOf(path));
  } catch (error) {
    if (error instanceof SeedFileError) throw error;
    if (error instanceof Refusal) throw seedFileError(path, error);
    throw new SeedFileError(
      `the seed file ${path} is not JSON (${(error as Error).message}): ${HOW_TO_MEND}`,
    );
  }
  try {
    const problem = shapeProblem(SeedDocumentShape, document);
    if (problem !== null) throw problem;
    checkDocument(document as SeedDocument);
  } catch (error) {
    throw seedFileError(path, error);
  }
  return { path, document: document as SeedDocument };
}

/** Converts a refusal during the seeding to a `SeedFileError`; returns any other error unchanged. */
export function seedFileError(path: string, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  return new SeedFileError(`the seed file ${path} cannot be used: ${error.message}; ${HOW_TO_MEND}`);
}

/** Windows editors begin a file with a byte order mark, which is not JSON. */
const BYTE_ORDER_MARK = /^\uFEFF/;
/** A complete seed document is far smaller. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reading a device or a pipe could block the process or never end, so only regular files are read. */
function textOf(path: string): string {
  const stat = reading(path, () => statSync(path));
  if (!stat.isFile()) {
    throw new SeedFileError(
      `the seed file ${path} is not a regular file: write the document to a file, or unset SANDBANK_SEED_FILE for the default records`,
    );
  }
  if (stat.size > MAX_BYTES) {
    throw new SeedFileError(
      `the seed file ${path} has ${stat.size} bytes, and the maximum is ${MAX_BYTES}: ${HOW_TO_MEND}`,
    );
  }
  return reading(path, () => readFileSync(path, 'utf8')).replace(BYTE_ORDER_MARK, '');
}

function fileAt(input: string): string | null {
  if (!reading(input, () => statSync(input).isDirectory())) return input;
  const names = reading(input, () => readdirSync(input))
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .toSorted();
  if (names.length > 1) {
    throw new SeedFileError(
      `the folder ${input} has more than one seed file (${names.join(', ')}): keep one, or name a file with SANDBANK_SEED_FILE`,
    );
  }
  return names[0] === undefined ? null : join(input, names[0]);
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new SeedFileError(
      `the seed file ${path} cannot be read (${(error as Error).message}): ${HOW_TO_MEND}`,
    );
  }
}
