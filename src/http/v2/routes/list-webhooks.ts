/**
 * Lists the webhooks that are not deleted, newest first.
 * Source: the webhook operations of the platform's v2 reference; row 16 of docs/fidelity.md.
 */
import { readPageRequest, takePage, writePage } from '../../../dialects/v2/paging.ts';
import { PageQuery } from '../../../dialects/v2/shapes/page.ts';
import { WebhookList } from '../../../dialects/v2/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v2/views/webhook.ts';
import { operation } from '../../operation.ts';

export const listWebhooks = operation({
  id: 'v2_list_webhooks',
  method: 'GET',
  path: '/v2/webhook',
  summary: 'List webhooks',
  status: 200,
  query: PageQuery,
  response: WebhookList,
  example: {
    query: { limit: '10' },
  },
  run: ({ bank }, { query }) => {
    const request = readPageRequest('webhook', query);
    return writePage(
      'webhook',
      takePage(bank.webhooks.list(), request),
      request,
      (webhook) => viewWebhook(webhook, bank.program, { withSecret: false }),
      ({ id }) => id,
    );
  },
});
