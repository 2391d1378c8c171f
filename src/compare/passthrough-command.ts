/**
 * `sandbank proxy --to https://…`: a proxy between a program and the platform that forwards and records calls. The
 * file is rewritten after every call, so that it is complete whenever the command is stopped. With a bank named by
 * --url or SANDBANK_URL, each call is sent to that bank too, and the inspector shows both answers.
 */
import { renameSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { type BankOptions, bankOf, talksToBank } from '../cli/bank.ts';
import { wholeNumber } from '../cli/options.ts';
import type { Shell } from '../cli/shell.ts';
import { platformUrl } from './compare-command.ts';
import type { Mirror } from './mirror.ts';
import type { Passthrough } from './passthrough.ts';
import type { Exchange } from './transcript.ts';

interface ProxyOptions extends BankOptions {
  readonly to: string;
  readonly port: number;
  readonly record?: string;
  readonly max?: number;
}

const DEFAULT_PORT = 4810;
const TIMEOUT_MS = 30_000;

/** Adds the command. */
export function addPassthrough(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('proxy')
      .description('forward the calls of a program to the platform, and record them')
      .requiredOption('--to <url>', 'address of the platform', platformUrl)
      .option('--port <port>', 'port to listen on, on this machine', wholeNumber(0, 65_535), DEFAULT_PORT)
      .option('--record <file>', 'record the requests and responses in a file, redacted')
      .option('--max <count>', 'stop after this number of calls', wholeNumber(1)),
    'proxy --to https://test-api.example --record recording.json',
  )
    .addHelpText(
      'after',
      '\nRequests below /v1 and /v2 are forwarded with the keys of the program, which are not recorded. The recording is read by\n' +
        '"sandbank compare recording.json". With --url or SANDBANK_URL each request is sent to that bank too, and its inspector shows\n' +
        'both responses. It runs until it is stopped.',
    )
    .action((options: ProxyOptions) => proxy(shell, options));
}

async function proxy(shell: Shell, options: ProxyOptions): Promise<void> {
  const { startPassthrough } = await import('./passthrough.ts');
  const mirror = await mirrorOf(shell, options);
  const ended = Promise.withResolvers<void>();
  const end = (): void => ended.resolve();
  let shown: Promise<void> = Promise.resolve();
  const passthrough: Passthrough = await startPassthrough({
    to: options.to,
    port: options.port,
    onExchange(exchange) {
      const { exchanges } = passthrough;
      const isLast = exchanges.length === options.max;
      const before = shown;
      shown = (async () => {
        if (options.record !== undefined) await write(options.record, exchanges);
        await before;
        await take(shell, options, exchange, mirror);
        if (isLast) end();
      })();
      shown.catch(ended.reject);
    },
  });
  shell.notify(`listening at ${passthrough.url}, forwarding to ${options.to}; Ctrl-C stops\n`);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    await ended.promise;
    await shown;
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
    await passthrough.close();
  }
}

/** The bank whose inspector shows the calls, if one is named and responds. */
async function mirrorOf(shell: Shell, options: ProxyOptions): Promise<Mirror | undefined> {
  const isNamed = options.url !== undefined || (shell.environment.SANDBANK_URL ?? '') !== '';
  if (!isNamed) return undefined;
  const { createMirror } = await import('./mirror.ts');
  const { sideAt } = await import('./side.ts');
  const bank = bankOf(shell, options);
  const { sandbox } = await bank.sandbox.retrieveSummary();
  shell.notify(`shown beside the bank's responses at ${bank.url}/_sandbox/ui/${sandbox}/requests\n`);
  const side = sideAt({ url: bank.url, keys: { v1: bank.apiKey, v2: bank.apiKey }, timeoutMs: TIMEOUT_MS });
  return createMirror({ bank, side, address: options.to });
}

/** Prints a call, with the result at the bank. */
async function take(
  shell: Shell,
  { json }: ProxyOptions,
  exchange: Exchange,
  mirror: Mirror | undefined,
): Promise<void> {
  const { method, path } = exchange.request;
  const status = exchange.answer?.status ?? null;
  const { differences, problem } = (await mirror?.add(exchange)) ?? { differences: [], problem: '' };
  if (json === true) {
    const compared = mirror === undefined ? {} : { differences, problem };
    shell.answer(`${JSON.stringify({ status, method, path, ...compared })}\n`);
    return;
  }
  const { namesOf } = await import('./mirror.ts');
  const word =
    problem !== '' ? `not shown: ${problem}` : differences.length === 0 ? 'equal' : namesOf(differences);
  shell.answer(`${status}  ${method.padEnd(6)}  ${path}${mirror === undefined ? '' : `  ${word}`}\n`);
}

async function write(file: string, exchanges: readonly Exchange[]): Promise<void> {
  const { formatRecording } = await import('./recording.ts');
  const text = formatRecording({ exchanges }, new Date().toISOString().slice(0, 10));
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}
