/**
 * A bank abroad wires money.
 * Source: the simulation operations of the platform's v2 reference; rows 110 and 181 of docs/fidelity.md.
 */
import { readIncomingInternationalWire } from '../../../dialects/v2/readers/simulation.ts';
import { IncomingInternationalWire } from '../../../dialects/v2/shapes/simulation.ts';
import { Transaction } from '../../../dialects/v2/shapes/transaction.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

export const simulateInternationalWire = operation({
  id: 'v2_simulate_incoming_international_wire',
  method: 'POST',
  path: '/v2/simulate/incoming/international_wire',
  summary: 'Simulate an incoming international wire',
  status: 201,
  body: IncomingInternationalWire,
  response: Transaction,
  example: {
    body: ({ seed }) => ({
      master_account_id: seed('master_account_id'),
      sub_account_id: seed('sub_account_id'),
      amount: '75.00',
      description: 'Seed funds',
      counterparty: {
        name: 'Pat Rowe',
        identifier_code: 'COBADEFFXXX',
        account_number: 'DE89370400440532013000',
        address: { ...ADDRESS, city: 'Frankfurt', state: '', country: 'DE' },
      },
    }),
  },
  run: ({ bank }, { body }) =>
    viewTransaction(
      bank.payments.receive('international_wire_received', readIncomingInternationalWire(body, bank.program)),
      bank.program,
    ),
});
