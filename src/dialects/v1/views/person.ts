/**
 * A holder of the bank as a person of v1. The phone counts as verified and the email does not, as in every sample.
 * Source: the person object of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { HolderFile } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Holder, Person, Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Person as PersonShape } from '../shapes/person.ts';
import { HOLDER_STATUSES, PERSON_ID_TYPES } from '../vocabulary.ts';
import { viewAddress } from './address.ts';
import { type Checked, viewKyc } from './verification.ts';

type Known = Checked & Pick<Holder, 'metadata' | 'status' | 'createdAt' | 'updatedAt'>;

/** A holder as the person that it is. Refuses: `holder_not_found` for a business. */
export function viewPersonHolder({ holder }: HolderFile, program: Program): Static<typeof PersonShape> {
  if (holder.person === null) throw refuse('holder_not_found');
  return viewPerson(holder, holder.person, program);
}

/** A person: a holder, with the details of a natural person. */
export function viewPerson(holder: Known, person: Person, program: Program): Static<typeof PersonShape> {
  return {
    id: spellV1('person', holder.id),
    firstName: person.firstName,
    middleName: person.middleName,
    lastName: person.lastName,
    phone: person.phone,
    phoneVerified: true,
    email: person.email,
    emailVerified: false,
    dateOfBirth: person.dateOfBirth,
    idType: PERSON_ID_TYPES.spell(person.idType),
    idNumber: person.idNumber,
    address: viewAddress('mailing', person.address),
    kyc: viewKyc(holder),
    programId: spellV1('program', program.programId),
    status: HOLDER_STATUSES[holder.status],
    language: 'en',
    metadata: holder.metadata,
    createdAt: formatInstant(holder.createdAt),
    modifiedAt: formatInstant(holder.updatedAt),
  };
}
