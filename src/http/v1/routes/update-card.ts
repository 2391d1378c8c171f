/**
 * PATCH /v1/card/{cardId}: changes what is sent and answers with the whole card.
 * Source: "update a card" of the platform's v1 reference; rows 26, 39, 45a and 174 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readCardChange } from '../../../dialects/v1/readers/card.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Card, CardChangeBody } from '../../../dialects/v1/shapes/card.ts';
import { viewCard } from '../../../dialects/v1/views/card.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const updateCard = operation({
  id: 'updateCard',
  method: 'PATCH',
  path: '/v1/card/:cardId',
  summary: 'Update a card',
  status: 200,
  refuses: ['illegal_step', 'card_closed', 'card_controls_both'],
  params: Type.Object({ cardId: Type.String() }),
  body: CardChangeBody,
  response: Card,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
    body: {
      label: 'Books',
      limitAmount: '150.00',
      limitInterval: 'allTime',
      billingAddress: { ...ADDRESS, addressType: 'billing' },
      allowedCategories: ['5942'],
      blockedCategories: [],
      allowedMerchants: ['Harbor Books'],
      blockedMerchants: [],
      atmAccess: false,
      metadata: { externalId: '32' },
      cardStatus: 'inactive',
    },
  },
  run({ bank }, { params, body }) {
    const id = readId('card', params.cardId);
    const { card } = bank.cards.byId(id);
    return viewCard(bank.cards.change(id, readCardChange(body, card)), bank.program);
  },
});
