/**
 * What the deliveries of a webhook suffer, and have suffered so far.
 */
import { ChaosView, viewChaos } from '../chaos.ts';
import { controlOperation } from '../operation.ts';
import { courierOf, WebhookParams, webhookOf } from '../webhooks.ts';

export const retrieveChaos = controlOperation({
  id: 'sandbox_retrieve_chaos',
  method: 'GET',
  path: '/_sandbox/webhooks/:id/chaos',
  group: 'Webhooks',
  summary: 'Show the delivery chaos of a webhook',
  status: 200,
  refuses: ['webhook_not_found'],
  params: WebhookParams,
  response: ChaosView,
  example: { params: (world) => ({ id: world.seed('webhook_id') }) },
  run: ({ sandbox }, { params }) => viewChaos(courierOf(sandbox).chaosOf(webhookOf(sandbox, params.id).id)),
});
