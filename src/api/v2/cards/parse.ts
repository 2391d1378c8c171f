/**
 * Parses the bodies that create, change, activate, replace and provision a card, and the filters of the list. What
 * was not sent is absent, so that the bank leaves it as it is; a limit sent as `""` is removed.
 * Source: the card operations of the platform's v2 reference; decisions `card-holder-id-names` and `controls-update`
 * in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardChange, CardDetailsGiven, ControlsChange, NewCard } from '../../../bank/inputs.ts';
import { type Cents, parseMoney } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Address, CardLimit, ControlList } from '../../../model/records.ts';
import type { Wallet } from '../../../model/vocabulary.ts';
import type { Condition } from '../../../store/lists.ts';
import { tryParseId } from '../../ids.ts';
import { parseFlag, parseId, sent } from '../fields.ts';
import { parseAddress } from '../people.ts';
import type { CardActivation, CardQuery, CardReplacement, CardUpdate, NewCardInput } from './shapes.ts';
import type { ProvisionInput } from './vault.ts';

type ControlsBody = NonNullable<Static<typeof CardUpdate>['controls']>;
type ListBody = NonNullable<ControlsBody['allowed']>;
type LimitBody = NonNullable<ControlsBody['limit']>;

/** Parses a new card. Refuses: `field_invalid`, `card_holder_not_found`. */
export function parseNewCard(body: Static<typeof NewCardInput>): NewCard {
  const { card_fulfilment: fulfilment, controls } = body;
  const names = fulfilment?.embossing;
  const address = fulfilment?.shipping_address;
  return {
    cardHolderId: parseCardHolder(body),
    type: body.type,
    ...sent('product', body.product),
    ...sent('theme', body.theme),
    ...sent('label', body.label),
    ...sent(
      'embossing',
      names && { cardHolderName: names.card_holder_name ?? '', businessName: names.business_name ?? '' },
    ),
    ...sent('shippingAddress', address && parseAddress(address)),
    ...sent('controls', controls && parseControls(controls)),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('metadata', body.metadata),
  };
}

/** The table of the reference calls the field by the one name and its samples by the other. */
function parseCardHolder({
  card_holder_id: sample,
  cardholder_id: table,
}: Pick<Static<typeof NewCardInput>, 'card_holder_id' | 'cardholder_id'>) {
  const id = sample ?? table;
  const field = 'card_holder_id';
  if (id === undefined) throw refuse('field_invalid', { field, message: `${field} is required` });
  if (table !== undefined && table !== id) {
    throw refuse('field_invalid', {
      field,
      message: 'card_holder_id and cardholder_id are two names of one field; send one, or the same in both',
    });
  }
  return parseId('card_holder', id);
}

/** Parses what is printed on a card. */
export function parseCardDetails(body: Static<typeof CardActivation>): CardDetailsGiven {
  return { expiryMonth: body.expiry_month, expiryYear: body.expiry_year, last4: body.last4 };
}

/** Parses where a card that replaces another is sent; the reason changes nothing. */
export function parseCardReplacement({ card_fulfilment: fulfilment }: Static<typeof CardReplacement>): {
  shippingAddress?: Address;
} {
  const address = fulfilment?.shipping_address;
  return sent('shippingAddress', address && parseAddress(address));
}

/** Parses which wallet a card is put into. Refuses: `field_invalid` without the object of that wallet. */
export function parseWallet(body: Static<typeof ProvisionInput>): Wallet {
  const { wallet } = body;
  if (body[wallet] === undefined) {
    throw refuse('field_invalid', {
      field: wallet,
      message: `the wallet ${wallet} needs the object ${wallet}`,
    });
  }
  return wallet;
}

/** Parses the filters of the list of cards. */
export function parseCardFilters(query: Static<typeof CardQuery>): Condition[] {
  return [
    ...idFilter('accountId', 'account', query.sub_account_id),
    ...idFilter('cardHolderId', 'card_holder', query.card_holder_id),
    ...idFilter('cardHolderId', 'card_holder', query.cardholder_id),
  ];
}

/** A filter by what is no id finds nothing. */
function idFilter(field: string, kind: 'account' | 'card_holder', text: string | undefined): Condition[] {
  return text === undefined || text === '' ? [] : [{ field, is: tryParseId(kind, text) ?? '' }];
}

/** Parses a change of a card. */
export function parseCardChange(body: Static<typeof CardUpdate>): CardChange {
  return {
    ...sent('label', body.label),
    ...sent('controls', body.controls && parseControls(body.controls)),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('metadata', body.metadata),
    ...sent('status', body.status),
  };
}

function parseControls(body: ControlsBody): ControlsChange {
  return {
    ...sent('allowed', body.allowed && parseList(body.allowed)),
    ...sent('blocked', body.blocked && parseList(body.blocked)),
    ...sent('limit', body.limit && parseLimit(body.limit)),
    ...sent('atmEnabled', body.atm_enabled === undefined ? undefined : parseFlag(body.atm_enabled)),
  };
}

function parseList(body: ListBody): Partial<ControlList> {
  return {
    ...sent('merchants', body.merchants),
    ...sent('categories', body.categories),
    ...sent('countries', body.countries),
  };
}

function parseLimit(body: LimitBody): Partial<CardLimit> {
  return {
    ...sent('period', body.period),
    ...sent('maxSpendAmount', parseLimitAmount(body.max_spend_amount)),
    ...sent('maxSpendPerTransaction', parseLimitAmount(body.max_spend_per_transaction)),
    ...sent('maxSpendCount', parseLimitCount(body.max_spend_count)),
  };
}

function parseLimitAmount(text: string | undefined): Cents | null | undefined {
  if (text === undefined) return undefined;
  return parseMoney(text) ?? null;
}

function parseLimitCount(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === '' ? null : Number(text);
}
