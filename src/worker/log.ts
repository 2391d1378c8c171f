/**
 * The log of a worker: lines of JSON on the console of the runtime, with the same fields as the log of a process.
 * `sandbank cluster` writes them into its own log.
 */
import type { Logger } from 'pino';
import type { Config } from '../process/settings.ts';

const LEVELS: readonly Config['logLevel'][] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The functions of a logger that the server uses. */
export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Creates a log with a minimum level. */
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

/** Converts an error to fields, because JSON omits those of an error. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { type: error.name, message: error.message, stack: error.stack };
}
