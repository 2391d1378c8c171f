/**
 * The reasons of a verification in review or declined: the codes that the platform publishes, and ours, which begin
 * with SB. A code belongs to one part of the check; an unknown code counts as a fraud risk.
 * Source: "KYC In Review Codes" and "retrieve a KYC" of the platform's v1 pages, the person object of its v2 reference;
 * decision `verification-reasons` in docs/fidelity.md.
 */
import catalogue from '../../../data/verification-reasons.json' with { type: 'json' };
import type { Evidence } from './fidelity.ts';
import type { CheckReason, Finding } from './parts.ts';
import type { CheckPart } from './vocabulary.ts';

export interface VerificationReason extends CheckReason {
  /** The evidence that the platform has it; `invented` for ours. */
  readonly evidence: Evidence;
  /** The page with the code. */
  readonly page?: string;
}

/** Every code, in order. */
export const VERIFICATION_REASONS = catalogue.reasons as readonly VerificationReason[];

const BY_CODE = new Map(VERIFICATION_REASONS.map((reason) => [reason.code, reason]));

/** The default codes of checks. */
export const USUAL_REASONS = catalogue.usual;

/** The part of an unknown code. */
const USUAL_PART: CheckPart = 'fraud';

/** The input for the reasons of a check; missing fields are completed. */
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

/** The finding of a check with a default code and the given input. */
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

/** The reasons of a finding by the parts of one API version; `wordOf` is the word for a part. */
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
