/**
 * The log of a worker: lines of JSON on the console of the runtime, with the same fields as the log of a process.
 * `sandbank cluster` writes them into its own log.
 */
import type { Logger } from 'pino';
import { takeLines } from '../../server/process/log.ts';
import type { Config } from '../../server/process/settings.ts';

const LEVELS: readonly Config['logLevel'][] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** The functions of a logger that the server uses. */
export type WorkerLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Creates a log with a minimum level. */
export function createWorkerLog(lowest: Config['logLevel'], print: (line: string) => void): WorkerLog {
  const isEnabled = (level: Config['logLevel']): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(lowest);
  const writer = (level: Config['logLevel']) => {
    if (!isEnabled(level)) return () => {};
    return (fields: { readonly err?: unknown }, msg?: string): void => {
      const shown = 'err' in fields ? { ...fields, err: describe(fields.err) } : fields;
      print(JSON.stringify({ level, time: new Date().toISOString(), ...shown, msg }));
    };
  };
  const log = { info: writer('info'), warn: writer('warn'), error: writer('error') } as WorkerLog;
  takeLines(log, { isEnabled, print });
  return log;
}

/** Converts an error to fields, because JSON omits those of an error. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return { type: error.name, message: error.message, stack: error.stack };
}
