/** `sandbank cluster init`: writes the folder for instances and for Cloudflare. */
import { resolve } from 'node:path';
import { CommandError, printAnswer } from '../../cli/bank.ts';
import type { Shell } from '../../cli/shell.ts';
import type { SeedDocument } from '../../sandboxes/sandbox/seed-document.ts';
import { SeedFileError } from '../../server/process/seed-file.ts';
import { SETTINGS } from '../../server/process/settings.ts';
import { usableSeed } from '../cluster-seed.ts';
import { ASSETS, filesThere, TEMPLATES, WORKER, writeFolder } from './folder.ts';

export interface InitOptions {
  /** Replaces existing files. */
  readonly force?: boolean;
  /** The seed document of new sandboxes. */
  readonly seedFile?: string;
  readonly json?: boolean;
}

/** Writes the folder; throws a `CommandError` that names existing files, or the problem of the seed document. */
export function runInit(
  shell: Shell,
  folder: string,
  { force = false, seedFile = shell.environment.SANDBANK_SEED_FILE ?? '', ...options }: InitOptions,
): void {
  const there = filesThere(folder);
  if (there.length > 0 && !force) {
    throw new CommandError(
      `${folder} has ${there.join(', ')} already, and nothing was written. Name another folder, or replace these with --force.`,
    );
  }
  const seed = seedFile === '' ? null : seedAt(seedFile);
  writeFolder(resolve(folder), seed);
  const files = [WORKER, ...TEMPLATES];
  printAnswer(shell, options, { folder: resolve(folder), files: [...files, ASSETS] }, () => [
    `${folder}: ${files.join(', ')} and the pages in ${ASSETS}`,
    ...(seed === null ? [] : [`New sandboxes have the records of ${seedFile}`]),
    'On this machine:  sandbank cluster dev',
    `On Cloudflare:    cd ${folder}, npx wrangler secret put SANDBANK_CONTROL_TOKEN, npx wrangler deploy`,
    'The guide is at docs/guides/cluster.md, and a running bank serves it at /docs/guides/cluster.html',
  ]);
}

/** Instances may have other settings; they do not change which documents can be used. */
function seedAt(path: string): SeedDocument | null {
  const { rails, randomSeed } = SETTINGS;
  try {
    return usableSeed(path, { rails: rails.default, randomSeed: randomSeed.default, webhookUrl: null });
  } catch (error) {
    throw error instanceof SeedFileError ? new CommandError(error.message) : error;
  }
}
