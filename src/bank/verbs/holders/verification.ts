/**
 * The result of a verification in a sandbox: the first digit of the id number decides, as the platform publishes for
 * its test mode (0 declined, 1 review, 2 to 9 approved). A business has the worst of its own and its members'
 * results.
 * Source: decisions `verification-digits` and `verification-reasons` in docs/fidelity.md.
 */
import type { Id, Sequence } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Finding, Holder, Verification } from '../../model/records.ts';
import { REUSABLE_NUMBERS } from '../../model/test-values.ts';
import {
  findingOf,
  idvFindingOf,
  type ReasonsInput,
  USUAL_REASONS,
} from '../../model/verification-reasons.ts';
import type { VerificationStatus } from '../../model/vocabulary.ts';

export type Outcome = Extract<VerificationStatus, 'pass' | 'fail' | 'review'>;

/** A check, its holder, and the API version that shows it. */
export interface CheckRef {
  readonly version: 'v1' | 'v2';
  readonly holder: Pick<Holder, 'id' | 'type'>;
  readonly kind: 'kyc' | 'kyb' | 'idv';
  readonly id: Id;
}

/** The link to the page of a check. */
export type CheckPage = (check: CheckRef) => string;

/** The method of a check in the platform's records; a verification by the client has another. */
const METHOD = 'solid';

/** True for a number that is exempt from uniqueness. */
export function isReusableNumber(idNumber: string): boolean {
  return REUSABLE_NUMBERS.includes(idNumber);
}

/** The outcome of an id number; a number without digits passes. */
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

/** A check that was not requested yet. */
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

/** A check with a new status and finding; the earlier finding is removed. */
export function restated(
  { finding: _, ...check }: Verification,
  status: VerificationStatus,
  now: Instant,
  finding?: Finding,
): Verification {
  return { ...check, status, updatedAt: now, ...(finding !== undefined && { finding }) };
}

/** The finding of a check with an outcome and the given input. A passed check has no code. */
export function findingFor(outcome: Outcome, input?: ReasonsInput): Finding | undefined {
  if (outcome !== 'pass') return findingOf(USUAL_REASONS[outcome], input);
  if (input?.reasons === undefined || input.reasons.length === 0) return undefined;
  return { ...findingOf('', input), code: '', message: '' };
}

/** The same of an identity document. */
export function idvFindingFor(outcome: Outcome, input?: ReasonsInput): Finding | undefined {
  return outcome === 'pass' ? undefined : idvFindingOf(USUAL_REASONS.idv, input);
}

/** The finding of a business for its own outcome and that of its members; the worse one counts. */
export function businessFinding(own: Outcome, members: Outcome): Finding | undefined {
  if (RANK[members] <= RANK[own]) return findingFor(own);
  return findingOf(members === 'fail' ? USUAL_REASONS.memberFail : USUAL_REASONS.memberReview);
}

/** Whether a passed check activates a holder that waits for it. */
export function isActivatedBy(holder: Holder, check: Pick<Verification, 'status'>): boolean {
  return check.status === 'pass' && holder.ofacStatus === 'pass' && holder.status === 'pending_activation';
}
