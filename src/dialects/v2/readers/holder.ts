/**
 * Reads the body that makes a sub account holder. Only the object of the holder's own type is read; a text that was not
 * sent is empty, as the platform writes unset texts.
 * Source: the sub account holder operations of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { NewHolder, NewMember } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Address, Business, Person } from '../../../model/records.ts';
import { readId } from '../ids.ts';
import type { AddressInput } from '../shapes/fields.ts';
import type { NewSubAccountHolder } from '../shapes/holder.ts';
import type { BusinessInput, PersonInput } from '../shapes/people.ts';
import { readDate, readFlag, readPhone, sent } from './fields.ts';

type BusinessBody = Static<typeof BusinessInput>;
type MemberBody = NonNullable<BusinessBody['members']>[number];

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
    ...sent(
      'verification',
      verification && {
        status: verification.status,
        method: verification.method ?? '',
        url: verification.url ?? '',
      },
    ),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('purpose', body.purpose),
    ...sent('metadata', body.metadata),
  };
}

function readPerson(body: Static<typeof PersonInput>): Person {
  return {
    firstName: body.first_name ?? '',
    middleName: body.middle_name ?? '',
    lastName: body.last_name ?? '',
    idType: body.id_type ?? '',
    idNumber: body.id_number ?? '',
    dateOfBirth: readDate('date_of_birth', body.date_of_birth ?? ''),
    phone: readPhone(body.phone ?? ''),
    email: body.email ?? '',
    address: readAddress(body.address),
  };
}

function readBusiness(body: BusinessBody): Business {
  return {
    legalName: body.legal_name ?? '',
    dba: body.dba ?? '',
    entityType: body.entity_type ?? '',
    idType: body.id_type ?? '',
    idNumber: body.id_number ?? '',
    phone: readPhone(body.phone ?? ''),
    email: body.email ?? '',
    formationDate: readDate('formation_date', body.formation_date ?? ''),
    address: readAddress(body.address),
    website: '',
    about: '',
    industry: '',
    naicsCode: '',
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

function readAddress(body: Static<typeof AddressInput> | undefined): Address | null {
  if (body === undefined) return null;
  return {
    line1: body.line1 ?? '',
    line2: body.line2 ?? '',
    city: body.city ?? '',
    state: body.state ?? '',
    country: body.country ?? '',
    postalCode: body.postal_code ?? '',
  };
}
