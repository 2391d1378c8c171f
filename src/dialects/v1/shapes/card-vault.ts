/**
 * What is beside a card's record in v1: the tokens that open its data and its PIN, the data, the PIN, and its way into a
 * wallet. Of the three objects of a wallet the one that is meant is there, the other two are `null`.
 * Source: the paths and fields that public clients of v1 use; rows 45b, 175 and 176 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { WALLETS } from '../vocabulary.ts';
import { PRINTED } from './card.ts';
import { body, orNull, part, record, Text, wordOf } from './scalars.ts';

export const ShowToken = record('ShowToken', { id: Text, showToken: Text });
export const PinToken = record('PinToken', { id: Text, pinToken: Text });
export const CardPin = record('CardPin', { id: Text });

export const ShownCard = record('ShownCard', {
  id: Text,
  cardNumber: Text,
  cvv: Text,
  expiryMonth: Text,
  expiryYear: Text,
});

export const CardPinBody = body('CardPinChange', {
  ...PRINTED,
  pin: Type.String({ pattern: '^\\d{4}$', description: 'four digits; it is not kept' }),
});

/** What a phone makes of itself may be longer than what people write. */
const DeviceText = Type.Optional(Type.String({ maxLength: 20_000 }));
const ByDevice = Type.Object({ clientCustomerId: DeviceText, deviceId: DeviceText });

export const ProvisionBody = body('CardProvision', {
  wallet: wordOf(WALLETS.words),
  applePay: Type.Optional(
    Type.Object({ deviceCert: DeviceText, nonceSignature: DeviceText, nonce: DeviceText }),
  ),
  googlePay: Type.Optional(ByDevice),
  samsungPay: Type.Optional(ByDevice),
});

const opaque = orNull(part({ paymentAccountReference: Text, opaquePaymentCard: Text }));

export const Provisioned = record('ProvisionedCard', {
  wallet: wordOf(WALLETS.words),
  applePay: orNull(
    part({
      paymentAccountReference: Text,
      activationData: Text,
      encryptedPassData: Text,
      ephemeralPublicKey: Text,
    }),
  ),
  googlePay: opaque,
  samsungPay: opaque,
});
