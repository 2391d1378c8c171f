// The log of the process: JSON lines on stdout (on stderr if stdout has another use), or readable lines on a
// terminal. JSON lines are buffered, but a process that exits, even by an uncaught error, writes every line; an
// unhandled signal loses the last 50 ms.
import pino, { type DestinationStream, type Logger } from 'pino';
import type { WriteLine } from '../http/request-log.ts';
import type { Config } from './settings.ts';

/** The size of the buffer, in UTF-16 units. */
const BUFFER_LENGTH = 16_000;
const FLUSH_AFTER_MS = 50;
/**
 * The maximum size of lines that are kept while the log cannot be written, for example on a full disk; further lines
 * are lost.
 */
const MAX_UNWRITTEN_BYTES = 1_000_000;

/** The time of a line in ISO 8601, formatted once per millisecond. */
function createTimestamp(): () => string {
  let last = Number.NaN;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

const timestamp = createTimestamp();

/**
 * Creates the logger, and `flush`, which writes the buffered lines. The end of the process flushes automatically.
 * `onFailure` is called with the error when the log cannot be written, and with `null` after each successful write.
 */
export async function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  isTerminal: boolean,
  output: 'stdout' | 'stderr' = 'stdout',
  onFailure: OnFailure = () => {},
): Promise<{ log: Logger; flush: () => void }> {
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const file = output === 'stdout' ? 1 : 2;
  const { stream, flush } = isPretty
    ? await openPretty(isTerminal, file, onFailure)
    : openLines(file, onFailure);
  const options = {
    level: config.logLevel,
    base: null,
    timestamp,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, stream);
  if (!isPretty) {
    takeLines(log, {
      isEnabled: (level) => log.isLevelEnabled(level),
      print: (line) => stream.write(`${line}\n`),
    });
  }
  return { log, flush };
}

const writers = new WeakMap<object, WriteLine>();

/** The output of a log that accepts prepared lines. */
interface Lines {
  isEnabled(level: 'info'): boolean;
  print(line: string): void;
}

/** Lets a log of JSON lines accept prepared lines too. */
export function takeLines(log: object, { isEnabled, print }: Lines): void {
  writers.set(log, (level, fields) => {
    if (isEnabled(level)) print(`{"level":"${level}"${timestamp()}${fields}`);
  });
}

/** The function that writes prepared lines into a log; `undefined` if the log is not JSON lines. */
export function writerOf(log: Logger): WriteLine | undefined {
  return writers.get(log);
}

/** Called with the error of a failed write, and with `null` after a successful one. */
type OnFailure = (error: Error | null) => void;

interface Output {
  readonly stream: DestinationStream;
  readonly flush: () => void;
}

/**
 * Uses synchronous writes, because an asynchronous destination can lose a chunk when the process exits. Uses `flush`
 * and not `flushSync`, which never returns once the reader of the pipe is closed.
 */
function openLines(file: number, onFailure: OnFailure): Output {
  const destination = openDestination(file, onFailure);
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) destination.write(lines.join(''));
    lines = [];
    length = 0;
    destination.flush();
  };
  const write = (line: string) => {
    lines.push(line);
    length += line.length;
    if (length >= BUFFER_LENGTH) flush();
    else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  process.once('exit', flush);
  // pino calls flushSync after a fatal line.
  return { stream: Object.assign({ write }, { flushSync: flush }), flush };
}

/**
 * A log that cannot be written must not end the bank. The destination keeps unwritten lines and retries with the next
 * line. Lines that exceed its buffer are lost, and a line reports this when the log can be written again.
 */
function openDestination(file: number, onFailure: OnFailure): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: file, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  let lost = 0;
  destination.on('error', (error: Error) => onFailure(error));
  destination.on('drop', () => {
    lost += 1;
  });
  destination.on('write', () => {
    onFailure(null);
    if (lost === 0) return;
    const count = lost;
    lost = 0;
    const line = { level: 'warn', time: new Date().toISOString(), lost: count };
    destination.write(
      `${JSON.stringify({ ...line, msg: 'the log could not be written, and parts of it are lost' })}\n`,
    );
  });
  return destination;
}

/**
 * Writes each line at once in this thread: pino-pretty's own stream would still contain lines when the process exits.
 */
async function openPretty(isTerminal: boolean, file: number, onFailure: OnFailure): Promise<Output> {
  // Imports the default export, because the named exports are not available in a bundle.
  const { default: pretty } = await import('pino-pretty');
  const format = pretty.prettyFactory({
    colorize: isTerminal,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  const destination = openDestination(file, onFailure);
  return { stream: { write: (line) => destination.write(format(line)) }, flush: () => {} };
}
