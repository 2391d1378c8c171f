/**
 * Batches: many transfers in one request, executed one after the other in the same commit. A refused transfer does
 * not affect the others; its reason is recorded as a decision, because it has no record.
 * Source: decision `v1-batch` in docs/fidelity.md.
 */
import { formatMoney } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Dependencies } from '../dependencies.ts';
import type { BatchItem } from '../inputs.ts';
import { note } from '../publish.ts';
import type { Payments } from './payments.ts';

/** A submitted batch. */
interface Batch {
  id: Id;
  total: number;
  createdAt: Instant;
}

export interface Batches {
  /** Executes the transfers of a batch in their order. */
  submit(items: readonly BatchItem[]): Batch;
}

/** The verb of batches. */
export function createBatches(dependencies: Dependencies, payments: Pick<Payments, 'originate'>): Batches {
  const { store, outbox, sequence, clock } = dependencies;

  /** Why a transfer was refused; `undefined` if it was executed. */
  const attempt = ({ rail, order }: BatchItem): Refusal | undefined => {
    try {
      store.savepoint(() => payments.originate(rail, order));
      return undefined;
    } catch (error) {
      outbox.clearWebhookCache();
      if (error instanceof Refusal) return error;
      throw error;
    }
  };

  return {
    submit(items) {
      const createdAt = clock.now();
      const id = sequence.id(createdAt);
      let refused = 0;
      for (const item of items) {
        const refusal = attempt(item);
        if (refusal === undefined) continue;
        refused += 1;
        note(dependencies, {
          subjectId: id,
          source: 'control',
          name: `item ${item.label}`,
          effect: `refused ${refusal.code}`,
          message: refusal.message,
          numbers: { amount: formatMoney(item.order.amount) },
        });
      }
      note(dependencies, {
        subjectId: id,
        source: 'control',
        name: 'batch',
        effect: 'completed',
        message: `${items.length - refused} of ${items.length} were executed`,
        numbers: { total: String(items.length), refused: String(refused) },
      });
      return { id, total: items.length, createdAt };
    },
  };
}
