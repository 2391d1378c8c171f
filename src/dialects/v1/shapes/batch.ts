/**
 * A batch of transfers within this bank. What is answered tells of it as it was handed in.
 * Source: "create an intrabank batch" of the platform's v1 reference; row 199 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Amount, body, record, Text, Timestamp, wordOf } from './scalars.ts';

export const BatchBody = body('NewBatch', {
  data: Type.Array(
    Type.Object({
      sequence: Type.String({ maxLength: 20, description: 'what the client calls the item' }),
      api: wordOf(['send', 'receive']),
      accountId: Type.String(),
      contactId: Type.String(),
      amount: Amount,
      description: Type.Optional(Type.String({ maxLength: 500 })),
      title: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

export const Batch = record('Batch', {
  batchId: Text,
  transferType: Text,
  status: Text,
  totalCount: Type.Integer(),
  successCount: Type.Integer(),
  failedCount: Type.Integer(),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  completedAt: Timestamp,
});
