/**
 * Traces of failed tests: one HTML file each, in a folder that continuous integration can upload. `SANDBANK_TRACES`
 * sets the folder, or turns traces on or off; by default they are on if `CI` is set.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolders } from '../bank/kernel/folders.ts';

/** The information about the test in a trace. */
export interface TraceOptions {
  /** The name of the test. */
  readonly test?: string;
  /** Why it failed: an error, or its text. */
  readonly error?: unknown;
}

const FOLDER = 'sandbank-traces';
const OFF = new Set(['', '0', 'false', 'off', 'no']);
const ON = new Set(['1', 'true', 'on', 'yes']);
const MAX_NAME = 100;
/** The control plane accepts no more characters. */
const MAX_TEST = 1_000;
const MAX_ERROR = 100_000;

/** The folder of the traces; `undefined` if traces are off. */
export function traceFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { SANDBANK_TRACES: named, CI: ci } = env;
  if (named !== undefined) {
    const word = named.trim().toLowerCase();
    if (OFF.has(word)) return undefined;
    return ON.has(word) ? FOLDER : named;
  }
  return ci === undefined || OFF.has(ci.trim().toLowerCase()) ? undefined : FOLDER;
}

/** `sandbank-<test>.html`, with the letters and digits of the name. */
export function traceFile(test: string): string {
  const name = test
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
  return `sandbank-${name === '' ? 'trace' : name}.html`;
}

/** The body of the request for a trace. */
export function traceBody({ test = '', error }: TraceOptions): { test: string; error: string } {
  return { test: test.slice(0, MAX_TEST), error: textOf(error).slice(0, MAX_ERROR) };
}

/** Writes a trace into a folder without replacing traces of the same name; returns its path. */
export function writeTrace(folder: string, test: string, page: Uint8Array): string {
  makeFolders(folder);
  const file = traceFile(test);
  for (let number = 1; ; number += 1) {
    const path = resolve(join(folder, number === 1 ? file : file.replace(/\.html$/, `-${number}.html`)));
    try {
      // Never overwrites a file: a test may fail in two projects, or be retried.
      writeFileSync(path, page, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** An error of a test runner. */
interface Thrown {
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string | undefined;
  /** The expected and received values, as vitest prints them. */
  readonly diff?: string | undefined;
}

/** The message, the difference, and the frames of the stack, whose own message differs after a timeout in vitest. */
export function errorText({ name = 'Error', message = '', stack = '', diff = '' }: Thrown): string {
  const lines = stack.split('\n');
  const isFrame = (line: string): boolean => /^\s+at /.test(line);
  const head = lines.slice(0, Math.max(0, lines.findIndex(isFrame)));
  const isWhole = head.length > 0 && stack.includes(message);
  return [
    ...(isWhole ? head : [`${name}: ${message}`]),
    ...(diff === '' ? [] : ['', diff, '']),
    ...lines.filter(isFrame),
  ].join('\n');
}

/** The error that a test threw: node:test wraps it in its own error, which has no location. */
function causeOf(error: Error): Error {
  const isWrapped = (error as NodeJS.ErrnoException).code === 'ERR_TEST_FAILURE';
  return isWrapped && error.cause instanceof Error ? error.cause : error;
}

/** An error as text, without the colours of a terminal. */
function textOf(error: unknown): string {
  if (error === undefined || error === null) return '';
  const text = error instanceof Error ? errorText(causeOf(error)) : String(error);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape of a terminal is one
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
