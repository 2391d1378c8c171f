/**
 * `startSandbank` of the CommonJS build. A CommonJS program, in particular Jest with its own module system, cannot
 * load the ES modules of the server. So the bank runs in a separate process, which ends with this process.
 */
import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../bank/kernel/project.ts';
import { bankAt, type Sandbank } from './bank.ts';
import type { StartOptions } from './start.ts';

interface Ready {
  readonly url: string;
  readonly api_key: string;
  readonly control_token?: string;
}

const OF_ITS_OWN = { profile: 'ci', host: '127.0.0.1', port: 0, data: '', logLevel: 'silent' };
const LOOK_EVERY_MS = 5;

/** Starts a bank in a separate process. Throws an error that names the setting if one is invalid. */
export async function startSandbank({ now, ...options }: StartOptions = {}): Promise<Sandbank> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-'));
  const readyFile = join(folder, 'ready.json');
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ ...OF_ITS_OWN, ...options, readyFile }));
  const launcher = fileURLToPath(projectFile('bin/sandbank.mjs'));
  const child = spawn(process.execPath, [launcher, 'start', '--config', settings], {
    env: environment(),
    // The bank stops when this channel closes, so it never outlives its parent.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors = child.stderr as Socket;
  const problem = text(errors);
  let isRunning = true;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isRunning = false;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.ref();
    if (child.connected) child.disconnect();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };

  while (isRunning && !existsSync(readyFile))
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  if (!isRunning) {
    await stop();
    throw new TypeError(
      (await problem).replaceAll('sandbank: ', '').replaceAll(settings, 'the options').trim(),
    );
  }
  const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
  // The bank does not keep the parent process alive.
  child.unref();
  child.channel?.unref();
  errors.unref();
  const bank = bankAt(
    {
      url: ready.url,
      apiKey: ready.api_key,
      controlToken: ready.control_token,
      ca:
        options.tlsCert === undefined
          ? undefined
          : new X509Certificate(readFileSync(options.tlsCert)).toString(),
    },
    stop,
  );
  try {
    if (now !== undefined) await bank.clock.freeze(now);
  } catch (error) {
    await bank.close();
    throw error;
  }
  return bank;
}

/** The environment of this process without the settings of a bank, so that only the options apply. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SANDBANK_')));
}
