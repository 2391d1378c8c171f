/**
 * What clients answered in real time, or what stood in for them, newest first, each with the transaction that it decided.
 */
import { Type } from '@sinclair/typebox';
import { PageQuery, readPage } from '../ledger.ts';
import { controlOperation } from '../operation.ts';
import { RtaDecisionView, viewRtaDecision } from '../real-time.ts';

export const listRtaDecisions = controlOperation({
  id: 'sandbox_list_rta_decisions',
  method: 'GET',
  path: '/_sandbox/rta/decisions',
  group: 'Real-time authorization',
  summary: 'List the answers of real-time authorization',
  status: 200,
  query: Type.Object(PageQuery),
  response: Type.Object({
    total: Type.Integer({ description: 'How many there are, on all pages.' }),
    decisions: Type.Array(RtaDecisionView),
  }),
  run({ sandbox }, { query }) {
    const { limit, offset } = readPage(query);
    const { total, data } = sandbox.bank.realTime.decisions(limit, offset);
    return { total, decisions: data.map(viewRtaDecision) };
  },
});
