/**
 * GET /v1/webhook/{webhookId}/secret: what signs the deliveries of one webhook. It may be asked for at any time.
 * Source: "retrieve a webhook secret" of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { WebhookSecret } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhookSecret } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const retrieveWebhookSecret = operation({
  id: 'retrieveWebhookSecret',
  method: 'GET',
  path: '/v1/webhook/:webhookId/secret',
  summary: 'Retrieve the secret of a webhook',
  status: 200,
  params: Type.Object({ webhookId: Type.String() }),
  response: WebhookSecret,
  example: {
    params: ({ seed }) => ({ webhookId: seed('webhook_id') }),
  },
  run({ bank }, { params }) {
    return viewWebhookSecret(bank.webhooks.byId(readId('webhook', params.webhookId)));
  },
});
