/**
 * A family of the bank as v1 shows it.
 * Source: the family pages of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import type { Family, Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Family as FamilyShape } from '../shapes/family.ts';
import { FAMILY_STATUSES } from '../vocabulary.ts';
import { viewAddress } from './address.ts';

/** A family. */
export function viewFamily(family: Family, program: Program): Static<typeof FamilyShape> {
  return {
    id: spellV1('family', family.id),
    name: family.name,
    phone: family.phone,
    email: family.email,
    address: viewAddress('mailing', family.address),
    createdPersonId: spellV1('person', family.createdBy),
    programId: spellV1('program', program.programId),
    status: FAMILY_STATUSES[family.status],
    metadata: family.metadata,
    createdAt: formatInstant(family.createdAt),
    modifiedAt: formatInstant(family.updatedAt),
  };
}
