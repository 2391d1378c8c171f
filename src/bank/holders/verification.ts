/**
 * How a check of identity ends in a sandbox: by the first digit of the number, as the platform publishes for its own
 * test mode (0 declined, 1 review, 2 to 9 approved), and why. A business is as good as the worst of itself and its
 * members.
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

/** A check, the holder whose it is, and the version of the API that shows it. */
export interface CheckRef {
  readonly version: 'v1' | 'v2';
  readonly holder: Pick<Holder, 'id' | 'type'>;
  readonly kind: 'kyc' | 'kyb' | 'idv';
  readonly id: Id;
}

/** The link to the page of a check. */
export type CheckPage = (check: CheckRef) => string;

/** Who checks, as the platform's records name it; a check that the client did elsewhere has another. */
export const METHOD = 'solid';

/** True for a number that is exempt from uniqueness. */
export function isReusableNumber(idNumber: string): boolean {
  return REUSABLE_NUMBERS.includes(idNumber);
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

/** A check in another status, with what was found; what was found before is no longer so. */
export function restated(
  { finding: _, ...check }: Verification,
  status: VerificationStatus,
  now: Instant,
  finding?: Finding,
): Verification {
  return { ...check, status, updatedAt: now, ...(finding !== undefined && { finding }) };
}

/** What a check finds that ends so, and more where somebody says more. One that passes has no code. */
export function findingFor(outcome: Outcome, input?: ReasonsInput): Finding | undefined {
  if (outcome !== 'pass') return findingOf(USUAL_REASONS[outcome], input);
  if (input?.reasons === undefined || input.reasons.length === 0) return undefined;
  return { ...findingOf('', input), code: '', message: '' };
}

/** The same of an identity document. */
export function idvFindingFor(outcome: Outcome, input?: ReasonsInput): Finding | undefined {
  return outcome === 'pass' ? undefined : idvFindingOf(USUAL_REASONS.idv, input);
}

/** What a business is found to be whose number and members end so: the worse of both counts. */
export function businessFinding(own: Outcome, members: Outcome): Finding | undefined {
  if (RANK[members] <= RANK[own]) return findingFor(own);
  return findingOf(members === 'fail' ? USUAL_REASONS.memberFail : USUAL_REASONS.memberReview);
}

/** A passed check makes a holder active that waited for it. */
export function isActivatedBy(holder: Holder, check: Pick<Verification, 'status'>): boolean {
  return check.status === 'pass' && holder.ofacStatus === 'pass' && holder.status === 'pending_activation';
}
