/**
 * Memberships of v1: a person is a member of a business, with an ownership, or of a family. In v2 a member is a part
 * of its holder, so a change of the holder is published too.
 * Source: the member object of the platform's v1 reference; decisions `first-member`, `member-ownership`,
 * `member-paths` and `member-details` in docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { on } from '../../model/conditions.ts';
import { MEMBER_FILTERS, type MemberCondition } from '../../model/filters.ts';
import type { Holder, Member, Person } from '../../model/records.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { MembershipChange, MemberWithPerson, NewMembership } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, createNoun } from '../noun.ts';
import { memberOfPerson, memberWithPerson, requireOwnership, touching } from './changes.ts';
import type { Families } from './families.ts';
import type { Holders } from './holders.ts';

export interface Members {
  /**
   * Adds an existing or new person as a member. For the person who created the business, who is already its first
   * member, it updates that membership. Refuses: `holder_not_found`, `family_not_found`, `holder_not_active` for a
   * deactivated business, `member_exists`, `ownership_exceeded`, `metadata_too_large`, and what creating a person
   * refuses.
   */
  create(input: NewMembership): MemberWithPerson;
  /** Refuses: `member_not_found`. */
  byId(id: Id): MemberWithPerson;
  /** Absent fields stay. Refuses: `member_not_found`, `ownership_exceeded`, `metadata_too_large`. */
  change(id: Id, change: MembershipChange): MemberWithPerson;
  list(where: readonly MemberCondition[], window: Window): Page<MemberWithPerson>;
  /** The businesses that a person created or is a member of. */
  businessesOfPerson(personId: Id): Id[];
}

/** The verbs of members. */
export function createMembers(dependencies: Dependencies, holders: Holders, families: Families): Members {
  const { store, sequence, clock } = dependencies;

  const noun = createNoun(dependencies, {
    resource: 'member',
    rows: store.members,
    filters: MEMBER_FILTERS,
    show: (member) => memberWithPerson(store, member),
  });
  const touch = touching(dependencies);

  /** A member of a business is a part of it. */
  const touchBusiness = (file: MemberWithPerson): MemberWithPerson => {
    const { holderId, updatedAt } = file.member;
    const business = holderId === null ? undefined : store.holders.byId(holderId);
    if (business !== undefined) touch(business, updatedAt);
    return file;
  };

  const requireRoom = (holderId: Id | null, ownership: number, except?: Id): void => {
    if (holderId === null) return;
    const others = store.members.ofHolder(holderId).filter(({ id }) => id !== except);
    requireOwnership([...others, { ownership }], 'ownership');
  };

  /** The business or family; exactly one is not `null`. */
  const ownerOf = (of: NewMembership['of']): Pick<Member, 'holderId' | 'familyId'> => {
    if ('familyId' in of) return { holderId: null, familyId: families.byId(of.familyId).id };
    const business = store.holders.byId(of.businessId);
    if (business?.type !== 'business') throw refuse('holder_not_found', { field: 'businessId' });
    if (business.status === 'deactivated') {
      throw refuse('holder_not_active', { field: 'businessId', message: 'the business is deactivated' });
    }
    return { holderId: business.id, familyId: null };
  };

  const personOf = (id: Id): { holder: Holder; person: Person } => {
    const holder = store.holders.byId(id);
    if (holder === undefined || holder.person === null) {
      throw refuse('holder_not_found', { field: 'personId' });
    }
    return { holder, person: holder.person };
  };

  /** The first member of a business, if it is this person; any other person can become a member only once. */
  const presentMember = (
    { holderId, familyId }: Pick<Member, 'holderId' | 'familyId'>,
    id: Id,
  ): Member | undefined => {
    personOf(id);
    const present = store.members.list
      .all([on('personId', { is: id })])
      .find((member) => member.holderId === holderId && member.familyId === familyId);
    if (present === undefined) return undefined;
    const isFirst = holderId !== null && store.holders.byId(holderId)?.createdBy === id;
    if (!isFirst) throw refuse('member_exists', { field: 'personId' });
    return present;
  };

  const change = (id: Id, requested: MembershipChange): MemberWithPerson => {
    const member = noun.row(id);
    if (requested.ownership !== undefined) requireRoom(member.holderId, requested.ownership, id);
    return touchBusiness(noun.put(changed(member, requested, clock.now()), 'updated'));
  };

  return {
    change,
    byId: noun.byId,
    list: noun.list,

    businessesOfPerson(personId) {
      const made = store.holders.list.all([
        on('createdBy', { is: personId }),
        on('type', { is: 'business' }),
      ]);
      const joined = store.members.list.all([on('personId', { is: personId })]);
      return [...new Set([...made.map(({ id }) => id), ...joined.flatMap(({ holderId }) => holderId ?? [])])];
    },

    create(input) {
      const owner = ownerOf(input.of);
      const { ownership = 0, title = '', controlPerson = false } = input;
      const present = typeof input.person === 'string' ? presentMember(owner, input.person) : undefined;
      if (present !== undefined) {
        const { of: _, person: __, ...rest } = input;
        return change(present.id, rest);
      }
      requireRoom(owner.holderId, ownership);
      const metadata = mergeMetadata(null, input.metadata);

      const of = personOf(
        typeof input.person === 'string' ? input.person : holders.create(input.person).holder.id,
      );
      const membership = { ...owner, ownership, title, controlPerson, metadata };
      const member = memberOfPerson(sequence, of, membership, clock.now());
      return touchBusiness(noun.add(member));
    },
  };
}
