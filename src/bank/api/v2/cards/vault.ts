/**
 * Card data outside of the card's record: the tokens for a card's data and its PIN, the data, and the data for a
 * wallet, in which two of the three objects are `null`. The platform's pages and apps call some operations below /v2
 * in the format of v1: the number and code of a card, its PIN, the debit card of a contact. These are v1's operations
 * at other paths, with v1's tokens, bodies and records, but v2's refusals.
 * Source: "show a card", "set a PIN" and "provision a card" of the platform's v2 reference, and the platform's public
 * samples; decisions `card-number-shown`, `card-provision` and `v2-vault-paths` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Card, Token } from '../../../model/records.ts';
import { MOBILE_WALLETS } from '../../../model/vocabulary.ts';
import type { WalletPass } from '../../../verbs/inputs.ts';
import { operation } from '../../operation.ts';
import { setPinOperation, showCardOperation } from '../../v1/cards/vault.ts';
import { debitCardOperation } from '../../v1/contacts/operations.ts';
import {
  body,
  bodyObject,
  enumOf,
  formatId,
  IdText,
  Month,
  nullable,
  object,
  parseId,
  record,
  text,
  Year,
} from '../fields.ts';

export const ShowToken = record('ShowToken', "A token that shows the card's number.", {
  id: IdText,
  show_token: text('Shows the data of the card, for five minutes.'),
});
export const SetPinToken = record('SetPinToken', "A token that sets the card's PIN.", {
  id: IdText,
  set_pin_token: text('Sets the PIN of the card within five minutes, once.'),
});

export const ShownCard = record('ShownCard', 'The data printed on a card.', {
  id: IdText,
  card_number: Type.String({ description: 'A test number of 16 digits.' }),
  cvv: text('Three digits.'),
  expiry_month: Month,
  expiry_year: Year,
});

/** Generated values of a phone may be longer than texts that people write. */
const DeviceText = Type.Optional(
  Type.String({ maxLength: 20_000, description: "Created by the wallet's SDK; not checked." }),
);
const ByDevice = bodyObject({ client_customer_id: DeviceText, device_id: DeviceText });

export const ProvisionInput = body('ProvisionInput', 'The wallet for a card, and the data of the device.', {
  wallet: enumOf(MOBILE_WALLETS),
  apple_pay: Type.Optional(
    bodyObject({ device_cert: DeviceText, nonce_signature: DeviceText, nonce: DeviceText }),
  ),
  google_pay: Type.Optional(ByDevice),
  samsung_pay: Type.Optional(ByDevice),
});

const opaque = nullable(
  object({
    payment_account_reference: text('Identifies the account of the card; always the same.'),
    opaque_payment_card: text("Opaque data for the wallet's SDK."),
  }),
);

export const Provisioned = record(
  'Provisioned',
  'The data for the wallet; the objects of the other wallets are null.',
  {
    wallet: enumOf(MOBILE_WALLETS),
    apple_pay: nullable(
      object({
        payment_account_reference: text('Identifies the account of the card; always the same.'),
        activation_data: text("Opaque data for the wallet's SDK."),
        encrypted_pass_data: text("Opaque data for the wallet's SDK."),
        ephemeral_public_key: text("Opaque data for the wallet's SDK."),
      }),
    ),
    google_pay: opaque,
    samsung_pay: opaque,
  },
);

/** Formats a token that shows a card. */
function formatShowToken({ subjectId, token }: Token): Static<typeof ShowToken> {
  return { id: formatId('card', subjectId), show_token: token };
}

/** Formats a token that sets a PIN. */
function formatSetPinToken({ subjectId, token }: Token): Static<typeof SetPinToken> {
  return { id: formatId('card', subjectId), set_pin_token: token };
}

/** Formats a card with its number and code. */
function formatShownCard(card: Card): Static<typeof ShownCard> {
  return {
    id: formatId('card', card.id),
    card_number: card.number,
    cvv: card.cvv,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
  };
}

/** Formats the data for the wallet's SDK; the objects of the other wallets are `null`. */
export function formatProvisioned(pass: WalletPass): Static<typeof Provisioned> {
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

const TOKEN_HEADER = 'show-token';

const DEBIT_CARD = '/v2/contact/:contactId/debitcard';

const withRecordsOfV1 = <O extends object>(operation: O) => ({ ...operation, recordsOf: 'v1' as const });

const showCardV1 = withRecordsOfV1(showCardOperation('v2_show_card_v1', '/v2/card/:cardId/show'));
const setPin = withRecordsOfV1(setPinOperation('v2_set_pin', '/v2/card/:cardId/pin'));
const updateDebitCard = withRecordsOfV1(debitCardOperation('v2_update_debit_card', 'PATCH', DEBIT_CARD));
const setDebitCard = withRecordsOfV1(debitCardOperation('v2_set_debit_card', 'POST', DEBIT_CARD));

export const CARD_VAULT_OPERATIONS = [
  showCardV1,
  setPin,
  updateDebitCard,
  setDebitCard,

  operation({
    id: 'v2_create_set_pin_token',
    method: 'POST',
    path: '/v2/issuing/card/:card_id/set_pin_token',
    summary: 'Create a token that sets a PIN',
    description:
      "Creates a token that sets the PIN of a card once. It is valid for five minutes of the sandbox's clock. It is refused for a closed card.",
    answer: 'The token.',
    decisions: ['card-tokens'],
    status: 200,
    refuses: ['card_closed_for_pin'],
    response: SetPinToken,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    },
    run: ({ bank, publicToken }, { params }) =>
      formatSetPinToken(publicToken(bank.cardVault.pinToken(parseId('card', params.card_id)))),
  }),

  operation({
    id: 'v2_create_show_token',
    method: 'POST',
    path: '/v2/issuing/card/:card_id/show_token',
    summary: 'Create a token that shows a card',
    description:
      "Creates a token that shows the number and the code of a card, any number of times for five minutes of the sandbox's clock. A page can use it without the API key. It is refused for a closed card.",
    answer: 'The token.',
    decisions: ['card-number-shown', 'card-tokens'],
    status: 200,
    refuses: ['card_closed'],
    response: ShowToken,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    },
    run: ({ bank, publicToken }, { params }) =>
      formatShowToken(publicToken(bank.cardVault.showToken(parseId('card', params.card_id)))),
  }),

  operation({
    id: 'v2_show_card',
    method: 'GET',
    path: '/v2/issuing/card/:card_id/show',
    summary: 'Show the number and code of a card',
    description:
      'Shows the number, the expiry and the code of a card to a caller with a show token. No API key is required, and pages of any origin can use it.',
    answer: 'The number, the expiry and the code of the card.',
    decisions: ['card-number-shown', 'card-tokens'],
    status: 200,
    refuses: ['card_closed'],
    tokenHeader: TOKEN_HEADER,
    response: ShownCard,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
      headers: ({ seed }) => ({ [TOKEN_HEADER]: seed('show_token') }),
    },
    run: ({ bank, token }, { params }) =>
      formatShownCard(bank.cardVault.show(parseId('card', params.card_id), token)),
  }),
] as const;
