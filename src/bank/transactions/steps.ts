/**
 * Any step of any payment, through the verb that it belongs to. Most steps are the rail's alone. Those of a card's rows are
 * more than that: they also change the use of the card, the purchase and its other rows. Whether the
 * timetable or a tester takes a step, it is taken here.
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

/** Takes a step and answers the transaction after it. Refuses: `illegal_step` with the legal events. */
export type TakeStep = (transaction: Transaction, event: RailEvent, reason: Reason | null) => Transaction;

/** The steps of one bank. */
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
  };

  return (transaction, event, reason) => {
    const { id, cardId, rail, status } = transaction;
    // What the rail does not allow is refused by the rail, with the events that it does.
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
