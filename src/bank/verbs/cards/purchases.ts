/**
 * The amounts of a purchase: held, captured and refunded, and the possible events of its authorization. Reversals,
 * captures and refunds are separate transactions with the authorization as their parent; the held amount is its
 * amount less the reversals. Every card transaction has the merchant's name and the purchase.
 * Source: decisions `uncaptured-authorization`, `reversal-refund-amounts`, `authorization-end`, `capture-not-refused`,
 * `refund-of-held`, `partial-reversal-amount` and `late-clearing` in docs/fidelity.md.
 */

import { illegalStep } from '../../kernel/machine.ts';
import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import { completeMerchant } from '../../model/merchants.ts';
import { isAuthorization, type RailName, railOf } from '../../model/rails/index.ts';
import type { Card, CardDetails, Merchant, Transaction } from '../../model/records.ts';
import type { AuthMethod } from '../../model/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import type { Covered } from '../accounts/fallbacks.ts';
import type { AccountWithBalance } from '../inputs.ts';
import type { NewTransaction } from '../transactions/build.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** A new card transaction, and the draw for it; the caller adds its rail. */
export function newCardTransaction(
  card: Card,
  own: AccountWithBalance,
  amount: Cents,
  details: CardDetails,
  covered?: Covered,
): Omit<NewTransaction, 'rail'> {
  // A client's description of the purchase, the draw for it and its dispute do not belong to this transaction.
  const { described: _, fallbackId: __, dispute: ___, ...known } = details;
  return {
    ...(covered !== undefined && { id: covered.id }),
    account: own.account,
    balance: (covered?.own ?? own).balance,
    amount,
    description: details.merchant.name,
    otherSide: null,
    details: covered === undefined ? known : { ...known, fallbackId: covered.fallbackId },
    cardId: card.id,
  };
}

/** The merchant data of a later step of a purchase. */
export interface MerchantWords {
  merchant?: Partial<Merchant>;
  authMethod?: AuthMethod;
}

/** The details of a purchase with new merchant data; absent fields stay. */
export function withWords(details: CardDetails, { merchant, authMethod }: MerchantWords): CardDetails {
  return {
    ...details,
    ...(merchant !== undefined && { merchant: completeMerchant(merchant, details.merchant) }),
    ...(authMethod !== undefined && { authMethod }),
  };
}

/** The events of an authorization. */
export const AUTHORIZATION_EVENTS = [
  'increment',
  'capture',
  'reverse',
  'expire',
  'refund',
  'dispute',
  'win_dispute',
  'lose_dispute',
] as const;
const DISPUTE_EVENTS = ['dispute', 'win_dispute', 'lose_dispute'] as const;
export type AuthorizationEvent = (typeof AUTHORIZATION_EVENTS)[number];

/** The rails that return money of a captured purchase. */
const CREDITS: ReadonlySet<RailName> = new Set(['card_refund', 'card_dispute_credit']);

/**
 * In cents: the current hold, the released amount, the part of it that was released last, the amount of adjustments above the
 * hold, the captured amount, the refunded amount, and the settled part of the refunds.
 */
type PurchaseAmounts = Record<
  'held' | 'reversed' | 'lastReversed' | 'adjusted' | 'captured' | 'refunded' | 'paidBack',
  Cents
>;

export interface CardPurchases {
  /** An authorization of this card whose hold is open. Refuses: `transaction_not_found`, `code`. */
  openParent(parentId: Id, cardId: Id, code?: RefusalCode): Transaction;
  /** The amounts of a purchase. */
  amountsOf(authorization: Transaction): PurchaseAmounts;
  /**
   * How much of a purchase can be refunded: nothing if it was declined or reversed. The parent can be the transaction
   * of a capture instead of the authorization. Refuses: `transaction_not_found`, `parent_wrong`.
   */
  refundableOf(parentId: Id, cardId: Id, capturedOnly: boolean): { parent: Transaction; left: Cents };
  /** How many uses an open authorization counts when it ends: one if a part was captured. */
  usesOf(authorization: Transaction): number;
  /**
   * An authorization that allows this event now, with its hold and the refundable amount. Refuses: `parent_wrong`,
   * `illegal_step`.
   */
  require(
    authorizationId: Id,
    event: AuthorizationEvent,
  ): { authorization: Transaction; held: Cents; refundable: Cents };
  /** The events that an authorization allows now. */
  legalEvents(authorization: Transaction): AuthorizationEvent[];
}

/** The purchases of one bank. */
export function createCardPurchases(store: Store, transactions: TransactionVerbs): CardPurchases {
  const authorizationOf = (id: Id): Transaction => {
    const authorization = transactions.byId(id);
    if (isAuthorization(authorization.rail)) return authorization;
    throw refuse('parent_wrong', {
      field: 'parentId',
      message: 'the transaction is not a card authorization',
    });
  };

  const requireOwn = (parent: Transaction, cardId: Id, code: RefusalCode = 'parent_wrong'): Transaction => {
    if (parent.cardId === cardId && isAuthorization(parent.rail)) return parent;
    throw refuse(code, {
      field: 'parentId',
      message: 'the parent is not an authorization of this card',
    });
  };

  const purchaseOf = (parentId: Id, cardId: Id): Transaction => {
    const named = transactions.byId(parentId);
    const captured = named.rail === 'card_adjust_up' || named.rail === 'card_adjust_down';
    return requireOwn(captured ? transactions.byId(named.parentId) : named, cardId);
  };

  const amountsOf = (authorization: Transaction): PurchaseAmounts => {
    let reversed = 0;
    let lastReversed = 0;
    let adjusted = 0;
    let refunded = 0;
    let refundsSettled = 0;
    for (const { rail, amount, status } of store.transactions.ofParent(authorization.id)) {
      if (rail === 'card_reverse') {
        reversed += amount;
        lastReversed = amount;
      } else if (rail === 'card_adjust_up') adjusted += amount;
      else if (rail === 'card_adjust_down') adjusted -= amount;
      else if (CREDITS.has(rail) && status !== 'reversed') {
        refunded += amount;
        if (status === 'settled') refundsSettled += amount;
      }
    }
    const rest = authorization.amount - reversed;
    const held = authorization.status === 'pending' ? rest : 0;
    const captured = adjusted + (authorization.settledAt === null ? 0 : rest);
    return { held, reversed, lastReversed, adjusted, captured, refunded, paidBack: refundsSettled };
  };

  const legalOf = ({ rail, status, details }: Transaction, refundable: Cents): AuthorizationEvent[] => {
    const legal: AuthorizationEvent[] =
      status === 'pending' ? ['increment', 'capture', 'reverse', 'expire'] : [];
    // The merchant's clearing may come after the hold has ended.
    if (status === 'reversed') legal.push('capture');
    if (refundable > 0 && status !== 'refunded') legal.push('refund');
    const dispute = (details.kind === 'card' && details.dispute) || 'notInitiated';
    const steps = railOf(rail).steps[status] ?? {};
    for (const event of DISPUTE_EVENTS) {
      const isOpen = steps[event]?.dispute?.from === dispute;
      if (isOpen && (refundable > 0 || event === 'lose_dispute')) legal.push(event);
    }
    return legal;
  };

  return {
    openParent(parentId, cardId, code = 'parent_wrong') {
      const parent = requireOwn(transactions.byId(parentId), cardId, code);
      if (parent.status === 'pending' && parent.holdId !== null) return parent;
      throw refuse(code, {
        field: 'parentId',
        message: `the parent is ${parent.status}; only an open authorization can be changed or reversed`,
      });
    },

    amountsOf,

    refundableOf(parentId, cardId, capturedOnly) {
      const parent = purchaseOf(parentId, cardId);
      const { held, adjusted, captured, refunded } = amountsOf(parent);
      const isActive = parent.status === 'pending' || parent.status === 'settled';
      if (isActive || (parent.status === 'reversed' && adjusted > 0)) {
        return { parent, left: captured + (capturedOnly ? 0 : held) - refunded };
      }
      throw refuse('parent_wrong', {
        field: 'parentId',
        message: `the parent is ${parent.status}; there is nothing to refund`,
      });
    },

    usesOf: (authorization) => (amountsOf(authorization).adjusted > 0 ? 0 : 1),

    require(id, event) {
      const authorization = authorizationOf(id);
      const { held, captured, refunded } = amountsOf(authorization);
      const refundable = captured - refunded;
      const legal = legalOf(authorization, refundable);
      if (!legal.includes(event)) throw illegalStep('card authorization', authorization.status, event, legal);
      return { authorization, held, refundable };
    },

    legalEvents(authorization) {
      const { captured, refunded } = amountsOf(authorization);
      return legalOf(authorization, captured - refunded);
    },
  };
}
