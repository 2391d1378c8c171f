/**
 * Another bank sends money by ACH.
 * Source: the simulation operations of the platform's v2 reference; rows 32, 107 and 181 of docs/fidelity.md.
 */
import { readIncomingAch } from '../../../dialects/v2/readers/simulation.ts';
import { IncomingAch } from '../../../dialects/v2/shapes/simulation.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const simulateAchPush = operation({
  id: 'v2_simulate_incoming_ach_push',
  method: 'POST',
  path: '/v2/simulate/incoming/ach/push',
  summary: 'Simulate an incoming ACH push',
  status: 201,
  body: IncomingAch,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      master_account_id: seed('master_account_id'),
      sub_account_id: seed('sub_account_id'),
      amount: '75.00',
      description: 'Seed funds',
      counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(
      bank.payments.receive('ach_received_push', readIncomingAch(body, bank.program)),
      bank.program,
    ),
});
