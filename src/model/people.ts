/**
 * A person and a business of whom nothing was said: an unset text is `''`, an unset object `null`. And what is asked of
 * the number of a person.
 * Source: decision `v2-ssn` in docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Address, Business, Person } from './records.ts';

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

/** A box at a post office, as addresses of the United States name it. */
const POST_BOX = /\b(?:p\.? ?o\.? ?box|p\.?o\.?b\.?|post office box)(?![a-z])/i;

/** The line of an address that is a P.O. box, where nobody lives; `undefined` when none is. */
export function postBoxLine(address: Address | null): 'line1' | 'line2' | undefined {
  if (address === null) return undefined;
  return (['line1', 'line2'] as const).find((line) => POST_BOX.test(address[line]));
}

const WHOLE_SSN = /^\d{9}$/;

/**
 * v2: a social security number that a client says is whole. One that was there already may stay as v1 took it. Refuses:
 * `field_invalid` for the field `field`.
 */
export function requireFullSsn(
  before: Pick<Person, 'idType' | 'idNumber'> | null,
  after: Pick<Person, 'idType' | 'idNumber'> | null,
  field = 'idNumber',
): void {
  if (after === null || after.idType !== 'ssn' || after.idNumber === '') return;
  if (WHOLE_SSN.test(after.idNumber)) return;
  if (before?.idType === after.idType && before.idNumber === after.idNumber) return;
  throw refuse('field_invalid', {
    field,
    // The number itself is nobody's business in an answer or a log.
    message:
      'a social security number has nine digits, without dashes; any other number has the type passport or other',
  });
}
