/**
 * Holders: the persons and businesses that own accounts. A passed verification and OFAC check (`checks.ts`) activate
 * a holder. A business is stored with its members.
 * Source: decisions `shared-records`, `holder-status-changes`, `v2-kyc-timing`, `v1-kyc-timing`, `verification-digits`,
 * `first-member`, `kyc-wrong-type`, `ofac-always-passes`, `unique-id-numbers`, `holder-update`, `verified-name` and `unique-phone` in
 * docs/fidelity.md.
 */
import { refuse } from '../../kernel/refusal.ts';
import type { Id, Sequence } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { Change } from '../../model/facts.ts';
import { HOLDER_FILTERS, type HolderCondition } from '../../model/filters.ts';
import { HOLDER, HOLDER_UNLOCK_FOR } from '../../model/machines.ts';
import { requireBorn, requireFormed, requireFullSsn } from '../../model/people.ts';
import type { Business, Holder, Person } from '../../model/records.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HolderChange, HolderWithMembers, NewHolder } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, changesOf, createLocks, createNoun } from '../noun.ts';
import { publisherOf } from '../publish.ts';
import {
  detailsOf,
  holderWithMembers,
  memberWithPerson,
  nameOf,
  requireOwnership,
  requireSameNames,
  stateAfter,
} from './changes.ts';
import { type Checks, cancelPlannedCheck, createChecks } from './checks.ts';
import { createHolderMembers, MEMBER_OWNERSHIP, requireDistinctMembers } from './holder-members.ts';
import { isReusableNumber, notStarted, restated } from './verification.ts';

export interface Holders extends Checks {
  /**
   * Creates a person or business; the person who creates a business becomes its first member. Refuses:
   * `holder_type_wrong`, `id_number_taken`, `ownership_exceeded`, `master_account_not_found`, and, if phones must be
   * unique, `phone_taken`.
   */
  create(input: NewHolder): HolderWithMembers;
  /** Refuses: `holder_not_found`. */
  byId(id: Id): HolderWithMembers;
  /** A page of the holders that match the conditions, each with its members; with an account, only its holder. */
  list(where: readonly HolderCondition[], window: Window, accountId?: Id): Page<HolderWithMembers>;
  /**
   * Changes the fields that are sent; an address is replaced as a whole. Refuses: `holder_not_found`,
   * `member_not_found`, `id_number_taken`, `ownership_exceeded`, `metadata_too_large`, `illegal_step`,
   * `holder_not_verified` for an activation without a passed verification, and, if the caller requires it,
   * `phone_taken`, `name_locked` and `field_invalid` for an id number.
   */
  change(id: Id, change: HolderChange): HolderWithMembers;
  /** An action of the platform. Refuses: `holder_not_found`, `illegal_step`. */
  lock(id: Id): HolderWithMembers;
  /** Restores the previous status. Refuses as `lock` does. */
  unlock(id: Id): HolderWithMembers;
}

const MEMBER_BIRTH = 'business.members.dateOfBirth';

/** The verbs of holders. */
export function createHolders(dependencies: Dependencies): Holders {
  const { store, sequence, clock, outbox, program } = dependencies;

  const noun = createNoun(dependencies, {
    resource: 'holder',
    rows: store.holders,
    filters: HOLDER_FILTERS,
    show: (holder): HolderWithMembers => holderWithMembers(store, holder),
  });
  const { byId, publish } = noun;
  const { lock, unlock } = createLocks(clock, noun, HOLDER, HOLDER_UNLOCK_FOR);
  const { newMember, firstMember, changeMembers } = createHolderMembers(dependencies);
  const publishMember = publisherOf(outbox, 'member');

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one part of the change after the other, each optional
  const change = (id: Id, requested: HolderChange): HolderWithMembers => {
    const file = byId(id);
    const { holder } = file;
    const { uniquePhone, lockNames, fullSsn, verification, ...fields } = requested;
    const { person, business, members, status, ...plain } = fields;
    const now = clock.now();
    const details = detailsOf(holder, person, business);
    const check =
      verification === undefined
        ? holder.verification
        : { ...restated(holder.verification, verification.status, now), ...verification };
    if (lockNames === true && holder.verification.status === 'pass') requireSameNames(holder, details);
    if (details.idNumber !== holder.idNumber) requireFreeNumber(store, holder.type, details.idNumber);
    if (fullSsn === true) requireFullSsn(holder.person, details.person, 'person.idNumber');
    requireBorn(holder.type === 'person' ? person : null, now);
    requireFormed(business, now);
    for (const member of (holder.type === 'business' && members) || [])
      requireBorn(member.person, now, MEMBER_BIRTH);
    if (uniquePhone === true && details.person !== null && details.person.phone !== holder.person?.phone)
      requireFreePhone(store, details.person);
    const next: Holder = {
      ...changed(holder, { ...plain, ...details, verification: check }, now),
      ...stateAfter(holder, check, verification !== undefined, status, now),
    };
    // A verification and a status are published as such, the other fields as an update.
    const published: Change[] = [
      ...(verification === undefined ? [] : (['verified'] as const)),
      ...changesOf(fields, next.status !== holder.status),
    ];
    if (published.length === 0) return file;
    const { changes, added, together } = changeMembers(file, members, now);
    if (fullSsn === true) {
      for (const present of file.members) {
        requireFullSsn(present.person, changes.get(present.id)?.person ?? null, 'business.members.idNumber');
      }
    }

    store.holders.replace(next);
    for (const member of changes.values()) store.members.replace(member);
    for (const member of added) store.members.insert(member);
    if (next.name !== holder.name) store.accounts.renameHolder(id, next.name);
    if (verification !== undefined) cancelPlannedCheck(store, holder);
    for (const { personId, person: fields } of together) change(personId, { person: fields });
    const result = byId(id);
    for (const what of published) publish(result, what);
    return result;
  };

  return {
    ...createChecks(dependencies, byId, publish),
    byId,
    lock,
    unlock,
    list(where, window, accountId) {
      const ofAccount: HolderCondition[] =
        accountId === undefined ? [] : [on('id', { is: store.accounts.byId(accountId)?.holderId ?? '' })];
      return noun.list([...where, ...ofAccount], window);
    },

    create(input) {
      const { person, business } = input;
      const details: Person | Business | undefined = person ?? business;
      if (details === undefined) throw refuse('holder_type_wrong', { field: 'type' });
      if (input.masterAccountId !== undefined && input.masterAccountId !== program.masterAccountId) {
        throw refuse('master_account_not_found');
      }
      const type: HolderType = person === undefined ? 'business' : 'person';
      const now = clock.now();
      requireFreeNumber(store, type, details.idNumber);
      requireDistinctMembers(input.members ?? []);
      requireOwnership(input.members ?? [], MEMBER_OWNERSHIP);
      requireBorn(person, now);
      requireFormed(business, now);
      for (const member of input.members ?? []) requireBorn(member.person, now, MEMBER_BIRTH);
      if (input.uniquePhone === true && person !== undefined) requireFreePhone(store, person);

      const { verification } = input;
      const holder = newHolder(sequence, input, details, now);
      store.holders.insert(holder);
      const members = (input.members ?? []).map((member) => newMember(holder.id, member, now));
      const first = firstMember(holder);
      if (first !== undefined) members.unshift(first);
      for (const member of members) store.members.insert(member);
      const file = { holder, members };
      publish(file, 'created');
      if (first !== undefined) publishMember(memberWithPerson(store, first), 'created');
      if (verification !== undefined) publish(file, 'verified');
      return file;
    },

    change,
  };
}

/** Published by v1: the phone number that several persons can share. */
const SHARED_PHONE = '+15555555555';

/** Refuses: `id_number_taken`. */
function requireFreeNumber({ holders }: Store, type: HolderType, idNumber: string): void {
  if (idNumber === '' || isReusableNumber(idNumber)) return;
  if (holders.withIdNumber(type, idNumber).length > 0)
    throw refuse('id_number_taken', { field: `${type}.idNumber` });
}

/** Refuses: `phone_taken`. */
function requireFreePhone({ holders }: Store, { phone }: Person): void {
  if (phone === '' || phone === SHARED_PHONE) return;
  if (holders.withPhone(phone).length > 0) throw refuse('phone_taken', { field: 'person.phone' });
}

/** A new holder; a verification by the client can activate it at once. */
function newHolder(sequence: Sequence, input: NewHolder, details: Person | Business, now: Instant): Holder {
  const { person, business, verification } = input;
  const check = notStarted(sequence, now);
  return {
    id: sequence.id(now),
    type: person === undefined ? 'business' : 'person',
    name: nameOf(details),
    person: person ?? null,
    business: business ?? null,
    idNumber: details.idNumber,
    verification: verification === undefined ? check : { ...check, ...verification },
    idv: person === undefined ? null : notStarted(sequence, now),
    ofacStatus: 'pass',
    ofacAt: now,
    externalReferenceId: input.externalReferenceId ?? '',
    purpose: input.purpose ?? '',
    metadata: mergeMetadata(null, input.metadata),
    status: verification?.status === 'pass' ? 'activated' : 'pending_activation',
    lockedFrom: null,
    createdBy: input.createdBy ?? '',
    createdAt: now,
    updatedAt: now,
    deactivatedAt: null,
  };
}
