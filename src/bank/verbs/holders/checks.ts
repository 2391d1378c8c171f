/**
 * The checks of holders: KYC of a person, KYB of a business with its members, and the identity document of a person.
 * v2 decides a check during the request; v1 submits it and gets the result later, so its end is scheduled like a step
 * of a payment.
 * Source: decisions `v2-kyc-timing`, `v1-kyc-timing`, `verification-digits`, `verification-reasons`, `kyc-wrong-type`,
 * `verification-needs`, `v1-kyc-needs` and `idv-life` in docs/fidelity.md.
 */
import { illegalStep, step } from '../../kernel/machine.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Change } from '../../model/facts.ts';
import { HOLDER } from '../../model/machines.ts';
import { postBoxLine, requireAdult } from '../../model/people.ts';
import type { Business, Holder, Member, Person, Verification } from '../../model/records.ts';
import { dueAt } from '../../model/timetable.ts';
import type { ReasonsInput } from '../../model/verification-reasons.ts';
import type { AgendaItem, Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { HolderWithMembers } from '../inputs.ts';
import { holderWithMembers } from './changes.ts';
import {
  businessFinding,
  findingFor,
  idvFindingFor,
  isActivatedBy,
  notStarted,
  type Outcome,
  outcomeOf,
  restated,
  worst,
} from './verification.ts';

export interface Checks {
  /**
   * Checks a person, at once or, with `async`, at the time of the timetable. A pending or passed check is not
   * submitted again. Refuses: `holder_not_found`, `holder_type_wrong` for a business, `field_invalid` for a P.O. box
   * as the residence; with `async` `details_missing`, which `submitKyb` can always refuse.
   */
  submitKyc(id: Id, options?: { async?: boolean }): HolderWithMembers;
  /** Checks a business and its members, like `submitKyc`. Refuses the same; a person has the wrong type. */
  submitKyb(id: Id, options?: { async?: boolean }): HolderWithMembers;
  /**
   * Starts the check of an identity document: `new` starts another check, `resume` returns the current one in any
   * state. Without either, a check that has not passed starts again. Refuses: `holder_not_found`,
   * `holder_type_wrong`.
   */
  submitIdv(id: Id, action?: 'new' | 'resume'): HolderWithMembers;
  /**
   * Ends the check of a person or business with this outcome, whatever its id number, and with the given or the
   * default reasons; with `pass` the members of a business pass too. Refuses: `holder_not_found`, `illegal_step` for
   * a deactivated holder.
   */
  decide(id: Id, outcome: Outcome, input?: ReasonsInput): HolderWithMembers;
  /** Ends the check of a person's identity document. Refuses: `holder_not_found`, `holder_type_wrong`. */
  decideIdv(id: Id, outcome: Outcome, input?: ReasonsInput): HolderWithMembers;
  /** Ends a check at its scheduled time. */
  takePlanned(item: AgendaItem): void;
}

/** The fields that a check requires. Source: the KYC and KYB pages of the platform's v1 reference and help articles. */
const NEEDED: { person: readonly (keyof Person)[]; business: readonly (keyof Business)[] } = {
  person: ['idNumber', 'dateOfBirth', 'address'],
  business: ['legalName', 'entityType', 'idNumber', 'address'],
};
const NOT_ACH = { sameDay: false, effectiveDate: '' };

/** Removes the scheduled end of a check from the agenda. */
export function cancelPlannedCheck({ agenda }: Store, { id, verification }: Holder): void {
  if (verification.status !== 'submitted') return;
  const due = agenda.verificationDueAt(id);
  if (due !== undefined) agenda.remove(due, id);
}

/** The verbs of checks. */
export function createChecks(
  { store, clock, sequence, railsProfile }: Dependencies,
  byId: (id: Id) => HolderWithMembers,
  publish: (file: HolderWithMembers, change: Change) => void,
): Checks {
  const conclude = (
    file: HolderWithMembers,
    outcome: Outcome,
    now: Instant,
    finding = findingFor(outcome),
  ): HolderWithMembers => {
    const { holder } = file;
    const verification = restated(holder.verification, outcome, now, finding);
    const activates = isActivatedBy(holder, verification);
    const next: Holder = {
      ...holder,
      verification,
      status: activates ? step(HOLDER, holder.status, 'activate') : holder.status,
      updatedAt: now,
    };
    store.holders.replace(next);
    cancelPlannedCheck(store, holder);
    const concluded = { ...file, holder: next };
    publish(concluded, 'verified');
    if (activates) publish(concluded, 'status');
    return concluded;
  };

  /** A member with a person record is checked as that person; a passed check stays passed. */
  const checkMember = (member: Member, outcome: Outcome, now: Instant): Outcome => {
    if (member.personId !== '') {
      if (member.kyc.status === 'pass') return 'pass';
      conclude(byId(member.personId), outcome, now);
      return outcome;
    }
    const kyc = restated(member.kyc, outcome, now, findingFor(outcome));
    store.members.replace({ ...member, kyc, updatedAt: now });
    return outcome;
  };

  /** The result of a business is the worst of its own and its members' results. */
  const check = ({ holder, members }: HolderWithMembers): HolderWithMembers => {
    const now = clock.now();
    const ofMembers = worst(
      members.map((member) => checkMember(member, outcomeOf(member.person.idNumber), now)),
    );
    const own = outcomeOf(holder.idNumber);
    const outcome = worst([own, ofMembers]);
    return conclude(holderWithMembers(store, holder), outcome, now, businessFinding(own, ofMembers));
  };

  const submitFile = (file: HolderWithMembers): HolderWithMembers => {
    const { holder } = file;
    const { status } = holder.verification;
    if (status === 'submitted' || status === 'pass') return file;
    requireDetails(file);
    requireResidence(holder);
    const now = clock.now();
    const verification = restated(holder.verification, 'submitted', now);
    const next: Holder = { ...holder, verification, updatedAt: now };
    store.holders.replace(next);
    const due = dueAt('verification', railsProfile, now, NOT_ACH);
    if (due !== null) {
      store.agenda.add({ dueAt: due, subjectId: holder.id, task: 'verification', event: 'decide' });
    }
    const submitted = { ...file, holder: next };
    publish(submitted, 'verified');
    return submitted;
  };

  const submit = (
    type: Holder['type'],
    id: Id,
    { async = false }: { async?: boolean } = {},
  ): HolderWithMembers => {
    const file = byId(id);
    if (file.holder.type !== type) throw refuse('holder_type_wrong', { field: 'type' });
    requireAdults(file, clock.now());
    if (async) return submitFile(file);
    if (type === 'business') requireDetails(file);
    requireResidence(file.holder);
    return check(file);
  };

  const idvOf = ({ idv }: Holder): Verification => {
    if (idv === null) throw refuse('holder_type_wrong', { field: 'type' });
    return idv;
  };

  const writeIdv = ({ holder, members }: HolderWithMembers, idv: Verification): HolderWithMembers => {
    const next: Holder = { ...holder, idv, updatedAt: idv.updatedAt };
    store.holders.replace(next);
    const file = { holder: next, members };
    publish(file, 'progressed');
    return file;
  };

  return {
    submitKyc: (id, options) => submit('person', id, options),
    submitKyb: (id, options) => submit('business', id, options),

    submitIdv(id, action) {
      const file = byId(id);
      const present = idvOf(file.holder);
      const { status } = present;
      const isBegun = status !== 'not_started';
      const stands = action === 'resume' ? isBegun : status === 'submitted' || status === 'pass';
      if (stands && action !== 'new') return file;
      const now = clock.now();
      const idv = action === 'new' && isBegun ? notStarted(sequence, now) : present;
      return writeIdv(file, restated(idv, 'submitted', now));
    },

    decide(id, outcome, input) {
      const { holder, members } = byId(id);
      if (holder.status === 'deactivated') throw illegalStep('holder', holder.status, outcome, []);
      const now = clock.now();
      if (outcome === 'pass') for (const member of members) checkMember(member, outcome, now);
      return conclude(holderWithMembers(store, holder), outcome, now, findingFor(outcome, input));
    },

    decideIdv(id, outcome, input) {
      const file = byId(id);
      const idv = restated(idvOf(file.holder), outcome, clock.now(), idvFindingFor(outcome, input));
      return writeIdv(file, idv);
    },

    takePlanned(item) {
      // Another command of the same turn may have ended it after the agenda was read.
      if (store.agenda.eventAt(item.dueAt, item.subjectId) === undefined) return;
      check(byId(item.subjectId));
    },
  };
}

/** Refuses: `field_invalid`. */
function requireResidence({ person }: Holder): void {
  const line = postBoxLine(person?.address ?? null);
  if (line === undefined) return;
  const field = `person.address.${line}`;
  throw refuse('field_invalid', {
    field,
    message: `${field} is a P.O. box; a KYC needs a street address`,
  });
}

/** Refuses: `field_invalid` for a person or a member who is too young. */
function requireAdults({ holder, members }: HolderWithMembers, now: Instant): void {
  if (holder.person !== null) requireAdult(holder.person, now);
  for (const { person } of members) requireAdult(person, now, 'business.members.dateOfBirth');
}

/** Decision `blank-texts` in docs/fidelity.md. */
const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '');

/** Refuses: `details_missing`; a business also requires a member. */
function requireDetails({ holder, members }: HolderWithMembers): void {
  const { type, person, business } = holder;
  const details: Partial<Record<keyof Person | keyof Business, unknown>> = person ?? business ?? {};
  const missing =
    NEEDED[type].find((name) => isBlank(details[name])) ??
    (type === 'business' && members.length === 0 ? 'members' : undefined);
  if (missing === undefined) return;
  const field = `${type}.${missing}`;
  throw refuse('details_missing', {
    field,
    message:
      missing === 'members'
        ? 'the business has no member, and the verification requires one: add a member, then submit again'
        : `${field} is not set, and the verification requires it: set it, then submit again`,
  });
}
