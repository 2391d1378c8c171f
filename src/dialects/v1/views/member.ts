/**
 * A member with the whole record of its person. A member that v2 made is no person of the bank: its person is written
 * from the member's own details, and has no id.
 * Source: the member object of the platform's v1 reference; row 142 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { MemberFile } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Member as MemberShape } from '../shapes/member.ts';
import { viewPerson } from './person.ts';

/** A member. */
export function viewMember({ member, person }: MemberFile, program: Program): Static<typeof MemberShape> {
  const { kyc: verification, idv, createdAt, updatedAt } = member;
  const nobody = { id: '', verification, idv, metadata: null, createdAt, updatedAt } as const;
  return {
    id: spellV1('member', member.id),
    businessId: spellV1('business', member.holderId ?? ''),
    familyId: spellV1('family', member.familyId ?? ''),
    isControlPerson: member.controlPerson,
    // Hundredths of a percent are written as cents are.
    ownership: formatMoney(member.ownership),
    title: member.title,
    person: viewPerson(person ?? { ...nobody, status: 'activated' }, member.person, program),
    metadata: member.metadata,
    createdAt: formatInstant(createdAt),
    modifiedAt: formatInstant(updatedAt),
  };
}
