/**
 * Simulations of card payments: a merchant requests an authorization, increments, captures, reverses or refunds it,
 * or credits a card.
 */
import { type Static, Type } from '@sinclair/typebox';
import { parseId } from '../../../bank/api/v2/fields.ts';
import { formatTransaction } from '../../../bank/api/v2/transactions/format.ts';
import { Transaction } from '../../../bank/api/v2/transactions/shapes.ts';
import { refuse } from '../../../bank/kernel/refusal.ts';
import { type AuthMethod, MOBILE_WALLETS, type MobileWallet } from '../../../bank/model/vocabulary.ts';
import { AUTHORIZATION_EVENTS, type AuthorizationEvent } from '../../../bank/verbs/cards/purchases.ts';
import type { CardAuthorization } from '../../../bank/verbs/inputs.ts';
import type { AuthorizationOptions } from '../../../bank/verbs/simulation/payments.ts';
import { requestCardDecision } from '../../sandbox/real-time.ts';
import { controlOperation } from '../operation.ts';
import {
  Amount,
  MerchantInput,
  parseAmount,
  parseEvent,
  parseMerchant,
  TransactionAnswer,
} from './fields.ts';

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

function parseStep(
  event: AuthorizationEvent,
  { amount, final }: { amount?: string; final?: boolean },
): AuthorizationOptions {
  if (final !== undefined && event !== 'capture') {
    throw refuse('field_invalid', {
      field: 'final',
      message: `final applies only to a capture, not to ${event}`,
    });
  }
  if (amount !== undefined && (event === 'expire' || event.endsWith('dispute'))) {
    throw refuse('field_invalid', {
      field: 'amount',
      message:
        event === 'expire'
          ? 'an authorization expires as a whole: leave out amount'
          : 'a dispute is about all that is left of the purchase: leave out amount',
    });
  }
  if (event === 'increment' && amount === undefined) {
    throw refuse('field_invalid', {
      field: 'amount',
      message: 'amount is required: the amount that is added to the hold',
    });
  }
  return {
    ...(amount !== undefined && { amount: parseAmount(amount) }),
    ...(final !== undefined && { final }),
  };
}

const AuthorizationInput = Type.Object({
  amount: Amount,
  merchant: Type.Optional(MerchantInput),
  auth_method: Type.Optional(AuthMethodWord),
  wallet: Type.Optional(Type.Unsafe<MobileWallet | ''>(Type.String({ enum: [...MOBILE_WALLETS, ''] }))),
  atm: Type.Optional(
    Type.Boolean({ description: 'A withdrawal at an ATM, which requires that the PIN of the card is set.' }),
  ),
});

function parseAuthorization(card: string, body: Static<typeof AuthorizationInput>): CardAuthorization {
  const { auth_method: method, wallet, atm, merchant } = body;
  return {
    cardId: parseId('card', card),
    amount: parseAmount(body.amount),
    ...(merchant !== undefined && { merchant: parseMerchant(merchant) }),
    ...(method !== undefined && { authMethod: AUTH_METHODS[method] }),
    ...(wallet !== undefined && { wallet }),
    ...(atm !== undefined && { atm }),
  };
}

export const SIMULATION_PURCHASE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_simulate_card_authorization',
    method: 'POST',
    path: '/_sandbox/simulate/cards/:card_id/authorize',
    group: 'Simulate',
    summary: 'Simulate a card authorization',
    description:
      'Simulates a merchant that requests an authorization. Rules can decline it; then the controls of the card and the account are checked, and then real-time authorization decides if it is configured. A declined authorization is a 2xx response with a transaction of type `decline`; `explain` has the reason.',
    answer: 'The authorization, or a transaction of type `decline`.',
    status: 201,
    refuses: ['amount_invalid', 'amount_too_large', 'card_not_found'],
    body: AuthorizationInput,
    response: TransactionAnswer,
    example: {
      params: (world) => ({ card_id: world.seed('virtual_card_id') }),
      body: { amount: '12.50', merchant: { name: 'Corner Market', mcc: '5411' } },
    },
    prepare: ({ sandbox }, { params, body }) =>
      requestCardDecision(sandbox, parseAuthorization(params.card_id, body)),
    command: ({ sandbox }, { params, body }, rta) => {
      const transaction = sandbox.bank.cardPayments.authorize({
        ...parseAuthorization(params.card_id, body),
        ...(rta !== undefined && { rta }),
      });
      return { transaction: formatTransaction(transaction, sandbox.bank) };
    },
  }),

  controlOperation({
    id: 'sandbox_simulate_card_refund',
    method: 'POST',
    path: '/_sandbox/simulate/cards/:card_id/refund',
    group: 'Simulate',
    summary: 'Simulate a refund to a card',
    description:
      'Simulates a merchant that credits a card without a purchase. To refund a purchase, simulate `refund` on its authorization.',
    answer: 'The credit to the card.',
    status: 201,
    refuses: [
      'amount_invalid',
      'amount_too_large',
      'card_not_found',
      'parent_wrong',
      'reversal_not_allowed',
      'transaction_not_found',
    ],
    body: Type.Object({ amount: Amount, merchant: Type.Optional(MerchantInput) }),
    response: TransactionAnswer,
    example: {
      params: (world) => ({ card_id: world.seed('virtual_card_id') }),
      body: { amount: '4.25', merchant: { name: 'Corner Market', mcc: '5411' } },
    },
    command: ({ sandbox }, { params, body }) => {
      const cardId = parseId('card', params.card_id);
      const amount = parseAmount(body.amount);
      const merchant = body.merchant && { merchant: parseMerchant(body.merchant) };
      const transaction = sandbox.bank.cardPayments.refund({ cardId, amount, ...merchant });
      return { transaction: formatTransaction(transaction, sandbox.bank) };
    },
  }),

  controlOperation({
    id: 'sandbox_simulate_authorization',
    method: 'POST',
    path: '/_sandbox/simulate/authorizations/:transaction_id/:event',
    group: 'Simulate',
    summary: 'Simulate an event of a card authorization',
    description:
      'Simulates what happens to a card authorization: `increment`, `capture`, `reverse`, `expire` or `refund`, and after the capture `dispute`, `win_dispute` or `lose_dispute`. A capture posts even if it overdraws the account, as in the card networks; an amount above the hold is a separate transaction. A dispute that is won returns what is left of the purchase as a separate transaction.',
    answer: 'The authorization and the new transaction.',
    status: 200,
    refuses: [
      'illegal_step',
      'parent_wrong',
      'reversal_not_allowed',
      'transaction_not_found',
      'amount_invalid',
    ],
    params: Type.Object({
      transaction_id: Type.String(),
      event: Type.String({ description: AUTHORIZATION_EVENTS.join(', ') }),
    }),
    body: Type.Object({
      amount: Type.Optional(Amount),
      final: Type.Optional(
        Type.Boolean({ description: 'For a capture: false leaves the rest on hold. Default: true.' }),
      ),
    }),
    response: Type.Object({
      transaction: Transaction,
      authorization: Transaction,
    }),
    example: { params: { event: 'capture' }, body: { amount: '12.50' } },
    command: ({ sandbox }, { params, body }) => {
      const id = parseId('transaction', params.transaction_id);
      const event = parseEvent(params.event, AUTHORIZATION_EVENTS);
      const step = parseStep(event, body);
      const { transaction, authorization } = sandbox.bank.simulation.authorization(id, event, step);
      return {
        transaction: formatTransaction(transaction, sandbox.bank),
        authorization: formatTransaction(authorization, sandbox.bank),
      };
    },
  }),
] as const;
