/**
 * A merchant's credit to a card without a purchase that it belongs to. The refund of a purchase is an event of its
 * authorization.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { controlOperation } from '../operation.ts';
import { Amount, MerchantInput, readAmount, readMerchant, TransactionAnswer } from '../simulate.ts';

export const simulateCardRefund = controlOperation({
  id: 'sandbox_simulate_card_refund',
  method: 'POST',
  path: '/_sandbox/simulate/cards/:card_id/refund',
  group: 'Simulate',
  summary: 'Have a merchant credit a card',
  status: 201,
  refuses: ['amount_invalid', 'amount_too_large', 'card_not_found', 'parent_wrong', 'transaction_not_found'],
  params: Type.Object({ card_id: Type.String() }),
  body: Type.Object({ amount: Amount, merchant: Type.Optional(MerchantInput) }),
  response: TransactionAnswer,
  example: {
    params: (world) => ({ card_id: world.seed('virtual_card_id') }),
    body: { amount: '4.25', merchant: { name: 'Corner Market', mcc: '5411' } },
  },
  run: async ({ sandbox }, { params, body }) => {
    const cardId = readId('card', params.card_id);
    const amount = readAmount(body.amount);
    const merchant = body.merchant && { merchant: readMerchant(body.merchant) };
    const transaction = await sandbox.commit(() =>
      sandbox.bank.cardPayments.refund({ cardId, amount, ...merchant }),
    );
    return { transaction: viewTransaction(transaction, sandbox.program) };
  },
});
