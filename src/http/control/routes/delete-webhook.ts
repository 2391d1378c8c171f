/**
 * Deletes a webhook of either generation, with the deliveries that wait for it.
 */
import { controlOperation } from '../operation.ts';
import { WebhookParams, webhookOf } from '../webhooks.ts';

export const deleteWebhook = controlOperation({
  id: 'sandbox_delete_webhook',
  method: 'DELETE',
  path: '/_sandbox/webhooks/:id',
  group: 'Webhooks',
  summary: 'Delete a webhook',
  status: 204,
  refuses: ['webhook_not_found'],
  params: WebhookParams,
  example: { params: (world) => ({ id: world.seed('webhook_id') }) },
  run: async ({ sandbox }, { params }) => {
    await sandbox.commit(() => sandbox.bank.webhooks.remove(webhookOf(sandbox, params.id).id));
  },
});
