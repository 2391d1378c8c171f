/**
 * Makes a webhook. This answer is the only one that shows its secret.
 * Source: the webhook operations of the platform's v2 reference.
 */
import { readNewWebhook } from '../../../dialects/v2/readers/webhook.ts';
import { NewWebhook, WebhookWithSecret } from '../../../dialects/v2/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v2/views/webhook.ts';
import { operation } from '../../operation.ts';

export const createWebhook = operation({
  id: 'v2_create_webhook',
  method: 'POST',
  path: '/v2/webhook',
  summary: 'Create a webhook',
  status: 201,
  refuses: ['url_invalid', 'webhooks_full'],
  body: NewWebhook,
  response: WebhookWithSecret,
  example: {
    body: {
      url: 'http://hooks.example/v2',
      events: ['transaction.created'],
      description: 'Ledger feed',
    },
  },
  run: ({ bank }, { body }) =>
    viewWebhook(bank.webhooks.create(readNewWebhook(body)), bank.program, { withSecret: true }),
});
