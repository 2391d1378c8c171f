/**
 * What is beside a card's record: tokens, the data that one opens, and what a wallet is handed.
 * Source: the paths and fields that public clients of v1 use; rows 45b, 175 and 176 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { WalletPass } from '../../../bank/inputs.ts';
import type { Card, Token } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { CardPin, PinToken, Provisioned, ShownCard, ShowToken } from '../shapes/card-vault.ts';
import { WALLETS } from '../vocabulary.ts';

/** A token that shows a card. */
export function viewShowToken({ subjectId, token }: Token): Static<typeof ShowToken> {
  return { id: spellV1('card', subjectId), showToken: token };
}

/** A token that sets a PIN. */
export function viewPinToken({ subjectId, token }: Token): Static<typeof PinToken> {
  return { id: spellV1('card', subjectId), pinToken: token };
}

/** A card whose PIN was set. */
export function viewCardPin({ id }: Card): Static<typeof CardPin> {
  return { id: spellV1('card', id) };
}

/** A card with its number and code. */
export function viewShownCard(card: Card): Static<typeof ShownCard> {
  const { number: cardNumber, cvv, expiryMonth, expiryYear } = card;
  return { id: spellV1('card', card.id), cardNumber, cvv, expiryMonth, expiryYear };
}

/** What the wallet's own kit is handed; the objects of the other wallets are `null`. */
export function viewProvisioned(pass: WalletPass): Static<typeof Provisioned> {
  const wallet = WALLETS.v1[pass.wallet];
  const none = { wallet, applePay: null, googlePay: null, samsungPay: null };
  const { wallet: _, ...own } = pass;
  return { ...none, [wallet]: own };
}
