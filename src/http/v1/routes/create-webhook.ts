/**
 * POST /v1/webhook: subscribes an address to kinds of events. The secret that signs the deliveries is not in the
 * answer: it has an operation of its own.
 * Source: the webhook record of the platform's v1 reference; row 3 of docs/fidelity.md.
 */
import { readNewWebhook } from '../../../dialects/v1/readers/webhook.ts';
import { NewWebhookBody, Webhook } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/v1/webhook',
  summary: 'Create a webhook',
  status: 201,
  refuses: ['url_invalid', 'webhooks_full'],
  body: NewWebhookBody,
  response: Webhook,
  example: {
    body: {
      url: 'http://hooks.example/v1',
      events: ['card.spend'],
      description: 'Mine',
      status: 'active',
    },
  },
  run({ bank }, { body }) {
    return viewWebhook(bank.webhooks.create(readNewWebhook(body)), bank.program);
  },
});
