/**
 * What an option or argument takes, checked before anything is asked: each reader answers the value or says what was
 * expected. The parser prints that with the name of the option, and the command ends as one that makes no sense.
 */
import { InvalidArgumentError } from 'commander';

/** A whole number from `least` on. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** A percentage, with or without its sign. */
export function percent(text: string): number {
  const value = /^\d{1,3}(\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Expected a percentage from 0 to 100.');
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

/** The names of the options that were given, with their values: what was not given is not sent. */
export function given<T extends object>(options: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const pairs = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(pairs) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}
