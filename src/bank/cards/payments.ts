/**
 * What happens to a card at a merchant: authorization, a new total, capture, reversal, refund. An authorization is a hold on
 * the sub account. It counts in the card's daily usage, which is reduced when the hold is released. A capture is never refused for lack
 * of money: the network has promised it to the merchant.
 * Source: decisions `authorization-checks`, `v2-simulated-decline`, `v1-card-test-decline`, `card-limit-periods`,
 * `uncaptured-authorization`, `authorization-increase` and `fallback-draws` in docs/fidelity.md.
 */

import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { totalsOf } from '../../model/balances.ts';
import { completeMerchant } from '../../model/merchants.ts';
import type { CardDetails, Reason, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Covered, Fallbacks } from '../accounts/fallbacks.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountFile, CardAuthorization, CardFile } from '../inputs.ts';
import { note } from '../publish.ts';
import type { RealTime } from '../real-time.ts';
import type { NewTransaction } from '../transactions/build.ts';
import type { ChosenOutcome, Outcomes } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import type { Cards } from './cards.ts';
import {
  availableLimit,
  createCardUsage,
  lowBalance,
  type Objection,
  objectionOfLimit,
  objectionTo,
} from './controls.ts';
import {
  type CardPurchases,
  createCardPurchases,
  type MerchantWords,
  newCardTransaction,
  withWords,
} from './purchases.ts';
import { type CardRefunds, createCardRefunds } from './refunds.ts';

/** The authorization after a capture or its expiry, and the row that records that, which may be the authorization itself. */
export interface Captured {
  authorization: Transaction;
  transaction: Transaction;
}

/** A new total for an open authorization. */
interface CardUpdate extends MerchantWords {
  cardId: Id;
  parentId: Id;
  total: Cents;
  test?: boolean;
}

export interface CardPayments
  extends CardRefunds,
    Pick<CardPurchases, 'require' | 'amountsOf' | 'legalEvents'> {
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
   * The control that would decline a test of v1, where test calls do not apply controls; `undefined` when none would, or
   * when they apply. Changes nothing. Refuses as `authorize` and `update` do.
   */
  controlNotApplied(input: CardAuthorization | CardUpdate): Objection | undefined;
  /**
   * Gives an open authorization a new total, in cents; more than there is, or than a limit allows, declines, and the
   * authorization stays as it was. What was reversed of it stays reversed, so the total is more than that. The authorization
   * shows the merchant and the method that came with the last total. Refuses:
   * `parent_missing`, `parent_wrong`, `transaction_not_found`.
   */
  update(input: CardUpdate): Transaction;
  /**
   * Takes the money of an open authorization, all that is held unless an amount is given; another final amount than the held
   * one is a row of its own with the difference, and one that is not final takes its part and keeps the rest held. It
   * posts even if it overdraws. With `cardId` it must be that card's. Refuses: `parent_wrong`, `illegal_step`, `transaction_not_found`.
   */
  capture(input: { authorizationId: Id; cardId?: Id; amount?: Cents; final?: boolean }): Captured;
  /** Releases the hold of an open authorization, wholly or in part, and records that as a row of its own. Refuses as `update` does. */
  reverse(input: { cardId: Id; parentId: Id; amount?: Cents } & MerchantWords): Transaction;
  /**
   * Ends an authorization that was not captured in time: its hold is released, and that is a row of its own, as of a reversal.
   * Refuses: `illegal_step`.
   */
  expire(authorization: Transaction): Captured;
}

/** Why a card is declined when the client, or its stand-in, declines in real time. */
const NOT_HONORED: Reason = { code: 'doNotHonor', message: 'declined by real-time authorization' };

/** What card payments are made with. */
export interface CardPaymentDependencies {
  accounts: Accounts;
  fallbacks: Fallbacks;
  cards: Cards;
  transactions: TransactionVerbs;
  outcomes: Outcomes;
  realTime: RealTime;
}

/** The verbs of card payments. */
export function createCardPayments(dependencies: Dependencies, given: CardPaymentDependencies): CardPayments {
  const { store, clock } = dependencies;
  const { accounts, fallbacks, cards, transactions, outcomes, realTime } = given;
  const purchases = createCardPurchases(store, transactions);
  const usage = createCardUsage(dependencies);

  const isLenient = (test: boolean | undefined): boolean =>
    test === true && !outcomes.settings().cardControlsInTest;

  const decline = (
    newTransaction: Omit<NewTransaction, 'rail'>,
    reason: Reason,
    parentId: Id | '',
  ): Transaction =>
    transactions.open({
      ...newTransaction,
      rail: 'card_authorization',
      type: 'decline',
      declined: reason,
      parentId,
    });

  const noteObjection = ({ id }: Transaction, { control, reason, numbers }: Objection): void => {
    const { code, message } = reason;
    note(dependencies, {
      subjectId: id,
      source: 'control',
      name: control,
      effect: `declined ${code}`,
      message,
      numbers,
    });
  };

  const noteChoice = ({ id, status, reason }: Transaction, chosen: ChosenOutcome): void => {
    const { source, name, message, numbers } = chosen;
    const effect =
      status === 'declined' && chosen.event === 'decline' ? `declined ${reason?.code}` : 'ordinary course';
    note(dependencies, { subjectId: id, source, name, effect, message, numbers });
  };

  /** Evaluates the rules and controls for a purchase, before the client is asked. */
  const evaluate = (input: CardAuthorization, lenient = isLenient(input.test)) => {
    const { amount } = input;
    const file = cards.byId(input.cardId);
    const { card } = file;
    const own = accounts.byId(card.accountId);
    const used = usage.of(card, clock.now());
    const merchant = completeMerchant(input.merchant);
    const atm = input.atm ?? false;
    const { mcc, name } = merchant;
    const chosen = outcomes.choose({ rail: 'card_authorization', amount, mcc, name });
    const draw = fallbacks.drawFor(own, 'card', amount);
    const available = draw === undefined ? totalsOf(own.balance).availableBalance : amount;
    const objection =
      chosen?.event === 'decline'
        ? undefined
        : objectionTo(file, own.account, available, used, { amount, merchant, atm, lenient });
    return { file, own, used, merchant, atm, chosen, draw, objection };
  };

  /** The limit that a new total would exceed. */
  const limitObjection = ({ cardId, parentId, total }: CardUpdate): Objection | undefined => {
    const parent = purchases.openParent(parentId, cardId);
    const { held } = purchases.amountsOf(parent);
    const { card } = cards.byId(cardId);
    const more = total - parent.amount;
    return more <= 0 ? undefined : objectionOfLimit(card, usage.without(parent, held, card), held + more);
  };

  /** Opens the row that records how much of a hold was released, with the balances after it. */
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

  /** Ends an authorization of which nothing more is captured: releases its whole hold, and records that as a row of its own. */
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
    ...createCardRefunds({ accounts, cards, transactions, purchases, usage }),

    authorize(input) {
      const { amount, rta } = input;
      const { file, own, used, merchant, atm, chosen, draw, objection } = evaluate(input);
      const { card } = file;
      const reason =
        chosen?.reason ?? objection?.reason ?? (rta?.answer === 'declined' ? NOT_HONORED : undefined);
      const after = reason === undefined ? { amount: used.amount + amount, count: used.count + 1 } : used;
      const covered = reason === undefined && draw !== undefined ? fallbacks.draw(own, draw) : undefined;
      const details: CardDetails = {
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
      };
      const newTransaction = newCardTransaction(card, own, amount, details, covered);
      if (reason === undefined) usage.add(card.id, clock.now(), amount, 1);
      const opened =
        reason === undefined
          ? transactions.open({
              ...newTransaction,
              rail: input.test ? 'card_test_authorization' : 'card_authorization',
            })
          : decline(newTransaction, reason, '');
      if (chosen !== undefined) noteChoice(opened, chosen);
      if (objection !== undefined) noteObjection(opened, objection);
      if (rta !== undefined) realTime.record(opened, 'card', rta);
      return opened;
    },

    questionOf(input) {
      const { file, own, chosen, objection } = evaluate(input);
      const decided = objection !== undefined || (chosen !== undefined && chosen.event !== null);
      return decided ? undefined : { ...file, ...own };
    },

    controlNotApplied(input) {
      if (!isLenient(input.test)) return undefined;
      return 'total' in input ? limitObjection(input) : evaluate(input, false).objection;
    },

    update(input) {
      const { cardId, parentId, total, test, merchant, authMethod } = input;
      const parent = purchases.openParent(parentId, cardId);
      const { held, reversed } = purchases.amountsOf(parent);
      if (total <= reversed) {
        throw refuse('parent_wrong', {
          field: 'amount',
          message: `a new total is more than the ${formatMoney(reversed)} that was reversed of it; got ${formatMoney(total)}`,
        });
      }
      const { card } = cards.byId(cardId);
      const own = accounts.byId(card.accountId);
      const details = withWords(parent.details as CardDetails, input);
      const more = total - parent.amount;
      const available = totalsOf(own.balance).availableBalance;
      // Less is never covered, however overdrawn the account is.
      const draw = more > 0 ? fallbacks.drawFor(own, 'card', more) : undefined;
      const objection =
        more <= 0
          ? undefined
          : ((isLenient(test) ? undefined : limitObjection(input)) ??
            (more > available && draw === undefined ? lowBalance(more, available, 'more ') : undefined));
      if (objection !== undefined) {
        const newTransaction = newCardTransaction(card, own, total, details);
        const declined = decline(newTransaction, objection.reason, parent.id);
        noteObjection(declined, objection);
        return declined;
      }
      if (more === 0 && merchant === undefined && authMethod === undefined) return parent;
      usage.add(card.id, parent.createdAt, more, 0);
      const localAmount = details.localAmount ?? parent.amount;
      const covered = draw === undefined ? undefined : fallbacks.draw(own, draw, parent.id);
      const changed = {
        ...parent,
        amount: total,
        description: details.described ? parent.description : details.merchant.name,
        details: {
          ...details,
          localAmount,
          ...(covered !== undefined && { fallbackId: covered.fallbackId }),
        },
      };
      return transactions.changeHold(changed, held + more, 'progressed').next;
    },

    capture({ authorizationId, cardId, amount, final = true }) {
      if (cardId !== undefined) purchases.openParent(authorizationId, cardId);
      const { authorization: parent, held } = purchases.require(authorizationId, 'capture');
      const { card } = cards.byId(parent.cardId);
      const before = accounts.byId(card.accountId);
      const capturedAmount = amount ?? held;
      const openAdjustment = (
        rail: 'card_adjust_up' | 'card_adjust_down',
        own: AccountFile,
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
      if (!final && capturedAmount < held) {
        const partlyCaptured = { ...parent, amount: parent.amount - capturedAmount };
        const { next } = transactions.changeHold(partlyCaptured, held - capturedAmount, 'updated');
        // The row starts from the balances before the hold was reduced, because what is captured was held.
        return { authorization: next, transaction: openAdjustment('card_adjust_up', before, capturedAmount) };
      }
      const settled = transactions.applyEvent(parent, 'settle');
      const difference = capturedAmount - held;
      if (difference === 0) return { authorization: settled, transaction: settled };
      usage.add(card.id, parent.createdAt, difference, 0);
      const own = accounts.byId(card.accountId);
      if (difference < 0) {
        return { authorization: settled, transaction: openAdjustment('card_adjust_down', own, -difference) };
      }
      const draw = fallbacks.drawFor(own, 'card', difference);
      const covered = draw === undefined ? undefined : fallbacks.draw(own, draw);
      return {
        authorization: settled,
        transaction: openAdjustment('card_adjust_up', own, difference, covered),
      };
    },

    reverse({ cardId, parentId, amount, ...words }) {
      const parent = purchases.openParent(parentId, cardId);
      const { held } = purchases.amountsOf(parent);
      const releasedAmount = amount ?? held;
      if (releasedAmount > held) {
        throw refuse('parent_wrong', {
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

    require: purchases.require,
    amountsOf: purchases.amountsOf,
    legalEvents: purchases.legalEvents,
  };
}
