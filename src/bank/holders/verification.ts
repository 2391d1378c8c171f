/**
 * How a check of identity ends in a sandbox: by the first digit of the number, as the platform publishes for its own
 * test mode (0 declined, 1 review, 2 to 9 approved). A business is as good as the worst of itself and its members.
 * Source: decision `verification-digits` in docs/fidelity.md.
 */
import type { Sequence } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Holder, Verification } from '../../model/records.ts';
import type { VerificationStatus } from '../../model/vocabulary.ts';

export type Outcome = Extract<VerificationStatus, 'pass' | 'fail' | 'review'>;

/** Who checks, as the platform's records name it. */
const METHOD = 'solid';

/** Published numbers (and their last four) that any number of holders may share. */
const REUSABLE = new Set(['099999999', '199999999', '999999999', '0999', '1999', '9999']);

/** True for a number that is exempt from uniqueness. */
export function isReusableNumber(idNumber: string): boolean {
  return REUSABLE.has(idNumber);
}

/** The outcome that an id number stands for; a number with no digits passes. */
export function outcomeOf(idNumber: string): Outcome {
  const digit = /\d/.exec(idNumber)?.[0];
  if (digit === '0') return 'fail';
  return digit === '1' ? 'review' : 'pass';
}

const RANK: Record<Outcome, number> = { pass: 0, review: 1, fail: 2 };

/** The worst of several outcomes. */
export function worst(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((left, right) => (RANK[right] > RANK[left] ? right : left), 'pass');
}

/** A check that nobody has asked for yet. */
export function notStarted(sequence: Sequence, now: Instant): Verification {
  return {
    id: sequence.id(now),
    status: 'not_started',
    method: METHOD,
    url: '',
    createdAt: now,
    updatedAt: now,
  };
}

/** A check that has ended. */
export function decided(check: Verification, status: Outcome, now: Instant): Verification {
  return { ...check, status, updatedAt: now };
}

/** A passed check makes a holder active that waited for it. */
export function isActivatedBy(holder: Holder, check: Pick<Verification, 'status'>): boolean {
  return check.status === 'pass' && holder.ofacStatus === 'pass' && holder.status === 'pending_activation';
}
