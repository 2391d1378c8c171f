/**
 * Invented places and bank accounts that the examples of v1's operations share. Every field that a body may have is
 * filled in, so that an example shows all of them.
 */
import type { Static } from '@sinclair/typebox';
import type { AddressInput } from '../../dialects/v1/shapes/address.ts';
import type { AchInput } from '../../dialects/v1/shapes/contact.ts';

export const ADDRESS: Static<typeof AddressInput> = {
  addressType: 'check',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

export const BANK_ACCOUNT: Static<typeof AchInput> = {
  accountNumber: '000123456789',
  routingNumber: '122235821',
  accountType: 'businessSavings',
  bankName: 'Example Bank',
};
