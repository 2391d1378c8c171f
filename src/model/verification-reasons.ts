/**
 * Why a check of identity ends in review or is declined: the codes that the platform publishes, and ours, which begin
 * with SB. A code belongs to one part of what a check looks at; a code that nobody knows counts as a risk of fraud.
 * Source: "KYC In Review Codes" and "retrieve a KYC" of the platform's v1 pages, the person object of its v2 reference;
 * decision `verification-reasons` in docs/fidelity.md.
 */
import catalogue from '../../data/verification-reasons.json' with { type: 'json' };
import type { Grade } from './fidelity.ts';
import type { CheckReason, Finding } from './parts.ts';
import type { CheckPart } from './vocabulary.ts';

export interface VerificationReason extends CheckReason {
  /** How sure it is that the platform has it; `invented` for ours. */
  readonly grade: Grade;
  /** The page that has it. */
  readonly page?: string;
}

/** Every code, in order. */
export const VERIFICATION_REASONS = catalogue.reasons as readonly VerificationReason[];

const BY_CODE = new Map(VERIFICATION_REASONS.map((reason) => [reason.code, reason]));

/** Which code a check ends with when nobody says another. */
export const USUAL_REASONS = catalogue.usual;

/** The part of a code that no list has. */
const USUAL_PART: CheckPart = 'fraud';

/** What somebody says of the end of a check; the rest is completed. */
export interface ReasonsInput {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly reasons?: readonly ReasonInput[] | undefined;
}

interface ReasonInput {
  readonly part?: CheckPart | undefined;
  readonly code: string;
  readonly description?: string | undefined;
}

/** The finding of a check with this code, unless something else is given of it. */
export function findingOf(usual: string, { code, message, reasons = [] }: ReasonsInput = {}): Finding {
  const [first] = reasons;
  const main = complete({ code: code ?? first?.code ?? usual });
  const sentence = message ?? (code === undefined ? first?.description : undefined) ?? main.description;
  return {
    code: main.code,
    message: sentence,
    reasons: first === undefined ? [{ ...main, description: sentence }] : reasons.map(complete),
  };
}

/** The finding of a check of an identity document, all of whose reasons are about the document. */
export function idvFindingOf(usual: string, input: ReasonsInput = {}): Finding {
  const { reasons, ...rest } = findingOf(usual, input);
  return { ...rest, reasons: reasons.map((reason) => ({ ...reason, part: 'idv' })) };
}

function complete({ part, code, description }: ReasonInput): CheckReason {
  const known = BY_CODE.get(code);
  return {
    part: part ?? known?.part ?? USUAL_PART,
    code,
    description: description ?? known?.description ?? '',
  };
}

/** The reasons of a finding by the words of one version; `wordOf` is the word for a part. */
export function reasonsBy<W extends string>(
  words: readonly W[],
  finding: Finding | undefined,
  wordOf: (part: CheckPart) => W,
): Record<W, { code: string; description: string }[]> {
  const lists = Object.fromEntries(words.map((word) => [word, []])) as unknown as Record<
    W,
    { code: string; description: string }[]
  >;
  for (const { part, code, description } of finding?.reasons ?? []) {
    lists[wordOf(part)].push({ code, description });
  }
  return lists;
}
