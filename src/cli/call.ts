/**
 * `sandbank get`, `post`, `patch`, `put` and `delete`: sends one request of any operation, with the API key in the header
 * of its version, and prints the response.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { type BankOptions, bankOf, CommandError, talksToBank, UsageError } from './bank.ts';
import { highlight } from './colour.ts';
import type { Shell } from './shell.ts';

interface CallOptions extends BankOptions {
  readonly data?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly output?: string;
}

/** The methods, with an example of each. */
const CALLS = [
  {
    method: 'GET',
    meaning: 'send a GET request',
    examples: ['get v2/accounts/sub_account', 'get v1/contact'],
  },
  {
    method: 'POST',
    meaning: 'send a POST request',
    examples: [
      `post v1/card/crd-0190.../test --data '{"amount":"14.90","authMethod":"keyedIn"}'`,
      'post v2/payments/ach/pull --data @pull.json --idempotency-key pull-1',
    ],
  },
  {
    method: 'PATCH',
    meaning: 'send a PATCH request',
    examples: [`patch v2/issuing/card/crd_0190... --data '{"label":"Travel"}'`],
  },
  {
    method: 'PUT',
    meaning: 'send a PUT request',
    examples: [`put _sandbox/clock --data '{"mode":"frozen"}'`],
  },
  { method: 'DELETE', meaning: 'send a DELETE request', examples: ['delete v2/webhook/whk_0190...'] },
] as const;

const STDIN = 0;

/** Adds the commands. */
export function addCalls(program: Command, shell: Shell): void {
  for (const { method, meaning, examples } of CALLS) {
    const command = program
      .command(method.toLowerCase())
      .description(meaning)
      .argument('<path>', 'path with its query, like v2/webhook?limit=5', callPath)
      .option(
        '--header <header>',
        'additional header, like "sd-person-id: per-0190..."; repeatable',
        addHeader,
      )
      .option('--output <file>', 'write the body of the response to a file');
    if (method !== 'GET') {
      command
        .option('--data <json>', 'body as JSON; @<file> reads a file, - reads stdin')
        .option('--idempotency-key <key>', 'idempotency key');
    }
    talksToBank(command, ...examples).action((path: string, options: CallOptions) =>
      call(shell, method, path, options),
    );
  }
}

/** A path begins with a slash. Some shells on Windows rewrite such an argument, so the slash is optional. */
function callPath(text: string): string {
  if (/^[a-z][a-z+.-]*:\/\//i.test(text) || /\s/.test(text)) {
    throw new InvalidArgumentError(
      'Expected a path like v2/accounts/sub_account, without the address of the bank.',
    );
  }
  return text.startsWith('/') ? text : `/${text}`;
}

function addHeader(text: string, others: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('Expected a header like "sd-person-id: per-0190...".');
  return { ...others, [name]: value };
}

async function call(shell: Shell, method: string, path: string, options: CallOptions): Promise<void> {
  const { idempotencyKey, header, output } = options;
  const body = options.data === undefined ? undefined : bodyOf(options.data);
  const answer = await bankOf(shell, options).fetch(path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && {
        [path.startsWith('/v1') ? 'sd-idempotency-key' : 'idempotency-key']: idempotencyKey,
      }),
      ...header,
    },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (output !== undefined && answer.ok) writeFileSync(output, bytes);
  else print(shell, options, bytes, answer.headers.get('content-type') ?? '');
  if (answer.ok) return;
  const hint = answer.headers.get('x-sandbox-hint');
  const message = `${method} ${path.split('?', 1)[0]} returned ${answer.status}${hint === null ? '' : `; ${hint}`}`;
  throw answer.status === 400 ? new UsageError(message) : new CommandError(message);
}

/** The body as JSON text. Fails with a `UsageError` that names the problem. */
function bodyOf(data: string): string {
  const file = data.startsWith('@') ? data.slice(1) : data === '-' ? STDIN : undefined;
  const text = file === undefined ? data : readFileSync(file, 'utf8');
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw new UsageError(`the body is not valid JSON: ${(error as Error).message}`);
  }
}

/** JSON over several lines, or in one with `--json`. Other bodies go to a file. */
function print(shell: Shell, { json }: BankOptions, bytes: Buffer, type: string): void {
  if (bytes.length === 0) return;
  if (!type.includes('json')) {
    if (!type.startsWith('text/')) {
      throw new CommandError(
        `the response is ${type}, ${bytes.length} bytes: write it to a file with --output`,
      );
    }
    shell.answer(bytes.toString('utf8'));
    return;
  }
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  const text = json === true ? JSON.stringify(value) : JSON.stringify(value, null, 2);
  shell.answer(`${json !== true && shell.colours.answer ? highlight(text) : text}\n`);
}
