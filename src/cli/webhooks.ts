/**
 * `sandbank webhook`, `resend` and `replay`: the webhooks of a sandbox, and deliveries once more.
 */
import type { Command } from 'commander';
import type { ControlMethods } from '../client/types.ts';
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
import { kindsFitting } from './listen.ts';
import { given, httpUrl } from './options.ts';
import type { Shell } from './shell.ts';

type Webhook = Awaited<ReturnType<ControlMethods['createWebhook']>>;

interface AddOptions extends BankOptions {
  readonly dialect: 'v1' | 'v2';
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
      .description('send an event to its webhooks once more')
      .argument('<event>', 'the event, evt_...')
      .option('--webhook <id>', 'to this webhook alone'),
  )
    .addHelpText('after', '\nExample:\n  $ sandbank resend evt_0190... --webhook wbh_0190...')
    .action(async (id: string, options: BankOptions & { webhook?: string }) => {
      const body = given({ webhook_id: options.webhook });
      const answer = await bankOf(shell, options).sandbox.resendEvent({ params: { id }, body });
      printAnswer(shell, options, answer, () =>
        answer.deliveries.map(({ webhook_id }) => `${answer.event_id}  to ${webhook_id}`),
      );
    });

  talksToBank(
    program
      .command('replay')
      .description('send a webhook the events that it missed')
      .argument('<webhook>', 'the webhook')
      .option('--since <when>', 'after this event or instant; since the webhook was made without it')
      .option('--until <when>', 'up to this event or instant'),
  )
    .addHelpText('after', '\nExample:\n  $ sandbank replay wbh_0190... --since 2026-12-24T12:00:00Z')
    .action(async (id: string, options: BankOptions & { since?: string; until?: string }) => {
      const { since, until } = options;
      const answer = await bankOf(shell, options).sandbox.replayEvents({
        params: { id },
        body: given({ since, until }),
      });
      printAnswer(shell, options, answer, () => `${answer.webhook_id}  ${answer.queued} to be delivered`);
    });
}

function addWebhook(program: Command, shell: Shell): void {
  const webhook = program
    .command('webhook')
    .description('list, make and delete webhooks, and see how deliveries went')
    .addHelpText(
      'after',
      '\nExamples:\n  $ sandbank webhook list\n' +
        '  $ sandbank webhook add --receiver\n  $ sandbank webhook received\n' +
        "  $ sandbank webhook add http://127.0.0.1:3000/webhooks --events 'transaction.*'\n" +
        '  $ sandbank webhook send-example wbh_0190... card.spend\n' +
        '  $ sandbank webhook attempts evt_0190...',
    );

  talksToBank(
    webhook.command('list').description('list the webhooks of both versions, and how their deliveries stand'),
  ).action(async (options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.listWebhooks();
    printAnswer(shell, options, answer, () => columns(answer.webhooks.map(rowOf)));
  });

  talksToBank(
    webhook
      .command('add')
      .description('make a webhook, and print its secret')
      .argument('[url]', 'where events are sent to', httpUrl)
      .option('--receiver', 'in place of an address: the bank keeps what it delivers')
      .addOption(
        program.createOption('--dialect <version>', 'of v1 or v2').choices(['v1', 'v2']).default('v2'),
      )
      .option('--events <kinds>', 'only these, with commas between them; transaction.* is a beginning', '*')
      .option('--description <text>', 'what it is for'),
  ).action(async (url: string | undefined, options: AddOptions) => {
    const { dialect, description, receiver } = options;
    if ((url === undefined) === (receiver === undefined)) {
      throw new UsageError(
        'a webhook needs an address, or --receiver to have the bank keep what it delivers, and not both',
      );
    }
    const events = kindsFitting(options.events, dialect);
    const answer = await bankOf(shell, options).sandbox.createWebhook({
      body: { dialect, events, ...given({ url, receiver, description }) },
    });
    printAnswer(shell, options, answer, () => `${answer.id}  ${answer.url}  ${answer.secret}`);
  });

  talksToBank(
    webhook.command('received').description('list what the built-in receiver got, the newest first'),
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
    webhook.command('delete').description('delete a webhook').argument('<id>', 'the webhook'),
  ).action(async (id: string, options: BankOptions) => {
    await bankOf(shell, options).sandbox.deleteWebhook({ params: { id } });
    printAnswer(shell, options, { id, deleted: true }, () => `${id} is deleted`);
  });

  talksToBank(
    webhook
      .command('send-example')
      .description('send a webhook an example of an event, and print what the receiver answered')
      .argument('<id>', 'the webhook')
      .argument('<kind>', 'of the version that the webhook is of'),
  ).action(async (id: string, type: string, options: BankOptions) => {
    const answer = await bankOf(shell, options).sandbox.sendExample({ params: { id }, body: { type } });
    const { event_id, status, error, duration_ms } = answer;
    printAnswer(shell, options, answer, () => `${event_id}  ${type}  ${status ?? error}  ${duration_ms} ms`);
    if (!answer.delivered) throw new CommandError(`the receiver did not take ${type}: ${status ?? error}`);
  });

  talksToBank(
    webhook
      .command('attempts')
      .description('list every attempt to deliver an event')
      .argument('<event>', 'the event, evt_...'),
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

function rowOf({ id, dialect, url, status, events, deliveries, failing_since }: Webhook): string[] {
  const failing = failing_since === '' ? '' : `failing since ${failing_since}`;
  return [id, dialect, url, status, `${events.length} kinds`, countsOf(deliveries), failing];
}
