/**
 * Webhooks on the wire of the control plane: those of both generations in one shape, with what only this plane tells of
 * them, their secrets and how their deliveries stand.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Courier } from '../../delivery/courier.ts';
import { spellWebhookId } from '../../dialects/events.ts';
import { parseId } from '../../dialects/identifiers.ts';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import type { Webhook } from '../../model/records.ts';
import { WEBHOOK_STATUSES } from '../../model/vocabulary.ts';
import type { DeliveryCounts } from '../../outbox/queue.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { CountsView, noDeliveries } from './events.ts';
import { Generation, Instant, InstantOrNone, text, WebhookId, word } from './shapes.ts';

export const WebhookParams = Type.Object({ id: Type.String({ description: 'In either spelling.' }) });

export const WebhookView = Type.Object({
  id: WebhookId,
  dialect: Generation,
  url: text('Where events are sent to.'),
  description: Type.String(),
  events: Type.Array(Type.String(), { description: 'Kinds of event.' }),
  status: word(WEBHOOK_STATUSES),
  secret: text('Signs the events.'),
  previous_secret: Type.String({ description: 'After a rotation, while it still signs; "" otherwise.' }),
  previous_secret_until: InstantOrNone,
  deliveries: CountsView,
  failing_since: Type.Unsafe<string>({
    ...InstantOrNone,
    description:
      'The first attempt that failed since the last that arrived; "" while they arrive. After five days without any the webhook is deactivated.',
  }),
  chaos: Type.Boolean({ description: 'Whether its deliveries suffer any.' }),
  created_at: Instant,
  updated_at: Instant,
});

/** The webhook of an id in either spelling, unless it was deleted. Refuses: `webhook_not_found`. */
export function webhookOf({ bank }: Sandbox, text: string): Webhook {
  const id = parseId('webhook', text);
  const webhook = id === undefined ? undefined : bank.webhooks.byId(id);
  if (webhook === undefined || webhook.status === 'deleted') throw refuse('webhook_not_found');
  return webhook;
}

/** Whoever carries out a sandbox's deliveries; a bank that only makes an image has nobody. */
export function courierOf({ courier }: Sandbox): Courier {
  if (courier === null) throw refuse('failure', { message: 'this sandbox delivers nothing' });
  return courier;
}

/** Shows a webhook. */
export function viewWebhook(
  sandbox: Sandbox,
  webhook: Webhook,
  counts: DeliveryCounts = noDeliveries(),
): Static<typeof WebhookView> {
  const { previousSecret, previousSecretUntil } = webhook;
  const overlaps = previousSecretUntil !== null && sandbox.clock.now() < previousSecretUntil;
  return {
    id: spellWebhookId(webhook),
    dialect: webhook.dialect,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events,
    status: webhook.status,
    secret: webhook.secret,
    previous_secret: overlaps ? (previousSecret ?? '') : '',
    previous_secret_until: overlaps ? formatInstantOrEmpty(previousSecretUntil) : '',
    deliveries: counts,
    failing_since: formatInstantOrEmpty(sandbox.courier?.failingSince(webhook.id) ?? null),
    chaos: sandbox.courier?.chaosOf(webhook.id) !== undefined,
    created_at: formatInstant(webhook.createdAt),
    updated_at: formatInstant(webhook.updatedAt),
  };
}
