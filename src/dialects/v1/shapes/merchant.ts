/**
 * A merchant, as v1 tells of one: eight texts, all prefixed. A client that makes one up for the card test may leave
 * out what it does not care about.
 * Source: the merchant object of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { record, Text, text } from './scalars.ts';

export const Merchant = record('Merchant', 'A merchant, of whom any text may be unknown.', {
  merchantName: Text,
  merchantCity: Text,
  merchantState: Text,
  merchantCountry: Text,
  postalCode: Text,
  merchantCategory: Text,
  merchantCategoryCode: text('Four digits, ISO 18245; "" when unknown.'),
  merchantId: text('The number of the merchant with its own bank.'),
});

export const MerchantInput = Type.Object(
  {
    merchantName: Type.Optional(Type.String({ maxLength: 100 })),
    merchantCity: Type.Optional(Type.String({ maxLength: 100 })),
    merchantState: Type.Optional(Type.String({ maxLength: 100 })),
    merchantCountry: Type.Optional(Type.String({ maxLength: 100 })),
    postalCode: Type.Optional(Type.String({ maxLength: 60 })),
    merchantCategory: Type.Optional(Type.String({ maxLength: 100 })),
    merchantCategoryCode: Type.Optional(Type.String({ pattern: '^(\\d{4})?$', description: 'four digits' })),
    merchantId: Type.Optional(
      Type.String({ maxLength: 100, description: 'the number of the merchant with its own bank' }),
    ),
  },
  { title: 'MerchantInput', description: 'A merchant; what is left out is made up.' },
);
