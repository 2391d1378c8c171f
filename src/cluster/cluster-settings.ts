/**
 * The readers of each setting for an instance whose sandboxes are Durable Objects: the worker, the command that
 * starts the instance, or neither. A setting without a reader has no effect and is refused.
 */
import { isLoopback } from '../bank/kernel/loopback.ts';
import type { ReadConfig } from '../server/process/config.ts';
import { textOf } from '../server/process/setting-values.ts';
import { type Config, SETTINGS } from '../server/process/settings.ts';

/** Who reads the settings: a command of `sandbank cluster`, or the worker. */
export type Side = 'dev' | 'instance' | 'worker';

/** The reader of a setting, or the reason for its refusal with an alternative, and who accepts it all the same. */
type Reader = 'worker' | 'command' | { readonly refused: string; readonly exceptBy?: Side };

const BY_PROXY = 'the runtime serves plain HTTP; let the load balancer, or Cloudflare, serve HTTPS';

const READERS: Readonly<Record<keyof Config, Reader>> = {
  profile: 'worker',
  host: 'worker',
  port: 'command',
  tlsCert: { refused: BY_PROXY },
  tlsKey: { refused: BY_PROXY },
  data: 'command',
  synchronous: { refused: 'an object always responds after its commit is stored, as with the value full' },
  readyFile: 'command',
  rails: 'worker',
  randomSeed: 'worker',
  seedFile: {
    refused:
      'the folder of the instances has the initial records; write it with `sandbank cluster init --seed-file <file>`',
    exceptBy: 'dev',
  },
  seedHistory: 'worker',
  secrets: 'worker',
  webhookUrl: 'worker',
  webhookConcurrency: 'worker',
  webhookHosts: {
    refused:
      'the runtime connects; change the service "internet" in instance.capnp, which denies link-local addresses',
  },
  sandboxes: 'worker',
  maxSandboxes: 'worker',
  restAfter: { refused: 'the runtime closes an object after about ten seconds without use' },
  maxObservers: 'worker',
  secretRoot: 'worker',
  control: 'worker',
  controlToken: 'worker',
  allowedHosts: 'worker',
  bodyLimit: 'worker',
  strictFields: 'worker',
  strictPersonHeader: 'worker',
  rateLimits: {
    refused: 'each instance would count separately; limit requests in the load balancer',
  },
  shortfall: 'worker',
  logLevel: 'worker',
  logFormat: 'command',
};

const NAMES = Object.keys(READERS) as (keyof Config)[];

/** Whether the value is neither a default nor from a profile. */
const isSet = (origin: string): boolean => origin !== 'default' && !origin.startsWith('profile ');

/** The variables that the worker gets as bindings. */
export const WORKER_VARIABLES: readonly string[] = NAMES.filter((name) => READERS[name] === 'worker').map(
  (name) => SETTINGS[name].environment,
);

/** The variables that are refused, in their order. */
export const REFUSED_VARIABLES: readonly string[] = NAMES.filter(
  (name) => typeof READERS[name] === 'object',
).map((name) => SETTINGS[name].environment);

/** The problems of the settings of an instance, one line each. The worker also refuses the settings of the command. */
export function clusterProblems({ config, origins }: ReadConfig, side: Side): string[] {
  const problems = NAMES.flatMap((name) => {
    const reader = READERS[name];
    if (!isSet(origins[name])) return [];
    if (typeof reader === 'object') {
      if (reader.exceptBy === side) return [];
      return [`${origins[name]} has no effect in a cluster: ${reader.refused}. Unset it.`];
    }
    if (reader === 'worker' || side !== 'worker') return [];
    return [`${origins[name]} has no effect on the worker: only "sandbank cluster" reads it. Unset it.`];
  });
  return [...problems, ...exposureProblems(config, origins)];
}

/** Every client that reaches an open instance could create sandboxes and read all of them. */
function exposureProblems(
  { host, sandboxes, control, controlToken }: Config,
  origins: ReadConfig['origins'],
): string[] {
  if (isLoopback(host)) return [];
  const missing = [
    ...(sandboxes === 'closed' ? [] : ['SANDBANK_SANDBOXES=closed']),
    ...(control && controlToken === null
      ? ['a SANDBANK_CONTROL_TOKEN (`openssl rand -hex 16` makes one)']
      : []),
  ];
  if (missing.length === 0) return [];
  return [
    `others can reach this instance at ${host} (${origins.host}), so it needs ${missing.join(' and ')}. Set ${missing.length === 1 ? 'it' : 'both'}, or listen on 127.0.0.1.`,
  ];
}

/** The set settings as bindings of the worker, which has the same defaults. */
export function workerBindings({ config, origins }: ReadConfig): Record<string, string> {
  const set = NAMES.filter(
    (name) => READERS[name] === 'worker' && isSet(origins[name]) && config[name] !== null,
  );
  return Object.fromEntries(set.map((name) => [SETTINGS[name].environment, textOf(config[name])]));
}
