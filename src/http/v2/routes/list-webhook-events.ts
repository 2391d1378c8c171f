/**
 * Lists the 78 kinds of event that a webhook of v2 may subscribe to. It is one page, however many are asked for.
 * Source: "list all webhook events" of the platform's v2 reference.
 */
import { WebhookEventList } from '../../../dialects/v2/shapes/webhook.ts';
import { viewWebhookEvents } from '../../../dialects/v2/views/webhook.ts';
import { operation } from '../../operation.ts';

export const listWebhookEvents = operation({
  id: 'v2_list_webhook_events',
  method: 'GET',
  path: '/v2/webhook/events',
  summary: 'List the event kinds',
  status: 200,
  response: WebhookEventList,
  example: {},
  run: viewWebhookEvents,
});
