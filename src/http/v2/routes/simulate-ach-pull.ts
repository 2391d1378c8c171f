/**
 * Another bank asks for money by ACH; where real-time authorization is set up, the client is asked first.
 * Source: the simulation operations of the platform's v2 reference; rows 32, 107, 123 and 181 of docs/fidelity.md.
 */
import { readIncomingAch } from '../../../dialects/v2/readers/simulation.ts';
import { IncomingAch } from '../../../dialects/v2/shapes/simulation.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';
import { askAboutDebit } from '../../rta.ts';

export const simulateAchPull = operation({
  id: 'v2_simulate_incoming_ach_pull',
  method: 'POST',
  path: '/v2/simulate/incoming/ach/pull',
  summary: 'Simulate an incoming ACH pull',
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
  prepare: (sandbox, { body }) =>
    askAboutDebit(sandbox, 'ach_received_pull', readIncomingAch(body, sandbox.program)),
  run: ({ bank, prepared }, { body }) => {
    const input = {
      ...readIncomingAch(body, bank.program),
      ...(prepared !== undefined && { rta: prepared }),
    };
    return viewTransaction(bank.payments.receive('ach_received_pull', input), bank.program);
  },
});
