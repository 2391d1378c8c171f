/**
 * Writes people, businesses and what was checked about them. The bank keeps one outcome for a check, so every detail of
 * it says the same; a check of v1 that is still under way is a review here, because v2 has no word for it.
 * Source: the kyc, kyb and idv objects of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import type { Business, Member, Person, Verification } from '../../../model/records.ts';
import type { VerificationStatus } from '../../../model/vocabulary.ts';
import { writeId } from '../ids.ts';
import type {
  Business as BusinessShape,
  Idv,
  Kyb,
  Kyc,
  Member as MemberShape,
  Person as PersonShape,
} from '../shapes/people.ts';
import { viewAddress, writeFlag } from './fields.ts';

type CheckStatus = Static<typeof Kyc>['status'];
type DetailStatus = Static<typeof Kyc>['details']['name']['status'];

const CHECK_STATUS: Readonly<Record<VerificationStatus, CheckStatus>> = {
  not_started: 'not_started',
  submitted: 'review',
  pass: 'pass',
  fail: 'fail',
  review: 'review',
};

const DETAIL_STATUS: Readonly<Record<VerificationStatus, DetailStatus>> = {
  not_started: '',
  submitted: 'in_review',
  pass: 'pass',
  fail: 'fail',
  review: 'review',
};

/** The part that every check has; a check that nobody has begun has no page to be looked at on. */
function viewCheck(kind: 'kyc' | 'kyb' | 'idv', check: Verification) {
  return {
    id: writeId(kind, check.id),
    status: CHECK_STATUS[check.status],
    method: check.method,
    url: check.status === 'not_started' ? '' : check.url,
  };
}

/** Writes the check of a person. */
function viewKyc(check: Verification): Static<typeof Kyc> {
  const detail = { status: DETAIL_STATUS[check.status], reasons: null };
  return {
    ...viewCheck('kyc', check),
    details: {
      name: detail,
      address: detail,
      dob: detail,
      ssn: detail,
      phone: detail,
      email: detail,
      watchlist: detail,
      fraud: detail,
    },
  };
}

/** Writes the check of a business; its details say `reason` where all others say `reasons`. */
function viewKyb(check: Verification): Static<typeof Kyb> {
  const detail = { status: DETAIL_STATUS[check.status], reason: null };
  return {
    ...viewCheck('kyb', check),
    details: { name: detail, address: detail, watchlist: detail, fraud: detail },
  };
}

/** Writes the check of an identity document. */
function viewIdv(check: Verification): Static<typeof Idv> {
  return { ...viewCheck('idv', check), reasons: null };
}

/** Writes a person with its checks; somebody who is not checked has none. */
export function viewPerson(
  person: Person,
  kyc: Verification | null,
  idv: Verification | null,
): Static<typeof PersonShape> {
  return {
    ...viewPersonFields(person),
    kyc: kyc === null ? null : viewKyc(kyc),
    idv: idv === null ? null : viewIdv(idv),
  };
}

/** Writes a business with its check and its members; a business that is not checked has neither. */
export function viewBusiness(
  business: Business,
  kyb: Verification | null,
  members: readonly Member[],
): Static<typeof BusinessShape> {
  return {
    legal_name: business.legalName,
    dba: business.dba,
    // The bank keeps the words of the bodies, which are these.
    entity_type: business.entityType,
    id_type: business.idType,
    id_number: business.idNumber,
    phone: business.phone,
    email: business.email,
    formation_date: business.formationDate,
    address: viewAddress(business.address),
    kyb: kyb === null ? null : viewKyb(kyb),
    members: members.length === 0 ? null : members.map(viewMember),
  };
}

function viewMember(member: Member): Static<typeof MemberShape> {
  return {
    id: writeId('member', member.id),
    ...viewPersonFields(member.person),
    kyc: viewKyc(member.kyc),
    idv: viewIdv(member.idv),
    // Hundredths of a percent are written as cents are.
    ownership: formatMoney(member.ownership),
    designation: member.designation,
    title: member.title,
    control_person: writeFlag(member.controlPerson),
  };
}

function viewPersonFields(person: Person) {
  return {
    first_name: person.firstName,
    middle_name: person.middleName,
    last_name: person.lastName,
    id_type: person.idType,
    id_number: person.idNumber,
    date_of_birth: person.dateOfBirth,
    phone: person.phone,
    email: person.email,
    address: viewAddress(person.address),
  };
}
