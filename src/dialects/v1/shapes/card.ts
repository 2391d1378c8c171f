/**
 * A card, and the bodies that make, change, activate and replace one. A list of controls that holds nothing is `null`; a
 * virtual card has no shipping. What a client read may be sent back: `null` and `""` empty what they stand for.
 * Source: the card object of the platform's v1 reference; rows 26, 172 and 174 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { MONEY_PATTERN } from '../../../kernel/money.ts';
import { CARD_BINS, CARD_TYPES, TRACKING_STATUSES } from '../../../model/vocabulary.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { CARD_STATUSES, CARD_WISHES, LIMIT_INTERVALS } from '../vocabulary.ts';
import { Address, AddressInput } from './address.ts';
import { body, Metadata, MetadataInput, orNull, part, record, Text, Timestamp, wordOf } from './scalars.ts';

const TextList = orNull(Type.Array(Text));
const STATUSES = [...new Set(Object.values(CARD_STATUSES))];
const INTERVALS = [...LIMIT_INTERVALS.words, ''] as const;

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
  bin: wordOf(CARD_BINS),
  currency: Text,
  limitAmount: Text,
  limitInterval: wordOf(INTERVALS),
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
  cardStatus: wordOf(STATUSES),
  activatedAt: Timestamp,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const CardList = listOf('CardList', Card);
export const CanceledCard = record('CanceledCard', { id: Text, cardStatus: wordOf(['canceled']) });
/** The one answer about a card that says `status`. */
export const ActivatedCard = record('ActivatedCard', { id: Text, status: wordOf(['active']) });

const Name = Type.String({ maxLength: 500 });
const AmountOrNone = Type.String({
  pattern: `^$|${MONEY_PATTERN}`,
  description: 'dollars and cents, like "12.50"; "" for none',
});
const AmountFilter = Type.String({
  pattern: '^$|^(0|[1-9]\\d{0,12})(\\.\\d{2})?$',
  description: 'dollars, like "12.50" or "12"',
});
const Categories = orNull(
  Type.Array(Type.String({ pattern: '^\\d{4}$', description: 'four digits' }), { maxItems: 1000 }),
);
const Merchants = orNull(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 1000 }));
const Embossed = Type.String({ maxLength: 500, description: 'at most 23 characters' });

const CHANGEABLE = {
  label: Type.Optional(Name),
  limitAmount: Type.Optional(AmountOrNone),
  limitInterval: Type.Optional(wordOf(INTERVALS)),
  billingAddress: Type.Optional(orNull(AddressInput)),
  allowedCategories: Type.Optional(Categories),
  blockedCategories: Type.Optional(Categories),
  allowedMerchants: Type.Optional(Merchants),
  blockedMerchants: Type.Optional(Merchants),
  atmAccess: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(orNull(MetadataInput)),
};

export const NewCardBody = body('NewCard', {
  accountId: Type.String({ maxLength: 100 }),
  cardType: wordOf(CARD_TYPES),
  bin: Type.Optional(wordOf(CARD_BINS)),
  currency: Type.Optional(wordOf(['USD'])),
  theme: Type.Optional(Name),
  embossingPerson: Type.Optional(Embossed),
  embossingBusiness: Type.Optional(Embossed),
  shipping: Type.Optional(orNull(Type.Object({ shippingAddress: Type.Optional(orNull(AddressInput)) }))),
  ...CHANGEABLE,
});

/** What is left out stays. */
export const CardChangeBody = body('CardChange', {
  ...CHANGEABLE,
  cardStatus: Type.Optional(wordOf(CARD_WISHES.words)),
});

const printed = (description: string) => Type.String({ maxLength: 100, description });

/** What is printed on a card; whatever it is not differs from the card. */
export const PRINTED = {
  expiryMonth: printed('two digits'),
  expiryYear: printed('four digits'),
  last4: printed('the last four digits of the number'),
};

export const CardActivationBody = body('CardActivation', PRINTED);

export const CardReplacementBody = body('CardReplacement', {
  reason: wordOf(['lost', 'stolen', 'damaged', 'expired']),
  shipping: Type.Optional(orNull(Type.Object({ shippingAddress: Type.Optional(orNull(AddressInput)) }))),
});

const filters = {
  id: Filter,
  orderBy: Type.Optional(wordOf(['createdAt', '-createdAt'])),
  walletId: Filter,
  cardType: Type.Optional(wordOf(CARD_TYPES)),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'the last four digits of the number' })),
  theme: Filter,
  status: Type.Optional(wordOf(STATUSES)),
  minAvailableLimit: Type.Optional(AmountFilter),
  maxAvailableLimit: Type.Optional(AmountFilter),
};

export const CardQuery = listQuery({ accountId: Type.String({ maxLength: 200 }), ...filters });
export const ProgramCardQuery = listQuery({ accountId: Filter, ...filters });
