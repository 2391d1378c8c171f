/**
 * Changes a card: its label, controls, references, metadata and status, each only when it is sent.
 * Source: the card update of the platform's v2 reference; rows 26, 39, 45a and 46 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { readCardChange } from '../../../dialects/v2/readers/card.ts';
import { Card, CardUpdate } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { operation } from '../../operation.ts';

export const updateCard = operation({
  id: 'v2_update_card',
  method: 'PATCH',
  path: '/v2/issuing/card/:card_id',
  summary: 'Update a card',
  status: 200,
  refuses: ['illegal_step', 'card_closed', 'card_controls_both'],
  params: Type.Object({ card_id: Type.String() }),
  body: CardUpdate,
  response: Card,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    body: {
      label: 'Fuel',
      controls: {
        allowed: { merchants: ['Harbor Books'], categories: ['5942'], countries: [] },
        blocked: { merchants: [], categories: [], countries: ['CA'] },
        limit: {
          period: 'weekly',
          max_spend_amount: '400.00',
          max_spend_per_transaction: '150.00',
          max_spend_count: '6',
        },
        atm_enabled: 'false',
      },
      external_reference_id: 'card-9',
      metadata: { team: 'field' },
      status: 'open',
    },
  },
  run: ({ bank }, { params, body }) =>
    viewCard(bank.cards.change(readId('card', params.card_id), readCardChange(body)), bank.program),
});
