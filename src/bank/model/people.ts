/**
 * Blank values of a person, a business and an account at another bank: an unset text is `''`, an unset object `null`.
 * Also the requirements for the number and the age of a person, and for the age of a business.
 * Source: decisions `v2-ssn`, `v1-person-fields` and `birth-dates` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { type Instant, utcDate } from '../kernel/time.ts';
import type { Address, BankDetails, Business, Person } from './records.ts';

export const BLANK_ADDRESS: Address = {
  line1: '',
  line2: '',
  city: '',
  state: '',
  country: '',
  postalCode: '',
};

export const BLANK_PERSON: Person = {
  firstName: '',
  middleName: '',
  lastName: '',
  idType: '',
  idNumber: '',
  dateOfBirth: '',
  phone: '',
  email: '',
  address: null,
};

export const BLANK_BUSINESS: Business = {
  legalName: '',
  dba: '',
  entityType: '',
  idType: '',
  idNumber: '',
  phone: '',
  email: '',
  formationDate: '',
  address: null,
  website: '',
  about: '',
  industry: '',
  naicsCode: '',
};

export const BLANK_BANK_ACCOUNT: BankDetails = {
  accountNumber: '',
  routingNumber: '',
  accountType: '',
  bankName: '',
};

/** A P.O. box in an address of the United States. */
const POST_BOX = /\b(?:p\.? ?o\.? ?box|p\.?o\.?b\.?|post office box)(?![a-z])/i;

/** The line of an address that is a P.O. box; `undefined` if no line is. */
export function postBoxLine(address: Address | null): 'line1' | 'line2' | undefined {
  if (address === null) return undefined;
  return (['line1', 'line2'] as const).find((line) => POST_BOX.test(address[line]));
}

const WHOLE_SSN = /^\d{9}$/;
const SSN_OF_V1 = /^(?:\d{9}|\d{3}-\d\d-\d{4}|\d{4})$/;

/** The type and the number of a document or registration. */
type Identification = Pick<Person | Business, 'idType' | 'idNumber'>;

/**
 * v2: requires a complete social security number. A number of four digits that v1 stored can stay. Refuses:
 * `field_invalid` for the field `field`.
 */
export function requireFullSsn(
  before: Identification | null,
  after: Identification | null,
  field: string,
): void {
  requireSsn(before, after, WHOLE_SSN, {
    field,
    message:
      'a social security number has nine digits, without dashes; any other number has the type passport or other',
  });
}

/**
 * v1: requires a social security number of nine digits, with or without dashes, or its last four. A number that is
 * already stored can stay. Refuses: `field_invalid` for `idNumber`.
 */
export function requireSsnOfV1(before: Identification | null, after: Identification): void {
  requireSsn(before, after, SSN_OF_V1, {
    field: 'idNumber',
    message:
      'idNumber of the type ssn has nine digits, with or without dashes, or is the last four of them; any other number has another idType',
  });
}

function requireSsn(
  before: Identification | null,
  after: Identification | null,
  form: RegExp,
  // The number itself must not appear in a response or a log.
  refusal: { field: string; message: string },
): void {
  if (after === null || after.idType !== 'ssn' || after.idNumber === '') return;
  if (form.test(after.idNumber)) return;
  if (before?.idType === after.idType && before.idNumber === after.idNumber) return;
  throw refuse('field_invalid', refusal);
}

const ADULT_YEARS = 18;
const OLDEST_YEARS = 120;

/** The date a number of years earlier. */
function yearsBefore(today: string, years: number): string {
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, '0')}${today.slice(4)}`;
}

/** Refuses: `field_invalid` for a formation date in the future; `''` means none. */
export function requireFormed(
  business: Partial<Pick<Business, 'formationDate'>> | null | undefined,
  now: Instant,
  field = 'business.formationDate',
): void {
  const today = utcDate(now);
  if ((business?.formationDate ?? '') <= today) return;
  throw refuse('field_invalid', { field, message: `a formation date must not be after today, ${today}` });
}

/** Refuses: `field_invalid` for a date of birth in the future or too long ago; `''` means none. */
export function requireBorn(
  person: Partial<Pick<Person, 'dateOfBirth'>> | null | undefined,
  now: Instant,
  field = 'person.dateOfBirth',
): void {
  const today = utcDate(now);
  const born = person?.dateOfBirth ?? '';
  if (born > today) {
    throw refuse('field_invalid', { field, message: `a date of birth must not be after today, ${today}` });
  }
  const oldest = yearsBefore(today, OLDEST_YEARS);
  if (born === '' || born >= oldest) return;
  throw refuse('field_invalid', {
    field,
    message: `a date of birth must not be before ${oldest}, ${OLDEST_YEARS} years ago`,
  });
}

/** Refuses: `field_invalid` for a person under 18; a person without a date of birth passes. */
export function requireAdult(
  { dateOfBirth }: Pick<Person, 'dateOfBirth'>,
  now: Instant,
  field = 'person.dateOfBirth',
): void {
  const today = utcDate(now);
  const latest = yearsBefore(today, ADULT_YEARS);
  if (dateOfBirth <= latest) return;
  throw refuse('field_invalid', {
    field,
    message: `a verification requires a person of at least ${ADULT_YEARS} years, born on or before ${latest}`,
  });
}
