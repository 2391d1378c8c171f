/**
 * Reissues a card: the answer is the new one.
 * Source: "reissue a card" of the platform's v2 reference; rows 27 and 173 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readCardReplacement } from '../../../dialects/v2/readers/card.ts';
import { Card, CardReplacement } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const replaceCard = operation({
  id: 'v2_replace_card',
  method: 'POST',
  path: '/v2/issuing/card/:card_id/replace',
  summary: 'Reissue a card',
  status: 200,
  refuses: ['illegal_step'],
  params: Type.Object({ card_id: Type.String() }),
  body: CardReplacement,
  response: Card,
  example: {
    params: ({ seed }) => ({ card_id: seed('physical_card_id') }),
    body: { reason: 'damaged', card_fulfilment: { shipping_address: ADDRESS } },
  },
  run: ({ bank }, { params, body }) =>
    viewCard(bank.cards.replace(readId('card', params.card_id), readCardReplacement(body)), bank.program),
});
