/**
 * Does to a card what only the platform and its carrier do: lock, unlock, ship, deliver. What a tracking is not told is
 * made up, the number from the sandbox's own sequence.
 */
import { Type } from '@sinclair/typebox';
import { CARD_EVENTS } from '../../../bank/party-simulation.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { Card } from '../../../dialects/v2/shapes/card.ts';
import { viewCard } from '../../../dialects/v2/views/card.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { isDate } from '../../../kernel/time.ts';
import { controlOperation } from '../operation.ts';
import { readEvent } from '../simulate.ts';

const Text = Type.String({ maxLength: 200 });

export const simulateCard = controlOperation({
  id: 'sandbox_simulate_card',
  method: 'POST',
  path: '/_sandbox/simulate/cards/:card_id/:event',
  group: 'Simulate',
  summary: 'Lock, unlock, ship or deliver a card',
  status: 200,
  refuses: ['card_not_found', 'illegal_step'],
  params: Type.Object({
    card_id: Type.String(),
    event: Type.String({ description: CARD_EVENTS.join(', ') }),
  }),
  body: Type.Object({
    number: Type.Optional({ ...Text, description: 'The number of the parcel at the carrier.' }),
    url: Type.Optional(Text),
    provider: Type.Optional({ ...Text, description: 'The carrier.' }),
    eta: Type.Optional(Type.String({ maxLength: 10, description: 'A date, YYYY-MM-DD.' })),
  }),
  response: Type.Object({ card: Card }),
  example: { params: (world) => ({ card_id: world.seed('virtual_card_id'), event: 'lock' }), body: {} },
  run: async ({ sandbox }, { params, body }) => {
    const id = readId('card', params.card_id);
    const event = readEvent(params.event, CARD_EVENTS);
    if (body.eta !== undefined && !isDate(body.eta)) {
      throw refuse('field_invalid', { field: 'eta', message: 'eta is a date that exists, YYYY-MM-DD' });
    }
    const file = await sandbox.commit(() => sandbox.bank.simulation.card(id, event, body));
    return { card: viewCard(file, sandbox.program) };
  },
});
