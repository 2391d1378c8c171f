/**
 * The verification of a holder as a record of its own, as the events of its outcome carry it. All checks that it makes
 * by itself share its outcome; the identity document is a check of its own, which nobody has to ask for.
 * Source: the KYC sub-object, the business object and the samples of submitting a KYC in the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { HolderFile } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Holder } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Idv, Kyb, Kyc } from '../shapes/verification.ts';
import { CHECK_RESULTS, VERIFICATION_STATUSES } from '../vocabulary.ts';

/** Somebody who is checked; without an id a member who is no person of the bank. */
export type Checked = Pick<Holder, 'verification' | 'idv'> & { readonly id: Id | '' };

/** The KYC of a person. */
export function viewKyc({ id, verification, idv }: Checked): Static<typeof Kyc> {
  const result = CHECK_RESULTS[verification.status];
  return {
    id: spellV1('kyc', verification.id),
    personId: spellV1('person', id),
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
export function viewIdv({ holder }: HolderFile): Static<typeof Idv> {
  if (holder.idv === null) throw refuse('holder_not_found');
  const { id, status, url, createdAt, updatedAt } = holder.idv;
  return {
    id: spellV1('idv', id),
    url,
    status: CHECK_RESULTS[status],
    createdAt: formatInstant(createdAt),
    modifiedAt: formatInstant(updatedAt),
  };
}

/** The KYB of a business. */
export function viewKyb({ id, verification }: Holder): Static<typeof Kyb> {
  const result = CHECK_RESULTS[verification.status];
  return {
    id: spellV1('kyb', verification.id),
    businessId: spellV1('business', id),
    status: VERIFICATION_STATUSES[verification.status],
    reviewCode: '',
    reviewMessage: '',
    results: { address: result, bank: result, businessName: result, fraud: result, personName: result },
    createdAt: formatInstant(verification.createdAt),
    modifiedAt: formatInstant(verification.updatedAt),
  };
}
