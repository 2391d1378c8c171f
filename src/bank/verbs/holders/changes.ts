/**
 * Applies changes to a holder: details are merged field by field, and the status follows the state machine. A
 * business is shown with its members and the status of its disclosure. A member with a person record shares the
 * details and the verification of that person. The verbs are in `holders.ts`.
 * Source: decisions `holder-status-changes`, `holder-update`, `verified-name` and `member-details` in docs/fidelity.md.
 */
import { illegalStep, legalEvents, step } from '../../kernel/machine.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id, Sequence } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { HOLDER, HOLDER_EVENT_FOR } from '../../model/machines.ts';
import type { Business, Holder, Member, Person, Verification } from '../../model/records.ts';
import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HolderChange, HolderWithMembers, MemberChange, MemberWithPerson } from '../inputs.ts';
import { publisherOf } from '../publish.ts';
import { isActivatedBy, notStarted } from './verification.ts';

/** The fields that v1 locks after the verification: the names of a person, the name and the number of a business. */
const VERIFIED = {
  person: ['firstName', 'lastName'],
  business: ['legalName', 'idNumber'],
} as const satisfies Record<Holder['type'], readonly (keyof Person | keyof Business)[]>;

/** A person's first and last name. */
function nameOfPerson({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`.trim();
}

/** The name of a holder on accounts. */
export function nameOf(details: Person | Business): string {
  return 'legalName' in details ? details.legalName : nameOfPerson(details);
}

type Details = Pick<Holder, 'person' | 'business' | 'name' | 'idNumber'>;

/** A holder's object with the fields that were sent; the object of the other type is ignored. */
export function detailsOf(
  holder: Holder,
  personChange: HolderChange['person'],
  businessChange: HolderChange['business'],
): Details {
  const person = holder.person === null ? null : { ...holder.person, ...personChange };
  const business = holder.business === null ? null : { ...holder.business, ...businessChange };
  const details = person ?? business;
  if (details === null) throw refuse('failure', { message: 'a holder is a person or a business' });
  return { person, business, name: nameOf(details), idNumber: details.idNumber };
}

/** Refuses: `name_locked`. */
export function requireSameNames(present: Holder, next: Details): void {
  const [before, after]: Partial<Person & Business>[] = [present, next].map(
    ({ person, business }) => person ?? business ?? {},
  );
  const field = VERIFIED[present.type].find((name) => before?.[name] !== after?.[name]);
  if (field !== undefined) throw refuse('name_locked', { field: `${present.type}.${field}` });
}

/**
 * The status of a holder after a new verification by the client (`isNew`), and after the status that the client
 * requests. Refuses: `illegal_step`, `holder_not_verified`.
 */
export function stateAfter(
  holder: Holder,
  check: Verification,
  isNew: boolean,
  requested: HolderChange['status'],
  now: Instant,
): Partial<Pick<Holder, 'status' | 'lockedFrom' | 'deactivatedAt'>> {
  const status =
    isNew && isActivatedBy(holder, check) ? step(HOLDER, holder.status, 'activate') : holder.status;
  if (requested === undefined || requested === status) return { status };
  if (requested === 'pending_activation' || requested === 'locked') {
    throw illegalStep(HOLDER.name, status, `become ${requested}`, legalEvents(HOLDER, status));
  }
  const next = step(HOLDER, status, HOLDER_EVENT_FOR[requested]);
  if (status === 'pending_activation' && next === 'activated' && !isActivatedBy(holder, check)) {
    throw refuse('holder_not_verified', {
      field: 'status',
      message: `the verification of the holder is ${check.status}; the holder can be activated once it has passed`,
    });
  }
  return { status: next, lockedFrom: null, ...(next === 'deactivated' && { deactivatedAt: now }) };
}

/** A member with some changed fields. */
export function mergeMember(
  present: Member,
  { id: _, person, ...change }: MemberChange,
  now: Instant,
): Member {
  return { ...present, ...change, person: { ...present.person, ...person }, updatedAt: now };
}

/** The whole of a business, in hundredths of a percent. */
const WHOLE = 10_000;

/** Refuses: `ownership_exceeded` if the members together own more than the whole business. */
export function requireOwnership(
  members: readonly { readonly ownership: number | null }[],
  field: string,
): void {
  const owned = members.reduce((sum, { ownership }) => sum + (ownership ?? 0), 0);
  if (owned > WHOLE) throw refuse('ownership_exceeded', { field });
}

/** A member with its person record. */
export function memberWithPerson(store: Store, member: Member): MemberWithPerson {
  const person = (member.personId === '' ? undefined : store.holders.byId(member.personId)) ?? null;
  if (person === null || person.person === null) return { member, person: null };
  const { verification: kyc, idv } = person;
  return { member: { ...member, person: person.person, kyc, idv: idv ?? member.idv }, person };
}

/** A member with a person record: it shares the details and the checks of that record. */
export function memberOfPerson(
  sequence: Sequence,
  { holder, person }: { holder: Holder; person: Person },
  membership: Pick<Member, 'holderId' | 'familyId'> &
    Partial<Pick<Member, 'ownership' | 'title' | 'controlPerson' | 'metadata'>>,
  now: Instant,
): Member {
  return {
    id: sequence.id(now),
    person,
    kyc: holder.verification,
    idv: holder.idv ?? notStarted(sequence, now),
    ownership: null,
    title: '',
    designation: '',
    controlPerson: false,
    metadata: null,
    ...membership,
    personId: holder.id,
    createdAt: now,
    updatedAt: now,
  };
}

/** The members of a business, oldest first. */
function membersOf(store: Store, holderId: Id): Member[] {
  return store.members.ofHolder(holderId).map((member) => memberWithPerson(store, member).member);
}

/** A person, or a business with its members and disclosure. */
export function holderWithMembers(store: Store, holder: Holder): HolderWithMembers {
  if (holder.type === 'person') return { holder, members: [] };
  const disclosure = store.businessProfiles.byHolder(holder.id)?.disclosure?.status;
  return { holder, members: membersOf(store, holder.id), ...(disclosure !== undefined && { disclosure }) };
}

/** Marks a business as changed at a time, because of a part of its record that is stored elsewhere. */
export function touching({ store, outbox }: Dependencies): (business: Holder, at: Instant) => void {
  const publish = publisherOf(outbox, 'holder');
  return (business, at) => {
    const holder = { ...business, updatedAt: at };
    store.holders.replace(holder);
    publish(holderWithMembers(store, holder), 'updated');
  };
}
