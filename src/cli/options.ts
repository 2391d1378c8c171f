/**
 * The values of options and arguments, checked before a request is sent. Each parser returns the value or throws a
 * message with the expected value; commander prints it with the name of the option, and the command exits with 2. The
 * examples in the help are kept here too.
 */
import { type Command, InvalidArgumentError } from 'commander';

/** A whole number from `min` on. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** A percentage, with or without its sign. */
export function percent(text: string): number {
  const value = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Expected a percentage from 0 to 100.');
}

const SHORT_DURATION = /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const ISO_DURATION = /^P(?=.)(\d+[YMWD])*(T(\d+(\.\d+)?[HMS])+)?$/;
const DAYS_PER_WEEK = 7;

/** A duration like `2d`, `90m` or `1h30m`, or in ISO 8601. Returns it in ISO 8601. */
export function duration(text: string): string {
  if (ISO_DURATION.test(text)) return text;
  const [matched, ...counts] = SHORT_DURATION.exec(text) ?? [];
  if (!matched) throw new InvalidArgumentError('Expected a duration like 2d, 90m, 1h30m or P2D.');
  const [weeks = 0, days = 0, ...time] = counts.map((count) => Number(count ?? 0));
  const date = weeks * DAYS_PER_WEEK + days;
  const parts = time.map((count, at) => (count === 0 ? '' : `${count}${'HMS'.charAt(at)}`)).join('');
  return `P${date === 0 && parts !== '' ? '' : `${date}D`}${parts === '' ? '' : `T${parts}`}`;
}

/** An instant in ISO 8601 with its offset. */
export function instant(text: string): string {
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Expected an instant with its offset, like 2026-12-24T12:00:00Z.');
}

/** A number greater than zero. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Expected a number greater than 0.');
}

/** An address to call. */
export function httpUrl(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('Expected an address like http://127.0.0.1:4800.');
}

/** A key that opens a sandbox. */
export function sandboxKey(text: string): string {
  if (/^test_\S+$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A key is test_ and the name of a sandbox, like test_default or test_alice.',
  );
}

/** The options that were given, with their values; other options are not sent. */
export function sentOnly<T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const pairs = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(pairs) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** Sets the examples that the help of a command shows, each without the name of the program. */
export function withExamples(command: Command, ...examples: string[]): Command {
  EXAMPLES.set(command, examples);
  return command;
}

/** The examples of a command and of the commands below it, as the help prints them. */
export function examplesOf(command: Command): readonly string[] {
  return [...(EXAMPLES.get(command) ?? []), ...command.commands.flatMap(examplesOf)];
}
