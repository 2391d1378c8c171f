/**
 * DELETE /v1/webhook/{webhookId}: nothing is delivered to it any more, not even what waits. It stays readable.
 * Source: "delete a webhook" of the platform's v1 reference; rows 45d and 204 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { DeletedWebhook } from '../../../dialects/v1/shapes/webhook.ts';
import { viewDeletedWebhook } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhook/:webhookId',
  summary: 'Delete a webhook',
  status: 200,
  params: Type.Object({ webhookId: Type.String() }),
  response: DeletedWebhook,
  example: {
    params: ({ seed }) => ({ webhookId: seed('webhook_id') }),
  },
  run({ bank }, { params }) {
    return viewDeletedWebhook(bank.webhooks.remove(readId('webhook', params.webhookId)));
  },
});
