/**
 * The webhooks of both generations that were not deleted, newest first, with their secrets and how their deliveries stand.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { viewWebhook, WebhookView } from '../webhooks.ts';

export const listWebhooks = controlOperation({
  id: 'sandbox_list_webhooks',
  method: 'GET',
  path: '/_sandbox/webhooks',
  group: 'Webhooks',
  summary: 'List the webhooks of both generations',
  status: 200,
  response: Type.Object({ webhooks: Type.Array(WebhookView) }),
  run: ({ sandbox }) => {
    const counts = sandbox.queue.counts();
    return {
      webhooks: sandbox.bank.webhooks
        .list()
        .map((webhook) => viewWebhook(sandbox, webhook, counts.get(webhook.id))),
    };
  },
});
