/**
 * Invented people and places for the examples of v2's operations. All fields of a body are set, so that an example
 * shows every field.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyUpdate } from './counterparties/counterparty.ts';
import type { AddressInput } from './fields.ts';
import type { PersonInput } from './people.ts';

export const ADDRESS: Static<typeof AddressInput> = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};

export const PERSON: Static<typeof PersonInput> = {
  first_name: 'Mara',
  middle_name: '',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: '999999999',
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
};

/** A counterparty of type business. */
export const VENDOR: NonNullable<Static<typeof CounterpartyUpdate>['business']> = {
  legal_name: 'Quill Press LLC',
  dba: 'Quill',
  entity_type: 'limited_liability_company',
  id_type: 'ein',
  id_number: '871230088',
  phone: '+15035550124',
  email: 'desk@quill.example',
  formation_date: '2015-02-28',
  address: ADDRESS,
};

const BANK_ACCOUNT = {
  account_number: '5500112244',
  routing_number: '121042882',
  account_type: 'business_checking',
  bank_name: 'Wells Fargo',
} as const;

/** The details of all rails of a counterparty at another bank. */
export const RAILS: Static<typeof CounterpartyUpdate> = {
  ach: { ...BANK_ACCOUNT, verification_status: 'pass' },
  domestic_wire: BANK_ACCOUNT,
  international_wire: {
    account_number: 'DE89370400440532013000',
    beneficiary_bank: {
      identifier_code: 'COBADEFF',
      name: 'Commerzbank',
      address: { ...ADDRESS, city: 'Frankfurt', state: 'Hesse', country: 'DE' },
    },
    correspondent_bank: { identifier_code: 'SCBLUS33XXX', name: 'Standard Chartered', address: ADDRESS },
  },
  rtp: { ...BANK_ACCOUNT, verification_status: 'pass' },
  fednow: { ...BANK_ACCOUNT, verification_status: 'pass' },
  check: { address: ADDRESS },
  debit_card: {
    card_number: '4000056655665556',
    last4: '5556',
    expiry_month: '04',
    expiry_year: '2030',
    cvv: '123',
    address: ADDRESS,
  },
};

/** An image of one pixel in base64, the smallest valid image of a check. */
export const CHECK_IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
