/**
 * POST /v1/card/{cardId}/test: does what a merchant would do with a virtual card. A refusal by the bank is an answer
 * with status 200, not an error.
 * Source: "card testing" of the platform's v1 reference; rows 36 and 38 of docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import type { CardPayments } from '../../../bank/card-payments.ts';
import type { RtaAnswer } from '../../../bank/inputs.ts';
import { type CardTest, readCardTest } from '../../../dialects/v1/readers/card-test.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { CardTestAnswer, CardTestBody } from '../../../dialects/v1/shapes/card-test.ts';
import { viewCardTest } from '../../../dialects/v1/views/card-test.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Transaction } from '../../../model/records.ts';
import { operation } from '../../operation.ts';
import { askAboutCard } from '../../rta.ts';

export const testCard = operation({
  id: 'testCard',
  method: 'POST',
  path: '/v1/card/:cardId/test',
  summary: 'Test a virtual card: authorize, update, reverse or refund',
  status: 200,
  refuses: ['card_not_virtual', 'illegal_step'],
  params: Type.Object({ cardId: Type.String() }),
  body: CardTestBody,
  response: CardTestAnswer,
  example: {
    params: ({ seed }) => ({ cardId: seed('card_id') }),
    body: {
      amount: '1.40',
      txnType: 'refund',
      merchant: {
        merchantName: 'Harbor Books',
        merchantCity: 'Monterey',
        merchantState: 'CA',
        merchantCountry: 'US',
        postalCode: '93940',
        merchantCategory: 'Book Stores',
        merchantCategoryCode: '5942',
        merchantId: 'HB-1',
      },
      authMethod: 'keyedIn',
    },
  },
  async prepare(sandbox, { params, body }) {
    const test = readTest(sandbox.bank, params.cardId, body);
    return test.kind === 'auth' ? askAboutCard(sandbox, { ...test.input, test: true }) : undefined;
  },
  run({ bank, prepared }, { params, body }) {
    return viewCardTest(tryOut(bank.cardPayments, readTest(bank, params.cardId, body), prepared));
  },
});

function readTest(bank: Bank, cardId: string, body: Static<typeof CardTestBody>): CardTest {
  const { card } = bank.cards.byId(readId('card', cardId));
  if (card.type !== 'virtual') throw refuse('card_not_virtual');
  return readCardTest(card.id, body);
}

function tryOut(cardPayments: CardPayments, test: CardTest, rta: RtaAnswer | undefined): Transaction {
  switch (test.kind) {
    case 'auth':
      return cardPayments.authorize({ ...test.input, test: true, ...(rta !== undefined && { rta }) });
    case 'authUpdate':
      return cardPayments.update({ ...test.input, test: true });
    case 'reversal':
      return cardPayments.reverse(test.input);
    case 'refund':
      return cardPayments.refund(test.input);
  }
}
