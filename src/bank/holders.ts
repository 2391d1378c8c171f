/**
 * Holders: the persons and businesses who own accounts. A holder is activated by a passed verification and OFAC check;
 * a business is verified together with its members.
 * Source: rows 20 to 25 of docs/fidelity.md.
 */
import { illegalStep, step } from '../kernel/machine.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Change } from '../model/facts.ts';
import { HOLDER, type HolderEvent } from '../model/machines.ts';
import type { Business, Holder, Member, Person } from '../model/records.ts';
import type { HolderType } from '../model/vocabulary.ts';
import { announce } from './announce.ts';
import type { HolderFile, NewHolder, NewMember } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import type { Parts } from './parts.ts';
import { decided, isReusableNumber, notStarted, type Outcome, outcomeOf, worst } from './verification.ts';

export interface Holders {
  /** Makes a person or business. Refuses: `holder_type_wrong`, `id_number_taken`, `master_account_not_found`. */
  create(input: NewHolder): HolderFile;
  /** Refuses: `holder_not_found`. */
  byId(id: Id): HolderFile;
  /** Checks a person, at once. Refuses: `holder_not_found`, `holder_type_wrong` for a business. */
  submitKyc(id: Id): HolderFile;
  /** Checks a business and its members, at once. Refuses: `holder_not_found`, `holder_type_wrong` for a person. */
  submitKyb(id: Id): HolderFile;
  /**
   * Ends the check of a person or business as told, whatever its number stands for; with `pass` the members of a business
   * pass with it. Refuses: `holder_not_found`, `illegal_step` for a deactivated holder.
   */
  decide(id: Id, outcome: Outcome): HolderFile;
  /** What only the platform does. Refuses: `holder_not_found`, `illegal_step`. */
  lock(id: Id): HolderFile;
  /** Back to the state before. Refuses as `lock` does. */
  unlock(id: Id): HolderFile;
}

const UNLOCK_TO: Readonly<Partial<Record<Holder['status'], HolderEvent>>> = {
  pending_activation: 'unlock_pending',
  activated: 'unlock_activated',
  suspended: 'unlock_suspended',
};

/** A person's first and last name. */
export function nameOfPerson({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`.trim();
}

/** The verbs of holders. */
export function createHolders(parts: Parts): Holders {
  const { store, sequence, clock, outbox, program } = parts;

  const byId = (id: Id): HolderFile => {
    const holder = store.holders.byId(id);
    if (holder === undefined) throw refuse('holder_not_found');
    return { holder, members: holder.type === 'business' ? store.members.ofHolder(id) : [] };
  };

  const publish = (file: HolderFile, change: Change): void => {
    const { id, updatedAt } = file.holder;
    announce(outbox, { resource: 'holder', id, change, at: updatedAt, record: file });
  };

  const requireFreeNumber = (type: HolderType, idNumber: string): void => {
    if (idNumber === '' || isReusableNumber(idNumber)) return;
    if (store.holders.withIdNumber(type, idNumber).length > 0)
      throw refuse('id_number_taken', { field: 'idNumber' });
  };

  const requireDistinctMembers = (members: readonly NewMember[]): void => {
    const numbers = members
      .map(({ person }) => person.idNumber)
      .filter((number) => number !== '' && !isReusableNumber(number));
    if (new Set(numbers).size < numbers.length)
      throw refuse('id_number_taken', { field: 'members.idNumber' });
  };

  const createMember = (holderId: Id, input: NewMember, now: Instant): Member => {
    const member: Member = {
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
    };
    store.members.insert(member);
    return member;
  };

  /** A passed check activates a holder that waited for it; any other outcome leaves it waiting. */
  const conclude = (file: HolderFile, outcome: Outcome, now: Instant): HolderFile => {
    const { holder } = file;
    const activates =
      outcome === 'pass' && holder.ofacStatus === 'pass' && holder.status === 'pending_activation';
    const next: Holder = {
      ...holder,
      verification: decided(holder.verification, outcome, now),
      status: activates ? step(HOLDER, holder.status, 'activate') : holder.status,
      updatedAt: now,
    };
    store.holders.replace(next);
    const concluded = { ...file, holder: next };
    publish(concluded, 'verified');
    if (activates) publish(concluded, 'status');
    return concluded;
  };

  const take = ({ holder, members }: HolderFile, event: HolderEvent): HolderFile => {
    const status = step(HOLDER, holder.status, event);
    const next: Holder = {
      ...holder,
      status,
      lockedFrom: status === 'locked' ? holder.status : null,
      updatedAt: clock.now(),
    };
    store.holders.replace(next);
    const file = { holder: next, members };
    publish(file, 'status');
    return file;
  };

  return {
    byId,
    lock: (id) => take(byId(id), 'lock'),
    unlock(id) {
      const file = byId(id);
      return take(file, UNLOCK_TO[file.holder.lockedFrom ?? 'activated'] ?? 'unlock_activated');
    },

    decide(id, outcome) {
      const { holder, members } = byId(id);
      if (holder.status === 'deactivated') throw illegalStep('holder', holder.status, outcome, []);
      const now = clock.now();
      const decidedMembers = members.map((member): Member => {
        if (outcome !== 'pass') return member;
        const passed = { ...member, kyc: decided(member.kyc, outcome, now), updatedAt: now };
        store.members.replace(passed);
        return passed;
      });
      return conclude({ holder, members: decidedMembers }, outcome, now);
    },

    create(input) {
      const { person, business } = input;
      const details: Person | Business | undefined = person ?? business;
      if (details === undefined) throw refuse('holder_type_wrong', { field: 'type' });
      if (input.masterAccountId !== undefined && input.masterAccountId !== program.masterAccountId) {
        throw refuse('master_account_not_found');
      }
      const type: HolderType = person === undefined ? 'business' : 'person';
      requireFreeNumber(type, details.idNumber);
      requireDistinctMembers(input.members ?? []);

      const now = clock.now();
      const check = notStarted(sequence, now);
      const { verification } = input;
      const holder: Holder = {
        id: sequence.id(now),
        type,
        name: person === undefined ? (business?.legalName ?? '') : nameOfPerson(person),
        person: person ?? null,
        business: business ?? null,
        idNumber: details.idNumber,
        verification:
          verification === undefined
            ? check
            : { ...check, status: verification.status, method: verification.method, url: verification.url },
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
      store.holders.insert(holder);
      const members = (input.members ?? []).map((member) => createMember(holder.id, member, now));
      const file = { holder, members };
      publish(file, 'created');
      if (verification !== undefined) publish(file, 'verified');
      return file;
    },

    submitKyc(id) {
      const file = byId(id);
      if (file.holder.type !== 'person') throw refuse('holder_type_wrong', { field: 'type' });
      return conclude(file, outcomeOf(file.holder.idNumber), clock.now());
    },

    submitKyb(id) {
      const file = byId(id);
      if (file.holder.type !== 'business') throw refuse('holder_type_wrong', { field: 'type' });
      const now = clock.now();
      const members = file.members.map((member): Member => {
        const checked = {
          ...member,
          kyc: decided(member.kyc, outcomeOf(member.person.idNumber), now),
          updatedAt: now,
        };
        store.members.replace(checked);
        return checked;
      });
      const outcome = worst([
        outcomeOf(file.holder.idNumber),
        ...members.map(({ person }) => outcomeOf(person.idNumber)),
      ]);
      return conclude({ holder: file.holder, members }, outcome, now);
    },
  };
}
