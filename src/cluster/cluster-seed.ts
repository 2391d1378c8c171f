/**
 * The seed document of an instance whose sandboxes are Durable Objects. An object reads no files, and a variable may be too
 * short, so the command writes the document before the code of the worker.
 */

import type { SeedDocument } from '../sandboxes/sandbox/seed-document.ts';
import { createSeedImages } from '../sandboxes/sandbox/seed-images.ts';
import { readSeedFile, seedFileError } from '../server/process/seed-file.ts';
import type { Config } from '../server/process/settings.ts';

/** The document at the path of a setting, if a bank can be seeded from it; `null` for an empty folder. Throws `SeedFileError`. */
export function usableSeed(
  path: string,
  config: Pick<Config, 'rails' | 'randomSeed' | 'webhookUrl'>,
): SeedDocument | null {
  const file = readSeedFile(path);
  if (file === null) return null;
  const { rails, randomSeed: seed, webhookUrl } = config;
  const clock = { now: () => Date.now() };
  try {
    createSeedImages({ seed, document: file.document, rails, webhookUrl, clock, path: null }).image();
  } catch (error) {
    throw seedFileError(file.path, error);
  }
  return file.document;
}
