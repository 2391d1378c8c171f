/**
 * Containers of the image under test. Each has the label of the run, by which test/docker/build.ts removes it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Ran, ROOT, run, succeed } from '../package/support.ts';
import { until as untilBy } from '../server/process/support.ts';

/** The base of the images. */
export const BASE = process.env.NODE_IMAGE || 'node:24-bookworm-slim';
/** The image under test: that of this checkout, or another one that the engine has. */
export const IMAGE = process.env.SANDBANK_TEST_IMAGE || 'sandbank';
/** For what hangs, long enough for a very busy machine. */
export const DEADLINE_MS = 300_000;
const LOOK_EVERY_MS = 100;
export const TOKEN = 'a-token-that-the-test-chose';

export const LABEL = (): string => `sandbank-test=${process.env.SANDBANK_TEST_RUN}`;
/** A name for a container, volume or network that nobody else uses. */
export const freshName = (): string => `sandbank-${randomBytes(6).toString('hex')}`;

export const until = <T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> => untilBy(what, look, DEADLINE_MS);

/** Runs a command of Docker and returns its output. Throws if it fails. */
export const docker = (...words: string[]): Promise<string> => succeed('docker', words, { cwd: ROOT });
export const tryDocker = (...words: string[]): Promise<Ran> => run('docker', words, { cwd: ROOT });

export interface Container {
  readonly name: string;
  exec(...words: string[]): Promise<string>;
  /** A field of `docker inspect`, such as `.State.ExitCode`. */
  inspect(field: string): Promise<string>;
  /** What it wrote to stdout and stderr. */
  logs(): Promise<string>;
  /** The address of its port 4800 on this machine. */
  url(): Promise<string>;
  ready(): Promise<void>;
  /** Waits until it has ended, and returns its exit code. */
  ended(): Promise<number>;
  /** Its exit code if it ends within a limit, otherwise that it still runs. */
  endedWithin(limitMs: number): Promise<number | 'still runs'>;
  /** Stops it, and returns its exit code and how long that took. Docker kills it after ten seconds; the code is 137 then. */
  stop(): Promise<{ code: number; ms: number }>;
}

/** Starts a container, which is removed after the test, with options of `docker run`; `words` are the image and its command. */
export async function runContainer(
  options: readonly string[],
  words: readonly string[] = [IMAGE],
): Promise<Container> {
  const name = freshName();
  onTestFinished(async () => void (await tryDocker('rm', '--force', '--volumes', name)));
  // A health check starts a process. `ready` does not need it.
  const own = ['--detach', '--name', name, '--label', LABEL(), '--health-interval', '1h'];
  await docker('run', ...own, ...options, ...words);
  return containerOf(name);
}

/** Starts a bank whose port is published, and waits until it is ready. */
export async function runBank(...options: string[]): Promise<Container> {
  const given = ['--publish', '127.0.0.1::4800', '--env', `SANDBANK_CONTROL_TOKEN=${TOKEN}`];
  const bank = await runContainer([...given, ...options]);
  await bank.ready();
  return bank;
}

export function containerOf(name: string): Container {
  const inspect = async (field: string): Promise<string> =>
    (await docker('inspect', '--format', `{{${field}}}`, name)).trim();
  const logs = async (): Promise<string> => {
    const { stdout, stderr } = await tryDocker('logs', name);
    return stdout + stderr;
  };
  const ended = async (): Promise<number> => Number(await docker('wait', name));
  return {
    name,
    inspect,
    logs,
    ended,
    endedWithin: async (limitMs) => {
      const isOver = async (): Promise<boolean> => (await inspect('.State.Running')) === 'false';
      const deadline = Date.now() + limitMs;
      while (!(await isOver())) {
        if (Date.now() > deadline) return 'still runs';
        await pause(LOOK_EVERY_MS);
      }
      return Number(await inspect('.State.ExitCode'));
    },
    exec: (...words) => docker('exec', name, ...words),
    url: async () => `http://${(await docker('port', name, '4800/tcp')).split('\n')[0]?.trim()}`,
    ready: async () => {
      await until('the start of the bank', async () => {
        if ((await inspect('.State.Running')) !== 'true') throw new Error(`the bank ended:\n${await logs()}`);
        return (await tryDocker('exec', name, 'sandbank', 'healthcheck')).code === 0;
      });
    },
    stop: async () => {
      const from = Date.now();
      await docker('stop', name);
      return { code: Number(await inspect('.State.ExitCode')), ms: Date.now() - from };
    },
  };
}
