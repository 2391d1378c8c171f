/**
 * Makes a webhook of either generation, for some kinds of event or for all that its generation has.
 */
import { Type } from '@sinclair/typebox';
import { V1_KINDS, V2_KINDS } from '../../../model/facts.ts';
import { controlOperation } from '../operation.ts';
import { viewWebhook, WebhookView } from '../webhooks.ts';

export const createWebhook = controlOperation({
  id: 'sandbox_create_webhook',
  method: 'POST',
  path: '/_sandbox/webhooks',
  group: 'Webhooks',
  summary: 'Create a webhook of either generation',
  status: 201,
  refuses: ['event_unknown', 'url_invalid', 'webhooks_full'],
  body: Type.Object({
    dialect: Type.String({ enum: ['v1', 'v2'] }),
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    events: Type.Array(Type.String(), {
      maxItems: 200,
      description: 'Kinds of its generation, or ["*"] for all of them.',
    }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  response: WebhookView,
  example: {
    body: { dialect: 'v2', url: 'http://hooks.example/v2', events: ['*'], description: 'Ledger feed' },
  },
  run: async ({ sandbox }, { body }) => {
    const { url, events, description } = body;
    const dialect = body.dialect === 'v1' ? 'v1' : 'v2';
    const all = dialect === 'v1' ? V1_KINDS : V2_KINDS;
    const webhook = await sandbox.commit(() =>
      sandbox.bank.webhooks.create({
        dialect,
        url,
        events: events.includes('*') ? [...all] : events,
        ...(description !== undefined && { description }),
      }),
    );
    return viewWebhook(sandbox, webhook);
  },
});
