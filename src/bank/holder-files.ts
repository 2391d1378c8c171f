/**
 * What is shown of a business together with it: its members as they are now, and how far its disclosure is. A member
 * that was made from a person record is that person: what is changed or verified of the person is so of the member,
 * which is why both are read from the one record.
 * Source: row 142 of docs/fidelity.md.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Holder, Member } from '../model/records.ts';
import type { Store } from '../store/store.ts';
import type { HolderFile, MemberFile } from './inputs.ts';

/** A member with its person record. */
export function memberFileOf(store: Store, member: Member): MemberFile {
  const person = (member.personId === '' ? undefined : store.holders.byId(member.personId)) ?? null;
  if (person === null || person.person === null) return { member, person: null };
  const { verification: kyc, idv } = person;
  return { member: { ...member, person: person.person, kyc, idv: idv ?? member.idv }, person };
}

/** The members of a business, the oldest first. */
function membersOf(store: Store, holderId: Id): Member[] {
  return store.members.ofHolder(holderId).map((member) => memberFileOf(store, member).member);
}

/** A person alone, or a business with what belongs to it. */
export function holderFileOf(store: Store, holder: Holder): HolderFile {
  if (holder.type === 'person') return { holder, members: [] };
  const disclosure = store.businessProfiles.byHolder(holder.id)?.disclosure?.status;
  return { holder, members: membersOf(store, holder.id), ...(disclosure !== undefined && { disclosure }) };
}
