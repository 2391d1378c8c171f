/**
 * `sandbank listen --forward-to`: carries the events of a sandbox to a local address that the bank itself may not reach,
 * signed as a webhook's deliveries are. It keeps its place: an event that the receiver did not take is tried again before
 * the next, and one that happened while the connection was down is fetched afterwards.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Sandbank } from '../kit/bank.ts';
import { type BankOptions, bankOf, CommandError, explainFailure, talksToBank } from './bank.ts';

interface ListenOptions extends BankOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly dialect?: string;
  readonly since?: string;
  readonly webhook?: string;
  readonly max?: string;
}

const LONG_POLL_SECONDS = 30;
const RETRY_MS = [500, 1_000, 2_000, 5_000];
const RECEIVER_TIMEOUT_MS = 10_000;

/** Adds the command. */
export function addListen(program: Command): void {
  talksToBank(
    program
      .command('listen')
      .description('print the events of a sandbox as they happen, and carry them to a local address')
      .option('--forward-to <url>', 'where each event is posted, signed like a delivery')
      .option('--events <kinds>', 'only these, with commas; transaction.* is a beginning')
      .option('--dialect <generation>', 'v2 or v1; v2 unless sent', 'v2')
      .option('--since <event>', 'after this event, or "beginning"; from now on unless sent')
      .option('--webhook <id>', 'sign with the secret of this webhook; the seeded one unless sent')
      .option('--max <count>', 'end after so many events'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank listen --forward-to http://127.0.0.1:3000/webhooks\n' +
        "  $ sandbank listen --events 'transaction.*' --since beginning",
    )
    .action((options: ListenOptions) => listen(bankOf(options), options));
}

async function listen(bank: Sandbank, options: ListenOptions): Promise<void> {
  const { forwardTo, dialect = 'v2', json } = options;
  if (forwardTo !== undefined && !URL.canParse(forwardTo)) {
    throw new CommandError(`--forward-to is an address like http://127.0.0.1:3000/webhooks; got "${forwardTo}"`);
  }
  const most = options.max === undefined ? Number.POSITIVE_INFINITY : Number(options.max);
  const wanted = wantedBy(options.events);
  let cursor = await startOf(bank, options.since);
  if (json !== true) {
    const target = forwardTo === undefined ? '' : ` to ${forwardTo}`;
    process.stderr.write(`listening to ${bank.url} as ${bank.apiKey}${target}; Ctrl-C ends\n`);
  }
  for (let carried = 0; carried < most; ) {
    const news = await patiently(() =>
      bank.sandbox.listEvents({ query: { since: cursor, dialect, wait: String(LONG_POLL_SECONDS) } }),
    );
    for (const event of news.events) {
      if (wanted(event.type)) {
        const status = forwardTo === undefined ? null : await carry(bank, event.id, forwardTo, options.webhook);
        if (json === true) process.stdout.write(`${JSON.stringify({ ...event, forwarded: status })}\n`);
        else {
          const said = status === null ? '' : `  -> ${status}`;
          process.stdout.write(`${event.at}  ${event.type.padEnd(38)} ${event.resource_id}${said}\n`);
        }
        carried += 1;
        if (carried >= most) return;
      }
      cursor = event.id;
    }
    if (news.events.length === 0) cursor = news.cursor;
  }
}

/** Posts one event until the receiver takes it; answers with what status it did. */
async function carry(
  bank: Sandbank,
  id: string,
  to: string,
  webhook: string | undefined,
): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const { headers, body } = await patiently(() =>
      bank.sandbox.renderEvent({
        params: { id },
        query: { ...(webhook !== undefined && { webhook_id: webhook }) },
      }),
    );
    const problem = await post(to, headers, body);
    if (typeof problem === 'number') return problem;
    process.stderr.write(`sandbank: ${to} did not take ${id} (${problem}); trying again\n`);
    await wait(pause(attempt));
  }
}

/** The status of a receiver that took it; otherwise why it did not. */
async function post(to: string, headers: Record<string, string>, body: string): Promise<number | string> {
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok ? answer.status : `it answered ${answer.status}`;
  } catch (error) {
    return explainFailure(error);
  }
}

/** Does it again while nobody answers: the bank may be starting anew. What the bank refuses is a failure at once. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (attempt === 0) process.stderr.write(`sandbank: ${explainFailure(error)}; waiting for it\n`);
      await wait(pause(attempt));
    }
  }
}

const pause = (attempt: number): number => RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? 0;

async function startOf(bank: Sandbank, since: string | undefined): Promise<string> {
  if (since === 'beginning') return '';
  if (since !== undefined) return since;
  const { cursor } = await patiently(() => bank.sandbox.listEvents({ query: { limit: '1' } }));
  return cursor;
}

function wantedBy(kinds: string | undefined): (kind: string) => boolean {
  const wishes = (kinds ?? '*').split(',').map((wish) => wish.trim());
  return (kind) =>
    wishes.some((wish) => (wish.endsWith('*') ? kind.startsWith(wish.slice(0, -1)) : kind === wish));
}
