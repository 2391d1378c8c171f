/**
 * The shapes of a card, and of the bodies that create, change, activate and replace one. An empty control list is
 * `null`; a virtual card has no shipping. A client can send a card back as it was returned: `null` and `""` clear a
 * field.
 * Source: the card object of the platform's v1 reference; decisions `card-status-changes`, `card-creation-needs` and
 * `v1-one-card-limit` in docs/fidelity.md.
 */
import { type TString, Type } from '@sinclair/typebox';
import {
  type Cents,
  formatMoney,
  MONEY_OR_DOLLARS_PATTERN,
  parseMoneyOrDollars,
} from '../../../kernel/money.ts';
import { CARD_BINS, CARD_TYPES, TRACKING_STATUSES } from '../../../model/vocabulary.ts';
import { as, codec, fields, plain } from '../../codec.ts';
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
  METADATA,
  Month,
  object,
  orNull,
  record,
  Text,
  Time,
  Timestamp,
  text,
  URI_OR_EMPTY,
  wordCodec,
  Year,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { CARD_STATUS_CHANGES, CARD_STATUSES, LIMIT_INTERVALS } from '../vocabulary.ts';

const Name = Type.String({ maxLength: 500 });
export const LABEL = fields({ label: as('label', plain(Name, Text)) });

/** The one limit of v1. */
export const LIMIT = fields({
  limitAmount: as(
    'amount',
    codec(
      Type.String({
        pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
        description: 'dollars and cents, like "12.50"; "" for none',
      }),
      LimitMoney,
      (text) => parseMoneyOrDollars(text) ?? null,
      (cents: Cents | null) => (cents === null ? '' : formatMoney(cents)),
    ),
  ),
  limitInterval: as('interval', wordCodec(LIMIT_INTERVALS)),
});

/** A list for which `null` means empty. */
const listOfTexts = (item: TString, inputWords: string, outputWords: string) =>
  codec(
    orNull(Type.Array(item, { maxItems: 1000, description: inputWords })),
    orNull(Type.Array(Text, { description: `${outputWords}; null for none.` })),
    (list) => list ?? [],
    (list: string[]) => (list.length === 0 ? null : list),
  );
const categories = listOfTexts(
  Type.String({ pattern: '^\\d{4}$', description: 'four digits' }),
  'merchant category codes',
  'Merchant category codes, four digits each',
);
const merchants = listOfTexts(
  Type.String({ minLength: 1, maxLength: 500 }),
  'names of merchants',
  'Names of merchants',
);
/** The control lists of a card, by unique keys. */
export const PLACES = fields({
  allowedCategories: as('allowedCategories', categories),
  blockedCategories: as('blockedCategories', categories),
  allowedMerchants: as('allowedMerchants', merchants),
  blockedMerchants: as('blockedMerchants', merchants),
  atmAccess: as('atmEnabled', plain(Type.Boolean(), Type.Boolean())),
});
const STATUSES = [...new Set(Object.values(CARD_STATUSES))];

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
  ...LABEL.outputs,
  bin: enumOf(CARD_BINS),
  currency: Currency,
  ...LIMIT.outputs,
  availableLimit: text('Dollars and cents that are left of an all-time limit; "" for other limits.'),
  ...PLACES.outputs,
  theme: text('The design of the card.'),
  embossingPerson: text('Printed on the card, at most 23 characters.'),
  embossingBusiness: text('Printed on the card, at most 23 characters.'),
  shipping: orNull(
    object({
      id: IdText,
      shippingAddress: orNull(Address),
      deliveryStatus: enumOf(TRACKING_STATUSES),
      deliveryPartner: text('The carrier.'),
      eta: text('The expected day of arrival, YYYY-MM-DD; empty until it is shipped.', DATE_OR_EMPTY),
      trackingNumber: text('The tracking number of the carrier.'),
      trackingUrl: text('The tracking page of the carrier.', URI_OR_EMPTY),
      createdAt: Timestamp,
      modifiedAt: Timestamp,
    }),
  ),
  expiryMonth: Month,
  expiryYear: Year,
  last4: Last4,
  cardStatus: enumOf(STATUSES),
  activatedAt: Time,
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const CardList = listOf('CardList', Card);
export const CanceledCard = record('CanceledCard', 'A canceled card.', {
  id: IdText,
  cardStatus: enumOf(['canceled']),
});
/** The only response about a card with a field `status`. */
export const ActivatedCard = record('ActivatedCard', 'An activated card.', {
  id: IdText,
  status: enumOf(['active']),
});

const AmountFilter = Type.String({
  pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
  description: 'dollars, like "12.50" or "12"',
});
const Embossed = Type.String({ maxLength: 500, description: 'at most 23 characters' });

const CHANGEABLE = {
  ...LABEL.inputs,
  ...LIMIT.inputs,
  billingAddress: Type.Optional(orNull(AddressInput)),
  ...PLACES.inputs,
  ...METADATA.inputs,
};

export const NewCardBody = body('NewCard', 'The fields of a new card.', {
  accountId: Type.String({ maxLength: 100, description: 'the account of the card' }),
  cardType: enumOf(CARD_TYPES),
  bin: Type.Optional(enumOf(CARD_BINS)),
  currency: Type.Optional(enumOf(['USD'])),
  theme: Type.Optional(Name),
  embossingPerson: Type.Optional(Embossed),
  embossingBusiness: Type.Optional(Embossed),
  shipping: Type.Optional(orNull(Type.Object({ shippingAddress: Type.Optional(orNull(AddressInput)) }))),
  ...CHANGEABLE,
});

/** Fields that are not sent do not change. */
export const CardChangeBody = body(
  'CardChange',
  'The fields of a card that can be updated; fields that are not sent keep their values.',
  {
    ...CHANGEABLE,
    cardStatus: Type.Optional(enumOf(CARD_STATUS_CHANGES.words)),
  },
);

const printed = (description: string) => Type.String({ maxLength: 100, description });

/** The data that is printed on a card. */
export const PRINTED = {
  expiryMonth: printed('two digits'),
  expiryYear: printed('four digits'),
  last4: printed('the last four digits of the number'),
};

export const CardActivationBody = body(
  'CardActivation',
  'The data printed on the card, as a proof that it has arrived.',
  PRINTED,
);

export const CardReplacementBody = body(
  'CardReplacement',
  'The reason for a replacement, and the address for the new card.',
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
