/**
 * Puts a card into the wallet of a phone: answers what the wallet's own kit is handed.
 * Source: "provision a card" of the platform's v2 reference; row 176 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readWallet } from '../../../dialects/v2/readers/card.ts';
import { Provisioned, ProvisionInput } from '../../../dialects/v2/shapes/card-vault.ts';
import { viewProvisioned } from '../../../dialects/v2/views/card-vault.ts';
import { operation } from '../../operation.ts';

export const provisionCard = operation({
  id: 'v2_provision_card',
  method: 'POST',
  path: '/v2/issuing/card/:card_id/provision',
  summary: 'Provision a card for a wallet',
  status: 200,
  refuses: ['card_closed', 'illegal_step'],
  params: Type.Object({ card_id: Type.String() }),
  body: ProvisionInput,
  response: Provisioned,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    body: {
      wallet: 'apple_pay',
      apple_pay: { device_cert: 'MIIB', nonce_signature: 'c2lnbmF0dXJl', nonce: 'bm9uY2U' },
      google_pay: { client_customer_id: 'customer-1', device_id: 'device-1' },
      samsung_pay: { client_customer_id: 'customer-1', device_id: 'device-1' },
    },
  },
  run: ({ bank }, { params, body }) =>
    viewProvisioned(bank.cardVault.provision(readId('card', params.card_id), readWallet(body))),
});
