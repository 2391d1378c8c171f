/**
 * POST /v1/batch/intrabank: many transfers within this bank in one call, each carried out or refused for itself. The
 * answer tells of the batch as it was handed in; `GET /_sandbox/explain/{batchId}` says what was refused, and why.
 * Source: "create an intrabank batch" of the platform's v1 reference; row 199 of docs/fidelity.md.
 */
import { readBatch } from '../../../dialects/v1/readers/batch.ts';
import { Batch, BatchBody } from '../../../dialects/v1/shapes/batch.ts';
import { viewBatch } from '../../../dialects/v1/views/batch.ts';
import { operation } from '../../operation.ts';

export const createIntrabankBatch = operation({
  id: 'createIntrabankBatch',
  method: 'POST',
  path: '/v1/batch/intrabank',
  summary: 'Make a batch of intrabank transfers',
  status: 201,
  body: BatchBody,
  response: Batch,
  example: {
    body: ({ seed }) => ({
      data: (['send', 'receive'] as const).map((api, place) => ({
        sequence: String(place + 1),
        api,
        accountId: seed('account_id'),
        contactId: seed('vendor_contact_id'),
        amount: '1.10',
        description: 'Rent',
        title: 'November',
      })),
    }),
  },
  run: ({ bank }, { body }) => viewBatch(bank.batches.submit(readBatch(body))),
});
