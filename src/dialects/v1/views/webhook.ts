/**
 * A webhook, and its secret, which no record shows.
 * Source: the webhook record and "retrieve a webhook secret" of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import { V1_KINDS } from '../../../model/facts.ts';
import type { Program, Webhook } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type {
  DeletedWebhook,
  WebhookEventList,
  WebhookSecret,
  Webhook as WebhookShape,
} from '../shapes/webhook.ts';

/** A webhook. */
export function viewWebhook(webhook: Webhook, program: Program): Static<typeof WebhookShape> {
  return {
    id: spellV1('webhook', webhook.id),
    programId: spellV1('program', program.programId),
    url: webhook.url,
    description: webhook.description,
    status: webhook.status,
    events: webhook.events,
    createdAt: formatInstant(webhook.createdAt),
    modifiedAt: formatInstant(webhook.updatedAt),
  };
}

/** What signs a webhook's deliveries. */
export function viewWebhookSecret({ id, secret }: Webhook): Static<typeof WebhookSecret> {
  return { id: spellV1('webhook', id), secret };
}

/** What the deletion of a webhook is answered with. */
export function viewDeletedWebhook({ id }: Webhook): Static<typeof DeletedWebhook> {
  return { id: spellV1('webhook', id), status: 'deleted' };
}

/** The kinds of event that may be subscribed to, all on one page. */
export function viewWebhookEvents(): Static<typeof WebhookEventList> {
  return { total: V1_KINDS.length, data: [...V1_KINDS] };
}
