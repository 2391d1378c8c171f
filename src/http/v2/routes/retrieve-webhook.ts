/**
 * Shows a webhook, without its secret. One that was deleted is not there any more, though the bank keeps it for the
 * deliveries that were made to it.
 * Source: the webhook operations of the platform's v2 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { Webhook } from '../../../dialects/v2/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v2/views/webhook.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { operation } from '../../operation.ts';

export const retrieveWebhook = operation({
  id: 'v2_retrieve_webhook',
  method: 'GET',
  path: '/v2/webhook/:webhook_id',
  summary: 'Retrieve a webhook',
  status: 200,
  params: Type.Object({ webhook_id: Type.String() }),
  response: Webhook,
  example: {
    params: ({ seed }) => ({ webhook_id: seed('webhook_id') }),
  },
  run: ({ bank }, { params }) => {
    const webhook = bank.webhooks.byId(readId('webhook', params.webhook_id));
    if (webhook.status === 'deleted') throw refuse('webhook_not_found');
    return viewWebhook(webhook, bank.program, { withSecret: false });
  },
});
