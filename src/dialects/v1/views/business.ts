/**
 * A holder of the bank as a business of v1.
 * Source: the business object of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { HolderFile } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Business as BusinessShape } from '../shapes/business.ts';
import { BUSINESS_ID_TYPES, ENTITY_TYPES, HOLDER_STATUSES } from '../vocabulary.ts';
import { viewAddress } from './address.ts';
import { viewKyb } from './verification.ts';

/** A business: a holder, with the details of a legal person. Refuses: `holder_not_found` for a person. */
export function viewBusiness(
  { holder, disclosure }: HolderFile,
  program: Program,
): Static<typeof BusinessShape> {
  const { business } = holder;
  if (business === null) throw refuse('holder_not_found');
  return {
    id: spellV1('business', holder.id),
    legalName: business.legalName,
    // The bank keeps the words of v2's bodies, which are these.
    entityType: ENTITY_TYPES.spell(business.entityType),
    dba: business.dba,
    email: business.email,
    idType: BUSINESS_ID_TYPES.spell(business.idType),
    idNumber: business.idNumber,
    phone: business.phone,
    formationDate: business.formationDate,
    website: business.website,
    about: business.about,
    industry: business.industry,
    naicsCode: business.naicsCode,
    disclosureStatus: disclosure ?? 'notStarted',
    address: viewAddress('mailing', business.address),
    kyb: viewKyb(holder),
    createdPersonId: spellV1('person', holder.createdBy),
    programId: spellV1('program', program.programId),
    status: HOLDER_STATUSES[holder.status],
    metadata: holder.metadata,
    createdAt: formatInstant(holder.createdAt),
    modifiedAt: formatInstant(holder.updatedAt),
  };
}
