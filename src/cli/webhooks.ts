/**
 * `sandbank webhook`, `resend` and `replay`: the webhooks of a sandbox, and repeated deliveries.
 */

import type { Command } from 'commander';
import { counted } from '../bank/kernel/count.ts';
import type { ControlMethods } from '../kit/client/types.ts';
import {
  type BankOptions,
  bankOf,
  CommandError,
  columns,
  printAnswer,
  talksToBank,
  UsageError,
} from './bank.ts';
import { countsOf } from './events.ts';
import { matchingEventTypes, PATTERN_EXAMPLE } from './listen.ts';
import { httpUrl, sentOnly } from './options.ts';
import type { Shell } from './shell.ts';

type Webhook = Awaited<ReturnType<ControlMethods['createWebhook']>>;

interface AddOptions extends BankOptions {
  readonly apiVersion: 'v1' | 'v2';
  readonly events: string;
  readonly description?: string;
  readonly receiver?: boolean;
}

/** Adds the commands. */
export function addWebhooks(program: Command, shell: Shell): void {
  addWebhook(program, shell);

  talksToBank(
    program
      .command('resend')
      .description('send an event to its webhooks again')
      .argument('<event>', 'id of the event, evt_...')
      .option('--webhook <id>', 'only to this webhook'),
    'resend evt_0190... --webhook wbh_0190...',
  ).action(async (id: string, options: BankOptions & { webhook?: string }) => {
    const body = sentOnly({ webhook_id: options.webhook });
    const answer = await bankOf(shell, options).sandbox.resendEvent({ params: { id }, body });
    printAnswer(shell, options, answer, () =>
      answer.deliveries.map(({ webhook_id }) => `${answer.event_id}  to ${webhook_id}`),
    );
  });

  talksToBank(
    program
      .command('replay')
      .description('send a webhook the events that it missed')
      .argument('<webhook>', 'id of the webhook')
      .option('--since <when>', 'after this event or instant (default: the creation of the webhook)')
      .option('--until <when>', 'up to this event or instant (default: now)'),
    'replay wbh_0190... --since 2026-12-24T12:00:00Z',
  ).action(async (id: string, options: BankOptions & { since?: string; until?: string }) => {
    const { since, until } = options;
    const answer = await bankOf(shell, options).sandbox.replayEvents({
      params: { id },
      body: sentOnly({ since, until }),
    });
    printAnswer(shell, options, answer, () => `${answer.webhook_id}  ${answer.queued} queued`);
    if (answer.problem === '') return;
    shell.notify(`sandbank: not all events were checked (${answer.problem}); run the command again\n`);
    shell.exitCode = 1;
  });
}

function addWebhook(program: Command, shell: Shell): void {
  const webhook = program
    .command('webhook')
    .description('list, create and delete webhooks, and list their deliveries');

  talksToBank(
    webhook
      .command('list')
      .description('list the webhooks of both versions with the state of their deliveries'),
    'webhook list',
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.listWebhooks();
    printAnswer(shell, options, answer, () => columns(answer.webhooks.map(rowOf)));
  });

  talksToBank(
    webhook
      .command('add')
      .description('create a webhook, and print its secret')
      .argument('[url]', 'address that receives the events', httpUrl)
      .option('--receiver', 'deliver to the built-in receiver instead of an address')
      .addOption(
        program.createOption('--api-version <version>', 'API version').choices(['v1', 'v2']).default('v2'),
      )
      .option('--events <types>', `event types, separated by commas; ${PATTERN_EXAMPLE}`, '*')
      .option('--description <text>', 'a description'),
    "webhook add http://127.0.0.1:3000/webhooks --events 'transaction.*'",
    'webhook add --receiver',
  ).action(async (url: string | undefined, options: AddOptions) => {
    const { apiVersion, description, receiver } = options;
    if ((url === undefined) === (receiver === undefined)) {
      throw new UsageError('webhook add needs either an address, or --receiver for the built-in receiver');
    }
    const events = matchingEventTypes(options.events, apiVersion);
    const answer = await bankOf(shell, options).sandbox.createWebhook({
      body: { api_version: apiVersion, events, ...sentOnly({ url, receiver, description }) },
    });
    printAnswer(shell, options, answer, () => `${answer.id}  ${answer.url}  ${answer.secret}`);
  });

  talksToBank(
    webhook.command('received').description('list the deliveries of the built-in receiver, newest first'),
    'webhook received',
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.retrieveReceiver();
    const rows = answer.deliveries.map(({ at, type, event_id, status, signature_problem }) => [
      at,
      type,
      event_id,
      String(status),
      signature_problem,
    ]);
    printAnswer(shell, options, answer, () => columns(rows));
  });

  talksToBank(
    webhook.command('delete').description('delete a webhook').argument('<id>', 'id of the webhook'),
    'webhook delete wbh_0190...',
  ).action(async (id: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteWebhook({ params: { id } });
    printAnswer(shell, options, { id, deleted: true }, () => `${id} is deleted`);
  });

  talksToBank(
    webhook
      .command('send-example')
      .description('send a webhook an example of an event, and print the response of the receiver')
      .argument('<id>', 'id of the webhook')
      .argument('<type>', "event type, of the webhook's version"),
    'webhook send-example wbh_0190... card.spend',
  ).action(async (id: string, type: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.sendExample({ params: { id }, body: { type } });
    const { event_id, status, error, duration_ms } = answer;
    printAnswer(shell, options, answer, () => `${event_id}  ${type}  ${status ?? error}  ${duration_ms} ms`);
    if (!answer.delivered) throw new CommandError(`the receiver did not accept ${type}: ${status ?? error}`);
  });

  talksToBank(
    webhook
      .command('attempts')
      .description('list every attempt to deliver an event')
      .argument('<event>', 'id of the event, evt_...'),
    'webhook attempts evt_0190...',
  ).action(async (id: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.listEventAttempts({ params: { id } });
    printAnswer(shell, options, answer, () =>
      columns(
        answer.attempts.map(({ at, webhook_id, number, status, error, duration_ms, next_due_at }) => [
          at,
          webhook_id,
          `attempt ${number}`,
          String(status ?? error),
          `${duration_ms} ms`,
          next_due_at === '' ? '' : `again at ${next_due_at}`,
        ]),
      ),
    );
  });
}

function rowOf({
  id,
  api_version: apiVersion,
  url,
  status,
  events,
  deliveries,
  failing_since,
}: Webhook): string[] {
  const failing = failing_since === '' ? '' : `failing since ${failing_since}`;
  return [id, apiVersion, url, status, counted(events.length, 'type'), countsOf(deliveries), failing];
}
