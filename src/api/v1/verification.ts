/**
 * The verification of a person (KYC) and of a business (KYB), with a status and the result of each check; and the check
 * of an identity document (IDV), which the person completes on a page. All checks share the outcome of the
 * verification, except the identity document, which is a check of its own and optional. No review codes of a
 * verification are published, so both review texts stay empty.
 * Source: the KYC sub-object, the business object, the samples of submitting a KYC and the webhook samples of the
 * platform's v1 reference.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { HolderFile } from '../../bank/inputs.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Holder } from '../../model/records.ts';
import { formatV1 } from '../ids.ts';
import { body, enumOf, IdText, object, record, Text, Time, text } from './fields.ts';
import { CHECK_RESULTS, VERIFICATION_STATUSES } from './vocabulary.ts';

const Status = enumOf(Object.values(VERIFICATION_STATUSES));
const Result = enumOf(['notStarted', 'pending', 'inReview', 'approved', 'declined']);
const Reasons = Type.Array(object({ code: Text, description: Text }), {
  description: 'Empty: the sandbox gives no reasons.',
});

export const Kyc = record('Kyc', 'The verification of a person, with the result of each check.', {
  id: IdText,
  personId: IdText,
  status: Status,
  reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
  reviewMessage: text('The same in a sentence.'),
  results: object({ idv: Result, address: Result, dateOfBirth: Result, fraud: Result, bank: Result }),
  reviewReasons: object({
    idv: Reasons,
    address: Reasons,
    dateOfBirth: Reasons,
    fraud: Reasons,
    bank: Reasons,
    other: Reasons,
  }),
  createdAt: Time,
  modifiedAt: Time,
});

export const Idv = record('Idv', 'The check of an identity document.', {
  id: IdText,
  url: text('Where the person answers the check.'),
  status: Result,
  createdAt: Time,
  modifiedAt: Time,
});

export const IdvBody = body('IdvRequest', 'Whether another check of the identity document begins.', {
  action: Type.Optional(
    Type.Unsafe<'new' | 'resume'>({
      ...enumOf(['new', 'resume']),
      description: '`new` begins another check, `resume` answers the one that was begun.',
    }),
  ),
});

export const Kyb = record('Kyb', 'The verification of a business, with the result of each check.', {
  id: IdText,
  businessId: IdText,
  status: Status,
  reviewCode: text('Why it was refused or sent back, in a word; "" when it was not.'),
  reviewMessage: text('The same in a sentence.'),
  results: object({ address: Result, bank: Result, businessName: Result, fraud: Result, personName: Result }),
  createdAt: Time,
  modifiedAt: Time,
});

/** Whoever is verified: a holder, or without an id a member who is no person of the bank. */
export type Checked = Pick<Holder, 'verification' | 'idv'> & { readonly id: Id | '' };

/** The KYC of a person. */
export function formatKyc({ id, verification, idv }: Checked): Static<typeof Kyc> {
  const result = CHECK_RESULTS[verification.status];
  return {
    id: formatV1('kyc', verification.id),
    personId: formatV1('person', id),
    status: VERIFICATION_STATUSES[verification.status],
    reviewCode: '',
    reviewMessage: '',
    results: {
      idv: CHECK_RESULTS[idv?.status ?? 'not_started'],
      address: result,
      dateOfBirth: result,
      fraud: result,
      bank: result,
    },
    reviewReasons: { idv: [], address: [], dateOfBirth: [], fraud: [], bank: [], other: [] },
    createdAt: formatInstant(verification.createdAt),
    modifiedAt: formatInstant(verification.updatedAt),
  };
}

/** The check of a person's identity document, with the page to send the person to. Refuses: `holder_not_found`. */
export function formatIdv({ holder }: HolderFile): Static<typeof Idv> {
  if (holder.idv === null) throw refuse('holder_not_found');
  const { id, status, url, createdAt, updatedAt } = holder.idv;
  return {
    id: formatV1('idv', id),
    url,
    status: CHECK_RESULTS[status],
    createdAt: formatInstant(createdAt),
    modifiedAt: formatInstant(updatedAt),
  };
}

/** The KYB of a business. */
export function formatKyb({ id, verification }: Holder): Static<typeof Kyb> {
  const result = CHECK_RESULTS[verification.status];
  return {
    id: formatV1('kyb', verification.id),
    businessId: formatV1('business', id),
    status: VERIFICATION_STATUSES[verification.status],
    reviewCode: '',
    reviewMessage: '',
    results: { address: result, bank: result, businessName: result, fraud: result, personName: result },
    createdAt: formatInstant(verification.createdAt),
    modifiedAt: formatInstant(verification.updatedAt),
  };
}
