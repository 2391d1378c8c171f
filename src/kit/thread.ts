/**
 * A bank in a worker thread. A thread has its own globals, so no test can replace the timers, the clock or the
 * classes that the server uses, whatever the runner and its environment are. `start.ts` starts it, by way of
 * bin/sandbank.mjs.
 */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import pino from 'pino';
import { readConfig } from '../server/process/config.ts';
import { explainStart } from '../server/process/start-failures.ts';
import { startServer } from '../server/server.ts';

/** The first message of the thread: the address of the bank, or why there is none. */
export type Started =
  | { readonly url: string; readonly apiKey: string; readonly controlToken: string | null }
  | { readonly problem: string; readonly isInvalid: boolean };

const OF_ITS_OWN = { profile: 'ci', host: '127.0.0.1', port: 0, data: '' };

/** Names the options of the kit instead of the variables of the environment. */
function inOptions(problem: string): string {
  return problem.replace(/\bSANDBANK_([A-Z_]+)\b/g, (_, name: string) =>
    name.toLowerCase().replace(/_(\w)/g, (__, letter: string) => letter.toUpperCase()),
  );
}

async function start(): Promise<{ started: Started; stop: () => Promise<void> }> {
  // Read like a settings file, so that the same parser checks the options, and the environment is ignored.
  const read = readConfig({}, { file: { path: 'the options', values: { ...OF_ITS_OWN, ...workerData } } });
  const stop = async (): Promise<void> => {};
  if ('problems' in read) {
    return { started: { problem: inOptions(read.problems.join('\n')), isInvalid: true }, stop };
  }
  const { config } = read;
  try {
    const server = await startServer(config, pino({ level: 'silent' }));
    const { url, apiKey, controlToken } = server;
    return { started: { url, apiKey, controlToken }, stop: server.stop };
  } catch (error) {
    const problem = (await explainStart(error, config)) ?? (error as Error).message;
    return { started: { problem: inOptions(problem), isInvalid: false }, stop };
  }
}

if (parentPort !== null) {
  const { started, stop } = await start();
  parentPort.once('message', () => void stop().finally(() => process.exit()));
  parentPort.postMessage(started);
  // Node would write it at the end of the thread, which may be that of the process.
  module.flushCompileCache?.();
}
