/**
 * `sandbank proxy --to https://…`: stands between a program and the platform, forwards, and records. The file is written anew
 * after every call, so that it is whole whenever the command is stopped.
 */
import { renameSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Passthrough } from '../compare/passthrough.ts';
import { platformUrl } from './compare.ts';
import { wholeNumber, withExamples } from './options.ts';
import type { Shell } from './shell.ts';

interface ProxyOptions {
  readonly to: string;
  readonly port: number;
  readonly record?: string;
  readonly max?: number;
  readonly json?: boolean;
}

const DEFAULT_PORT = 4810;

/** Adds the command. */
export function addPassthrough(program: Command, shell: Shell): void {
  const command = program
    .command('proxy')
    .description('forward the calls of a program to the platform, and record them')
    .requiredOption('--to <url>', 'address of the platform', platformUrl)
    .option('--port <port>', 'port to listen on, on this machine', wholeNumber(0, 65_535), DEFAULT_PORT)
    .option('--record <file>', 'keep the calls and their answers in a file, redacted')
    .option('--max <count>', 'stop after this number of calls', wholeNumber(1))
    .option('--json', 'print one line of JSON for each call');
  withExamples(command, 'proxy --to https://test-api.example --record recording.json')
    .addHelpText(
      'after',
      '\nCalls below /v1 and /v2 are passed on with the keys of the program, which are not recorded. The recording is read by\n' +
        '"sandbank compare recording.json". It runs until it is stopped.',
    )
    .action((options: ProxyOptions) => proxy(shell, options));
}

async function proxy(shell: Shell, options: ProxyOptions): Promise<void> {
  const { startPassthrough } = await import('../compare/passthrough.ts');
  const { formatRecording } = await import('../compare/recording.ts');
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const passthrough: Passthrough = await startPassthrough({
    to: options.to,
    port: options.port,
    onExchange({ request, answer }) {
      const { method, path } = request;
      const status = answer?.status ?? null;
      const line =
        options.json === true
          ? JSON.stringify({ status, method, path })
          : `${status}  ${method.padEnd(6)}  ${path}`;
      shell.answer(`${line}\n`);
      const { exchanges } = passthrough;
      if (options.record !== undefined) {
        const text = formatRecording({ exchanges }, new Date().toISOString().slice(0, 10));
        writeFileSync(`${options.record}.part`, text);
        renameSync(`${options.record}.part`, options.record);
      }
      if (exchanges.length === options.max) end();
    },
  });
  shell.notify(`listening at ${passthrough.url}, forwarding to ${options.to}; Ctrl-C ends\n`);
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  try {
    await ended;
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
    await passthrough.close();
  }
}
