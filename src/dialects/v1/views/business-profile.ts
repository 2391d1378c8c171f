/**
 * The projections of a business and its ownership disclosure. The link of a disclosure is made for the answer; it is
 * shown as long as somebody may sign there.
 * Source: "submit business projections" and "business ownership disclosure" of the platform's v1 reference; rows 144 and
 * 145 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { DisclosureFile } from '../../../bank/inputs.ts';
import { formatInstantOrEmpty } from '../../../kernel/time.ts';
import { NAICS } from '../../../model/naics.ts';
import type { BusinessProfile } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type {
  OwnershipDisclosure as DisclosureShape,
  NaicsCodeList,
  Projection as ProjectionShape,
} from '../shapes/business-profile.ts';

type ProjectionView = Static<typeof ProjectionShape>;

/** The projections as they were sent. */
export function viewProjection({ projection }: BusinessProfile): ProjectionView {
  return { transactions: (projection?.transactions ?? null) as ProjectionView['transactions'] };
}

/** A disclosure that may not have been begun; `linkTo` makes its link. */
export function viewDisclosure(
  file: DisclosureFile,
  linkTo: (file: DisclosureFile) => string,
): Static<typeof DisclosureShape> {
  const { businessId, disclosure, openUntil } = file;
  return {
    businessId: spellV1('business', businessId),
    url: openUntil === null ? '' : linkTo(file),
    redirectUri: disclosure?.redirectUri ?? '',
    status: disclosure?.status ?? 'notStarted',
    expiresAt: formatInstantOrEmpty(openUntil),
    modifiedAt: formatInstantOrEmpty(disclosure?.updatedAt ?? null),
  };
}

/** The codes of industries, below their sectors. */
export function viewNaicsCodes(): Static<typeof NaicsCodeList> {
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
