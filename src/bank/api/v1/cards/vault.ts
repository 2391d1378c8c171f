/**
 * The tokens that show a card's data and set its PIN, the calls with these tokens, and the data for a wallet. A token
 * replaces the API key, so its calls may come from a page of any origin. Only the object of the selected wallet is
 * set; the other two are `null`.
 * Source: the paths and fields that public clients of v1 use, and their pages and apps; decisions `card-number-shown`,
 * `card-tokens`, `card-provision` and `v2-vault-paths` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import type { Card, Token } from '../../../model/records.ts';
import type { MobileWallet } from '../../../model/vocabulary.ts';
import type { WalletPass } from '../../../verbs/inputs.ts';
import { formatV1 } from '../../ids.ts';
import { operation } from '../../operation.ts';
import { body, enumOf, IdText, Month, object, orNull, parseId, record, text, Year } from '../fields.ts';
import { MOBILE_WALLETS } from '../vocabulary.ts';
import { parseCardDetails } from './parse.ts';
import { PRINTED } from './shapes.ts';

const ShowToken = record('ShowToken', "A token that shows the card's number.", {
  id: IdText,
  showToken: text('Shows the data of the card, for five minutes.'),
});
export const PinToken = record('PinToken', "A token that sets the card's PIN.", {
  id: IdText,
  pinToken: text('Sets the PIN of the card within five minutes, once.'),
});
export const CardPin = record('CardPin', 'The card whose PIN was set.', { id: IdText });

export const ShownCard = record('ShownCard', 'The data printed on a card.', {
  id: IdText,
  cardNumber: text('A test number of 16 digits, or the token that stands for one.'),
  cvv: text('Three digits.'),
  expiryMonth: Month,
  expiryYear: Year,
});

const CardPinBody = body('CardPinChange', 'The new PIN of a card, with the data printed on it.', {
  ...PRINTED,
  pin: Type.String({ pattern: '^\\d{4}$', description: 'four digits; it is not stored' }),
});

/** Generated values of a device may be longer than texts that people write. */
const DeviceText = Type.Optional(
  Type.String({ maxLength: 20_000, description: "created by the wallet's SDK; not checked" }),
);
const ByDevice = Type.Object({ clientCustomerId: DeviceText, deviceId: DeviceText });

type WalletWord = (typeof MOBILE_WALLETS.words)[number];

/** A wallet as the responses of v1's page on push provisioning write it: `applepay`. */
const inLowerCase = (word: WalletWord) => word.toLowerCase() as Lowercase<WalletWord>;

const WalletInEitherCase = enumOf([...MOBILE_WALLETS.words, ...MOBILE_WALLETS.words.map(inLowerCase)]);

const APPLE_DEVICE = Type.Optional(
  Type.Object({ deviceCert: DeviceText, nonceSignature: DeviceText, nonce: DeviceText }),
);
const OTHER_DEVICE = Type.Optional(ByDevice);

export const ProvisionBody = body('CardProvision', 'The wallet for a card, and the data of the device.', {
  wallet: WalletInEitherCase,
  applePay: APPLE_DEVICE,
  applepay: APPLE_DEVICE,
  googlePay: OTHER_DEVICE,
  googlepay: OTHER_DEVICE,
  samsungPay: OTHER_DEVICE,
  samsungpay: OTHER_DEVICE,
});

const APPLE_PASS = Type.Optional(
  orNull(
    object({
      paymentAccountReference: text('Identifies the account of the card; always the same.'),
      activationData: text("Opaque data for the wallet's SDK."),
      encryptedPassData: text("Opaque data for the wallet's SDK."),
      ephemeralPublicKey: text("Opaque data for the wallet's SDK."),
    }),
  ),
);
const OTHER_PASS = Type.Optional(
  orNull(
    object({
      paymentAccountReference: text('Identifies the account of the card; always the same.'),
      opaquePaymentCard: text("Opaque data for the wallet's SDK."),
    }),
  ),
);

export const Provisioned = record(
  'ProvisionedCard',
  'The data for the wallet; the objects of the other wallets are null. The letter case is that of the request.',
  {
    wallet: WalletInEitherCase,
    applePay: APPLE_PASS,
    applepay: APPLE_PASS,
    googlePay: OTHER_PASS,
    googlepay: OTHER_PASS,
    samsungPay: OTHER_PASS,
    samsungpay: OTHER_PASS,
  },
);

/** A wallet, and whether the request wrote it or its object in lower case. */
interface RequestedWallet {
  readonly wallet: MobileWallet;
  readonly isLowerCase: boolean;
}

/** Parses the wallet for a card. Refuses: `field_invalid` without the object of that wallet. */
export function parseWallet(body: Static<typeof ProvisionBody>): RequestedWallet {
  const { wallet: sent } = body;
  const word = MOBILE_WALLETS.words.find(
    (known) => known === sent || inLowerCase(known) === sent,
  ) as WalletWord;
  const hasCamelCase = body[word] !== undefined;
  if (!hasCamelCase && body[inLowerCase(word)] === undefined) {
    throw refuse('field_invalid', {
      field: sent,
      message: `the wallet ${sent} requires the object ${sent}`,
    });
  }
  return { wallet: MOBILE_WALLETS.parse(word), isLowerCase: sent !== word || !hasCamelCase };
}

/** Formats a token that shows a card. */
function formatShowToken({ subjectId, token }: Token): Static<typeof ShowToken> {
  return { id: formatV1('card', subjectId), showToken: token };
}

/** Formats a token that sets a PIN. */
function formatPinToken({ subjectId, token }: Token): Static<typeof PinToken> {
  return { id: formatV1('card', subjectId), pinToken: token };
}

/** Formats a card whose PIN was set. */
function formatCardPin({ id }: Card): Static<typeof CardPin> {
  return { id: formatV1('card', id) };
}

/** Formats a card with its number and code. */
function formatShownCard(card: Card): Static<typeof ShownCard> {
  const { number: cardNumber, cvv, expiryMonth, expiryYear } = card;
  return { id: formatV1('card', card.id), cardNumber, cvv, expiryMonth, expiryYear };
}

/** Formats the data for the wallet's SDK; the objects of the other wallets are `null`. */
export function formatProvisioned(
  { wallet, ...own }: WalletPass,
  { isLowerCase }: RequestedWallet,
): Static<typeof Provisioned> {
  const format = (word: WalletWord) => (isLowerCase ? inLowerCase(word) : word);
  const none = Object.fromEntries(MOBILE_WALLETS.words.map((word) => [format(word), null]));
  const named = format(MOBILE_WALLETS.v1[wallet]);
  return { ...none, wallet: named, [named]: own };
}

const showTokenOperation = <const Name extends string>(id: Name, path: string) =>
  operation({
    id,
    method: 'POST',
    path,
    summary: 'Create a token that shows the card data',
    description:
      "Creates a token that shows the number and the code of a card, any number of times for five minutes of the sandbox's clock. A page can use it without the API key. It is refused for a canceled card.",
    answer: 'The token.',
    decisions: ['card-number-shown', 'card-tokens'],
    status: 201,
    refuses: ['card_closed'],
    params: Type.Object({ cardId: Type.String() }),
    response: ShowToken,
    example: {
      params: ({ seed }) => ({ cardId: seed('card_id') }),
    },
    run({ bank, publicToken }, { params }) {
      return formatShowToken(publicToken(bank.cardVault.showToken(parseId('card', params.cardId))));
    },
  });

const SHOW_TOKEN_HEADER = 'sd-show-token';

export function showCardOperation<const Name extends string>(id: Name, path: string) {
  return operation({
    id,
    method: 'GET',
    path,
    summary: 'Show the card data',
    description:
      'Shows the number, the expiry and the code of a card to a caller with a show token of either version. No API key is required, and pages of any origin can use it.',
    answer: 'The number, the expiry and the code of the card.',
    decisions: ['card-number-shown', 'card-tokens', 'v2-vault-paths'],
    status: 200,
    refuses: ['card_closed'],
    tokenHeader: SHOW_TOKEN_HEADER,
    params: Type.Object({ cardId: Type.String() }),
    response: ShownCard,
    example: {
      params: ({ seed }) => ({ cardId: seed('card_id') }),
      headers: ({ seed }) => ({ [SHOW_TOKEN_HEADER]: seed('show_token') }),
    },
    run({ bank, token }, { params }) {
      return formatShownCard(bank.cardVault.show(parseId('card', params.cardId), token));
    },
  });
}

const PIN_TOKEN_HEADER = 'sd-pin-token';

export function setPinOperation<const Name extends string>(id: Name, path: string) {
  return operation({
    id,
    method: 'POST',
    path,
    summary: 'Set the PIN',
    description:
      'Sets the PIN of a card with a token in `sd-pin-token`, which can be used once. The request repeats the last four digits and the expiry of the card. The PIN is not stored, and no event is sent.',
    answer: 'The card whose PIN was set.',
    decisions: ['card-tokens', 'v2-vault-paths'],
    status: 200,
    refuses: ['card_closed', 'card_details_mismatch'],
    tokenHeader: PIN_TOKEN_HEADER,
    params: Type.Object({ cardId: Type.String() }),
    body: CardPinBody,
    response: CardPin,
    example: {
      params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
      headers: ({ seed }) => ({ [PIN_TOKEN_HEADER]: seed('pin_token') }),
      body: ({ seed }) => ({
        expiryMonth: seed('inactive_card_expiry_month'),
        expiryYear: seed('inactive_card_expiry_year'),
        last4: seed('inactive_card_last4'),
        pin: '2580',
      }),
    },
    run({ bank, token }, { params, body }) {
      const id = parseId('card', params.cardId);
      return formatCardPin(bank.cardVault.setPin(id, token, parseCardDetails(body)));
    },
  });
}

export const CARD_VAULT_OPERATIONS = [
  showTokenOperation('createShowToken', '/v1/card/:cardId/showtoken'),
  showTokenOperation('createShowTokenOlder', '/v1/card/:cardId/show-token'),
  showCardOperation('showCard', '/v1/card/:cardId/show'),

  operation({
    id: 'unredactCard',
    method: 'GET',
    path: '/v1/card/:cardId/unredact',
    summary: 'Show the card data with the API key',
    description:
      'Shows the number, the expiry and the code of a card to a caller with the API key. It requires no token, so call it only from a server.',
    answer: 'The number, the expiry and the code of the card.',
    decisions: ['card-tokens'],
    status: 200,
    refuses: ['card_closed'],
    response: ShownCard,
    run: ({ bank }, { params }) => formatShownCard(bank.cardVault.reveal(parseId('card', params.cardId))),
  }),
  setPinOperation('setPin', '/v1/card/:cardId/pin'),

  operation({
    id: 'createPinToken',
    method: 'POST',
    path: '/v1/card/:cardId/pintoken',
    summary: 'Create a token that sets the PIN',
    description:
      "Creates a token that sets the PIN of a card once. It is valid for five minutes of the sandbox's clock. It is refused for a canceled card.",
    answer: 'The token.',
    decisions: ['card-tokens'],
    status: 201,
    refuses: ['card_closed'],
    response: PinToken,
    example: {
      params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
    },
    run({ bank, publicToken }, { params }) {
      return formatPinToken(publicToken(bank.cardVault.pinToken(parseId('card', params.cardId))));
    },
  }),
] as const;
