/**
 * Writes what is beside a card's record: tokens, the data that one opens, and what a wallet is handed.
 * Source: "show a card", "set a PIN" and "provision a card" of the platform's v2 reference; rows 45b and 176 of
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { WalletPass } from '../../../bank/inputs.ts';
import type { Card, Token } from '../../../model/records.ts';
import { writeId } from '../ids.ts';
import type { Provisioned, SetPinToken, ShownCard, ShowToken } from '../shapes/card-vault.ts';

/** Writes a token that shows a card. */
export function viewShowToken({ subjectId, token }: Token): Static<typeof ShowToken> {
  return { id: writeId('card', subjectId), show_token: token };
}

/** Writes a token that sets a PIN. */
export function viewSetPinToken({ subjectId, token }: Token): Static<typeof SetPinToken> {
  return { id: writeId('card', subjectId), set_pin_token: token };
}

/** Writes a card with its number and code. */
export function viewShownCard(card: Card): Static<typeof ShownCard> {
  return {
    id: writeId('card', card.id),
    card_number: card.number,
    cvv: card.cvv,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
  };
}

/** Writes what the wallet's own kit is handed; the objects of the other wallets are `null`. */
export function viewProvisioned(pass: WalletPass): Static<typeof Provisioned> {
  const none = { wallet: pass.wallet, apple_pay: null, google_pay: null, samsung_pay: null };
  const payment_account_reference = pass.paymentAccountReference;
  if (pass.wallet === 'apple_pay') {
    return {
      ...none,
      apple_pay: {
        payment_account_reference,
        activation_data: pass.activationData,
        encrypted_pass_data: pass.encryptedPassData,
        ephemeral_public_key: pass.ephemeralPublicKey,
      },
    };
  }
  const opaque_payment_card = pass.opaquePaymentCard;
  return { ...none, [pass.wallet]: { payment_account_reference, opaque_payment_card } };
}
