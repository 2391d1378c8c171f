/**
 * Parses the bodies that create, change, activate, replace and provision a card, and the filters of the list. Fields
 * that were not sent are absent, so that the bank does not change them; a limit sent as `""` is removed.
 * Source: the card operations of the platform's v2 reference; decisions `card-holder-id-names` and `controls-update`
 * in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import { on } from '../../../model/conditions.ts';
import type { CardCondition } from '../../../model/filters.ts';
import type { MobileWallet } from '../../../model/vocabulary.ts';
import type { CardChange, CardDetailsInput, CardReplacement, NewCard } from '../../../verbs/inputs.ts';
import { tryParseId } from '../../ids.ts';
import { ifPresent, parseAddress, parseId } from '../fields.ts';
import { CONTROLS } from './controls.ts';
import type { CardActivation, CardQuery, CardReplacementInput, CardUpdate, NewCardInput } from './shapes.ts';
import type { ProvisionInput } from './vault.ts';

/** Parses a new card. Refuses: `field_invalid`, `card_holder_not_found`. */
export function parseNewCard(body: Static<typeof NewCardInput>): NewCard {
  const { card_fulfilment: fulfilment, controls } = body;
  const names = fulfilment?.embossing;
  const address = fulfilment?.shipping_address;
  return {
    cardHolderId: parseCardHolder(body),
    type: body.type,
    ...ifPresent('product', body.product),
    ...ifPresent('theme', body.theme),
    ...ifPresent('label', body.label),
    ...ifPresent(
      'embossing',
      names && { cardHolderName: names.card_holder_name ?? '', businessName: names.business_name ?? '' },
    ),
    ...ifPresent('shippingAddress', address && parseAddress(address)),
    ...ifPresent('controls', controls && CONTROLS.parse(controls)),
    ...ifPresent('externalReferenceId', body.external_reference_id),
    ...ifPresent('metadata', body.metadata),
  };
}

/** The reference uses one name for the field in its table and another in its samples, so both are accepted. */
function parseCardHolder({
  card_holder_id: sample,
  cardholder_id: table,
}: Pick<Static<typeof NewCardInput>, 'card_holder_id' | 'cardholder_id'>) {
  const id = sample ?? table;
  const field = 'card_holder_id';
  if (id === undefined) throw refuse('field_missing', { field, message: `${field} is required` });
  if (table !== undefined && table !== id) {
    throw refuse('field_invalid', {
      field,
      message:
        'card_holder_id and cardholder_id are two names of the same field; send one of them, or the same value in both',
    });
  }
  return parseId('card_holder', id);
}

/** Parses the texts that are printed on a card. */
export function parseCardDetails(body: Static<typeof CardActivation>): CardDetailsInput {
  return { expiryMonth: body.expiry_month, expiryYear: body.expiry_year, last4: body.last4 };
}

/** Parses the replacement of a card. */
export function parseCardReplacement({
  reason,
  card_fulfilment: fulfilment,
}: Static<typeof CardReplacementInput>): CardReplacement {
  const address = fulfilment?.shipping_address;
  return {
    ...ifPresent('reason', reason),
    ...ifPresent('shippingAddress', address && parseAddress(address)),
    strict: true,
  };
}

/** Parses the wallet for a card. Refuses: `field_invalid` without the object of that wallet. */
export function parseWallet(body: Static<typeof ProvisionInput>): MobileWallet {
  const { wallet } = body;
  if (body[wallet] === undefined) {
    throw refuse('field_invalid', {
      field: wallet,
      message: `the wallet ${wallet} requires the object ${wallet}`,
    });
  }
  return wallet;
}

/** Parses the filters of the list of cards. */
export function parseCardFilters(query: Static<typeof CardQuery>): CardCondition[] {
  return [
    ...idFilter('accountId', 'account', query.sub_account_id),
    ...idFilter('cardHolderId', 'card_holder', query.card_holder_id),
    ...idFilter('cardHolderId', 'card_holder', query.cardholder_id),
  ];
}

/** A filter by a malformed id matches nothing. */
function idFilter(
  field: 'accountId' | 'cardHolderId',
  kind: 'account' | 'card_holder',
  text: string | undefined,
): CardCondition[] {
  return text === undefined || text === '' ? [] : [on(field, { is: tryParseId(kind, text) ?? '' })];
}

/** Parses a change of a card. */
export function parseCardChange(body: Static<typeof CardUpdate>): CardChange {
  return {
    ...ifPresent('label', body.label),
    ...ifPresent('controls', body.controls && CONTROLS.parse(body.controls)),
    ...ifPresent('externalReferenceId', body.external_reference_id),
    ...ifPresent('metadata', body.metadata),
    ...ifPresent('status', body.status),
    strict: true,
  };
}
