/**
 * GET /v1/contact/bank: the bank of a routing number or a SWIFT code. One that is well formed and in no table has no name.
 * Source: the bank look-up of the platform's public v1 clients; row 160 of docs/fidelity.md.
 */
import { BankInfo, BankQuery } from '../../../dialects/v1/shapes/contact.ts';
import { viewBankInfo } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';

export const retrieveBank = operation({
  id: 'retrieveBank',
  method: 'GET',
  path: '/v1/contact/bank',
  summary: 'Look up a bank',
  status: 200,
  query: BankQuery,
  response: BankInfo,
  example: {
    query: { type: 'aba', routingNumber: '121042882' },
  },
  run: ({ bank }, { query }) =>
    viewBankInfo(query, bank.counterparties.bankOf(query.type, query.routingNumber)),
});
