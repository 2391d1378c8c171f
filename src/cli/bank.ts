/**
 * The common part of all commands that call a running bank: its address, the output of responses, and the handling of
 * failures. Errors go to stderr as one line that says what to do; with `--json` stdout has only JSON.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { connectSandbank, type Sandbank } from '../kit/bank.ts';
import { SandbankError } from '../kit/client/error.ts';
import { readReadyFile } from '../server/process/ready-file.ts';
import { readSettings } from '../server/process/settings-file.ts';
import { urlOf } from '../server/process/start-failures.ts';
import { highlight } from './colour.ts';
import { httpUrl, sandboxKey, withExamples } from './options.ts';
import type { Shell } from './shell.ts';

/** The options of a command that calls a bank. */
export interface BankOptions {
  readonly url?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

const DEFAULT_KEY = 'test_default';

/** Adds the options of a command that calls a bank, after its own options, and its examples. */
export function talksToBank(command: Command, ...examples: string[]): Command {
  return namesBank(command, ...examples).option('--json', 'print only the response, as JSON');
}

/** Adds the options for the address of the bank, and the examples. */
export function namesBank(command: Command, ...examples: string[]): Command {
  return withExamples(command, ...examples)
    .option('--url <url>', 'address of the bank (default: SANDBANK_URL, else http://127.0.0.1:4800)', httpUrl)
    .option(
      '--key <key>',
      `API key of the sandbox, test_<name> (default: SANDBANK_API_KEY, else ${DEFAULT_KEY})`,
      sandboxKey,
    )
    .option('--control-token <token>', 'token of the control plane (default: SANDBANK_CONTROL_TOKEN)');
}

/** The bank that the options name, or else the environment. */
export function bankOf({ environment }: Shell, { url, key, controlToken }: BankOptions): Sandbank {
  const input = url ?? addressIn(environment);
  // The file has the address and the token of one bank; the token is sent to no other bank.
  const ready = input === undefined ? readReadyFile(environment) : undefined;
  return connectSandbank({
    url: input ?? ready?.url ?? urlIn(environment),
    apiKey: key ?? keyIn(environment),
    controlToken: controlToken ?? (environment.SANDBANK_CONTROL_TOKEN || ready?.controlToken || ''),
  });
}

function addressIn({ SANDBANK_URL }: Shell['environment']): string | undefined {
  try {
    return SANDBANK_URL ? httpUrl(SANDBANK_URL) : undefined;
  } catch (error) {
    throw new UsageError(`SANDBANK_URL is ${SANDBANK_URL}. ${(error as Error).message}`);
  }
}

function keyIn({ SANDBANK_API_KEY }: Shell['environment']): string {
  try {
    return sandboxKey(SANDBANK_API_KEY || DEFAULT_KEY);
  } catch (error) {
    throw new UsageError(`SANDBANK_API_KEY is ${SANDBANK_API_KEY}. ${(error as Error).message}`);
  }
}

/** The address of a bank that is started here. */
function urlIn(environment: Shell['environment']): string {
  const read = readSettings(environment);
  if ('problems' in read) throw new CommandError(read.problems.join('\nsandbank: '));
  if (read.config.port > 0) return urlOf(read.config);
  throw new CommandError('the port is 0, a free port: set the address with --url or SANDBANK_URL');
}

/** Prints a response: as JSON with `--json`, otherwise as these lines. */
export function printAnswer(
  shell: Shell,
  { json }: BankOptions,
  answer: unknown,
  lines: () => string | readonly string[],
): void {
  if (json === true) {
    shell.answer(`${JSON.stringify(answer)}\n`);
    return;
  }
  const { answer: isColoured } = shell.colours;
  for (const line of [lines()].flat()) shell.answer(`${isColoured ? highlight(line) : line}\n`);
}

const STDIN = 0;

/** The JSON document of a file, or of stdin if the file is `-`. Fails with a `CommandError` that names the file. */
export function readDocument(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? STDIN : file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

/** A failure with a one-sentence explanation. */
export class CommandError extends Error {}

/** Invalid arguments that the parser does not find itself: the command exits with 2. */
export class UsageError extends CommandError {}

const BAD_REQUEST = 400;

/** True for a failure that other arguments would avoid: this program or the bank found them invalid. */
export function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof SandbankError && error.status === BAD_REQUEST);
}

/** True for expected failures: the bank refuses, does not respond, or a file does not exist. */
export function isFailure(error: unknown): error is Error {
  return (
    error instanceof SandbankError ||
    error instanceof CommandError ||
    isConnectionError(error) ||
    (error instanceof Error && 'syscall' in error)
  );
}

/** The error of `fetch` without a response. */
export function isConnectionError(error: unknown): error is TypeError & { cause: NodeJS.ErrnoException } {
  return error instanceof TypeError && error.cause instanceof Error;
}

/** The failure as a sentence for the terminal. */
export function explainFailure(error: unknown): string {
  if (error instanceof SandbankError) return explainRefusal(error);
  if (isConnectionError(error)) return explainConnection(error.cause);
  return error instanceof Error ? error.message : String(error);
}

/** The error codes of a certificate from an unknown issuer. */
const UNTRUSTED = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Network errors are the cause of an error without details. */
function explainConnection(cause: NodeJS.ErrnoException): string {
  const reason = cause.message || cause.code || 'no connection';
  if (UNTRUSTED.test(cause.code ?? '')) {
    return `the bank's certificate is not trusted (${reason}): set the authority that signed it with NODE_EXTRA_CA_CERTS`;
  }
  const isNobody = cause.code === 'ECONNREFUSED' || cause.code === 'ENOTFOUND';
  return isNobody
    ? `no bank responds (${reason}): start one with "sandbank start", or set its address with --url or SANDBANK_URL`
    : `the connection to the bank failed: ${reason}`;
}

/** The hints for refusals that do not depend on the operation. */
const ADVICE: Readonly<Record<string, string>> = {
  control_token_wrong:
    'set it with --control-token or SANDBANK_CONTROL_TOKEN; the bank logs a token that it created',
  path_unknown: 'this bank has no control plane (SANDBANK_CONTROL), or another version',
  '': 'is it a Sandbank?',
};

function explainRefusal({ message, code, field }: SandbankError): string {
  const advice = ADVICE[code];
  const where = field !== '' && !message.includes(field) ? ` (${field})` : '';
  // The user typed a command, not the request that it sent.
  const said =
    code === ''
      ? message.replace(/^[A-Z]+ \S+: /, '')
      : message.replace(/^[A-Z]+ \S+: \d{3} (\w+) ?/, (_, word) => `${word}: `);
  return `${said}${where}${advice === undefined ? '' : `; ${advice}`}`;
}

/** A table of words, its columns aligned. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
