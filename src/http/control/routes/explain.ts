/**
 * Why something is as it is: the decisions with their figures, the path of states, the next planned step, the books.
 */
import { Type } from '@sinclair/typebox';
import { Explanation, explain as explainThing } from '../explain.ts';
import { controlOperation } from '../operation.ts';

export const explain = controlOperation({
  id: 'sandbox_explain',
  method: 'GET',
  path: '/_sandbox/explain/:id',
  group: 'Look',
  summary: 'Explain a transaction, card, holder, account or batch',
  status: 200,
  refuses: [
    'holder_not_found',
    'account_not_found',
    'card_holder_not_found',
    'card_not_found',
    'counterparty_not_found',
    'transaction_not_found',
    'batch_not_found',
  ],
  params: Type.Object({ id: Type.String() }),
  response: Explanation,
  example: { params: (world) => ({ id: world.seed('transaction_id') }) },
  run: ({ sandbox }, { params }) => explainThing(sandbox, params.id),
});
