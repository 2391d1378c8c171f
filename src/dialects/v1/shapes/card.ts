/**
 * A card. A list of controls that holds nothing is `null`; a virtual card has no shipping.
 * Source: the card object of the platform's v1 reference; row 26 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { CARD_TYPES, TRACKING_STATUSES } from '../../../model/vocabulary.ts';
import { CARD_STATUSES, LIMIT_INTERVALS } from '../vocabulary.ts';
import { Address } from './address.ts';
import { Metadata, orNull, part, record, Text, Timestamp, wordOf } from './scalars.ts';

const TextList = orNull(Type.Array(Text));

export const Card = record('Card', {
  id: Text,
  accountId: Text,
  businessId: Text,
  familyId: Text,
  programId: Text,
  createdPersonId: Text,
  walletId: Text,
  cardholder: part({
    id: Text,
    personId: Text,
    name: Text,
    billingAddress: orNull(Address),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  }),
  cardType: wordOf(CARD_TYPES),
  label: Text,
  bin: wordOf(['debit', 'credit']),
  currency: Text,
  limitAmount: Text,
  limitInterval: wordOf([...LIMIT_INTERVALS.words, '']),
  availableLimit: Text,
  allowedCategories: TextList,
  blockedCategories: TextList,
  allowedMerchants: TextList,
  blockedMerchants: TextList,
  atmAccess: Type.Boolean(),
  theme: Text,
  embossingPerson: Text,
  embossingBusiness: Text,
  shipping: orNull(
    part({
      id: Text,
      shippingAddress: orNull(Address),
      deliveryStatus: wordOf(TRACKING_STATUSES),
      deliveryPartner: Text,
      eta: Text,
      trackingNumber: Text,
      trackingUrl: Text,
      createdAt: Timestamp,
      modifiedAt: Timestamp,
    }),
  ),
  expiryMonth: Text,
  expiryYear: Text,
  last4: Text,
  cardStatus: wordOf([...new Set(Object.values(CARD_STATUSES))]),
  activatedAt: Timestamp,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});
