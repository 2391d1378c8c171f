/**
 * GET /v1/webhook/{webhookId}: one webhook. A deleted one is still readable, and says so in its status.
 * Source: the webhook operations of the platform's v1 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Webhook } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const retrieveWebhook = operation({
  id: 'retrieveWebhook',
  method: 'GET',
  path: '/v1/webhook/:webhookId',
  summary: 'Retrieve a webhook',
  status: 200,
  params: Type.Object({ webhookId: Type.String() }),
  response: Webhook,
  example: {
    params: ({ seed }) => ({ webhookId: seed('webhook_id') }),
  },
  run({ bank }, { params }) {
    return viewWebhook(bank.webhooks.byId(readId('webhook', params.webhookId)), bank.program);
  },
});
