/**
 * Writes a webhook. Its secret is in the answer to its creation and nowhere else. v2 knows two states: one that gets
 * deliveries and one that does not, whatever the reason.
 * Source: the webhook record of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { V2_KINDS } from '../../../model/facts.ts';
import type { Program, Webhook } from '../../../model/records.ts';
import { writeId } from '../ids.ts';
import type { WebhookEventList, Webhook as WebhookShape, WebhookWithSecret } from '../shapes/webhook.ts';

/** Writes a webhook, with its secret only when that is asked for. */
export function viewWebhook(
  webhook: Webhook,
  program: Program,
  options: { withSecret: true },
): Static<typeof WebhookWithSecret>;
export function viewWebhook(
  webhook: Webhook,
  program: Program,
  options: { withSecret: false },
): Static<typeof WebhookShape>;
export function viewWebhook(
  webhook: Webhook,
  program: Program,
  options: { withSecret: boolean },
): Static<typeof WebhookShape> | Static<typeof WebhookWithSecret> {
  const shown: Static<typeof WebhookShape> = {
    id: writeId('webhook', webhook.id),
    client_id: writeId('client', program.clientId),
    description: webhook.description,
    url: webhook.url,
    events: webhook.events,
    status: webhook.status === 'active' ? 'active' : 'inactive',
    timestamps: {
      created_at: formatInstant(webhook.createdAt),
      updated_at: formatInstant(webhook.updatedAt),
      deleted_at: formatInstantOrEmpty(webhook.deletedAt),
    },
  };
  return options.withSecret ? { ...shown, secret: webhook.secret } : shown;
}

/** Writes the kinds of event that may be subscribed to, all on one page. */
export function viewWebhookEvents(): Static<typeof WebhookEventList> {
  return {
    total: V2_KINDS.length,
    data: [...V2_KINDS],
    has_more: 'false',
    starting_after: '',
    ending_before: '',
  };
}
