/**
 * What is beside a card's record on v2's wire: the tokens that open its data and its PIN, the data, and its way into a
 * wallet. Of the three objects of a wallet the one that is meant is there, the other two are `null`.
 * Source: "show a card", "set a PIN" and "provision a card" of the platform's v2 reference; rows 45b and 176 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { WALLETS } from '../../../model/vocabulary.ts';
import { body, bodyPart, IdText, nullable, part, record, Text, word } from './fields.ts';

export const ShowToken = record('ShowToken', { id: IdText, show_token: Text });
export const SetPinToken = record('SetPinToken', { id: IdText, set_pin_token: Text });

export const ShownCard = record('ShownCard', {
  id: IdText,
  card_number: Type.String({ description: 'A test number of 16 digits.' }),
  cvv: Text,
  expiry_month: Text,
  expiry_year: Text,
});

/** What a phone makes of itself may be longer than what people write. */
const DeviceText = Type.Optional(Type.String({ maxLength: 20_000 }));
const ByDevice = bodyPart({ client_customer_id: DeviceText, device_id: DeviceText });

export const ProvisionInput = body('ProvisionInput', {
  wallet: word(WALLETS),
  apple_pay: Type.Optional(
    bodyPart({ device_cert: DeviceText, nonce_signature: DeviceText, nonce: DeviceText }),
  ),
  google_pay: Type.Optional(ByDevice),
  samsung_pay: Type.Optional(ByDevice),
});

const opaque = nullable(part({ payment_account_reference: Text, opaque_payment_card: Text }));

export const Provisioned = record('Provisioned', {
  wallet: word(WALLETS),
  apple_pay: nullable(
    part({
      payment_account_reference: Text,
      activation_data: Text,
      encrypted_pass_data: Text,
      ephemeral_public_key: Text,
    }),
  ),
  google_pay: opaque,
  samsung_pay: opaque,
});
