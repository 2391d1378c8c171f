/**
 * What every command that talks to a running bank has in common: where the bank is, how an answer is printed, and how a
 * failure ends. Errors go to stderr in one line that says what to do; with `--json` answers are JSON and nothing else.
 */
import type { Command } from 'commander';
import { SandbankError } from '../client/error.ts';
import { connectSandbank, type Sandbank } from '../kit/bank.ts';

const DEFAULT_URL = 'http://127.0.0.1:4800';

/** The options of a command that talks to a bank. */
export interface BankOptions {
  readonly url?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

/** Gives a command the options of one that talks to a bank. */
export function talksToBank(command: Command): Command {
  return command
    .option('--url <url>', `where the bank is (SANDBANK_URL; ${DEFAULT_URL} without either)`)
    .option('--key <key>', 'opens the sandbox: test_<name> (SANDBANK_API_KEY; test_default without either)')
    .option('--control-token <token>', 'where the control plane wants one (SANDBANK_CONTROL_TOKEN)')
    .option('--json', 'print the answer as JSON');
}

/** The bank that the options name. */
export function bankOf({ url, key, controlToken }: BankOptions): Sandbank {
  return connectSandbank({
    url: url ?? (process.env.SANDBANK_URL || DEFAULT_URL),
    ...(key !== undefined && { apiKey: key }),
    ...(controlToken !== undefined && { controlToken }),
  });
}

/** Prints an answer: as JSON when that was asked for, otherwise as these lines. */
export function printAnswer({ json }: BankOptions, answer: unknown, lines: () => string | string[]): void {
  if (json === true) process.stdout.write(`${JSON.stringify(answer)}\n`);
  else {
    const text = lines();
    for (const line of typeof text === 'string' ? [text] : text) process.stdout.write(`${line}\n`);
  }
}

/** A failure that has one sentence and needs no stack. */
export class CommandError extends Error {}

/** What went wrong, as a sentence for the terminal. */
export function explainFailure(error: unknown): string {
  if (error instanceof SandbankError) {
    const token =
      error.status === 401 && error.message.includes('/_sandbox')
        ? '; the control plane of this bank wants its token: --control-token, or SANDBANK_CONTROL_TOKEN'
        : '';
    return `${error.message}${token}`;
  }
  const cause = error instanceof TypeError ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  if (cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND') {
    return `no bank answers (${cause.message}): start one with "sandbank start", or say where it is with --url`;
  }
  if (error instanceof Error && (error instanceof CommandError || cause !== undefined)) {
    return cause === undefined ? error.message : `${error.message}: ${cause.message}`;
  }
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

/** A table of words, its columns aligned. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd());
}
