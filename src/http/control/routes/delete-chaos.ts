/**
 * Ends the delivery chaos of a webhook; what it held back to shuffle it is sent.
 */
import { controlOperation } from '../operation.ts';
import { courierOf, WebhookParams, webhookOf } from '../webhooks.ts';

export const deleteChaos = controlOperation({
  id: 'sandbox_delete_chaos',
  method: 'DELETE',
  path: '/_sandbox/webhooks/:id/chaos',
  group: 'Webhooks',
  summary: 'End the delivery chaos of a webhook',
  status: 204,
  refuses: ['webhook_not_found'],
  params: WebhookParams,
  example: { params: (world) => ({ id: world.seed('webhook_id') }) },
  run: ({ sandbox }, { params }) => {
    courierOf(sandbox).setChaos(webhookOf(sandbox, params.id).id, null);
  },
});
