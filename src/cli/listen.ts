/**
 * `sandbank listen --forward-to`: carries the events of a sandbox to an address that the bank itself may not reach, signed
 * as a webhook's deliveries are. It keeps its place in the log: what happened while the receiver or the bank was down is
 * carried afterwards, in order and each event once. A receiver that is not there, or fails, is tried again; one that
 * refuses an event (4xx) is taken at its word.
 */
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import { kindsOf, unknownKind } from '../kit/causes/trigger.ts';
import type { BankEvent } from '../kit/events.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank, UsageError } from './bank.ts';
import { follow, isForgotten, pause, presentPlace, retryWhileAway } from './follow.ts';
import { given, httpUrl, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

interface ListenOptions extends BankOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly dialect: BankEvent['dialect'];
  readonly since?: string;
  readonly webhook?: string;
  readonly max?: number;
}

const BEGINNING = 'beginning';
const RECEIVER_TIMEOUT_MS = 10_000;
const KIND_WIDTH = 38;
/** Answers of 4xx that ask to come again. */
const RETRIABLE: readonly number[] = [408, 425, 429];

/** Adds the command. */
export function addListen(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('listen')
      .description('print the events of a sandbox as they happen, and carry them to a local address')
      .option('--forward-to <url>', 'where each event is posted, signed like a delivery', httpUrl)
      .option('--events <kinds>', 'only these, with commas; transaction.* is a beginning')
      .addOption(
        program
          .createOption('--dialect <version>', 'events of which version')
          .choices(['v1', 'v2'])
          .default('v2'),
      )
      .option(
        '--since <event>',
        `after this event; "${BEGINNING}" is before the first records, "seeded" after them; from now on unless given`,
      )
      .option(
        '--webhook <id>',
        'sign with the secret of this webhook; the one that the bank was seeded with unless given',
      )
      .option('--max <count>', 'end after so many events', wholeNumber(1)),
  )
    .addHelpText(
      'after',
      '\nAn event that the receiver does not take is tried again before the next; one that it refuses (4xx) is not. With\n' +
        '--json there is a line of JSON for each event. It goes on until it is ended; with --max it ends with 1 if the\n' +
        'receiver refused one.\n\n' +
        'Examples:\n  $ sandbank listen --forward-to http://127.0.0.1:3000/webhooks\n' +
        "  $ sandbank listen --events 'transaction.*' --since beginning",
    )
    .action((options: ListenOptions) => listen(shell, bankOf(shell, options), options));
}

async function listen(shell: Shell, bank: Sandbank, options: ListenOptions): Promise<void> {
  const wanted = new Set(kindsFitting(options.events ?? '*', options.dialect));
  const { dialect, since = await presentPlace(shell, bank), max = Number.POSITIVE_INFINITY } = options;
  const carry = await carrierOf(shell, bank, options);
  let printed = 0;
  for await (const event of follow(shell, bank, { dialect, since: since === BEGINNING ? '' : since })) {
    if (!wanted.has(event.type)) continue;
    const status = await carry(event);
    if (status === 'forgotten') continue;
    if (status !== null && status >= 400) shell.exitCode = 1;
    printAnswer(shell, options, { ...event, forwarded: status }, () => lineOf(event, status));
    printed += 1;
    if (printed === max) return;
  }
}

function lineOf({ at, id, type, resource_id: about }: BankEvent, status: number | null): string {
  const outcome = status === null ? '' : `  -> ${status}${status >= 400 ? ' refused' : ''}`;
  return `${at}  ${id}  ${type.padEnd(KIND_WIDTH)}  ${about}${outcome}`;
}

/** Carries an event; answers the receiver's status, or `null` where there is no receiver. */
type Carry = (event: BankEvent) => Promise<number | null | 'forgotten'>;

/** Says what is listened to, and answers how an event is carried. */
async function carrierOf(
  shell: Shell,
  bank: Sandbank,
  { forwardTo, webhook }: ListenOptions,
): Promise<Carry> {
  const place = `listening to ${bank.url} as ${bank.apiKey}`;
  if (forwardTo === undefined) {
    shell.notify(`${place}; Ctrl-C ends\n`);
    return async () => null;
  }
  const { id: webhookId, secret } = await signerOf(shell, bank, webhook);
  shell.notify(`${place}, to ${forwardTo}; signed with the secret of ${webhookId}, ${secret}; Ctrl-C ends\n`);
  return async ({ id }) => {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptTo(shell, bank, id, forwardTo, webhook);
      if (typeof outcome === 'number' || outcome === 'forgotten') return outcome;
      if (attempt === 0)
        shell.notify(`sandbank: ${forwardTo} did not take ${id} (${outcome.problem}); trying again\n`);
      await pause(attempt);
    }
  };
}

async function signerOf(
  shell: Shell,
  bank: Sandbank,
  webhook: string | undefined,
): Promise<{ id: string; secret: string }> {
  if (webhook === undefined) {
    const { webhook_id: id = '', webhook_secret: secret = '' } = await retryWhileAway(shell, () =>
      bank.seeded(),
    );
    return { id, secret };
  }
  const { webhooks } = await retryWhileAway(shell, () => bank.sandbox.listWebhooks());
  const found = webhooks.find(({ id }) => id === webhook);
  if (found !== undefined) return found;
  const known = webhooks.map(({ id }) => id).join(', ');
  throw new CommandError(`there is no webhook ${webhook} in this sandbox; there are ${known}`);
}

/** Posts one event once. It is rendered anew each time, because a signature is good for minutes only. */
async function attemptTo(
  shell: Shell,
  bank: Sandbank,
  id: string,
  to: string,
  webhook: string | undefined,
): Promise<number | 'forgotten' | { problem: string }> {
  // The webhook that the bank was seeded with has another id in a bank that was seeded anew.
  const query = given({ webhook_id: webhook });
  try {
    const { headers, body } = await retryWhileAway(shell, () =>
      bank.sandbox.renderEvent({ params: { id }, query }),
    );
    return await post(to, headers, body);
  } catch (error) {
    if (isForgotten(error)) return 'forgotten';
    throw error;
  }
}

/** The status of a receiver that took it, or will not; otherwise what went wrong. */
async function post(
  to: string,
  headers: Record<string, string>,
  body: string,
): Promise<number | { problem: string }> {
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    const { ok, status } = answer;
    const isRefusal = status >= 400 && status < 500 && !RETRIABLE.includes(status);
    return ok || isRefusal ? status : { problem: `it answered ${status}` };
  } catch (error) {
    const { cause, message } = error as Error;
    return {
      problem:
        cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message,
    };
  }
}

/** The kinds of a version that patterns with commas between them name. Refuses a pattern that no kind fits. */
export function kindsFitting(patterns: string, version: BankEvent['dialect']): string[] {
  const kinds = new Set<string>();
  for (const text of patterns.split(',')) {
    const pattern = text.trim();
    const fitting = kindsOf(version).filter((kind) =>
      pattern.endsWith('*') ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern,
    );
    if (fitting.length === 0) throw new UsageError(unknownKind(pattern, version));
    for (const kind of fitting) kinds.add(kind);
  }
  return [...kinds];
}
