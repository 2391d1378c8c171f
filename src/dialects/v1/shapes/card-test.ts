/**
 * The card test: what a merchant would do with a card, and the bank's answer to it. Whether a parent is needed
 * depends on what is tried, so the reader says so and not the shape.
 * Source: "card testing" of the platform's v1 reference; row 36 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { AUTH_METHODS } from '../../../model/vocabulary.ts';
import { MerchantInput } from './merchant.ts';
import { Amount, body, record, text, wordOf } from './scalars.ts';

export const CardTestBody = body('CardTest', 'What a merchant is made to do with a card.', {
  amount: Amount,
  txnType: Type.Optional(wordOf(['auth', 'authUpdate', 'reversal', 'refund'])),
  parentTxnId: Type.Optional(
    Type.String({ minLength: 1, description: 'needed for authUpdate and reversal' }),
  ),
  merchant: Type.Optional(MerchantInput),
  authMethod: Type.Optional(wordOf(AUTH_METHODS)),
});

export const CardTestAnswer = record('CardTestAnswer', 'What the bank answered the merchant.', {
  status: wordOf(['approved', 'declined']),
  declineReason: text('Why, in a word, like "lowBalance"; "" when it was approved.'),
});
