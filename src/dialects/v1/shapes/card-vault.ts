/**
 * What is beside a card's record in v1: the tokens that open its data and its PIN, the data, the PIN, and its way into a
 * wallet. Of the three objects of a wallet the one that is meant is there, the other two are `null`.
 * Source: the paths and fields that public clients of v1 use; rows 45b, 175 and 176 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { WALLETS } from '../vocabulary.ts';
import { PRINTED } from './card.ts';
import { body, IdText, Month, orNull, part, record, text, wordOf, Year } from './scalars.ts';

export const ShowToken = record('ShowToken', "A token that opens the card's number.", {
  id: IdText,
  showToken: text('Opens the data of the card for five minutes.'),
});
export const PinToken = record('PinToken', "A token that sets the card's PIN.", {
  id: IdText,
  pinToken: text('Sets the PIN of the card within five minutes, once.'),
});
export const CardPin = record('CardPin', 'The card whose PIN was set.', { id: IdText });

export const ShownCard = record('ShownCard', 'What is printed on a card.', {
  id: IdText,
  cardNumber: text('A test number of 16 digits, or the token that stands for one.'),
  cvv: text('Three digits.'),
  expiryMonth: Month,
  expiryYear: Year,
});

export const CardPinBody = body('CardPinChange', 'The new PIN of a card, with what is printed on it.', {
  ...PRINTED,
  pin: Type.String({ pattern: '^\\d{4}$', description: 'four digits; it is not kept' }),
});

/** What a phone makes of itself may be longer than what people write. */
const DeviceText = Type.Optional(
  Type.String({ maxLength: 20_000, description: 'as the kit of the wallet makes it; not looked at' }),
);
const ByDevice = Type.Object({ clientCustomerId: DeviceText, deviceId: DeviceText });

export const ProvisionBody = body(
  'CardProvision',
  'The wallet that a card is put into, and what the device says of itself.',
  {
    wallet: wordOf(WALLETS.words),
    applePay: Type.Optional(
      Type.Object({ deviceCert: DeviceText, nonceSignature: DeviceText, nonce: DeviceText }),
    ),
    googlePay: Type.Optional(ByDevice),
    samsungPay: Type.Optional(ByDevice),
  },
);

const opaque = orNull(
  part({
    paymentAccountReference: text('Stands for the account of the card; the same each time.'),
    opaquePaymentCard: text('Opaque; handed to the kit of the wallet.'),
  }),
);

export const Provisioned = record(
  'ProvisionedCard',
  'What the wallet is handed; the objects of the other wallets are null.',
  {
    wallet: wordOf(WALLETS.words),
    applePay: orNull(
      part({
        paymentAccountReference: text('Stands for the account of the card; the same each time.'),
        activationData: text('Opaque; handed to the kit of the wallet.'),
        encryptedPassData: text('Opaque; handed to the kit of the wallet.'),
        ephemeralPublicKey: text('Opaque; handed to the kit of the wallet.'),
      }),
    ),
    googlePay: opaque,
    samsungPay: opaque,
  },
);
