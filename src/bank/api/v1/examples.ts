/**
 * Invented addresses, bank accounts and a business for the examples of several operations. All fields of a body are
 * set, so that an example shows every field.
 */
import type { Static } from '@sinclair/typebox';
import type { NewBusinessBody } from './businesses/shapes.ts';
import type { ContactChangeBody } from './contacts/shapes.ts';
import type { AddressInput } from './fields.ts';

export const ADDRESS: Static<typeof AddressInput> = {
  addressType: 'check',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

type Rails = Static<typeof ContactChangeBody>;

export const BANK_ACCOUNT: NonNullable<Rails['ach']> = {
  accountNumber: '000123456789',
  routingNumber: '122235821',
  accountType: 'businessSavings',
  bankName: 'Example Bank',
};

export const WIRE: NonNullable<Rails['wire']> = {
  domestic: { ...BANK_ACCOUNT, address: ADDRESS },
  international: {
    accountNumber: 'DE89370400440532013000',
    accountType: 'business',
    bankIdentifierCode: 'COBADEFF',
    bankIdentifierType: 'swift',
    beneficiaryBank: 'Commerzbank',
    beneficiaryBankAddress: { ...ADDRESS, city: 'Frankfurt', state: 'Hesse', country: 'DE' },
    beneficiaryAddress: ADDRESS,
    correspondentBank: 'Standard Chartered',
    correspondentBankAddress: ADDRESS,
    correspondentBankIdentifierCode: 'SCBLUS33XXX',
  },
};

export const BUSINESS: Static<typeof NewBusinessBody> = {
  legalName: 'Alder & Sons LLC',
  entityType: 'limitedLiabilityCompany',
  dba: 'Alder',
  email: 'desk@alder.example',
  idType: 'ein',
  idNumber: '999999999',
  phone: '+15035550160',
  formationDate: '2018-02-18',
  website: 'alder.example',
  about: 'furniture to order',
  industry: 'manufacturing',
  naicsCode: '332710',
  address: { ...ADDRESS, addressType: 'mailing' },
  metadata: { externalId: '7' },
};
