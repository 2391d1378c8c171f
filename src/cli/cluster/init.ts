/** `sandbank cluster init`: writes the folder for instances and for Cloudflare. */
import { resolve } from 'node:path';
import { CommandError, printAnswer } from '../bank.ts';
import type { Shell } from '../shell.ts';
import { ASSETS, filesThere, TEMPLATES, WORKER, writeFolder } from './folder.ts';

export interface InitOptions {
  /** Replaces existing files. */
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes the folder; throws a `CommandError` that names existing files. */
export function runInit(shell: Shell, folder: string, { force = false, ...options }: InitOptions): void {
  const there = filesThere(folder);
  if (there.length > 0 && !force) {
    throw new CommandError(
      `${folder} has ${there.join(', ')} already, and nothing was written. Name another folder, or replace these with --force.`,
    );
  }
  writeFolder(resolve(folder));
  const files = [WORKER, ...TEMPLATES];
  printAnswer(shell, options, { folder: resolve(folder), files: [...files, ASSETS] }, () => [
    `${folder}: ${files.join(', ')} and the pages in ${ASSETS}`,
    'On this machine:  sandbank cluster dev',
    `On Cloudflare:    cd ${folder}, npx wrangler secret put SANDBANK_CONTROL_TOKEN, npx wrangler deploy`,
    'The guide is at docs/guides/cluster.md, and a running bank serves it at /docs/guides/cluster.html',
  ]);
}
