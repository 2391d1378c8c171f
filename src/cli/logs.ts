/**
 * `sandbank logs`: what a sandbox was asked and what it answered, the newest last; numbers and secrets are masked.
 */
import type { Command } from 'commander';
import { type BankOptions, bankOf, columns, printAnswer, talksToBank } from './bank.ts';

interface LogsOptions extends BankOptions {
  readonly status?: string;
  readonly operation?: string;
  readonly limit?: string;
  readonly bodies?: boolean;
}

/** Adds the command. */
export function addLogs(program: Command): void {
  talksToBank(
    program
      .command('logs')
      .description('list the last requests of a sandbox and their answers, the newest last')
      .option('--status <status>', 'only these: 409, or 4xx')
      .option('--operation <id>', 'only this operation')
      .option('--limit <count>', 'at most so many', '50')
      .option('--bodies', 'print what was sent and answered, too'),
  ).action(async (options: LogsOptions) => {
    const { status, operation, limit, bodies } = options;
    const answer = await bankOf(options).sandbox.listRequests({
      query: {
        ...(status !== undefined && { status }),
        ...(operation !== undefined && { operation }),
        ...(limit !== undefined && { limit }),
      },
    });
    const oldestFirst = answer.requests.toReversed();
    printAnswer(options, answer, () => {
      const lines = columns(
        oldestFirst.map(({ at, status: code, method, path, ms, hint }) => [
          at,
          String(code),
          method,
          path,
          `${ms} ms`,
          hint,
        ]),
      );
      if (bodies !== true) return lines;
      return oldestFirst.flatMap(({ request_body: asked, answer_body: answered }, at) => [
        lines[at] ?? '',
        ...(asked === null ? [] : [`    sent      ${JSON.stringify(asked)}`]),
        ...(answered === null ? [] : [`    answered  ${JSON.stringify(answered)}`]),
      ]);
    });
  });
}
