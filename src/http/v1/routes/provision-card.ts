/**
 * POST /v1/card/{cardId}/provision: puts a card into the wallet of a phone, and answers what the wallet's own kit is
 * handed.
 * Source: the paths that public clients of v1 call; row 176 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readWallet } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { ProvisionBody, Provisioned } from '../../../dialects/v1/shapes/card-vault.ts';
import { viewProvisioned } from '../../../dialects/v1/views/card-vault.ts';
import { operation } from '../../operation.ts';

export const provisionCard = operation({
  id: 'provisionCard',
  method: 'POST',
  path: '/v1/card/:cardId/provision',
  summary: 'Add a card to a wallet',
  status: 201,
  refuses: ['card_closed', 'illegal_step'],
  params: Type.Object({ cardId: Type.String() }),
  body: ProvisionBody,
  response: Provisioned,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
    body: {
      wallet: 'googlePay',
      applePay: { deviceCert: 'MIIB', nonceSignature: 'c2lnbmF0dXJl', nonce: 'bm9uY2U' },
      googlePay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
      samsungPay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
    },
  },
  run({ bank }, { params, body }) {
    return viewProvisioned(bank.cardVault.provision(readId('card', params.cardId), readWallet(body)));
  },
});
