/**
 * Has the deliveries of a webhook go wrong from now on, in place of what it had before: the same deliveries in the same
 * way under the same seed. It is kept in memory with the bank: a reset or a restart ends it.
 */
import { createChaos } from '../../../delivery/chaos.ts';
import { ChaosInput, ChaosView, readChaos, viewChaos } from '../chaos.ts';
import { controlOperation } from '../operation.ts';
import { courierOf, WebhookParams, webhookOf } from '../webhooks.ts';

export const setChaos = controlOperation({
  id: 'sandbox_set_chaos',
  method: 'PUT',
  path: '/_sandbox/webhooks/:id/chaos',
  group: 'Webhooks',
  summary: 'Have the deliveries of a webhook go wrong',
  status: 200,
  refuses: ['webhook_not_found'],
  params: WebhookParams,
  body: ChaosInput,
  response: ChaosView,
  example: {
    params: (world) => ({ id: world.seed('webhook_id') }),
    body: { duplicate: { every: 3 }, delay: { times: 2, by: 'PT5M' } },
  },
  run: ({ sandbox }, { params, body }) => {
    const { id } = webhookOf(sandbox, params.id);
    const chaos = createChaos(readChaos(body));
    courierOf(sandbox).setChaos(id, chaos);
    return viewChaos(chaos);
  },
});
