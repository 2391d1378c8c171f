/**
 * Looks up the bank of a routing number or a SWIFT code. One that is well formed and in no table has no name.
 * Source: "retrieve bank info" of the platform's v2 reference; row 160 of docs/fidelity.md.
 */
import { BankInfo, BankQuery } from '../../../dialects/v2/shapes/counterparty.ts';
import { viewBankInfo } from '../../../dialects/v2/views/counterparty.ts';
import { operation } from '../../operation.ts';

export const retrieveBankInfo = operation({
  id: 'v2_retrieve_bank_info',
  method: 'GET',
  path: '/v2/payments/counterparty/bank',
  summary: 'Retrieve the bank of a routing number',
  status: 200,
  query: BankQuery,
  response: BankInfo,
  example: {
    query: { type: 'aba', routing_number: '121042882' },
  },
  run: ({ bank }, { query }) =>
    viewBankInfo(query, bank.counterparties.bankOf(query.type, query.routing_number)),
});
