/**
 * What happens to a card at a merchant: authorization, a new total, reversal, refund. An authorization is a hold on the
 * sub account; the card's daily usage is kept beside it, and given back with it.
 * Source: rows 34 to 38 of docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { type Instant, utcDate } from '../kernel/time.ts';
import { totalsOf } from '../ledger/ledger.ts';
import type { Card, CardDetails, Merchant, Reason, Transaction } from '../model/records.ts';
import type { AuthMethod } from '../model/vocabulary.ts';
import type { Accounts } from './accounts.ts';
import { availableLimit, countsUsage, periodStart, refusalOfPurchase, type Usage } from './card-controls.ts';
import type { Cards } from './cards.ts';
import type { AccountFile, CardAuthorization } from './inputs.ts';
import type { Draft, Movements } from './movements.ts';
import type { Parts } from './parts.ts';

export interface CardPayments {
  /**
   * Asks for an authorization: the answer is `pending` (held), or `declined` of type `decline` with its `reason.code`
   * (`lowBalance`, `cardInactive`, `cardCanceled`, ...). Refuses: `card_not_found`.
   */
  authorize(input: CardAuthorization): Transaction;
  /**
   * Gives an open authorization a new total; more than there is declines, and the authorization stays as it was.
   * Refuses: `parent_missing`, `parent_wrong`, `transaction_not_found`.
   */
  update(input: { cardId: Id; parentId: Id; total: Cents }): Transaction;
  /** Gives an open authorization back, wholly or in part. Refuses as `update` does. */
  reverse(input: { cardId: Id; parentId: Id; amount?: Cents }): Transaction;
  /** Ends an authorization that was not captured in time. Refuses: `illegal_step`. */
  expire(authorization: Transaction): Transaction;
  /** A merchant's credit, with or without the purchase it belongs to. Refuses: `card_not_found`, `parent_wrong`. */
  refund(input: { cardId: Id; amount: Cents; parentId?: Id; merchant?: Partial<Merchant> }): Transaction;
}

/** Who sells when nobody is named. */
export const DEFAULT_MERCHANT: Merchant = {
  name: 'Corner Market',
  city: 'San Francisco',
  state: 'CA',
  country: 'US',
  postalCode: '94105',
  category: 'Grocery Stores, Supermarkets',
  mcc: '5411',
  id: 'SANDBANK0000001',
};

const NOTHING_USED: Usage = { amount: 0, count: 0 };

/** The verbs of card payments. */
export function createCardPayments(
  parts: Parts,
  accounts: Accounts,
  cards: Cards,
  movements: Movements,
): CardPayments {
  const { store, clock } = parts;

  const usageOf = (card: Card, now: Instant): Usage =>
    countsUsage(card)
      ? store.cardUsage.since(card.id, periodStart(card.controls.limit.period, now))
      : NOTHING_USED;

  /** Adds to, or with negative figures gives back to, the day on which the card was used. */
  const use = (card: Card, day: Instant, amount: Cents, count: number): void =>
    store.cardUsage.add(card.id, utcDate(day), amount, count);

  const parentOf = (parentId: Id, cardId: Id): Transaction => {
    const parent = movements.byId(parentId);
    if (parent.cardId !== cardId || parent.rail !== 'card_authorization') {
      throw refuse('parent_wrong', {
        field: 'parentId',
        message: 'the parent is no authorization of this card',
      });
    }
    return parent;
  };

  const openParent = (parentId: Id, cardId: Id): Transaction => {
    const parent = parentOf(parentId, cardId);
    if (parent.status === 'pending' && parent.holdId !== null) return parent;
    throw refuse('parent_wrong', {
      field: 'parentId',
      message: `the parent is ${parent.status}; only an open authorization can be changed or reversed`,
    });
  };

  /** An authorization with something to refund: one that was declined or given back has nothing. */
  const purchaseOf = (parentId: Id, cardId: Id): Transaction => {
    const parent = parentOf(parentId, cardId);
    if (parent.status === 'pending' || parent.status === 'settled') return parent;
    throw refuse('parent_wrong', {
      field: 'parentId',
      message: `the parent is ${parent.status}; there is nothing to refund`,
    });
  };

  const refundedOf = (parent: Transaction): Cents =>
    store.transactions
      .ofParent(parent.id)
      .reduce((sum, { rail, amount }) => (rail === 'card_refund' ? sum + amount : sum), 0);

  const draftOf = (
    card: Card,
    own: AccountFile,
    amount: Cents,
    details: CardDetails,
  ): Omit<Draft, 'rail'> => ({
    ...own,
    amount,
    title: details.merchant.name,
    description: `Spent ${card.label} at ${details.merchant.name}`.replace('  ', ' '),
    otherSide: null,
    details,
    cardId: card.id,
  });

  const decline = (draft: Omit<Draft, 'rail'>, reason: Reason, parentId: Id | ''): Transaction =>
    movements.open({ ...draft, rail: 'card_authorization', type: 'decline', declined: reason, parentId });

  return {
    authorize(input) {
      const { card } = cards.byId(input.cardId);
      const own = accounts.byId(card.accountId);
      const now = clock.now();
      const usage = usageOf(card, now);
      const merchant = { ...DEFAULT_MERCHANT, ...input.merchant };
      const { amount } = input;
      const atm = input.atm ?? false;
      const available = totalsOf(own.balance).availableBalance;
      const reason = refusalOfPurchase(card, own.account, available, usage, { amount, merchant, atm });
      const after = reason === undefined ? { amount: usage.amount + amount, count: usage.count + 1 } : usage;
      const draft = draftOf(card, own, amount, {
        kind: 'card',
        cardId: card.id,
        cardHolderId: card.cardHolderId,
        cardLabel: card.label,
        merchant,
        authMethod: input.authMethod ?? 'other',
        wallet: input.wallet ?? '',
        atm,
        rtaId: '',
        availableLimit: availableLimit(card, after),
        networkSettlementAt: null,
      });
      if (reason !== undefined) return decline(draft, reason, '');
      use(card, now, amount, 1);
      return movements.open({ ...draft, rail: 'card_authorization' });
    },

    update({ cardId, parentId, total }) {
      const parent = openParent(parentId, cardId);
      const { card } = cards.byId(cardId);
      const own = accounts.byId(card.accountId);
      const more = total - parent.amount;
      const available = totalsOf(own.balance).availableBalance;
      if (more > 0 && more > available) {
        const reason = {
          code: 'lowBalance',
          message: `${formatMoney(more)} more asked, ${formatMoney(available)} available`,
        };
        return decline(draftOf(card, own, total, parent.details as CardDetails), reason, parent.id);
      }
      if (more === 0) return parent;
      use(card, parent.createdAt, more, 0);
      return movements.rehold(parent, total).next;
    },

    reverse({ cardId, parentId, amount }) {
      const parent = openParent(parentId, cardId);
      const { card } = cards.byId(cardId);
      const back = amount ?? parent.amount;
      if (back > parent.amount) {
        throw refuse('parent_wrong', {
          field: 'amount',
          message: `${formatMoney(back)} is more than the ${formatMoney(parent.amount)} that is held`,
        });
      }
      const whole = back === parent.amount;
      use(card, parent.createdAt, -back, whole ? -1 : 0);
      const moved = whole
        ? movements.happenBeside(parent, 'reverse')
        : movements.rehold(parent, parent.amount - back, 'beside').moved;
      const own = accounts.byId(card.accountId);
      const details = parent.details as CardDetails;
      const now = clock.now();
      return movements.open({
        ...draftOf(card, own, back, {
          ...details,
          availableLimit: availableLimit(card, usageOf(card, now)),
          networkSettlementAt: now,
        }),
        rail: 'card_reverse',
        description: `Reversal for - ${parent.description}`,
        parentId: parent.id,
        moved,
      });
    },

    expire(authorization) {
      const expired = movements.happen(authorization, 'expire');
      const { card } = cards.byId(authorization.cardId);
      use(card, authorization.createdAt, -authorization.amount, -1);
      return expired;
    },

    refund({ cardId, amount, parentId, merchant }) {
      const { card } = cards.byId(cardId);
      const parent = parentId === undefined ? undefined : purchaseOf(parentId, cardId);
      const left = parent === undefined ? amount : parent.amount - refundedOf(parent);
      if (amount > left) {
        throw refuse('parent_wrong', {
          field: 'amount',
          message: `${formatMoney(amount)} is more than the ${formatMoney(left)} that is left of the purchase`,
        });
      }
      const whole = amount === left;
      if (parent !== undefined) use(card, parent.createdAt, -amount, whole ? -1 : 0);
      const own = accounts.byId(card.accountId);
      const now = clock.now();
      const purchase = parent === undefined ? undefined : (parent.details as CardDetails);
      const authMethod: AuthMethod = purchase?.authMethod ?? 'other';
      const pending = movements.open({
        ...draftOf(card, own, amount, {
          kind: 'card',
          cardId: card.id,
          cardHolderId: card.cardHolderId,
          cardLabel: card.label,
          merchant: { ...DEFAULT_MERCHANT, ...purchase?.merchant, ...merchant },
          authMethod,
          wallet: purchase?.wallet ?? '',
          atm: false,
          rtaId: '',
          availableLimit: availableLimit(card, usageOf(card, now)),
          networkSettlementAt: null,
        }),
        rail: 'card_refund',
        parentId: parent?.id ?? '',
      });
      const settled = movements.happen(pending, 'settle');
      if (parent?.status === 'settled' && whole) movements.happen(parent, 'refund');
      return settled;
    },
  };
}
