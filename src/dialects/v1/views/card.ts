/**
 * A card with the person who uses it. v1 has one limit with an amount and a period: a limit per transaction is shown
 * where the card has no other. Nothing is kept of who ordered a card, so only a person's own card names its maker.
 * Source: the card object of the platform's v1 reference; row 26 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardFile } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Card, CardLimit, Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import { spellOwner } from '../ids.ts';
import type { Card as CardShape } from '../shapes/card.ts';
import { CARD_STATUSES, LIMIT_INTERVALS } from '../vocabulary.ts';
import { viewAddress } from './address.ts';

type View = Static<typeof CardShape>;

/** A card. */
export function viewCard({ card, cardHolder }: CardFile, program: Program): View {
  const { allowed, blocked, atmEnabled } = card.controls;
  const { personId, businessId, familyId } = spellOwner(card.holderType, card.holderId);
  return {
    id: spellV1('card', card.id),
    accountId: spellV1('account', card.accountId),
    businessId,
    familyId,
    programId: spellV1('program', program.programId),
    createdPersonId: personId,
    walletId: '',
    cardholder: {
      id: spellV1('card_holder', cardHolder.id),
      personId,
      name: `${cardHolder.person.firstName} ${cardHolder.person.lastName}`,
      billingAddress: viewAddress('billing', card.billingAddress),
      createdAt: formatInstant(cardHolder.createdAt),
      modifiedAt: formatInstant(cardHolder.updatedAt),
    },
    cardType: card.type,
    label: card.label,
    bin: 'debit',
    currency: 'USD',
    ...viewLimit(card.controls.limit),
    allowedCategories: listOrNull(allowed.categories),
    blockedCategories: listOrNull(blocked.categories),
    allowedMerchants: listOrNull(allowed.merchants),
    blockedMerchants: listOrNull(blocked.merchants),
    atmAccess: atmEnabled,
    theme: card.theme,
    embossingPerson: card.shipment?.cardHolderName ?? '',
    embossingBusiness: card.shipment?.businessName ?? '',
    shipping: viewShipping(card),
    expiryMonth: card.expiryMonth,
    expiryYear: card.expiryYear,
    last4: card.last4,
    cardStatus: CARD_STATUSES[card.status],
    activatedAt: formatInstantOrEmpty(card.activatedAt),
    metadata: card.metadata,
    createdAt: formatInstant(card.createdAt),
    modifiedAt: formatInstant(card.updatedAt),
  };
}

function viewLimit({ period, maxSpendAmount, maxSpendPerTransaction }: CardLimit) {
  const single = maxSpendAmount === null && maxSpendPerTransaction !== null;
  const interval = single ? 'per_transaction' : period;
  const amount = interval === 'per_transaction' ? (maxSpendPerTransaction ?? maxSpendAmount) : maxSpendAmount;
  const limitAmount = amount === null ? '' : formatMoney(amount);
  return {
    limitAmount,
    limitInterval: interval === '' ? interval : LIMIT_INTERVALS.v1[interval],
    // What is left of it is no part of the card's record, so this is the figure that a new card shows.
    availableLimit: interval === 'all_time' ? limitAmount : '',
  };
}

function viewShipping({ id, shipment, createdAt, updatedAt }: Card): View['shipping'] {
  return (
    shipment && {
      id: spellV1('shipping', id),
      shippingAddress: viewAddress('shipping', shipment.shippingAddress),
      deliveryStatus: shipment.trackingStatus,
      deliveryPartner: shipment.provider,
      eta: shipment.eta,
      trackingNumber: shipment.number,
      trackingUrl: shipment.url,
      createdAt: formatInstant(createdAt),
      modifiedAt: formatInstant(updatedAt),
    }
  );
}

const listOrNull = (list: string[]): string[] | null => (list.length === 0 ? null : list);
