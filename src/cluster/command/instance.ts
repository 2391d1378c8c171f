/** A workerd process: its start with the settings of a bank, its output as lines of the log, and its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { PEER_EVENT } from './member.ts';
import { endWithThisProcess } from './watcher.ts';

export interface InstanceOptions {
  readonly workerd: string;
  /** The arguments after `workerd serve`. */
  readonly words: readonly string[];
  /** The settings of the worker. */
  readonly bindings: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Whether it ignores signals to the group of this process, such as Ctrl-C. */
  readonly ownGroup?: boolean;
}

/** The ports of an instance. */
export interface Ports {
  readonly port: number;
  /** The port for other instances, if there are several. */
  readonly peerPort?: number;
}

/** How the process ended. */
export interface InstanceEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of its output. */
  readonly output: string;
}

export interface Instance {
  readonly child: ChildProcess;
  /** The ports on which it accepts requests; rejects if the process ends before. */
  readonly ports: Promise<Ports>;
  readonly ended: Promise<InstanceEnd>;
}

/** The descriptor on which workerd reports that it listens. */
const CONTROL_FD = 3;
const MAX_OUTPUT_LENGTH = 4_000;
const LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** Starts the process, which ends with this one at the latest. */
export function startInstance(options: InstanceOptions): Instance {
  const { workerd, words, bindings, environment, log, ownGroup = false } = options;
  // A setting that was unset for the worker must not reach it.
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('SANDBANK_'));
  const child = spawn(workerd, ['serve', ...words, `--control-fd=${CONTROL_FD}`], {
    env: { ...Object.fromEntries(others), ...bindings },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // On Windows a detached process would not end with this one.
    detached: ownGroup && process.platform !== 'win32',
  });
  endWithThisProcess(child);
  let output = '';
  let isListening = false;
  for (const stream of [child.stdout, child.stderr]) {
    eachLine(stream as Readable, (line) => {
      if (line === '' || logWorkerLine(log, line)) return;
      output = `${output}${line}\n`.slice(-MAX_OUTPUT_LENGTH);
      // Its output so far explains why it does not start, so the error contains it.
      if (isListening) log.warn({ line }, 'workerd');
    });
  }
  const ended = new Promise<InstanceEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, output: error.message }));
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });
  const isMember = words.some((word) => word.startsWith('--cluster-addr'));
  const ports = new Promise<Ports>((resolve, reject) => {
    const found: { port?: number; peerPort?: number } = {};
    eachLine(child.stdio[CONTROL_FD] as Readable, (line) => {
      const said = JSON.parse(line) as { event?: string; socket?: string; port?: number };
      if (said.event === 'listen' && said.socket === 'http') found.port = said.port ?? 0;
      if (said.event === PEER_EVENT) found.peerPort = said.port ?? 0;
      if (found.port === undefined || (isMember && found.peerPort === undefined)) return;
      isListening = true;
      resolve({ ...found, port: found.port });
    });
    void ended.then((end) => reject(new InstanceError(end)));
  });
  // A caller that only waits for the end does not have to handle this error.
  ports.catch(() => {});
  return { child, ports, ended };
}

/** The error of an instance that ended unexpectedly. */
export class InstanceError extends Error {
  constructor({ code, signal, output }: InstanceEnd) {
    const how = signal === null ? `with the exit code ${code}` : `by ${signal}`;
    super(`workerd ended ${how}: ${output.trim() || 'it printed nothing'}`);
  }
}

/** Ends an instance; it is killed after the deadline. */
export async function endInstance({ child, ended }: Instance, deadlineMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  await ended;
  clearTimeout(timer);
}

/** Logs a line of the worker's log; false for one that the runtime itself printed. */
function logWorkerLine(log: Logger, line: string): boolean {
  try {
    const { level, time: _, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
    if (typeof level === 'string' && LEVELS.has(level)) {
      log[level as 'info'](fields, typeof msg === 'string' ? msg : undefined);
      return true;
    }
  } catch {
    // Not JSON.
  }
  return false;
}

function eachLine(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  stream.on('end', () => {
    if (rest !== '') take(rest);
  });
}
