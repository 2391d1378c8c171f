/**
 * Executes any step of any payment through its verb. Most steps are only steps of the rail. Steps of card
 * transactions also change the usage of the card, the purchase and its other transactions. Scheduled and simulated
 * steps both use this file.
 */
import {
  type AuthorizationStep,
  isAuthorization,
  type RailEvent,
  railEvents,
} from '../../model/rails/index.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import type { CardPayments } from '../cards/payments.ts';
import type { TransactionVerbs } from './transactions.ts';

/** Executes a step and returns the transaction after it. Refuses: `illegal_step` with the legal events. */
export type TakeStep = (transaction: Transaction, event: RailEvent, reason: Reason | null) => Transaction;

/** Creates the steps of a bank. */
export function createSteps(transactions: TransactionVerbs, cardPayments: CardPayments): TakeStep {
  const ofAuthorization: Record<AuthorizationStep, (authorization: Transaction) => Transaction> = {
    settle: ({ id }) => cardPayments.capture({ authorizationId: id }).authorization,
    expire: (authorization) => cardPayments.expire(authorization).authorization,
    reverse({ id, cardId }) {
      cardPayments.reverse({ cardId, parentId: id });
      return transactions.byId(id);
    },
    refund({ id }) {
      cardPayments.refundRemaining(id);
      return transactions.byId(id);
    },
    dispute: ({ id }) => cardPayments.dispute(id, 'dispute').authorization,
    win_dispute: ({ id }) => cardPayments.dispute(id, 'win_dispute').authorization,
    lose_dispute: ({ id }) => cardPayments.dispute(id, 'lose_dispute').authorization,
  };

  return (transaction, event, reason) => {
    const { id, cardId, rail, status } = transaction;
    // If the rail does not allow the event, it refuses with the legal events.
    if (railEvents(rail, status).includes(event)) {
      if (isAuthorization(rail)) return ofAuthorization[event as AuthorizationStep](transaction);
      if (rail === 'card_refund') {
        return event === 'settle'
          ? cardPayments.settleRefund({ cardId, refundId: id })
          : // The only other event of a refund is `reverse`.
            cardPayments.revokeRefund(id);
      }
    }
    return transactions.applyEvent(transaction, event, reason);
  };
}
