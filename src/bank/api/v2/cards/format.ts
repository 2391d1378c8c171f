/**
 * Formats a card. The record never contains its number and code. A card that is not activated yet is `locked`,
 * because v2 has no other status for it.
 * Source: the card record of the platform's v2 reference; decisions `card-holder-id-names` and `card-status-changes`
 * in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Shipment } from '../../../model/records.ts';
import type { CardWithHolder } from '../../../verbs/inputs.ts';
import { type Viewer, viewV2 } from '../../view.ts';
import { formatAttachments } from '../attachments.ts';
import { formatAddress, formatId, formatOwner } from '../fields.ts';
import { CONTROLS } from './controls.ts';
import type { Card } from './shapes.ts';

type CardAnswer = Static<typeof Card>;

export const CARD_VIEW = viewV2('card', formatCard);

/** Formats a card. */
export function formatCard(file: CardWithHolder, { program, attachments }: Viewer): CardAnswer {
  const { card } = file;
  const cardHolderId = formatId('card_holder', card.cardHolderId);
  return {
    id: formatId('card', card.id),
    ...formatOwner(program),
    sub_account_holder_id: formatId('holder', card.holderId),
    sub_account_id: formatId('account', card.accountId),
    cardholder_id: cardHolderId,
    card_holder_id: cardHolderId,
    label: card.label,
    product: card.product,
    theme: card.theme,
    type: card.type,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    last4: card.last4,
    card_fulfilment: card.shipment === null ? null : formatShipment(card.shipment),
    controls: CONTROLS.format(card.controls),
    external_reference_id: card.externalReferenceId,
    attachments: formatAttachments(attachments, card.id),
    metadata: card.metadata,
    status: card.status === 'pending_activation' ? 'locked' : card.status,
    timestamps: {
      created_at: formatInstant(card.createdAt),
      updated_at: formatInstant(card.updatedAt),
      closed_at: formatInstantOrEmpty(card.closedAt),
    },
  };
}

function formatShipment(shipment: Shipment): NonNullable<CardAnswer['card_fulfilment']> {
  return {
    embossing: { card_holder_name: shipment.cardHolderName, business_name: shipment.businessName },
    shipping_address: formatAddress(shipment.shippingAddress),
    tracking: {
      status: shipment.trackingStatus,
      eta: shipment.eta,
      number: shipment.number,
      url: shipment.url,
      provider: shipment.provider,
    },
  };
}
