/**
 * Formats a card with its person. v1 issues a card for the person of the call, who is also its creator. A card of v2
 * has no creator, unless its card holder is a person of the bank.
 * Source: the card object of the platform's v1 reference; decisions `card-status-changes`, `card-creation-needs` and
 * `v1-one-card-limit` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Card, Program } from '../../../model/records.ts';
import type { CardWithHolder } from '../../../verbs/inputs.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { formatAddress, formatOwner, METADATA } from '../fields.ts';
import { CARD_STATUSES } from '../vocabulary.ts';
import { shownLimit } from './limits.ts';
import {
  type ActivatedCard,
  type CanceledCard,
  type Card as CardShape,
  LABEL,
  LIMIT,
  PLACES,
} from './shapes.ts';

type View = Static<typeof CardShape>;

export const CARD_VIEW = viewV1('card', formatCard);

/** Formats a card. */
export function formatCard({ card, cardHolder, left }: CardWithHolder, program: Program): View {
  const { allowed, blocked, atmEnabled } = card.controls;
  const own = card.holderType === 'person' ? card.holderId : '';
  const { personId, businessId, familyId } = formatOwner(card, cardHolder.personId || own);
  return {
    id: formatV1('card', card.id),
    accountId: formatV1('account', card.accountId),
    businessId,
    familyId,
    programId: formatV1('program', program.programId),
    createdPersonId: personId,
    walletId: '',
    cardholder: {
      id: formatV1('card_holder', cardHolder.id),
      personId,
      name: `${cardHolder.person.firstName} ${cardHolder.person.lastName}`,
      billingAddress: formatAddress('billing', card.billingAddress),
      createdAt: formatInstant(cardHolder.createdAt),
      modifiedAt: formatInstant(cardHolder.updatedAt),
    },
    cardType: card.type,
    ...LABEL.format(card),
    bin: card.bin,
    currency: 'USD',
    ...LIMIT.format(shownLimit(card.controls.limit)),
    availableLimit: left === undefined ? '' : formatMoney(left),
    ...PLACES.format({
      allowedCategories: allowed.categories,
      blockedCategories: blocked.categories,
      allowedMerchants: allowed.merchants,
      blockedMerchants: blocked.merchants,
      atmEnabled,
    }),
    theme: card.theme,
    embossingPerson: card.shipment?.cardHolderName ?? '',
    embossingBusiness: card.shipment?.businessName ?? '',
    shipping: formatShipping(card),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    last4: card.last4,
    cardStatus: CARD_STATUSES[card.status],
    activatedAt: formatInstantOrEmpty(card.activatedAt),
    ...METADATA.format(card),
    createdAt: formatInstant(card.createdAt),
    modifiedAt: formatInstant(card.updatedAt),
  };
}

/** Formats the response to the cancelation of a card. */
export function formatCanceledCard({ card }: CardWithHolder): Static<typeof CanceledCard> {
  return { id: formatV1('card', card.id), cardStatus: 'canceled' };
}

/** Formats the response to the activation of a card. */
export function formatActivatedCard({ card }: CardWithHolder): Static<typeof ActivatedCard> {
  return { id: formatV1('card', card.id), status: 'active' };
}

function formatShipping({ id, shipment, createdAt, updatedAt }: Card): View['shipping'] {
  return (
    shipment && {
      id: formatV1('shipping', id),
      shippingAddress: formatAddress('shipping', shipment.shippingAddress),
      deliveryStatus: shipment.trackingStatus,
      deliveryPartner: shipment.provider,
      // Only v2 shows the date before the card is shipped.
      eta: shipment.trackingStatus === 'pending' ? '' : shipment.eta,
      trackingNumber: shipment.number,
      trackingUrl: shipment.url,
      createdAt: formatInstant(createdAt),
      modifiedAt: formatInstant(updatedAt),
    }
  );
}
