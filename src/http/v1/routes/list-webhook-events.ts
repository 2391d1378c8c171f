/**
 * GET /v1/webhook/events: the 72 kinds of event that a webhook of v1 may subscribe to, all of them at once.
 * Source: "list all webhook events" of the platform's v1 reference; row 204 of docs/fidelity.md.
 */
import { WebhookEventList } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhookEvents } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const listWebhookEvents = operation({
  id: 'listWebhookEvents',
  method: 'GET',
  path: '/v1/webhook/events',
  summary: 'List the kinds of events',
  status: 200,
  response: WebhookEventList,
  example: {},
  run: viewWebhookEvents,
});
