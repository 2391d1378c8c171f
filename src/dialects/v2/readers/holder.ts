/**
 * Reads the bodies that make and change a sub account holder, and the filters of their list. Only the object of the
 * holder's own type matters; a text that was not sent is empty in a new holder and absent in a change.
 * Source: the sub account holder operations of the platform's v2 reference; rows 21, 130 and 137 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type {
  HolderChange,
  MemberChange,
  NewHolder,
  NewMember,
  OwnVerification,
} from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import type { Program } from '../../../model/records.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../identifiers.ts';
import { readId } from '../ids.ts';
import {
  type NewSubAccountHolder,
  type SubAccountHolderQuery,
  type SubAccountHolderUpdate,
  WISHED_STATUSES,
} from '../shapes/holder.ts';
import type { MemberChange as MemberChangeShape, MemberInput } from '../shapes/people.ts';
import { readFlag, sent } from './fields.ts';
import { readBusiness, readBusinessChange, readPerson, readPersonChange } from './people.ts';

type MemberBody = Static<typeof MemberInput>;
type MemberChangeBody = Static<typeof MemberChangeShape>;
type VerificationBody = NonNullable<Static<typeof NewSubAccountHolder>['verification']>;

const HUNDREDTHS = /^\d{1,3}(\.\d{1,2})?$/;
const WHOLE = 10_000;

/** Reads a new holder. Refuses: `field_invalid`, `phone_invalid`, `master_account_not_found`. */
export function readNewHolder(body: Static<typeof NewSubAccountHolder>): NewHolder {
  const own = body[body.type];
  if (own === undefined) {
    throw refuse('field_invalid', {
      field: body.type,
      message: `a holder of type ${body.type} needs the object ${body.type}`,
    });
  }
  const { verification } = body;
  return {
    masterAccountId: readId('master_account', body.master_account_id),
    ...(body.type === 'person' ? sent('person', body.person && readPerson(body.person)) : {}),
    ...(body.type === 'business' && body.business !== undefined
      ? { business: readBusiness(body.business), members: (body.business.members ?? []).map(readMember) }
      : {}),
    ...sent('verification', verification && readVerification(verification)),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('purpose', body.purpose),
    ...sent('metadata', body.metadata),
  };
}

/** Reads the change of a holder. Refuses: `field_invalid`, `phone_invalid`, `member_not_found`. */
export function readHolderChange(body: Static<typeof SubAccountHolderUpdate>): HolderChange {
  const { person, business, verification } = body;
  return {
    ...sent('person', person && readPersonChange(person)),
    ...sent('business', business && readBusinessChange(business)),
    ...sent('members', business?.members?.map(readMemberChange)),
    ...((person ?? business) !== undefined && { fullSsn: true }),
    ...sent('verification', verification && readVerification(verification)),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('purpose', body.purpose),
    ...sent('metadata', body.metadata),
    ...sent('status', body.status && WISHED_STATUSES[body.status]),
  };
}

/** What a list of holders asks for; an id that names nothing is that of no holder, so nothing matches. */
export function readHolderFilters(
  query: Static<typeof SubAccountHolderQuery>,
  { masterAccountId }: Program,
): { where: Condition[]; accountId?: Id } {
  const { master_account_id: master, sub_account_id: account, external_reference_id: reference } = query;
  const elsewhere = master && parseId('master_account', master) !== masterAccountId;
  return {
    where: [
      ...(elsewhere ? [{ field: 'id', is: '' }] : []),
      ...(reference ? [{ field: 'externalReferenceId', is: reference }] : []),
    ],
    ...(account && { accountId: parseId('account', account) ?? '' }),
  };
}

function readVerification(body: VerificationBody): OwnVerification {
  return { status: body.status, method: body.method ?? '', url: body.url ?? '' };
}

/** One that names a member changes it; one that does not is a new one. */
function readMemberChange({ id: text, ...body }: MemberChangeBody): NewMember | MemberChange {
  if (text === undefined || text === '') return readMember(body);
  const id = parseId('member', text);
  if (id === undefined) throw refuse('member_not_found');
  return {
    id,
    person: readPersonChange(body),
    ...sent('ownership', body.ownership === undefined ? undefined : readOwnership(body.ownership)),
    ...sent('title', body.title),
    ...sent('designation', body.designation),
    ...sent('controlPerson', body.control_person === undefined ? undefined : readFlag(body.control_person)),
  };
}

function readMember(body: MemberBody): NewMember {
  return {
    person: readPerson(body),
    ownership: readOwnership(body.ownership ?? 0),
    title: body.title ?? '',
    designation: body.designation ?? '',
    controlPerson: body.control_person !== undefined && readFlag(body.control_person),
  };
}

/** The platform's reference asks for a number and shows a text; both are taken. */
function readOwnership(value: number | string): number {
  const text = String(value);
  const hundredths = HUNDREDTHS.test(text) ? Math.round(Number(text) * 100) : WHOLE + 1;
  if (hundredths > WHOLE) {
    throw refuse('field_invalid', {
      field: 'ownership',
      message: 'ownership is a percentage from 0 to 100 with at most two decimals',
    });
  }
  return hundredths;
}
