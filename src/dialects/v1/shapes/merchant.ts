/**
 * A merchant, as v1 tells of one: eight texts, all prefixed. A client that makes one up for the card test may leave
 * out what it does not care about.
 * Source: the merchant object of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { part, Text } from './scalars.ts';

export const Merchant = part({
  merchantName: Text,
  merchantCity: Text,
  merchantState: Text,
  merchantCountry: Text,
  postalCode: Text,
  merchantCategory: Text,
  merchantCategoryCode: Text,
  merchantId: Text,
});

export const MerchantInput = Type.Object({
  merchantName: Type.Optional(Type.String({ maxLength: 100 })),
  merchantCity: Type.Optional(Type.String({ maxLength: 100 })),
  merchantState: Type.Optional(Type.String({ maxLength: 100 })),
  merchantCountry: Type.Optional(Type.String({ maxLength: 100 })),
  postalCode: Type.Optional(Type.String({ maxLength: 60 })),
  merchantCategory: Type.Optional(Type.String({ maxLength: 100 })),
  merchantCategoryCode: Type.Optional(Type.String({ pattern: '^(\\d{4})?$', description: 'four digits' })),
  merchantId: Type.Optional(Type.String({ maxLength: 100 })),
});
