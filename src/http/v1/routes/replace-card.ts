/**
 * POST /v1/card/{cardId}/replace: makes another card in the place of this one, and answers with the other.
 * Source: "replace a card" of the platform's v1 reference; rows 27 and 173 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readCardReplacement } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Card, CardReplacementBody } from '../../../dialects/v1/shapes/card.ts';
import { viewCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const replaceCard = operation({
  id: 'replaceCard',
  method: 'POST',
  path: '/v1/card/:cardId/replace',
  summary: 'Replace a card',
  status: 201,
  refuses: ['illegal_step'],
  params: Type.Object({ cardId: Type.String() }),
  body: CardReplacementBody,
  response: Card,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
    body: {
      reason: 'lost',
      shipping: { shippingAddress: { ...ADDRESS, addressType: 'shipping' } },
    },
  },
  run({ bank }, { params, body }) {
    const id = readId('card', params.cardId);
    return viewCard(bank.cards.replace(id, readCardReplacement(body)), bank.program);
  },
});
