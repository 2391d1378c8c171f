// The log of the process: JSON lines on stdout, or on stderr where stdout is another's, or readable ones on a terminal; and
// the masks to use on what is logged.
// JSON lines are gathered into few writes, yet a process that exits, also by an uncaught error, has written every
// line; a signal that nobody handles loses the last 50 ms. Whoever logs a request or a record masks it first: keys,
// secrets and the numbers of people, accounts and cards; routing numbers are public.
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

const BUFFER_BYTES = 8_192;
const FLUSH_AFTER_MS = 50;
const DEEPEST_LEVEL = 32;
const SHORTEST_NUMBER_TO_SHOW = 8;
const SHORTEST_KEY_TO_SHOW = 12;
const MASK = '****';

/** By the end of a field's name, in lower case without separators: `sub_account_number` and `accountNumber` are one. */
const MASKS: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/((account|card|id)number|^pan|^ssn|^ein)$/, maskNumber],
  [/(apikey|secret|token)$/, maskKey],
  [/(dateofbirth|authorization|^cvv|^pin)$/, () => MASK],
];

/** The logger, and `flush`, which writes at once what is gathered. The end of the process flushes by itself. */
export async function createLog(
  config: Pick<Config, 'logLevel' | 'logFormat'>,
  isTerminal: boolean,
  output: 'stdout' | 'stderr' = 'stdout',
): Promise<{ log: Logger; flush: () => void }> {
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const file = output === 'stdout' ? 1 : 2;
  const { stream, flush } = isPretty ? await openPretty(isTerminal, file) : openLines(file);
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return { log: pino(options, stream), flush };
}

/** The number with all but its last four characters starred; shorter than eight characters, all of them are. */
export function maskNumber(text: string): string {
  const shown = text.length < SHORTEST_NUMBER_TO_SHOW ? 0 : 4;
  return '*'.repeat(text.length - shown) + text.slice(text.length - shown);
}

/** `****` and the last four characters of the key; `****` alone for a key shorter than twelve. Hides the length. */
export function maskKey(text: string): string {
  return text.length < SHORTEST_KEY_TO_SHOW ? MASK : MASK + text.slice(-4);
}

/** A copy of a JSON value in which strings and numbers are masked where the name of their field says so. */
export function maskRecord(value: unknown): unknown {
  return copy(value, undefined, 0);
}

function copy(value: unknown, mask: ((text: string) => string) | undefined, level: number): unknown {
  if (mask !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return mask(String(value));
  if (typeof value !== 'object' || value === null) return value;
  // A request body may be nested deeper than the stack.
  if (level === DEEPEST_LEVEL) return '[too deep to log]';
  if (Array.isArray(value)) return value.map((item) => copy(item, mask, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, copy(field, maskFor(name), level + 1)]),
  );
}

function maskFor(name: string): ((text: string) => string) | undefined {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return MASKS.find(([names]) => names.test(plain))?.[1];
}

interface Output {
  readonly stream: DestinationStream;
  readonly flush: () => void;
}

/**
 * Synchronous writes: an asynchronous destination can lose the chunk that is under way when the process exits.
 * `flush` and not `flushSync`, which never returns once the reader of the pipe has gone.
 */
function openLines(file: number): Output {
  const destination = pino.destination({ dest: file, sync: true, minLength: BUFFER_BYTES });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    destination.flush();
  };
  const write = (line: string) => {
    destination.write(line);
    timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
  };
  process.once('exit', flush);
  // pino calls flushSync after a fatal line.
  return { stream: Object.assign({ write }, { flushSync: flush }), flush };
}

/** Each line at once, in this thread: pino-pretty's own stream would still hold lines when the process exits. */
async function openPretty(isTerminal: boolean, file: number): Promise<Output> {
  // The whole of it, because a bundle does not know the names in it.
  const { default: pretty } = await import('pino-pretty');
  const format = pretty.prettyFactory({
    colorize: isTerminal,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  const destination = pino.destination({ dest: file, sync: true });
  return { stream: { write: (line) => destination.write(format(line)) }, flush: () => {} };
}
