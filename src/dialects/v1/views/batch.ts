/**
 * A batch as it was handed in: nothing of it is counted yet.
 * Source: "create an intrabank batch" of the platform's v1 reference; row 199 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Id } from '../../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../../kernel/time.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Batch } from '../shapes/batch.ts';

/** A batch. */
export function viewBatch({ id, total, createdAt }: BatchRecord): Static<typeof Batch> {
  const at = formatInstant(createdAt);
  return {
    batchId: spellV1('batch', id),
    transferType: 'intrabank',
    status: 'submitted',
    totalCount: total,
    successCount: 0,
    failedCount: 0,
    createdAt: at,
    modifiedAt: at,
    completedAt: '',
  };
}

interface BatchRecord {
  id: Id;
  total: number;
  createdAt: Instant;
}
