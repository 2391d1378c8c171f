/**
 * Parses the bodies that create, change, activate and replace a card, and the filters of their list. A control list
 * of `null` is empty, as in the record.
 * Source: the card operations of the platform's v1 reference; decisions `controls-update`, `card-creation-needs` and
 * `v1-one-card-limit` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { parseMoneyOrDollars } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { on } from '../../../model/conditions.ts';
import type { CardCondition } from '../../../model/filters.ts';
import type { Card, CardLimit } from '../../../model/records.ts';
import type { OffsetWindow } from '../../../store/lists.ts';
import type {
  CardChange,
  CardDetailsInput,
  CardReplacement,
  ControlsChange,
  LeftRange,
  NewCard,
} from '../../../verbs/inputs.ts';
import { METADATA, parseAddress, parseAddressOrNull, pickSent } from '../fields.ts';
import { idFilter, parseCommonFilters, parseWindow, textFilters, wordFilter } from '../paging.ts';
import { CARD_STATUS_CHANGES, CARD_STATUSES } from '../vocabulary.ts';
import { changeShownLimit, NO_LIMIT } from './limits.ts';
import {
  type CardActivationBody,
  type CardChangeBody,
  type CardReplacementBody,
  LABEL,
  LIMIT,
  type NewCardBody,
  PLACES,
  type ProgramCardQuery,
} from './shapes.ts';

type NewBody = Static<typeof NewCardBody>;
type ChangeBody = Static<typeof CardChangeBody>;
type Query = Static<typeof ProgramCardQuery>;

/** Parses a new card. Refuses: `field_invalid`. */
export function parseNewCard(body: NewBody): Omit<NewCard, 'cardHolderId'> {
  const { cardType: type, embossingPerson, embossingBusiness, billingAddress } = body;
  const address = body.shipping?.shippingAddress;
  if (type === 'physical' && address == null) {
    throw refuse('field_invalid', {
      field: 'shipping.shippingAddress',
      message: 'shipping.shippingAddress is required for a physical card',
    });
  }
  const controls = parseControls(body, NO_LIMIT);
  return {
    type,
    ...LABEL.parse(body),
    ...pickSent(body, ['theme', 'bin']),
    ...((embossingPerson !== undefined || embossingBusiness !== undefined) && {
      embossing: { cardHolderName: embossingPerson ?? '', businessName: embossingBusiness ?? '' },
    }),
    ...(address != null && { shippingAddress: parseAddress(address) }),
    ...(billingAddress != null && { billingAddress: parseAddress(billingAddress) }),
    ...(Object.keys(controls).length > 0 && { controls }),
    ...METADATA.parse(body),
  };
}

/** Parses a change of a card, given its current record. Refuses: `field_invalid`. */
export function parseCardChange(body: ChangeBody, present: Card): CardChange {
  const { billingAddress, cardStatus } = body;
  const controls = parseControls(body, present.controls.limit);
  return {
    ...LABEL.parse(body),
    ...(billingAddress !== undefined && { billingAddress: parseAddressOrNull(billingAddress) }),
    ...(Object.keys(controls).length > 0 && { controls }),
    ...METADATA.parse(body),
    // Several states of the bank have the same word in v1; requesting the current word changes nothing.
    ...(cardStatus !== undefined &&
      cardStatus !== CARD_STATUSES[present.status] && { status: CARD_STATUS_CHANGES.parse(cardStatus) }),
  };
}

/** Parses the data that is printed on a card. */
export function parseCardDetails({
  expiryMonth,
  expiryYear,
  last4,
}: Static<typeof CardActivationBody>): CardDetailsInput {
  return { expiryMonth, expiryYear, last4 };
}

/** Parses the shipping address of a replacement card; the reason has no effect. */
export function parseCardReplacement({
  reason,
  shipping,
}: Static<typeof CardReplacementBody>): CardReplacement {
  const address = shipping?.shippingAddress;
  return { reason, ...(address != null && { shippingAddress: parseAddress(address) }) };
}

/**
 * Parses the filters, the order and the page of a list of cards; `left` is set if it filters by the remaining limit.
 * Refuses: `field_invalid`.
 */
export function parseCardQuery(query: Query): {
  where: CardCondition[];
  window: OffsetWindow;
  left: LeftRange | undefined;
} {
  const { id, accountId, orderBy, walletId, cardType, status } = query;
  const min = parseMoneyOrDollars(query.minAvailableLimit ?? '');
  const max = parseMoneyOrDollars(query.maxAvailableLimit ?? '');
  return {
    where: [
      ...idFilter('accountId', 'account', accountId),
      ...parseCommonFilters(query),
      ...idFilter('id', 'card', id),
      ...textFilters(query, { query: 'last4', theme: 'theme' }),
      ...(cardType === undefined ? [] : [on('type', { is: cardType })]),
      ...wordFilter('status', CARD_STATUSES, status),
      // No card is in one of the platform's wallets.
      ...(walletId ? [on('id', { is: '' })] : []),
    ],
    window: {
      ...parseWindow(query),
      order: { field: 'id', direction: orderBy === 'createdAt' ? 'asc' : 'desc' },
    },
    left:
      min === undefined && max === undefined
        ? undefined
        : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) },
  };
}

function parseControls(body: ChangeBody | NewBody, present: CardLimit): ControlsChange {
  const limit = changeShownLimit(present, LIMIT.parse(body));
  const places = PLACES.parse(body);
  const allowed = parseList(places.allowedCategories, places.allowedMerchants);
  const blocked = parseList(places.blockedCategories, places.blockedMerchants);
  return {
    ...(allowed !== undefined && { allowed }),
    ...(blocked !== undefined && { blocked }),
    ...(Object.keys(limit).length > 0 && { limit }),
    ...pickSent(places, ['atmEnabled']),
  };
}

function parseList(
  categories: string[] | undefined,
  merchants: string[] | undefined,
): ControlsChange['allowed'] | undefined {
  if (categories === undefined && merchants === undefined) return undefined;
  return { ...(categories !== undefined && { categories }), ...(merchants !== undefined && { merchants }) };
}
