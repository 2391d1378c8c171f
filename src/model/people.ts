/**
 * A person and a business of whom nothing was said: an unset text is `''`, an unset object `null`.
 */
import type { Business, Person } from './records.ts';

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
