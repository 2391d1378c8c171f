/**
 * What happens to a card at a merchant: authorization, a new total, capture, reversal, refund. An authorization is a hold on
 * the sub account; the card's daily usage is kept beside it, and given back with it. A capture is never refused for lack
 * of money: the network has promised it to the merchant.
 * Source: rows 34 to 38 of docs/fidelity.md.
 */

import { illegalStep } from '../kernel/machine.ts';
import { type Cents, formatMoney } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { type Instant, utcDate } from '../kernel/time.ts';
import { totalsOf } from '../ledger/ledger.ts';
import type { Card, CardDetails, Merchant, Reason, Transaction } from '../model/records.ts';
import type { AuthMethod } from '../model/vocabulary.ts';
import type { Accounts } from './accounts.ts';
import {
  availableLimit,
  countsUsage,
  lowBalance,
  type Objection,
  objectionOfLimit,
  objectionTo,
  periodStart,
  type Usage,
} from './card-controls.ts';
import type { Cards } from './cards.ts';
import type { AccountFile, CardAuthorization, CardFile } from './inputs.ts';
import type { Draft, Movements } from './movements.ts';
import { note } from './notes.ts';
import type { Chosen, Outcomes } from './outcomes.ts';
import type { Parts } from './parts.ts';
import type { RealTime } from './rta.ts';

/** What may be asked of an authorization. */
export const AUTHORIZATION_EVENTS = ['increment', 'capture', 'reverse', 'expire', 'refund'] as const;
export type AuthorizationEvent = (typeof AUTHORIZATION_EVENTS)[number];

/** What a capture made: the authorization as it is after it, and the row that tells of it, which may be the same. */
export interface Captured {
  authorization: Transaction;
  transaction: Transaction;
}

export interface CardPayments {
  /**
   * Asks for an authorization: the answer is `pending` (held), or `declined` of type `decline` with its `reason.code`
   * (`lowBalance`, `cardInactive`, `cardCanceled`, ...). Refuses: `card_not_found`.
   */
  authorize(input: CardAuthorization): Transaction;
  /**
   * The card and account that a client is to be asked about before `authorize`; `undefined` when it is decided without
   * asking, by a rule or a control. Changes nothing. Refuses: `card_not_found`.
   */
  questionOf(input: CardAuthorization): (CardFile & AccountFile) | undefined;
  /**
   * Gives an open authorization a new total; more than there is, or than a limit allows, declines, and the authorization
   * stays as it was. Refuses: `parent_missing`, `parent_wrong`, `transaction_not_found`.
   */
  update(input: { cardId: Id; parentId: Id; total: Cents; test?: boolean }): Transaction;
  /**
   * Takes the money of an open authorization, all that is held unless told otherwise; another final amount than the held
   * one is a row of its own with the difference, and one that is not final takes its part and keeps the rest held. It
   * posts even if it overdraws. Refuses: `parent_wrong`, `illegal_step`, `transaction_not_found`.
   */
  capture(input: { authorizationId: Id; amount?: Cents; final?: boolean }): Captured;
  /** Gives an open authorization back, wholly or in part. Refuses as `update` does. */
  reverse(input: { cardId: Id; parentId: Id; amount?: Cents }): Transaction;
  /** Ends an authorization that was not captured in time. Refuses: `illegal_step`. */
  expire(authorization: Transaction): Transaction;
  /**
   * A merchant's credit, with or without the purchase it belongs to; with `captured` never more than was captured of it.
   * Refuses: `card_not_found`, `parent_wrong`.
   */
  refund(input: {
    cardId: Id;
    amount: Cents;
    parentId?: Id;
    merchant?: Partial<Merchant>;
    captured?: boolean;
  }): Transaction;
  /** An authorization that may take this event now, with what is left to refund. Refuses: `parent_wrong`, `illegal_step`. */
  require(authorizationId: Id, event: AuthorizationEvent): { authorization: Transaction; refundable: Cents };
  /** What an authorization accepts now. */
  legalEvents(authorization: Transaction): AuthorizationEvent[];
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

/** What is said when a client declines in real time, or its stand-in does. */
const NOT_HONORED: Reason = { code: 'doNotHonor', message: 'declined by real-time authorization' };

const NOTHING_USED: Usage = { amount: 0, count: 0 };

/** The verbs of card payments. */
export function createCardPayments(
  parts: Parts,
  accounts: Accounts,
  cards: Cards,
  movements: Movements,
  outcomes: Outcomes,
  realTime: RealTime,
): CardPayments {
  const { store, clock } = parts;

  const usageOf = (card: Card, now: Instant): Usage =>
    countsUsage(card)
      ? store.cardUsage.since(card.id, periodStart(card.controls.limit.period, now))
      : NOTHING_USED;

  /** Adds to, or with negative figures gives back to, the day on which the card was used. */
  const use = (card: Card, day: Instant, amount: Cents, count: number): void =>
    store.cardUsage.add(card.id, utcDate(day), amount, count);

  const isLenient = (test: boolean | undefined): boolean =>
    test === true && !outcomes.settings().cardControlsInTest;

  const authorizationOf = (id: Id): Transaction => {
    const authorization = movements.byId(id);
    if (authorization.rail === 'card_authorization') return authorization;
    throw refuse('parent_wrong', { field: 'parentId', message: 'the transaction is no card authorization' });
  };

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

  /** What of an authorization was taken beside its hold, what was captured in all, and what of it was refunded. */
  const takenOf = (authorization: Transaction): Record<'beside' | 'captured' | 'refunded', Cents> => {
    let beside = 0;
    let refunded = 0;
    for (const { rail, amount } of store.transactions.ofParent(authorization.id)) {
      if (rail === 'card_adjust_up') beside += amount;
      else if (rail === 'card_adjust_down') beside -= amount;
      else if (rail === 'card_refund') refunded += amount;
    }
    return {
      beside,
      refunded,
      captured: beside + (authorization.settledAt === null ? 0 : authorization.amount),
    };
  };

  /** What of a purchase can be refunded: one that was declined or given back has nothing. */
  const leftOf = (parentId: Id, cardId: Id, capturedOnly: boolean): { parent: Transaction; left: Cents } => {
    const parent = parentOf(parentId, cardId);
    const { beside, captured, refunded } = takenOf(parent);
    const held = parent.status === 'pending' && !capturedOnly ? parent.amount : 0;
    const bought = parent.status === 'pending' || parent.status === 'settled';
    if (bought || (parent.status === 'reversed' && beside > 0)) {
      return { parent, left: captured + held - refunded };
    }
    throw refuse('parent_wrong', {
      field: 'parentId',
      message: `the parent is ${parent.status}; there is nothing to refund`,
    });
  };

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

  const noteObjection = ({ id }: Transaction, { control, reason, numbers }: Objection): void => {
    const { code, message } = reason;
    note(parts, {
      subjectId: id,
      source: 'control',
      name: control,
      effect: `declined ${code}`,
      message,
      numbers,
    });
  };

  const noteChoice = ({ id, status, reason }: Transaction, chosen: Chosen): void => {
    const { source, name, message, numbers } = chosen;
    const effect =
      status === 'declined' && chosen.event === 'decline' ? `declined ${reason?.code}` : 'ordinary course';
    note(parts, { subjectId: id, source, name, effect, message, numbers });
  };

  /** Everything that is known about a wish to pay before the client is asked. */
  const weigh = (input: CardAuthorization) => {
    const { amount } = input;
    const file = cards.byId(input.cardId);
    const { card } = file;
    const own = accounts.byId(card.accountId);
    const usage = usageOf(card, clock.now());
    const merchant = { ...DEFAULT_MERCHANT, ...input.merchant };
    const atm = input.atm ?? false;
    const { mcc, name } = merchant;
    const chosen = outcomes.choose({ rail: 'card_authorization', amount, mcc, name });
    const available = totalsOf(own.balance).availableBalance;
    const lenient = isLenient(input.test);
    const objection =
      chosen?.event === 'decline'
        ? undefined
        : objectionTo(card, own.account, available, usage, { amount, merchant, atm, lenient });
    return { file, own, usage, merchant, atm, chosen, objection };
  };

  return {
    authorize(input) {
      const { amount, rta } = input;
      const { file, own, usage, merchant, atm, chosen, objection } = weigh(input);
      const { card } = file;
      const reason =
        chosen?.reason ?? objection?.reason ?? (rta?.answer === 'declined' ? NOT_HONORED : undefined);
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
        rtaId: rta?.id ?? '',
        availableLimit: availableLimit(card, after),
        networkSettlementAt: null,
      });
      if (reason === undefined) use(card, clock.now(), amount, 1);
      const opened =
        reason === undefined
          ? movements.open({ ...draft, rail: 'card_authorization' })
          : decline(draft, reason, '');
      if (chosen !== undefined) noteChoice(opened, chosen);
      if (objection !== undefined) noteObjection(opened, objection);
      if (rta !== undefined) realTime.record(opened, 'card', rta);
      return opened;
    },

    questionOf(input) {
      const { file, own, chosen, objection } = weigh(input);
      const decided = objection !== undefined || (chosen !== undefined && chosen.event !== null);
      return decided ? undefined : { ...file, ...own };
    },

    update({ cardId, parentId, total, test }) {
      const parent = openParent(parentId, cardId);
      const { card } = cards.byId(cardId);
      const own = accounts.byId(card.accountId);
      const more = total - parent.amount;
      const available = totalsOf(own.balance).availableBalance;
      const objection =
        more <= 0
          ? undefined
          : ((isLenient(test) ? undefined : objectionOfLimit(card, usageWithout(parent, card), total)) ??
            (more > available ? lowBalance(more, available, 'more ') : undefined));
      if (objection !== undefined) {
        const draft = draftOf(card, own, total, parent.details as CardDetails);
        const declined = decline(draft, objection.reason, parent.id);
        noteObjection(declined, objection);
        return declined;
      }
      if (more === 0) return parent;
      use(card, parent.createdAt, more, 0);
      return movements.rehold(parent, total).next;
    },

    capture({ authorizationId, amount, final = true }) {
      const { authorization: parent } = requireLegal(authorizationId, 'capture');
      const { card } = cards.byId(parent.cardId);
      const before = accounts.byId(card.accountId);
      const held = parent.amount;
      const taken = amount ?? held;
      const rowOf = (
        rail: 'card_adjust_up' | 'card_adjust_down',
        own: AccountFile,
        cents: Cents,
      ): Transaction => {
        const now = clock.now();
        return movements.open({
          ...draftOf(card, own, cents, {
            ...(parent.details as CardDetails),
            availableLimit: availableLimit(card, usageOf(card, now)),
            networkSettlementAt: now,
          }),
          rail,
          parentId: parent.id,
          mayOverdraw: true,
        });
      };
      if (!final && taken < held) {
        const { next } = movements.rehold(parent, held - taken, 'beside');
        // Seen from before the hold was made smaller, nothing has left the account but what was held.
        return { authorization: next, transaction: rowOf('card_adjust_up', before, taken) };
      }
      const settled = movements.happen(parent, 'settle');
      const difference = taken - held;
      if (difference === 0) return { authorization: settled, transaction: settled };
      use(card, parent.createdAt, difference, 0);
      const rail = difference > 0 ? 'card_adjust_up' : 'card_adjust_down';
      const own = accounts.byId(card.accountId);
      return { authorization: settled, transaction: rowOf(rail, own, Math.abs(difference)) };
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
      use(card, parent.createdAt, -back, whole ? -countOf(parent) : 0);
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
      const count = countOf(authorization);
      const expired = movements.happen(authorization, 'expire');
      const { card } = cards.byId(authorization.cardId);
      use(card, authorization.createdAt, -authorization.amount, -count);
      return expired;
    },

    refund({ cardId, amount, parentId, merchant, captured = false }) {
      const { card } = cards.byId(cardId);
      const { parent: found, left } =
        parentId === undefined ? { parent: undefined, left: amount } : leftOf(parentId, cardId, captured);
      if (amount > left) {
        throw refuse('parent_wrong', {
          field: 'amount',
          message: `${formatMoney(amount)} is more than the ${formatMoney(left)} that is left of the purchase`,
        });
      }
      const whole = amount === left;
      // What a merchant refunds it has taken: a hold that stayed would be given back a second time at its expiry.
      const parent = found?.status === 'pending' && !captured ? movements.happen(found, 'settle') : found;
      // While a part of it is held, the purchase itself goes on.
      const ends = whole && !(captured && parent?.status === 'pending');
      if (parent !== undefined) use(card, parent.createdAt, -amount, ends ? -1 : 0);
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

    require: requireLegal,
    legalEvents: (authorization) => legalOf(authorization, refundableOf(authorization)),
  };

  /** The usage that a new total is judged by: the purchase itself is not counted twice. */
  function usageWithout(parent: Transaction, card: Card): Usage {
    const now = clock.now();
    if (utcDate(parent.createdAt) < periodStart(card.controls.limit.period, now)) return NOTHING_USED;
    const { amount, count } = usageOf(card, now);
    return { amount: amount - parent.amount, count: count - 1 };
  }

  /** How often an open authorization counts as a use when it ends: what was captured in part was a use. */
  function countOf(authorization: Transaction): number {
    return takenOf(authorization).beside > 0 ? 0 : 1;
  }

  function refundableOf(authorization: Transaction): Cents {
    const { captured, refunded } = takenOf(authorization);
    return captured - refunded;
  }

  function legalOf({ status }: Transaction, refundable: Cents): AuthorizationEvent[] {
    const open: AuthorizationEvent[] =
      status === 'pending' ? ['increment', 'capture', 'reverse', 'expire'] : [];
    return refundable > 0 && status !== 'refunded' ? [...open, 'refund'] : open;
  }

  function requireLegal(id: Id, event: AuthorizationEvent) {
    const authorization = authorizationOf(id);
    const refundable = refundableOf(authorization);
    const legal = legalOf(authorization, refundable);
    if (!legal.includes(event)) throw illegalStep('card authorization', authorization.status, event, legal);
    return { authorization, refundable };
  }
}
