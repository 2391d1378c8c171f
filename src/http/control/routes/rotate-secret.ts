/**
 * Gives a webhook another secret. For a while, on the sandbox's clock, the standard signature is made with both, so that
 * a receiver may change its own whenever it likes; the platform's header can carry one, and that is the new one's.
 */
import { Type } from '@sinclair/typebox';
import { readDuration } from '../events.ts';
import { controlOperation } from '../operation.ts';
import { viewWebhook, WebhookParams, WebhookView, webhookOf } from '../webhooks.ts';

const USUAL_OVERLAP = 'PT24H';

export const rotateSecret = controlOperation({
  id: 'sandbox_rotate_secret',
  method: 'POST',
  path: '/_sandbox/webhooks/:id/rotate_secret',
  group: 'Webhooks',
  summary: 'Give a webhook another secret',
  status: 200,
  refuses: ['webhook_not_found'],
  params: WebhookParams,
  body: Type.Object({
    overlap: Type.Optional(
      Type.String({
        description: `How long the old secret signs as well, an ISO 8601 duration on the sandbox's clock; ${USUAL_OVERLAP} when not sent, PT0S for not at all.`,
      }),
    ),
  }),
  response: WebhookView,
  example: { params: (world) => ({ id: world.seed('webhook_id') }), body: { overlap: 'PT1H' } },
  run: async ({ sandbox }, { params, body }) => {
    const { id } = webhookOf(sandbox, params.id);
    const overlapMs = readDuration('overlap', body.overlap ?? USUAL_OVERLAP);
    const webhook = await sandbox.commit(() => sandbox.bank.webhooks.rotateSecret(id, overlapMs));
    return viewWebhook(sandbox, webhook, sandbox.queue.counts().get(id));
  },
});
