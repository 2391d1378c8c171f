/**
 * Makes an event of its rail happen to a payment, now. `clear` and `settle` may be asked for early: the steps between are
 * taken first. What the present state does not allow is refused with the events that it does, and a return that comes too
 * late with the window that is over. The id of an entry in the master account stands for its movement.
 */
import { Type } from '@sinclair/typebox';
import { requireReturnCode } from '../../../bank/outcomes.ts';
import { TRANSACTION_EVENTS } from '../../../bank/simulation.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { RailEvent } from '../../../model/rails.ts';
import type { Reason } from '../../../model/records.ts';
import { reasonOfReturn } from '../../../model/return-codes.ts';
import { controlOperation } from '../operation.ts';
import { readEvent } from '../simulate.ts';

export const simulateTransaction = controlOperation({
  id: 'sandbox_simulate_transaction',
  method: 'POST',
  path: '/_sandbox/simulate/transactions/:id/:event',
  group: 'Simulate',
  summary: 'Make an event happen to a payment',
  status: 200,
  refuses: ['illegal_step', 'return_too_late', 'transaction_not_found'],
  params: Type.Object({
    id: Type.String(),
    event: Type.String({ description: TRANSACTION_EVENTS.join(', ') }),
  }),
  body: Type.Object({
    return_code: Type.Optional(
      Type.String({
        description: 'Of a return: a code of GET /_sandbox/return_codes; R01 or R03 when not sent.',
      }),
    ),
    late: Type.Optional(
      Type.Boolean({
        description:
          'Of a return of an ACH: true plays a bank that returns it after the window of its code, which is 409 (return_too_late) otherwise.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Why, in a word, of any other event: v1 shows it as reviewCode.',
      }),
    ),
    message: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Why, in a sentence; v1 shows it as reviewMessage where no text belongs to the code.',
      }),
    ),
  }),
  response: Type.Object({
    transaction: Transaction,
    steps: Type.Array(Type.String(), { description: 'The events that happened, in order.' }),
  }),
  example: { params: { event: 'settle' }, body: {} },
  run: async ({ sandbox }, { params, body }) => {
    const id = readId('transaction', params.id);
    const event = readEvent(params.event, TRANSACTION_EVENTS);
    const reason = readReason(event, body);
    requireReturn(event, 'late', body.late);
    const { transaction, steps } = await sandbox.commit(() => {
      const { payments, simulation } = sandbox.bank;
      return simulation.transaction(payments.legById(id).transaction.id, event, reason, body.late);
    });
    return { transaction: viewTransaction(transaction, sandbox.program), steps: [...steps] };
  },
});

function readReason(
  event: RailEvent,
  { return_code: code, reason, message }: { return_code?: string; reason?: string; message?: string },
): Reason | undefined {
  requireReturn(event, 'return_code', code);
  if (code !== undefined) {
    requireReturnCode(code, 'return_code');
    const usual = reasonOfReturn(code);
    return { ...usual, message: message ?? usual.message };
  }
  if (reason === undefined && message === undefined) return undefined;
  return { code: reason ?? '', message: message ?? '' };
}

/** Refuses: `field_invalid` for what is said of a return and of nothing else. */
function requireReturn(event: RailEvent, field: 'return_code' | 'late', said: unknown): void {
  if (said === undefined || event === 'return') return;
  throw refuse('field_invalid', {
    field,
    message: `${field} belongs to the event return, not to ${event}${field === 'late' ? '' : '; say reason instead'}`,
  });
}
