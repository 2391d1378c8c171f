/**
 * The shapes of a v2 card, and of the bodies that create, change, activate and replace one. The card holder's id has
 * both names that the platform publishes, in requests and responses. An unset limit is `""`, which a request may also
 * contain.
 * Source: the card operations of the platform's v2 reference; decisions `card-holder-id-names`, `card-status-changes`
 * and `card-creation-needs` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { CARD_PRODUCTS, CARD_TYPES, TRACKING_STATUSES } from '../../../model/vocabulary.ts';
import {
  Address,
  AddressInput,
  Attachments,
  body,
  bodyObject,
  DATE_OR_EMPTY,
  ExternalId,
  ExternalIdInput,
  enumOf,
  IdInput,
  IdText,
  Last4,
  Metadata,
  MetadataInput,
  Month,
  nullable,
  object,
  record,
  Text,
  TextInput,
  Time,
  Timestamp,
  text,
  URI_OR_EMPTY,
  Year,
} from '../fields.ts';
import { listOf, PageQuery } from '../paging.ts';
import { CONTROLS } from './controls.ts';

export const Card = record('Card', 'A card of a card holder.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  cardholder_id: IdText,
  card_holder_id: IdText,
  label: Text,
  product: enumOf(CARD_PRODUCTS),
  theme: text('The design of the card.'),
  type: enumOf(CARD_TYPES),
  expiry_month: Month,
  expiry_year: Year,
  last4: Last4,
  card_fulfilment: nullable(
    object({
      embossing: object({
        card_holder_name: text('Printed on the card, at most 23 characters.'),
        business_name: text('Printed on the card, at most 23 characters.'),
      }),
      shipping_address: nullable(Address),
      tracking: object({
        status: enumOf(TRACKING_STATUSES),
        eta: text('The expected day of arrival, YYYY-MM-DD; "" when unset.', DATE_OR_EMPTY),
        number: text('The tracking number of the carrier.'),
        url: text('Tracking page of the carrier; "" until it is shipped.', URI_OR_EMPTY),
        provider: text('The carrier.'),
      }),
    }),
  ),
  controls: object(CONTROLS.outputs),
  external_reference_id: ExternalId,
  attachments: Attachments,
  metadata: Metadata,
  status: enumOf(
    ['open', 'closed', 'blocked', 'locked', 'credit_blocked', 'debit_blocked'],
    'A card never has the last two states, which occur only as names of events: a card cannot be blocked in one direction.',
  ),
  timestamps: object({ created_at: Timestamp, updated_at: Timestamp, closed_at: Time }),
});

const EmbossedInput = Type.String({ maxLength: 2000, description: 'At most 23 characters.' });

const ControlsInput = bodyObject(CONTROLS.inputs, { emptyClears: true });

const CHANGEABLE = {
  label: Type.Optional(TextInput),
  controls: Type.Optional(ControlsInput),
  external_reference_id: Type.Optional(ExternalIdInput),
  metadata: Type.Optional(MetadataInput),
};

const CardHolderId = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The id of the card holder; the field has two names.',
});

/** One of the two names of the card holder is required, which parsing checks; the message for a missing type is the platform's. */
export const NewCardInput = body(
  'NewCardInput',
  'The fields of a new card.',
  {
    card_holder_id: Type.Optional(CardHolderId),
    cardholder_id: Type.Optional(CardHolderId),
    type: enumOf(CARD_TYPES),
    product: Type.Optional(enumOf(CARD_PRODUCTS)),
    theme: Type.Optional({ ...TextInput, description: 'The design of the card.' }),
    card_fulfilment: Type.Optional(
      bodyObject({
        embossing: Type.Optional(
          bodyObject({
            card_holder_name: Type.Optional(EmbossedInput),
            business_name: Type.Optional(EmbossedInput),
          }),
        ),
        shipping_address: Type.Optional(AddressInput),
      }),
    ),
    ...CHANGEABLE,
  },
  { missing: { type: 'enum is required' } },
);

/** A text that is printed on a card. */
const Printed = (description: string) => Type.String({ maxLength: 100, description });

export const CardActivation = body(
  'CardActivation',
  'The data printed on the card, as a proof that it has arrived.',
  {
    expiry_month: Printed('Two digits.'),
    expiry_year: Printed('Four digits.'),
    last4: Printed('The last four digits of the number.'),
  },
);

export const CardReplacementInput = body(
  'CardReplacement',
  'The reason for a replacement, and the address for the new card.',
  {
    reason: enumOf(['lost', 'stolen', 'damaged', 'expired']),
    card_fulfilment: Type.Optional(bodyObject({ shipping_address: Type.Optional(AddressInput) })),
  },
);

export const CardList = listOf('CardList', Card);

export const CardQuery = Type.Object({
  ...PageQuery.properties,
  sub_account_id: Type.Optional(IdInput),
  card_holder_id: Type.Optional(IdInput),
  cardholder_id: Type.Optional(IdInput),
});

export const CardUpdate = body(
  'CardUpdate',
  'The fields of a card that can be updated; fields that are not sent keep their values.',
  {
    ...CHANGEABLE,
    status: Type.Optional(enumOf(['open', 'closed', 'blocked'])),
  },
);
