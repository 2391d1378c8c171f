/**
 * `sandbank logs`: the last requests of a sandbox and their responses, newest last; numbers and secrets are masked. With
 * `--follow` it prints new requests until it is stopped.
 */
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import type { ControlMethods } from '../kit/client/types.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank } from './bank.ts';
import { sentOnly, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';
import { openStream } from './stream.ts';

type Request = Awaited<ReturnType<ControlMethods['listRequests']>>['requests'][number];

interface LogsOptions extends BankOptions {
  readonly status?: string;
  readonly operation?: string;
  readonly limit: number;
  readonly bodies?: boolean;
  readonly follow?: boolean;
}

/** A request in the form of the stream. */
interface RequestItem {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
}

const DEFAULT_LIMIT = 50;
/** The maximum that the bank keeps. */
const MAX = 1_000;
const METHOD_WIDTH = 'DELETE'.length;

/** Adds the command. */
export function addLogs(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('logs')
      .description('list the last requests of a sandbox with their responses, newest last')
      .option('--status <status>', 'only this status (409) or class (4xx)')
      .option('--operation <id>', 'only this operation, by its operationId')
      .option('--limit <count>', 'maximum number of requests', wholeNumber(1, MAX), DEFAULT_LIMIT)
      .option('--bodies', 'print the bodies of requests and responses')
      .option('--follow', 'print new requests as they arrive; with --json, one line each'),
    'logs --status 4xx --bodies',
    'logs --follow --key test_alice',
  ).action(async (options: LogsOptions) => {
    const bank = bankOf(shell, options);
    if (options.follow === true) return follow(shell, bank, options);
    const answer = await list(bank, options);
    const requests = answer.requests.toReversed();
    printAnswer(shell, options, { ...answer, requests }, () =>
      requests.flatMap((request) => linesOf(request, options)),
    );
  });
}

function list(bank: Sandbank, { status, operation, limit }: LogsOptions): ReturnType<Sandbank['requests']> {
  return bank.sandbox.listRequests({ query: { ...sentOnly({ status, operation }), limit: String(limit) } });
}

async function follow(shell: Shell, bank: Sandbank, options: LogsOptions): Promise<void> {
  const print = (request: Request): void =>
    printAnswer(shell, options, request, () => linesOf(request, options));
  // Before the list, so that no request is missed between the two.
  const stream = await openStream(bank);
  const { requests } = await list(bank, options);
  requests.toReversed().forEach(print);
  const printed = new Set(requests.map(({ id }) => id));
  for await (const { event, data } of stream) {
    if (event !== 'request') continue;
    const notice = data as RequestItem;
    if (!printed.has(notice.id) && isWanted(notice, options)) {
      print(await bank.sandbox.retrieveRequest({ params: { id: notice.id } }));
    }
  }
  throw new CommandError('the bank has ended');
}

function isWanted({ operation, status }: RequestItem, wanted: LogsOptions): boolean {
  if (wanted.operation !== undefined && wanted.operation !== operation) return false;
  return (
    wanted.status === undefined ||
    new RegExp(`^${wanted.status.replaceAll('x', '\\d')}$`).test(String(status))
  );
}

function linesOf(request: Request, { bodies }: LogsOptions): string[] {
  const { at, status, method, path, ms, hint, request_body: requested, answer_body: answered } = request;
  const line = `${at}  ${status}  ${method.padEnd(METHOD_WIDTH)}  ${path}  ${ms} ms  ${hint}`.trimEnd();
  if (bodies !== true) return [line];
  return [
    line,
    ...(requested === null ? [] : [`    sent      ${JSON.stringify(requested)}`]),
    ...(answered === null ? [] : [`    answered  ${JSON.stringify(answered)}`]),
  ];
}
