/**
 * Shows the number and code of a card to whoever has a token for it, as often as one likes while the token is good; a key
 * is not needed.
 * Source: the platform's page that shows a card; rows 45b and 175 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { ShownCard } from '../../../dialects/v2/shapes/card-vault.ts';
import { viewShownCard } from '../../../dialects/v2/views/card-vault.ts';
import { operation } from '../../operation.ts';

const TOKEN_HEADER = 'show-token';

export const showCard = operation({
  id: 'v2_show_card',
  method: 'GET',
  path: '/v2/issuing/card/:card_id/show',
  summary: 'Show the number and code of a card',
  status: 200,
  refuses: ['card_closed'],
  tokenHeader: TOKEN_HEADER,
  params: Type.Object({ card_id: Type.String() }),
  response: ShownCard,
  example: {
    params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    headers: ({ seed }) => ({ [TOKEN_HEADER]: seed('show_token') }),
  },
  run: ({ bank, token }, { params }) =>
    viewShownCard(bank.cardVault.show(readId('card', params.card_id), token)),
});
