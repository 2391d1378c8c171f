/**
 * A merchant asks whether a card may pay. A rule may decline it; otherwise every control of the card is looked at, and then
 * the client is asked, where real-time authorization is set up. A refusal is an answer: a transaction of type `decline`.
 */
import { Type } from '@sinclair/typebox';
import type { CardAuthorization } from '../../../bank/inputs.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { viewTransaction } from '../../../dialects/v2/views/transaction.ts';
import { type AuthMethod, WALLETS, type Wallet } from '../../../model/vocabulary.ts';
import { askAboutCard } from '../../rta.ts';
import { controlOperation } from '../operation.ts';
import { Amount, MerchantInput, readAmount, readMerchant, TransactionAnswer } from '../simulate.ts';

const AUTH_METHODS = {
  keyed_in: 'keyedIn',
  swipe: 'swipe',
  chip: 'chip',
  online: 'online',
  contactless: 'contactless',
  other: 'other',
} as const satisfies Record<string, AuthMethod>;

const AuthMethodWord = Type.Unsafe<keyof typeof AUTH_METHODS>(
  Type.String({ enum: Object.keys(AUTH_METHODS) }),
);

export const simulateCardAuthorization = controlOperation({
  id: 'sandbox_simulate_card_authorization',
  method: 'POST',
  path: '/_sandbox/simulate/cards/:card_id/authorize',
  group: 'Simulate',
  summary: 'Have a merchant ask for an authorization',
  status: 201,
  refuses: ['amount_invalid', 'amount_too_large', 'card_not_found'],
  params: Type.Object({ card_id: Type.String() }),
  body: Type.Object({
    amount: Amount,
    merchant: Type.Optional(MerchantInput),
    auth_method: Type.Optional(AuthMethodWord),
    wallet: Type.Optional(Type.Unsafe<Wallet | ''>(Type.String({ enum: [...WALLETS, ''] }))),
    atm: Type.Optional(
      Type.Boolean({ description: 'Cash from a machine, for which the PIN of the card has to be set.' }),
    ),
  }),
  response: TransactionAnswer,
  example: {
    params: (world) => ({ card_id: world.seed('virtual_card_id') }),
    body: { amount: '12.50', merchant: { name: 'Corner Market', mcc: '5411' } },
  },
  run: async ({ sandbox }, { params, body }) => {
    const { auth_method: method, wallet, atm, merchant } = body;
    const input: CardAuthorization = {
      cardId: readId('card', params.card_id),
      amount: readAmount(body.amount),
      ...(merchant !== undefined && { merchant: readMerchant(merchant) }),
      ...(method !== undefined && { authMethod: AUTH_METHODS[method] }),
      ...(wallet !== undefined && { wallet }),
      ...(atm !== undefined && { atm }),
    };
    const rta = await askAboutCard(sandbox, input);
    const transaction = await sandbox.commit(() =>
      sandbox.bank.cardPayments.authorize({ ...input, ...(rta !== undefined && { rta }) }),
    );
    return { transaction: viewTransaction(transaction, sandbox.program) };
  },
});
