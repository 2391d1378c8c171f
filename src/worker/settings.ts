/** The settings of an instance: the same variables as those of a process, as bindings of the worker. */
import { env } from 'cloudflare:workers';
import { isLoopback } from '../http/hosts.ts';
import { readConfig } from '../process/config.ts';
import type { Config } from '../process/settings.ts';

/** Settings whose other values need what an object has not, and why. */
const ONLY: readonly (readonly [name: keyof Config, value: unknown, variable: string])[] = [
  ['sandboxes', 'open', 'SANDBANK_SANDBOXES'],
  ['rateLimits', 'off', 'SANDBANK_RATE_LIMITS'],
  ['seedFile', null, 'SANDBANK_SEED_FILE'],
  ['slots', 'all', 'SANDBANK_SLOTS'],
];

/** Throws for what is wrong with them. */
function readBindings(): Config {
  const texts = Object.entries(env).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const read = readConfig(Object.fromEntries(texts));
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  for (const [name, value, variable] of ONLY) {
    if (read.config[name] !== value) {
      throw new Error(
        `${variable} can only be ${String(value ?? 'empty')} where a sandbox is an object of workerd`,
      );
    }
  }
  if (!isLoopback(read.config.host)) {
    // Anybody who reaches it could make sandboxes and use the control plane.
    throw new Error(
      'SANDBANK_HOST can only be an address of this machine where a sandbox is an object of workerd',
    );
  }
  return read.config;
}

export const SETTINGS = readBindings();
