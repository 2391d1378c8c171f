/**
 * `sandbank listen --forward-to`: forwards the events of a sandbox to an address that the bank itself may not reach, signed
 * like deliveries. It keeps its position in the log: events that happened while the receiver or the bank was down are
 * forwarded afterwards, in order and once each. An event is signed with the secret of a webhook of its API version. An event is retried while the receiver does not respond or fails, and
 * skipped when the receiver refuses it (4xx).
 */
import type { Command } from 'commander';
import { maskAddresses, targetOf } from '../bank/kernel/address.ts';
import type { Sandbank } from '../kit/bank.ts';
import { eventTypesOf, unknownEventType } from '../kit/causes/trigger.ts';
import type { BankEvent } from '../kit/events.ts';
import { createFetch } from '../kit/fetch.ts';
import { type BankOptions, bankOf, CommandError, printAnswer, talksToBank, UsageError } from './bank.ts';
import { follow, isForgotten, pause, presentPlace, retryWhileAway } from './follow.ts';
import { httpUrl, sentOnly, wholeNumber } from './options.ts';
import type { Shell } from './shell.ts';

type Version = BankEvent['api_version'];

interface ListenOptions extends BankOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly apiVersion?: Version;
  readonly since?: string;
  readonly webhook?: string;
  readonly max?: number;
}

const VERSIONS = ['v2', 'v1'] as const satisfies Version[];
const BEGINNING = 'beginning';
/** The explanation of a pattern of types in the help. */
export const PATTERN_EXAMPLE = 'transaction.* matches all that begin with "transaction."';
const RECEIVER_TIMEOUT_MS = 10_000;
const KIND_WIDTH = 38;
/** Statuses of 4xx that request a retry. */
const RETRIABLE: readonly number[] = [408, 425, 429];

/** Adds the command. */
export function addListen(program: Command, shell: Shell): void {
  talksToBank(
    program
      .command('listen')
      .description('print the events of a sandbox as they happen, and forward them to a local address')
      .option('--forward-to <url>', 'address that each event is posted to, signed like a delivery', httpUrl)
      .option('--events <types>', `only these event types, separated by commas; ${PATTERN_EXAMPLE}`)
      .addOption(
        program
          .createOption('--api-version <version>', 'only the events of this API version')
          .choices(VERSIONS),
      )
      .option(
        '--since <event>',
        `start after this event, or at "${BEGINNING}" (all events) or "seeded" (after the initial records); default: now`,
      )
      .option(
        '--webhook <id>',
        'sign the events of its API version with the secret of this webhook (default: the oldest webhook of each version)',
      )
      .option('--max <count>', 'stop after this number of events', wholeNumber(1)),
    'listen --forward-to http://127.0.0.1:3000/webhooks',
    "listen --events 'transaction.*' --since beginning",
  )
    .addHelpText(
      'after',
      '\nWhile the receiver does not respond, or responds with 5xx, listen retries the event before the next one. It skips\n' +
        'an event that the receiver refuses (4xx). With --json it prints one line of JSON for each event. It runs until it\n' +
        'is stopped; with --max it exits with 1 if the receiver refused an event.',
    )
    .action((options: ListenOptions) => listen(shell, bankOf(shell, options), options));
}

async function listen(shell: Shell, bank: Sandbank, options: ListenOptions): Promise<void> {
  const wanted = new Set(matchingEventTypes(options.events ?? '*', options.apiVersion));
  const { apiVersion, since = await presentPlace(shell, bank), max = Number.POSITIVE_INFINITY } = options;
  const carry = await carrierOf(shell, bank, options);
  let printed = 0;
  for await (const event of follow(shell, bank, { apiVersion, since: since === BEGINNING ? '' : since })) {
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

/** Forwards an event; returns the receiver's status, or `null` without a receiver. */
type Carry = (event: BankEvent) => Promise<number | null | 'forgotten'>;

/** Prints what is listened to and how it is signed, and returns the function that forwards an event. */
async function carrierOf(shell: Shell, bank: Sandbank, options: ListenOptions): Promise<Carry> {
  const { forwardTo, apiVersion, events = 'all events' } = options;
  const shown = maskAddresses(forwardTo ?? '');
  const versions = apiVersion === undefined ? VERSIONS : [apiVersion];
  const place = `listening to ${maskAddresses(bank.url)} as ${bank.apiKey}: ${events} of ${versions.join(' and ')}`;
  if (forwardTo === undefined) {
    shell.notify(`${place}; Ctrl-C stops\n`);
    return async () => null;
  }
  const webhook = options.webhook === undefined ? undefined : await findWebhook(shell, bank, options.webhook);
  const signatures = await describeSignatures(shell, bank, { versions, webhook });
  shell.notify(`${place}, to ${shown}; signed with the secret of ${signatures}; Ctrl-C stops\n`);
  return async ({ id, api_version: version }) => {
    // The default is chosen by the bank at each event, because a reset changes the ids of webhooks.
    const signer = webhook?.api_version === version ? webhook.id : undefined;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptTo(shell, bank, { id, to: forwardTo, signer });
      if (typeof outcome === 'number' || outcome === 'forgotten') return outcome;
      if (attempt === 0)
        shell.notify(`sandbank: ${shown} did not accept ${id} (${outcome.problem}); retrying\n`);
      await pause(attempt);
    }
  };
}

type Webhook = Awaited<ReturnType<Sandbank['sandbox']['listWebhooks']>>['webhooks'][number];

async function findWebhook(shell: Shell, bank: Sandbank, webhook: string): Promise<Webhook> {
  const { webhooks } = await retryWhileAway(shell, () => bank.sandbox.listWebhooks());
  const found = webhooks.find(({ id }) => id === webhook);
  if (found !== undefined) return found;
  const known = webhooks.map(({ id }) => id).join(', ');
  throw new CommandError(`there is no webhook ${webhook} in this sandbox; its webhooks are ${known}`);
}

/** The webhook and secret of each version, as in "wbh_1, abc (v2) and wbh-2, def (v1)". */
async function describeSignatures(
  shell: Shell,
  bank: Sandbank,
  { versions, webhook }: { versions: readonly Version[]; webhook: Webhook | undefined },
): Promise<string> {
  const { webhooks } = await retryWhileAway(shell, () => bank.sandbox.listWebhooks());
  const { webhook_id: id = '', webhook_secret: secret = '' } = await retryWhileAway(shell, () =>
    bank.seeded(),
  );
  const ofVersion = new Map<string, Version[]>();
  for (const version of versions) {
    const oldest = webhooks.findLast(({ api_version: its }) => its === version) ?? { id, secret };
    const signer = webhook?.api_version === version ? webhook : oldest;
    const words = `${signer.id}, ${signer.secret}`;
    ofVersion.set(words, [...(ofVersion.get(words) ?? []), version]);
  }
  const parts = [...ofVersion].map(([words, its]) => `${words} (${its.join(' and ')})`);
  return parts.join(' and ');
}

/** Posts one event once. It is rendered for each attempt, because a signature is valid for only a few minutes. */
async function attemptTo(
  shell: Shell,
  bank: Sandbank,
  { id, to, signer }: { id: string; to: string; signer: string | undefined },
): Promise<number | 'forgotten' | { problem: string }> {
  const query = sentOnly({ webhook_id: signer });
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

const send = createFetch();

/** The status of a receiver that accepted or rejected the event; otherwise the error. */
async function post(
  to: string,
  headers: Record<string, string>,
  body: string,
): Promise<number | { problem: string }> {
  try {
    const target = targetOf(to);
    const answer = await send(target.url, {
      method: 'POST',
      headers: { ...headers, ...target.headers },
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

/** The event types that match patterns separated by commas. Refuses a pattern that matches no type. */
export function matchingEventTypes(patterns: string, version?: BankEvent['api_version']): string[] {
  const types = new Set<string>();
  for (const text of patterns.split(',')) {
    const pattern = text.trim();
    const fitting = eventTypesOf(version).filter((type) =>
      pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern,
    );
    if (fitting.length === 0) throw new UsageError(unknownEventType(pattern, version));
    for (const type of fitting) types.add(type);
  }
  return [...types];
}
