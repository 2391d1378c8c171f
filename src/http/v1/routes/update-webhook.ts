/**
 * PATCH /v1/webhook/{webhookId}: pauses, resumes or renames a webhook. A paused one keeps its list of events.
 * Source: "update a webhook" of the platform's v1 reference; row 53 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { readWebhookChange } from '../../../dialects/v1/readers/webhook.ts';
import { Webhook, WebhookChangeBody } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const updateWebhook = operation({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/v1/webhook/:webhookId',
  summary: 'Update a webhook',
  status: 200,
  refuses: ['url_invalid', 'webhook_deleted', 'illegal_step'],
  params: Type.Object({ webhookId: Type.String() }),
  body: WebhookChangeBody,
  response: Webhook,
  example: {
    params: ({ seed }) => ({ webhookId: seed('webhook_id') }),
    body: {
      url: 'http://hooks.example/v1',
      events: ['card.spend'],
      description: 'Ledger feed',
      status: 'paused',
    },
  },
  run({ bank }, { params, body }) {
    const id = readId('webhook', params.webhookId);
    return viewWebhook(bank.webhooks.change(id, readWebhookChange(body)), bank.program);
  },
});
