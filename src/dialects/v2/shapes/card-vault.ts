/**
 * What is beside a card's record on v2's wire: the tokens that open its data and its PIN, the data, and its way into a
 * wallet. Of the three objects of a wallet the one that is meant is there, the other two are `null`.
 * Source: "show a card", "set a PIN" and "provision a card" of the platform's v2 reference; rows 45b and 176 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { WALLETS } from '../../../model/vocabulary.ts';
import { body, bodyPart, IdText, Month, nullable, part, record, text, word, Year } from './fields.ts';

export const ShowToken = record('ShowToken', "A token that opens the card's number.", {
  id: IdText,
  show_token: text('Opens the data of the card for five minutes.'),
});
export const SetPinToken = record('SetPinToken', "A token that sets the card's PIN.", {
  id: IdText,
  set_pin_token: text('Sets the PIN of the card within five minutes, once.'),
});

export const ShownCard = record('ShownCard', 'What is printed on a card.', {
  id: IdText,
  card_number: Type.String({ description: 'A test number of 16 digits.' }),
  cvv: text('Three digits.'),
  expiry_month: Month,
  expiry_year: Year,
});

/** What a phone makes of itself may be longer than what people write. */
const DeviceText = Type.Optional(
  Type.String({ maxLength: 20_000, description: 'As the kit of the wallet makes it; not looked at.' }),
);
const ByDevice = bodyPart({ client_customer_id: DeviceText, device_id: DeviceText });

export const ProvisionInput = body(
  'ProvisionInput',
  'The wallet that a card is put into, and what the device says of itself.',
  {
    wallet: word(WALLETS),
    apple_pay: Type.Optional(
      bodyPart({ device_cert: DeviceText, nonce_signature: DeviceText, nonce: DeviceText }),
    ),
    google_pay: Type.Optional(ByDevice),
    samsung_pay: Type.Optional(ByDevice),
  },
);

const opaque = nullable(
  part({
    payment_account_reference: text('Stands for the account of the card; the same each time.'),
    opaque_payment_card: text('Opaque; handed to the kit of the wallet.'),
  }),
);

export const Provisioned = record(
  'Provisioned',
  'What the wallet is handed; the objects of the other wallets are null.',
  {
    wallet: word(WALLETS),
    apple_pay: nullable(
      part({
        payment_account_reference: text('Stands for the account of the card; the same each time.'),
        activation_data: text('Opaque; handed to the kit of the wallet.'),
        encrypted_pass_data: text('Opaque; handed to the kit of the wallet.'),
        ephemeral_public_key: text('Opaque; handed to the kit of the wallet.'),
      }),
    ),
    google_pay: opaque,
    samsung_pay: opaque,
  },
);
