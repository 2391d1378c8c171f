/**
 * Formats a holder of the bank as a business of v1, its projections and its ownership disclosure. The link of a
 * disclosure is created for the response, and shown while the disclosure can be signed there.
 * Source: the business object, "submit business projections" and "business ownership disclosure" of the platform's v1
 * reference; decisions `shared-records`, `business-projections` and `ownership-disclosure` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { NAICS } from '../../../model/naics.ts';
import type { BusinessProfile, Program } from '../../../model/records.ts';
import type { DisclosureFile, HolderWithMembers } from '../../../verbs/inputs.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { MAILING, METADATA } from '../fields.ts';
import { formatKyb } from '../verification.ts';
import { HOLDER_STATUSES } from '../vocabulary.ts';
import {
  type Business as BusinessShape,
  DETAILS,
  type OwnershipDisclosure as DisclosureShape,
  type NaicsCodeList,
  type Projection as ProjectionShape,
} from './shapes.ts';

export const BUSINESS_VIEW = viewV1('business', formatBusiness);

/** Formats a holder as a business. Refuses: `holder_not_found` for a person. */
export function formatBusiness(
  { holder, disclosure }: HolderWithMembers,
  program: Program,
): Static<typeof BusinessShape> {
  const { business } = holder;
  if (business === null) throw refuse('holder_not_found');
  return {
    id: formatV1('business', holder.id),
    ...DETAILS.format(business),
    disclosureStatus: disclosure ?? 'notStarted',
    ...MAILING.format(business),
    kyb: formatKyb(holder),
    createdPersonId: formatV1('person', holder.createdBy),
    programId: formatV1('program', program.programId),
    status: HOLDER_STATUSES[holder.status],
    ...METADATA.format(holder),
    createdAt: formatInstant(holder.createdAt),
    modifiedAt: formatInstant(holder.updatedAt),
  };
}

type ProjectionView = Static<typeof ProjectionShape>;

/** Formats the projections as they were sent. */
export function formatProjection({ projection }: BusinessProfile): ProjectionView {
  return { transactions: (projection?.transactions ?? null) as ProjectionView['transactions'] };
}

/**
 * Formats a disclosure, which does not change once it is signed; `linkTo` creates its link. Refuses:
 * `disclosure_not_found` if it was not requested.
 */
export function formatDisclosure(
  file: DisclosureFile,
  linkTo: (file: DisclosureFile) => string,
): Static<typeof DisclosureShape> {
  const { businessId, disclosure, openUntil } = file;
  if (disclosure === null) throw refuse('disclosure_not_found');
  const { redirectUri, status, updatedAt } = disclosure;
  return {
    businessId: formatV1('business', businessId),
    url: openUntil === null ? '' : linkTo(file),
    redirectUri,
    status,
    signedAt: status === 'completed' ? formatInstant(updatedAt) : '',
    expiresAt: formatInstantOrEmpty(openUntil),
    modifiedAt: formatInstant(updatedAt),
  };
}

/** Formats the industry codes by sector. */
export function formatNaicsCodes(): Static<typeof NaicsCodeList> {
  return {
    total: NAICS.length,
    data: NAICS.map(({ code, name, industries }) => ({
      code,
      name,
      total: industries.length,
      industries: industries.map(({ nationalIndustries, ...industry }) => ({
        ...industry,
        total: nationalIndustries.length,
        nationalIndustries: [...nationalIndustries],
      })),
    })),
  };
}
