/**
 * The images of deposited checks: both sides, stored as files. v2 sends them with the deposit, v1 afterwards, and
 * until then the deposit waits.
 * Source: decision `check-images` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Transaction } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CheckImages, UploadedFile } from '../inputs.ts';
import type { CheckFiles } from '../transactions/details.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

export interface CheckDeposits {
  /** Stores the images and returns the ids of their files. */
  keep(images: CheckImages): CheckFiles;
  /**
   * Adds the images that a deposit waits for, or replaces them during a review, and continues the deposit. Refuses:
   * `transaction_not_found`, `illegal_step` for a deposit that does not wait for images.
   */
  depositImages(id: Id, images: CheckImages): Transaction;
}

/** The verbs of check deposits. */
export function createCheckDeposits(
  dependencies: Dependencies,
  transactions: TransactionVerbs,
): CheckDeposits {
  const { store, sequence, clock } = dependencies;

  const insert = (file: UploadedFile): Id => {
    const now = clock.now();
    const id = sequence.id(now);
    store.files.insert({ id, ...file, updatedAt: now });
    return id;
  };

  const keep = ({ front, back }: CheckImages): CheckFiles => ({
    frontId: insert(front),
    backId: insert(back),
  });

  return {
    keep,
    depositImages(id, images) {
      const deposit = transactions.byId(id);
      const { rail, details, status } = deposit;
      if (rail !== 'check_deposit' || details.kind !== 'check') {
        throw refuse('transaction_not_found', { message: 'this transfer is not a check deposit' });
      }
      const isInReview = status === 'in_review';
      if (!isInReview && !(details.awaitsImages && status === 'originated')) {
        throw refuse('illegal_step', {
          message:
            'this deposit does not accept images now: send them once, and again only while the deposit is in review',
        });
      }
      const complete = { ...deposit, details: { ...details, ...keep(images), awaitsImages: false } };
      // The reason of the review concerned the old images.
      if (isInReview) {
        return transactions.applyEvent(transactions.revise({ ...complete, reason: null }), 'approve');
      }
      return transactions.resume(complete);
    },
  };
}
