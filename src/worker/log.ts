/**
 * The log of a worker: lines of JSON on the runtime's console, with the fields that the log of a process has. `sandbank cluster` writes
 * them into its own log.
 */
import type { Logger } from 'pino';
import type { Config } from '../process/settings.ts';

const LEVELS: readonly Config['logLevel'][] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** A logger as far as the server uses one. */
export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** The log from a level on. */
export function createWorkerLog(lowest: Config['logLevel'], print: (line: string) => void): WorkerLog {
  const writer = (level: Config['logLevel']) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return () => {};
    return (fields: { readonly err?: unknown }, msg?: string): void => {
      const shown = 'err' in fields ? { ...fields, err: describe(fields.err) } : fields;
      print(JSON.stringify({ level, time: new Date().toISOString(), ...shown, msg }));
    };
  };
  return { info: writer('info'), warn: writer('warn'), error: writer('error') } as WorkerLog;
}

/** An error has no fields of its own that JSON would show. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { type: error.name, message: error.message, stack: error.stack };
}
