/**
 * Writes a sub account holder: a person with its KYC, or a business with its KYB and members. The checks are shown inside
 * the object that they are about, as the platform does, though the bank keeps them beside it.
 * Source: the sub account holder record of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { HolderFile } from '../../../bank/inputs.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { writeId } from '../ids.ts';
import type { SubAccountHolder } from '../shapes/holder.ts';
import { type Viewer, viewAttachments } from './attachment.ts';
import { viewOfac, viewOwner } from './fields.ts';
import { viewBusiness, viewPerson } from './people.ts';

/** Writes a holder. */
export function viewHolder(file: HolderFile, program: Viewer): Static<typeof SubAccountHolder> {
  const { holder, members } = file;
  return {
    id: writeId('holder', holder.id),
    ...viewOwner(program),
    type: holder.type,
    person: holder.person === null ? null : viewPerson(holder.person, holder.verification, holder.idv),
    business: holder.business === null ? null : viewBusiness(holder.business, holder.verification, members),
    ofac: viewOfac(holder.ofacStatus, holder.ofacAt),
    external_reference_id: holder.externalReferenceId,
    purpose: holder.purpose,
    attachments: viewAttachments(program, holder.id),
    metadata: holder.metadata,
    status: holder.status,
    timestamps: {
      created_at: formatInstant(holder.createdAt),
      updated_at: formatInstant(holder.updatedAt),
      deactivated_at: formatInstantOrEmpty(holder.deactivatedAt),
    },
  };
}
