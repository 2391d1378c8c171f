/**
 * The verification of a person (KYC) and of a business (KYB), with a status and the result of each check; and the
 * check of an identity document (IDV), which the person completes on a page. If a verification has reasons, only the
 * parts with a reason have its outcome, and the others are approved; the bank account is then not started. The
 * identity document is a separate, optional check. The reason lists of a KYB are ours, modelled on those of a KYC.
 * Source: the KYC sub-object, the KYB sub-object, "KYC In Review Codes", the samples of submitting and retrieving a KYC
 * and the webhook samples of the platform's v1 pages; decision `verification-reasons` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Holder, Verification } from '../../model/records.ts';
import { reasonsBy } from '../../model/verification-reasons.ts';
import type { CheckPart } from '../../model/vocabulary.ts';
import type { CheckPage } from '../../verbs/holders/verification.ts';
import type { HolderWithMembers } from '../../verbs/inputs.ts';
import { formatV1 } from '../ids.ts';
import { body, enumOf, IdText, object, record, Text, Timestamp, text, URI_OR_EMPTY } from './fields.ts';
import { CHECK_RESULTS, VERIFICATION_STATUSES } from './vocabulary.ts';

const Status = enumOf(Object.values(VERIFICATION_STATUSES));
const Result = enumOf(['notStarted', 'pending', 'inReview', 'approved', 'declined']);
const Reasons = Type.Array(object({ code: Text, description: Text }), {
  description: 'The reasons, with codes of GET /_sandbox/verification_reasons; empty if it was approved.',
});
const ReviewCode = text('The reason of a decline or review, like "R112"; "" otherwise.');
const ReviewMessage = text('The reason in a sentence.');
const PERSON_LISTS = ['idv', 'address', 'dateOfBirth', 'fraud', 'bank', 'other'] as const;
const BUSINESS_LISTS = ['address', 'bank', 'businessName', 'fraud', 'personName', 'other'] as const;

export const Kyc = record('Kyc', 'The verification of a person, with the result of each check.', {
  id: IdText,
  personId: IdText,
  status: Status,
  reviewCode: ReviewCode,
  reviewMessage: ReviewMessage,
  results: object({ idv: Result, address: Result, dateOfBirth: Result, fraud: Result, bank: Result }),
  reviewReasons: object({
    idv: Reasons,
    address: Reasons,
    dateOfBirth: Reasons,
    fraud: Reasons,
    bank: Reasons,
    other: Reasons,
  }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const Idv = record('Idv', 'The check of an identity document.', {
  id: IdText,
  url: text(
    'The page on which the check is decided. Append `&redirect-uri=` with the URL to which the person is redirected.',
    URI_OR_EMPTY,
  ),
  status: Result,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const IdvBody = body('IdvRequest', 'Whether to start another check of the identity document.', {
  action: Type.Optional(
    Type.Unsafe<'new' | 'resume'>({
      ...enumOf(['new', 'resume']),
      description: '`new` starts another check, `resume` returns the current one.',
    }),
  ),
});

export const Kyb = record('Kyb', 'The verification of a business, with the result of each check.', {
  id: IdText,
  businessId: IdText,
  status: Status,
  reviewCode: ReviewCode,
  reviewMessage: ReviewMessage,
  results: object({ address: Result, bank: Result, businessName: Result, fraud: Result, personName: Result }),
  reviewReasons: object({
    address: Reasons,
    bank: Reasons,
    businessName: Reasons,
    fraud: Reasons,
    personName: Reasons,
    other: Reasons,
  }),
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

/** The verified party: a holder, or a member without an id of its own. */
export type Checked = Pick<Holder, 'verification' | 'idv'> & { readonly id: Id | '' };

/** The reason list for each part of a check; parts without a list are in `other`. */
const PERSON_LIST_OF: Partial<Record<CheckPart, (typeof PERSON_LISTS)[number]>> = {
  idv: 'idv',
  address: 'address',
  dateOfBirth: 'dateOfBirth',
  fraud: 'fraud',
  bank: 'bank',
};
const BUSINESS_LIST_OF: Partial<Record<CheckPart, (typeof BUSINESS_LISTS)[number]>> = {
  address: 'address',
  bank: 'bank',
  name: 'businessName',
  fraud: 'fraud',
  people: 'personName',
};

function formatReview({ finding }: Verification) {
  return { reviewCode: finding?.code ?? '', reviewMessage: finding?.message ?? '' };
}

/** The result of one part: if the verification has reasons, its outcome applies only to parts with a reason. */
function resultOf(
  { status, finding }: Verification,
  reasons: readonly unknown[],
  otherwise: Static<typeof Result> = 'approved',
): Static<typeof Result> {
  const isWhole = finding === undefined || status === 'pass' || reasons.length > 0;
  return isWhole ? CHECK_RESULTS[status] : otherwise;
}

/** Formats the KYC of a person. */
export function formatKyc({ id, verification, idv }: Checked): Static<typeof Kyc> {
  const reasons = reasonsBy(PERSON_LISTS, verification.finding, (part) => PERSON_LIST_OF[part] ?? 'other');
  return {
    id: formatV1('kyc', verification.id),
    personId: formatV1('person', id),
    status: VERIFICATION_STATUSES[verification.status],
    ...formatReview(verification),
    results: {
      idv: CHECK_RESULTS[idv?.status ?? 'not_started'],
      address: resultOf(verification, reasons.address),
      dateOfBirth: resultOf(verification, reasons.dateOfBirth),
      fraud: resultOf(verification, reasons.fraud),
      bank: resultOf(verification, reasons.bank, 'notStarted'),
    },
    reviewReasons: {
      ...reasons,
      idv: [...reasons.idv, ...reasonsBy(['idv'], idv?.finding, () => 'idv').idv],
    },
    createdAt: formatInstant(verification.createdAt),
    modifiedAt: formatInstant(verification.updatedAt),
  };
}

/** Formats the check of a person's identity document, with its page. Refuses: `holder_not_found`. */
export function formatIdv(
  { holder }: HolderWithMembers,
  { checkPage }: { checkPage?: CheckPage },
): Static<typeof Idv> {
  if (holder.idv === null) throw refuse('holder_not_found');
  const { id, status, createdAt, updatedAt } = holder.idv;
  return {
    id: formatV1('idv', id),
    url: checkPage?.({ version: 'v1', holder, kind: 'idv', id }) ?? '',
    status: CHECK_RESULTS[status],
    createdAt: formatInstant(createdAt),
    modifiedAt: formatInstant(updatedAt),
  };
}

/** Formats the KYB of a business. */
export function formatKyb({ id, verification }: Holder): Static<typeof Kyb> {
  const reasons = reasonsBy(
    BUSINESS_LISTS,
    verification.finding,
    (part) => BUSINESS_LIST_OF[part] ?? 'other',
  );
  return {
    id: formatV1('kyb', verification.id),
    businessId: formatV1('business', id),
    status: VERIFICATION_STATUSES[verification.status],
    ...formatReview(verification),
    results: {
      address: resultOf(verification, reasons.address),
      bank: resultOf(verification, reasons.bank),
      businessName: resultOf(verification, reasons.businessName),
      fraud: resultOf(verification, reasons.fraud),
      personName: resultOf(verification, reasons.personName),
    },
    reviewReasons: reasons,
    createdAt: formatInstant(verification.createdAt),
    modifiedAt: formatInstant(verification.updatedAt),
  };
}
