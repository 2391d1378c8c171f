/**
 * POST /v1/card/{cardId}/test: does what a merchant would do with a virtual card. A refusal by the bank is an answer
 * with status 200, not an error.
 * Source: "card testing" of the platform's v1 reference; rows 36 and 38 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import type { CardPayments } from '../../../bank/card-payments.ts';
import { type CardTest, readCardTest } from '../../../dialects/v1/readers/card-test.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { CardTestAnswer, CardTestBody } from '../../../dialects/v1/shapes/card-test.ts';
import { viewCardTest } from '../../../dialects/v1/views/card-test.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Transaction } from '../../../model/records.ts';
import { operation } from '../../operation.ts';

export const testCard = operation({
  id: 'testCard',
  method: 'POST',
  path: '/v1/card/:cardId/test',
  summary: 'Test a virtual card: authorize, update, reverse or refund',
  status: 200,
  params: Type.Object({ cardId: Type.String() }),
  body: CardTestBody,
  response: CardTestAnswer,
  run({ bank }, { params, body }) {
    const cardId = readId('card', params.cardId);
    const { card } = bank.cards.byId(cardId);
    if (card.type !== 'virtual') throw refuse('card_not_virtual');
    return viewCardTest(tryOut(bank.cardPayments, readCardTest(cardId, body)));
  },
});

function tryOut(cardPayments: CardPayments, test: CardTest): Transaction {
  switch (test.kind) {
    case 'auth':
      return cardPayments.authorize(test.input);
    case 'authUpdate':
      return cardPayments.update(test.input);
    case 'reversal':
      return cardPayments.reverse(test.input);
    case 'refund':
      return cardPayments.refund(test.input);
  }
}
