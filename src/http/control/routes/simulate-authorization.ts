/**
 * The life of a card authorization: more is held, it is captured once or in parts, given back, forgotten, refunded. A
 * capture posts whatever the account has, as the card networks do; what exceeds the hold is a row of its own.
 */
import { Type } from '@sinclair/typebox';
import { AUTHORIZATION_EVENTS, type AuthorizationEvent } from '../../../bank/card-purchases.ts';
import type { AuthorizationWish } from '../../../bank/simulation.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { controlOperation } from '../operation.ts';
import { Amount, readAmount, readEvent } from '../simulate.ts';

export const simulateAuthorization = controlOperation({
  id: 'sandbox_simulate_authorization',
  method: 'POST',
  path: '/_sandbox/simulate/authorizations/:transaction_id/:event',
  group: 'Simulate',
  summary: 'Increment, capture, reverse, expire or refund a card authorization',
  status: 200,
  refuses: ['illegal_step', 'parent_wrong', 'transaction_not_found', 'amount_invalid'],
  params: Type.Object({
    transaction_id: Type.String(),
    event: Type.String({ description: AUTHORIZATION_EVENTS.join(', ') }),
  }),
  body: Type.Object({
    amount: Type.Optional(Amount),
    final: Type.Optional(
      Type.Boolean({ description: 'Of a capture: false keeps the rest held. True when not sent.' }),
    ),
  }),
  response: Type.Object({
    transaction: Transaction,
    authorization: Transaction,
  }),
  example: { params: { event: 'capture' }, body: { amount: '12.50' } },
  run: async ({ sandbox }, { params, body }) => {
    const id = readId('transaction', params.transaction_id);
    const event = readEvent(params.event, AUTHORIZATION_EVENTS);
    const wish = readWish(event, body);
    const { transaction, authorization } = await sandbox.commit(() =>
      sandbox.bank.simulation.authorization(id, event, wish),
    );
    return {
      transaction: viewTransaction(transaction, sandbox.program),
      authorization: viewTransaction(authorization, sandbox.program),
    };
  },
});

function readWish(
  event: AuthorizationEvent,
  { amount, final }: { amount?: string; final?: boolean },
): AuthorizationWish {
  if (final !== undefined && event !== 'capture') {
    throw refuse('field_invalid', { field: 'final', message: `final belongs to a capture, not to ${event}` });
  }
  if (event === 'expire' && amount !== undefined) {
    throw refuse('field_invalid', { field: 'amount', message: 'an authorization expires as a whole' });
  }
  if (event === 'increment' && amount === undefined) {
    throw refuse('field_invalid', {
      field: 'amount',
      message: 'amount is required: what is added to the hold',
    });
  }
  return {
    ...(amount !== undefined && { amount: readAmount(amount) }),
    ...(final !== undefined && { final }),
  };
}
