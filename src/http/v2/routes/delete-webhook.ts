/**
 * Deletes a webhook; a second time it is not there.
 * Source: the webhook operations of the platform's v2 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { operation } from '../../operation.ts';

export const deleteWebhook = operation({
  id: 'v2_delete_webhook',
  method: 'DELETE',
  path: '/v2/webhook/:webhook_id',
  summary: 'Delete a webhook',
  status: 204,
  params: Type.Object({ webhook_id: Type.String() }),
  example: {
    params: ({ seed }) => ({ webhook_id: seed('webhook_id') }),
  },
  run: ({ bank }, { params }) => {
    const id = readId('webhook', params.webhook_id);
    if (bank.webhooks.byId(id).status === 'deleted') throw refuse('webhook_not_found');
    bank.webhooks.remove(id);
  },
});
