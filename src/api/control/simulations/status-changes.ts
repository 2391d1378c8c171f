/**
 * Simulations of what only the platform does to a holder, a card or an account: end a verification, lock, unlock,
 * ship, deliver.
 */
import { Type } from '@sinclair/typebox';
import { ACCOUNT_EVENTS, CARD_EVENTS, HOLDER_EVENTS } from '../../../bank/simulation/records.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { isDate } from '../../../kernel/time.ts';
import { formatAccount, SubAccount } from '../../v2/accounts.ts';
import { formatCard } from '../../v2/cards/format.ts';
import { Card } from '../../v2/cards/shapes.ts';
import { parseId } from '../../v2/fields.ts';
import { formatHolder, SubAccountHolder } from '../../v2/holders.ts';
import { controlOperation } from '../operation.ts';
import { parseEvent } from './fields.ts';

const Text = Type.String({ maxLength: 200 });

export const SIMULATION_STATUS_OPERATIONS = [
  /**
   * Ends a holder's KYC or KYB with the given outcome, whatever its id number, or a person's IDV; or locks or unlocks the
   * holder, as only the platform does.
   */
  controlOperation({
    id: 'sandbox_simulate_holder',
    method: 'POST',
    path: '/_sandbox/simulate/holders/:id/:event',
    group: 'Simulate',
    summary: "Pass, review or fail a holder's verification or a person's IDV; lock or unlock a holder",
    status: 200,
    refuses: ['holder_not_found', 'illegal_step'],
    params: Type.Object({ id: Type.String(), event: Type.String({ description: HOLDER_EVENTS.join(', ') }) }),
    response: Type.Object({ holder: SubAccountHolder }),
    example: { params: (world) => ({ id: world.seed('person_holder_id'), event: 'lock' }) },
    run: async ({ sandbox }, { params }) => {
      const id = parseId('holder', params.id);
      const event = parseEvent(params.event, HOLDER_EVENTS);
      const file = await sandbox.commit(() => sandbox.bank.simulation.holder(id, event));
      return { holder: formatHolder(file, sandbox.program) };
    },
  }),

  /**
   * Locks, unlocks, ships or delivers a card, as only the platform and its carrier do. Missing fields of a tracking are
   * made up, the number from the sandbox's own sequence.
   */
  controlOperation({
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
      const id = parseId('card', params.card_id);
      const event = parseEvent(params.event, CARD_EVENTS);
      if (body.eta !== undefined && !isDate(body.eta)) {
        throw refuse('field_invalid', { field: 'eta', message: 'eta is a date that exists, YYYY-MM-DD' });
      }
      const file = await sandbox.commit(() => sandbox.bank.simulation.card(id, event, body));
      return { card: formatCard(file, sandbox.program) };
    },
  }),

  /**
   * Locks or unlocks a sub account, as only the platform does.
   */
  controlOperation({
    id: 'sandbox_simulate_account',
    method: 'POST',
    path: '/_sandbox/simulate/accounts/:id/:event',
    group: 'Simulate',
    summary: 'Lock or unlock a sub account',
    status: 200,
    refuses: ['account_not_found', 'illegal_step'],
    params: Type.Object({
      id: Type.String(),
      event: Type.String({ description: ACCOUNT_EVENTS.join(', ') }),
    }),
    response: Type.Object({ account: SubAccount }),
    example: { params: (world) => ({ id: world.seed('sub_account_id'), event: 'lock' }) },
    run: async ({ sandbox }, { params }) => {
      const id = parseId('account', params.id);
      const event = parseEvent(params.event, ACCOUNT_EVENTS);
      const file = await sandbox.commit(() => sandbox.bank.simulation.account(id, event));
      return { account: formatAccount(file, sandbox.program) };
    },
  }),
] as const;
