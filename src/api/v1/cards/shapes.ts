/**
 * A card, and the bodies that create, change, activate and replace one. An empty list of controls is `null`; a virtual
 * card has no shipping. A card that was read can be sent back: `null` and `""` empty a field.
 * Source: the card object of the platform's v1 reference; decisions `card-status-changes`, `card-creation-needs` and
 * `v1-one-card-limit` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { MONEY_OR_DOLLARS_PATTERN } from '../../../kernel/money.ts';
import { CARD_BINS, CARD_TYPES, TRACKING_STATUSES } from '../../../model/vocabulary.ts';
import {
  Address,
  AddressInput,
  body,
  Currency,
  DATE_OR_EMPTY,
  enumOf,
  IdText,
  Last4,
  LimitMoney,
  Metadata,
  MetadataInput,
  Month,
  object,
  orNull,
  record,
  Text,
  Time,
  Timestamp,
  text,
  URI_OR_EMPTY,
  Year,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { CARD_STATUS_CHANGES, CARD_STATUSES, LIMIT_INTERVALS } from '../vocabulary.ts';

const textList = (what: string) => orNull(Type.Array(Text, { description: `${what}; null for none.` }));
const CategoryList = textList('Merchant category codes, four digits each');
const MerchantList = textList('Names of merchants');
const STATUSES = [...new Set(Object.values(CARD_STATUSES))];
const INTERVALS = [...LIMIT_INTERVALS.words, ''] as const;

export const Card = record('Card', 'A card of an account.', {
  id: IdText,
  accountId: IdText,
  businessId: IdText,
  familyId: IdText,
  programId: IdText,
  createdPersonId: IdText,
  walletId: IdText,
  cardholder: object({
    id: IdText,
    personId: IdText,
    name: Text,
    billingAddress: orNull(Address),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  }),
  cardType: enumOf(CARD_TYPES),
  label: Text,
  bin: enumOf(CARD_BINS),
  currency: Currency,
  limitAmount: LimitMoney,
  limitInterval: enumOf(INTERVALS),
  availableLimit: text('Dollars and cents that are left of a limit for all time; "" for other limits.'),
  allowedCategories: CategoryList,
  blockedCategories: CategoryList,
  allowedMerchants: MerchantList,
  blockedMerchants: MerchantList,
  atmAccess: Type.Boolean(),
  theme: text('The design of the card.'),
  embossingPerson: text('Printed on the card, at most 23 characters.'),
  embossingBusiness: text('Printed on the card, at most 23 characters.'),
  shipping: orNull(
    object({
      id: IdText,
      shippingAddress: orNull(Address),
      deliveryStatus: enumOf(TRACKING_STATUSES),
      deliveryPartner: text('The carrier.'),
      eta: text('The day on which it is to arrive, YYYY-MM-DD; empty until it is shipped.', DATE_OR_EMPTY),
      trackingNumber: text('The tracking number of the carrier.'),
      trackingUrl: text('The page of the carrier.', URI_OR_EMPTY),
      createdAt: Timestamp,
      modifiedAt: Timestamp,
    }),
  ),
  expiryMonth: Month,
  expiryYear: Year,
  last4: Last4,
  cardStatus: enumOf(STATUSES),
  activatedAt: Time,
  metadata: Metadata,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const CardList = listOf('CardList', Card);
export const CanceledCard = record('CanceledCard', 'A card that was canceled.', {
  id: IdText,
  cardStatus: enumOf(['canceled']),
});
/** The only answer about a card with a field `status`. */
export const ActivatedCard = record('ActivatedCard', 'A card that was activated.', {
  id: IdText,
  status: enumOf(['active']),
});

const Name = Type.String({ maxLength: 500 });
const AmountOrNone = Type.String({
  pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
  description: 'dollars and cents, like "12.50"; "" for none',
});
const AmountFilter = Type.String({
  pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
  description: 'dollars, like "12.50" or "12"',
});
const Categories = orNull(
  Type.Array(Type.String({ pattern: '^\\d{4}$', description: 'four digits' }), {
    maxItems: 1000,
    description: 'merchant category codes',
  }),
);
const Merchants = orNull(
  Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    maxItems: 1000,
    description: 'names of merchants',
  }),
);
const Embossed = Type.String({ maxLength: 500, description: 'at most 23 characters' });

const CHANGEABLE = {
  label: Type.Optional(Name),
  limitAmount: Type.Optional(AmountOrNone),
  limitInterval: Type.Optional(enumOf(INTERVALS)),
  billingAddress: Type.Optional(orNull(AddressInput)),
  allowedCategories: Type.Optional(Categories),
  blockedCategories: Type.Optional(Categories),
  allowedMerchants: Type.Optional(Merchants),
  blockedMerchants: Type.Optional(Merchants),
  atmAccess: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(orNull(MetadataInput)),
};

export const NewCardBody = body('NewCard', 'What makes a card.', {
  accountId: Type.String({ maxLength: 100, description: 'the account that it spends from' }),
  cardType: enumOf(CARD_TYPES),
  bin: Type.Optional(enumOf(CARD_BINS)),
  currency: Type.Optional(enumOf(['USD'])),
  theme: Type.Optional(Name),
  embossingPerson: Type.Optional(Embossed),
  embossingBusiness: Type.Optional(Embossed),
  shipping: Type.Optional(orNull(Type.Object({ shippingAddress: Type.Optional(orNull(AddressInput)) }))),
  ...CHANGEABLE,
});

/** What is left out stays. */
export const CardChangeBody = body('CardChange', 'What of a card can be changed; what is left out stays.', {
  ...CHANGEABLE,
  cardStatus: Type.Optional(enumOf(CARD_STATUS_CHANGES.words)),
});

const printed = (description: string) => Type.String({ maxLength: 100, description });

/** What is printed on a card; whatever it is not differs from the card. */
export const PRINTED = {
  expiryMonth: printed('two digits'),
  expiryYear: printed('four digits'),
  last4: printed('the last four digits of the number'),
};

export const CardActivationBody = body(
  'CardActivation',
  'What is printed on the card, to prove that it has arrived.',
  PRINTED,
);

export const CardReplacementBody = body(
  'CardReplacement',
  'Why a card is replaced, and where the new one goes.',
  {
    reason: enumOf(['lost', 'stolen', 'damaged', 'expired']),
    shipping: Type.Optional(orNull(Type.Object({ shippingAddress: Type.Optional(orNull(AddressInput)) }))),
  },
);

const filters = {
  id: Filter,
  orderBy: Type.Optional(enumOf(['createdAt', '-createdAt'])),
  walletId: Filter,
  cardType: Type.Optional(enumOf(CARD_TYPES)),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'the last four digits of the number' })),
  theme: Filter,
  status: Type.Optional(enumOf(STATUSES)),
  minAvailableLimit: Type.Optional(AmountFilter),
  maxAvailableLimit: Type.Optional(AmountFilter),
};

export const CardQuery = listQuery({ accountId: Type.String({ maxLength: 200 }), ...filters });
export const ProgramCardQuery = listQuery({ accountId: Filter, ...filters });
