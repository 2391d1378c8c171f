/**
 * Another bank in the country wires money.
 * Source: the simulation operations of the platform's v2 reference; rows 110 and 181 of docs/fidelity.md.
 */
import { readIncomingDomesticWire } from '../../../dialects/v2/readers/simulation.ts';
import { IncomingDomesticWire } from '../../../dialects/v2/shapes/simulation.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';

export const simulateDomesticWire = operation({
  id: 'v2_simulate_incoming_domestic_wire',
  method: 'POST',
  path: '/v2/simulate/incoming/domestic_wire',
  summary: 'Simulate an incoming domestic wire',
  status: 201,
  body: IncomingDomesticWire,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      master_account_id: seed('master_account_id'),
      sub_account_id: seed('sub_account_id'),
      amount: '75.00',
      description: 'Seed funds',
      counterparty: { name: 'Pat Rowe', account_number: '5500112255', routing_number: '021000021' },
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(
      bank.payments.receive('domestic_wire_received', readIncomingDomesticWire(body, bank.program)),
      bank.program,
    ),
});
