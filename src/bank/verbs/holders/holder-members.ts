/**
 * The members that are created and changed together with a business. `members.ts` has the memberships of v1.
 * Source: decisions `first-member` and `unique-id-numbers` in docs/fidelity.md.
 */
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Holder, Member, Person } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HolderChange, HolderWithMembers, NewMember } from '../inputs.ts';
import { memberOfPerson, mergeMember, requireOwnership } from './changes.ts';
import { isReusableNumber, notStarted } from './verification.ts';

export const MEMBER_OWNERSHIP = 'business.members.ownership';

/** Refuses: `id_number_taken`. */
export function requireDistinctMembers(members: readonly Pick<Member, 'person'>[]): void {
  const numbers = members
    .map(({ person }) => person.idNumber)
    .filter((number) => number !== '' && !isReusableNumber(number));
  if (new Set(numbers).size < numbers.length)
    throw refuse('id_number_taken', { field: 'business.members.idNumber' });
}

export function createHolderMembers({ store, sequence }: Pick<Dependencies, 'store' | 'sequence'>) {
  const newMember = (holderId: Id, input: NewMember, now: Instant): Member => ({
    id: sequence.id(now),
    holderId,
    familyId: null,
    person: input.person,
    kyc: notStarted(sequence, now),
    idv: notStarted(sequence, now),
    ownership: input.ownership,
    title: input.title,
    designation: input.designation,
    controlPerson: input.controlPerson,
    personId: input.personId ?? '',
    metadata: null,
    createdAt: now,
    updatedAt: now,
  });

  /** The person who creates a business is its first member; title and ownership are set later. */
  const firstMember = ({ id, type, createdBy, createdAt }: Holder): Member | undefined => {
    const maker = type === 'business' && createdBy !== '' ? store.holders.byId(createdBy) : undefined;
    if (maker === undefined || maker.person === null) return undefined;
    const of = { holder: maker, person: maker.person };
    return memberOfPerson(sequence, of, { holderId: id, familyId: null }, createdAt);
  };

  /**
   * The effect of a change of a business on its members: changed members, new members, and changed person records.
   */
  const changeMembers = (
    { holder, members }: HolderWithMembers,
    requested: HolderChange['members'] = [],
    now: Instant,
  ) => {
    const changes = new Map<Id, Member>();
    const added: NewMember[] = [];
    const together: { personId: Id; person: Partial<Person> }[] = [];
    for (const item of holder.type === 'business' ? requested : []) {
      if (!('id' in item)) {
        added.push(item);
        continue;
      }
      const present = found(
        changes.get(item.id) ?? members.find(({ id }) => id === item.id),
        'member_not_found',
      );
      changes.set(item.id, mergeMember(present, item, now));
      const { personId } = present;
      if (personId !== '' && item.person !== undefined) together.push({ personId, person: item.person });
    }
    const after = [...members.map((member) => changes.get(member.id) ?? member), ...added];
    requireDistinctMembers(after);
    if (requested.some(({ ownership }) => ownership !== undefined)) requireOwnership(after, MEMBER_OWNERSHIP);
    return { changes, added: added.map((input) => newMember(holder.id, input, now)), together };
  };

  return { newMember, firstMember, changeMembers };
}
