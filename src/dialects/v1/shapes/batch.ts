/**
 * A batch of transfers within this bank. What is answered tells of it as it was handed in.
 * Source: "create an intrabank batch" of the platform's v1 reference; row 199 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Amount, body, IdText, record, Timestamp, wordOf } from './scalars.ts';

export const BatchBody = body('NewBatch', 'Orders within the bank, handed in together.', {
  data: Type.Array(
    Type.Object({
      sequence: Type.String({ maxLength: 20, description: 'what the client calls the item' }),
      api: wordOf(['send', 'receive']),
      accountId: Type.String({ description: 'the account that the order is about' }),
      contactId: Type.String({ description: 'the other party' }),
      amount: Amount,
      description: Type.Optional(Type.String({ maxLength: 500 })),
      title: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

export const Batch = record('Batch', 'A batch of transfers, as it was handed in.', {
  batchId: IdText,
  transferType: wordOf(['intrabank']),
  status: wordOf(['submitted']),
  totalCount: Type.Integer({ description: 'How many orders it has.' }),
  successCount: Type.Integer({ description: 'How many of them were carried out.' }),
  failedCount: Type.Integer({ description: 'How many of them were refused.' }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
  completedAt: Timestamp,
});
