/**
 * Refunds: a merchant's credits to a card, with or without a purchase, settled at once or pending first. A pending
 * refund posts the money and restores the card's limit.
 * Source: decisions `reversal-refund-amounts`, `refund-of-held`, `simulated-card-pairs` and `refund-money` in
 * docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { completeMerchant } from '../../model/merchants.ts';
import type { CardDetails, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import type { Cards } from './cards.ts';
import type { CardUsage } from './controls.ts';
import { type CardPurchases, type MerchantWords, newCardTransaction } from './purchases.ts';

export interface CardRefunds {
  /**
   * Refunds a card, with or without a purchase; with `captured` at most the captured amount, with `isPending` to be
   * settled later. Refuses: `card_not_found`, `transaction_not_found`, `parent_wrong`.
   */
  refund(
    input: {
      cardId: Id;
      amount: Cents;
      parentId?: Id;
      captured?: boolean;
      isPending?: boolean;
    } & MerchantWords,
  ): Transaction;
  /** Settles a pending refund as a whole. Refuses: `transaction_not_found`, `parent_wrong`, `illegal_step`. */
  settleRefund(input: { cardId: Id; refundId: Id; amount?: Cents }): Transaction;
  /**
   * Settles the parent if it is a pending refund, otherwise refunds the captured parent at once. Refuses as each of
   * them does.
   */
  settleOrRefund(input: { cardId: Id; parentId: Id; amount: Cents }): Transaction;
  /**
   * Refunds the captured amount of a purchase that is not refunded yet, or `amount` cents of it. Refuses:
   * `parent_wrong`, `transaction_not_found`, `illegal_step`.
   */
  refundRemaining(authorizationId: Id, amount?: Cents): Transaction;
  /**
   * Opens a dispute of a captured purchase, or ends it. If it is won, what is not refunded yet returns to the account
   * as a separate transaction. Decision `card-disputes` in docs/fidelity.md. Refuses: `parent_wrong`,
   * `transaction_not_found`, `illegal_step`.
   */
  dispute(
    authorizationId: Id,
    event: 'dispute' | 'win_dispute' | 'lose_dispute',
  ): { authorization: Transaction; transaction: Transaction };
  /**
   * Reverses a pending refund, and records it as a separate transaction. Refuses: `transaction_not_found`,
   * `illegal_step`.
   */
  revokeRefund(refundId: Id): Transaction;
}

/** The dependencies of refunds. */
export interface CardRefundDependencies {
  accounts: Accounts;
  cards: Cards;
  transactions: TransactionVerbs;
  purchases: CardPurchases;
  usage: CardUsage;
}

/** The verbs of refunds. */
export function createCardRefunds(options: CardRefundDependencies): CardRefunds {
  const { accounts, cards, transactions, purchases, usage } = options;

  const settle = (promised: Transaction): Transaction => {
    const settled = transactions.applyEvent(promised, 'settle');
    if (settled.parentId === '') return settled;
    const parent = transactions.byId(settled.parentId);
    const { captured, paidBack } = purchases.amountsOf(parent);
    if (parent.status === 'settled' && captured === paidBack) transactions.applyEvent(parent, 'refund');
    return settled;
  };

  /** Opens a credit to a card, with the merchant and the method of its purchase. */
  const openCredit = (
    rail: 'card_refund' | 'card_dispute_credit',
    { cardId, amount, merchant, authMethod }: { cardId: Id; amount: Cents } & MerchantWords,
    parent: Transaction | undefined,
  ): Transaction => {
    const { card } = cards.byId(cardId);
    const purchase = parent === undefined ? undefined : (parent.details as CardDetails);
    return transactions.open({
      ...newCardTransaction(card, accounts.byId(card.accountId), amount, {
        kind: 'card',
        cardId: card.id,
        cardHolderId: card.cardHolderId,
        cardLabel: card.label,
        merchant: completeMerchant(merchant, purchase?.merchant),
        authMethod: authMethod ?? purchase?.authMethod ?? 'other',
        wallet: purchase?.wallet ?? '',
        atm: false,
        rtaId: '',
        availableLimit: usage.remainingLimit(card),
        networkSettlementAt: null,
      }),
      rail,
      parentId: parent?.id ?? '',
    });
  };

  const refund: CardRefunds['refund'] = (input) => {
    const { cardId, amount, parentId, captured = false, isPending = false } = input;
    const { card } = cards.byId(cardId);
    const { parent: found, left } =
      parentId === undefined
        ? { parent: undefined, left: amount }
        : purchases.refundableOf(parentId, cardId, captured);
    if (amount > left) {
      throw refuse('parent_wrong', {
        field: 'amount',
        message: `${formatMoney(amount)} is more than the ${formatMoney(left)} that is left of the purchase`,
      });
    }
    // Only a captured purchase is refunded: otherwise the expiry of the hold would return the money a second time.
    const parent =
      found?.status === 'pending' && !captured ? transactions.applyEvent(found, 'settle') : found;
    // The purchase is not complete while a part of it is on hold.
    const isFullRefund = amount === left && !(captured && parent?.status === 'pending');
    if (parent !== undefined) usage.add(card.id, parent.createdAt, -amount, isFullRefund ? -1 : 0);
    const opened = openCredit('card_refund', input, parent);
    return isPending ? opened : settle(opened);
  };

  const settleRefund: CardRefunds['settleRefund'] = ({ cardId, refundId, amount }) => {
    const promised = transactions.byId(refundId);
    if (promised.cardId !== cardId || promised.rail !== 'card_refund') {
      throw refuse('parent_wrong', { field: 'parentId', message: 'the parent is not a refund to this card' });
    }
    if (promised.status === 'pending' && amount !== undefined && amount !== promised.amount) {
      throw refuse('parent_wrong', {
        field: 'amount',
        message: `the refund of ${formatMoney(promised.amount)} must be settled in full`,
      });
    }
    return settle(promised);
  };

  return {
    refund,
    settleRefund,
    refundRemaining(authorizationId, amount) {
      const { authorization, refundable } = purchases.require(authorizationId, 'refund');
      const { id, cardId } = authorization;
      return refund({ cardId, parentId: id, amount: amount ?? refundable, captured: true });
    },
    dispute(authorizationId, event) {
      const { authorization, refundable } = purchases.require(authorizationId, event);
      const after = transactions.applyEvent(authorization, event);
      if (event !== 'win_dispute') return { authorization: after, transaction: after };
      const { id, cardId, createdAt } = authorization;
      usage.add(cardId, createdAt, -refundable, -1);
      const transaction = openCredit('card_dispute_credit', { cardId, amount: refundable }, after);
      return { authorization: transactions.byId(id), transaction };
    },
    settleOrRefund: ({ cardId, parentId, amount }) =>
      transactions.byId(parentId).rail === 'card_refund'
        ? settleRefund({ cardId, refundId: parentId, amount })
        : refund({ cardId, parentId, amount, captured: true }),

    revokeRefund(refundId) {
      const promised = transactions.byId(refundId);
      const revoked = transactions.applyEvent(promised, 'reverse');
      if (promised.parentId === '') return revoked;
      const parent = transactions.byId(promised.parentId);
      const { captured, refunded } = purchases.amountsOf(parent);
      // It counted as a use until it was refunded completely.
      const wasAll = captured - refunded === promised.amount && parent.status !== 'pending';
      usage.add(promised.cardId, parent.createdAt, promised.amount, wasAll ? 1 : 0);
      return revoked;
    },
  };
}
