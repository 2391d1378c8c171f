/**
 * The end of an authorization: capture, reversal and expiry. A released amount also reduces the card's daily usage. A
 * capture is never refused for lack of money, because the network has guaranteed it to the merchant.
 * Source: decisions `uncaptured-authorization`, `late-clearing` and `fallback-draws` in docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { CardDetails, Transaction } from '../../model/records.ts';
import type { Covered, Fallbacks } from '../accounts/fallbacks.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance } from '../inputs.ts';
import { type MerchantWords, newCardTransaction, withWords } from './purchases.ts';
import type { CardRefundDependencies } from './refunds.ts';

/**
 * The authorization after a capture or an expiry, and the transaction that records it, which can be the authorization
 * itself.
 */
export interface Captured {
  authorization: Transaction;
  transaction: Transaction;
}

/** The dependencies of captures. */
interface CardCaptureDependencies extends CardRefundDependencies {
  fallbacks: Fallbacks;
}

export interface CardCaptures {
  /**
   * Captures an open authorization; the default is the whole hold. If the final amount differs from the hold, the
   * difference is a separate transaction. A capture that is not final posts its part and leaves the rest on hold. If
   * the hold has already been released, the capture posts its amount, by default what was released last. It can
   * overdraw the account. With `cardId` the authorization must belong to that card. Refuses: `parent_wrong`,
   * `illegal_step`, `transaction_not_found`.
   */
  capture(input: { authorizationId: Id; cardId?: Id; amount?: Cents; final?: boolean }): Captured;
  /**
   * Releases the hold of an open authorization, as a whole or in part, and records it as a separate transaction.
   * Refuses as `update` does.
   */
  reverse(input: { cardId: Id; parentId: Id; amount?: Cents } & MerchantWords): Transaction;
  /**
   * Ends an authorization that was not captured in time: releases its hold, and records it as a separate transaction,
   * like a reversal. Refuses: `illegal_step`.
   */
  expire(authorization: Transaction): Captured;
}

/** The verbs that end an authorization. */
export function createCardCaptures(
  { clock }: Dependencies,
  { accounts, fallbacks, cards, transactions, purchases, usage }: CardCaptureDependencies,
): CardCaptures {
  /** Opens the transaction that records the released amount, with the balances after it. */
  const openReversal = (
    parent: Transaction,
    amount: Cents,
    moved: Cents,
    words: MerchantWords = {},
  ): Transaction => {
    const { card } = cards.byId(parent.cardId);
    return transactions.open({
      ...newCardTransaction(card, accounts.byId(card.accountId), amount, {
        ...withWords(parent.details as CardDetails, words),
        availableLimit: usage.remainingLimit(card),
        networkSettlementAt: null,
      }),
      rail: 'card_reverse',
      parentId: parent.id,
      moved,
    });
  };

  /**
   * Ends an authorization without a further capture: releases its whole hold, and records it as a separate
   * transaction.
   */
  const releaseHold = (
    parent: Transaction,
    event: 'reverse' | 'expire',
    words: MerchantWords = {},
  ): Captured => {
    const { held } = purchases.amountsOf(parent);
    const uses = purchases.usesOf(parent);
    const moved = transactions.applyEventForRow(parent, event);
    usage.add(parent.cardId, parent.createdAt, -held, -uses);
    const transaction = openReversal(parent, held, moved, words);
    return { authorization: transactions.byId(parent.id), transaction };
  };

  return {
    capture({ authorizationId, cardId, amount, final = true }) {
      if (cardId !== undefined) purchases.openParent(authorizationId, cardId);
      const { authorization: parent, held } = purchases.require(authorizationId, 'capture');
      const { card } = cards.byId(parent.cardId);
      const before = accounts.byId(card.accountId);
      const capturedAmount = amount ?? held;
      const openAdjustment = (
        rail: 'card_adjust_up' | 'card_adjust_down',
        own: AccountWithBalance,
        cents: Cents,
        covered?: Covered,
      ): Transaction => {
        const details: CardDetails = {
          ...(parent.details as CardDetails),
          availableLimit: usage.remainingLimit(card),
          networkSettlementAt: clock.now(),
        };
        return transactions.open({
          ...newCardTransaction(card, own, cents, details, covered),
          rail,
          parentId: parent.id,
          mayOverdraw: true,
        });
      };
      /** Posts an amount that is not on hold; the fallback account may provide it. */
      const postAbove = (cents: Cents): Transaction => {
        const own = accounts.byId(card.accountId);
        const draw = fallbacks.drawFor(own, 'card', cents);
        const covered = draw === undefined ? undefined : fallbacks.draw(own, draw);
        return openAdjustment('card_adjust_up', own, cents, covered);
      };
      if (parent.status === 'reversed') {
        const late = amount ?? purchases.amountsOf(parent).lastReversed;
        usage.add(card.id, parent.createdAt, late, purchases.usesOf(parent));
        return { authorization: parent, transaction: postAbove(late) };
      }
      if (!final && capturedAmount < held) {
        const partlyCaptured = { ...parent, amount: parent.amount - capturedAmount };
        const { next } = transactions.changeHold(partlyCaptured, held - capturedAmount, 'updated');
        // The transaction starts from the balances before the hold was reduced, because the captured amount was on
        // hold.
        return { authorization: next, transaction: openAdjustment('card_adjust_up', before, capturedAmount) };
      }
      const settled = transactions.applyEvent(parent, 'settle');
      const difference = capturedAmount - held;
      if (difference === 0) return { authorization: settled, transaction: settled };
      usage.add(card.id, parent.createdAt, difference, 0);
      if (difference > 0) return { authorization: settled, transaction: postAbove(difference) };
      const own = accounts.byId(card.accountId);
      return { authorization: settled, transaction: openAdjustment('card_adjust_down', own, -difference) };
    },

    reverse({ cardId, parentId, amount, ...words }) {
      const parent = purchases.openParent(parentId, cardId, 'reversal_not_allowed');
      const { held } = purchases.amountsOf(parent);
      const releasedAmount = amount ?? held;
      if (releasedAmount > held) {
        throw refuse('reversal_not_allowed', {
          field: 'amount',
          message: `${formatMoney(releasedAmount)} is more than the ${formatMoney(held)} that is held`,
        });
      }
      if (releasedAmount === held) return releaseHold(parent, 'reverse', words).transaction;
      const { moved } = transactions.changeHold(parent, held - releasedAmount, 'by another row');
      usage.add(cardId, parent.createdAt, -releasedAmount, 0);
      return openReversal(parent, releasedAmount, moved, words);
    },

    expire: (authorization) => releaseHold(authorization, 'expire'),
  };
}
