/** The settings of an instance: the same variables as those of a process, as bindings of the worker. */
import { env } from 'cloudflare:workers';
import type { SeedDocument } from '../../sandboxes/sandbox/seed-document.ts';
import { readConfig } from '../../server/process/config.ts';
import type { Config } from '../../server/process/settings.ts';
import { clusterProblems } from '../cluster-settings.ts';
import { seedOfWorker } from '../worker-seed.ts';

/** Throws for invalid bindings, so that the worker does not start. */
function readBindings(): Config {
  const texts = Object.entries(env).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const read = readConfig(Object.fromEntries(texts));
  const problems = 'problems' in read ? read.problems : clusterProblems(read, 'worker');
  if ('problems' in read || problems.length > 0) throw new Error(problems.join('\n'));
  return read.config;
}

export const SETTINGS = readBindings();

const seed = seedOfWorker();

/** The seed document of new sandboxes; `null` for the default records. */
export const SEED_DOCUMENT = seed === undefined ? null : (JSON.parse(seed) as SeedDocument);
