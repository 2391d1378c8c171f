/**
 * GET /v1/webhook: the webhooks of the program, newest first. Deleted ones are shown only to who asks for them.
 * Source: "list all subscribed webhooks" of the platform's v1 reference; rows 45d and 204 of docs/fidelity.md.
 */
import { plainListQuery, readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { WebhookFilters, WebhookList } from '../../../dialects/v1/shapes/webhook.ts';
import { viewWebhook } from '../../../dialects/v1/views/webhook.ts';
import { operation } from '../../operation.ts';

export const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhook',
  summary: 'List webhooks',
  status: 200,
  query: plainListQuery(WebhookFilters),
  response: WebhookList,
  example: {
    query: { offset: '0', limit: '10', status: 'paused' },
  },
  run({ bank }, { query }) {
    const page = bank.webhooks.page(query.status, readWindow(query));
    return writeList(page, (webhook) => viewWebhook(webhook, bank.program));
  },
});
