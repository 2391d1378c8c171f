/**
 * Card payments at a merchant: authorization and new total are in this file, capture, reversal and expiry in
 * `captures.ts`, refunds in `refunds.ts`. An authorization is a hold on the sub account, and counts in the card's
 * daily usage.
 * Source: decisions `authorization-checks`, `v2-simulated-decline`, `v1-card-test-decline`, `card-limit-periods`,
 * `authorization-increase` and `fallback-draws` in docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { totalsOf } from '../../model/balances.ts';
import { completeMerchant } from '../../model/merchants.ts';
import type { Card, CardDetails, Reason, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Covered, Fallbacks } from '../accounts/fallbacks.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, CardAuthorization, CardWithHolder } from '../inputs.ts';
import { note } from '../publish.ts';
import type { RealTime } from '../real-time.ts';
import type { NewTransaction } from '../transactions/build.ts';
import { type ChosenOutcome, effectOf, type Outcomes, plannedOutcome } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { type CardCaptures, createCardCaptures } from './captures.ts';
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

/** A new total for an open authorization. */
interface CardUpdate extends MerchantWords {
  cardId: Id;
  parentId: Id;
  total: Cents;
  test?: boolean;
}

export interface CardPayments
  extends CardRefunds,
    CardCaptures,
    Pick<CardPurchases, 'require' | 'amountsOf' | 'legalEvents'> {
  /**
   * Requests an authorization: the result is `pending` (on hold), or `declined` of type `decline` with its
   * `reason.code` (`lowBalance`, `cardInactive`, `cardCanceled`, ...). Refuses: `card_not_found`.
   */
  authorize(input: CardAuthorization): Transaction;
  /**
   * The card and account for a real-time request to the client before `authorize`; `undefined` if a rule or a control
   * decides. Changes nothing. Refuses: `card_not_found`.
   */
  questionOf(input: CardAuthorization): (CardWithHolder & AccountWithBalance) | undefined;
  /**
   * The control that would decline a card test of v1, if tests do not apply all of them; `undefined` if none would, or
   * if tests apply them all. Changes nothing. Refuses as `authorize` and `update` do.
   */
  controlNotApplied(input: CardAuthorization | CardUpdate): Objection | undefined;
  /**
   * Gives an open authorization a new total, in cents. An increase above the balance or a limit is declined, and the
   * authorization does not change. Earlier reversals stay, so the total must be more than they are. The authorization
   * then has the merchant and the method of the last total. Refuses: `parent_missing`, `parent_wrong`,
   * `transaction_not_found`.
   */
  update(input: CardUpdate): Transaction;
}

/** The reason of a decline by real-time authorization. */
const NOT_HONORED: Reason = { code: 'doNotHonor', message: 'declined by real-time authorization' };

/** The dependencies of card payments. */
export interface CardPaymentDependencies {
  accounts: Accounts;
  fallbacks: Fallbacks;
  cards: Cards;
  transactions: TransactionVerbs;
  outcomes: Outcomes;
  realTime: RealTime;
}

/** The verbs of card payments. */
export function createCardPayments(
  dependencies: Dependencies,
  options: CardPaymentDependencies,
): CardPayments {
  const { store, clock } = dependencies;
  const { accounts, fallbacks, cards, transactions, outcomes, realTime } = options;
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

  /** Evaluates the rules and controls for a purchase, before the real-time request. */
  const evaluate = (input: CardAuthorization, lenient = isLenient(input.test)) => {
    const { amount } = input;
    const file = cards.byId(input.cardId);
    const { card } = file;
    const own = accounts.byId(card.accountId);
    const at = clock.now();
    const used = usage.of(card, at);
    const merchant = completeMerchant(input.merchant);
    const { mcc, name } = merchant;
    const chosen = outcomes.choose({ rail: 'card_authorization', amount, mcc, name });
    const draw = fallbacks.drawFor(own, 'card', amount);
    const available = draw === undefined ? totalsOf(own.balance).availableBalance : amount;
    const purchase = { amount, merchant, atm: input.atm ?? false, at, lenient };
    const objection =
      chosen?.event === 'decline' ? undefined : objectionTo(file, own.account, available, used, purchase);
    return { file, own, used, merchant, chosen, draw, objection };
  };

  /** The objection of a limit to a new total. */
  const limitObjection = (input: CardUpdate, lenient = isLenient(input.test)): Objection | undefined => {
    const { cardId, parentId, total } = input;
    const parent = purchases.openParent(parentId, cardId);
    const { held } = purchases.amountsOf(parent);
    if (total <= parent.amount) return undefined;
    const { card } = cards.byId(cardId);
    const amount = held + total - parent.amount;
    return objectionOfLimit(card, usage.without(parent, held, card), { amount, lenient });
  };

  return {
    ...createCardRefunds({ accounts, cards, transactions, purchases, usage }),
    ...createCardCaptures(dependencies, { accounts, fallbacks, cards, transactions, purchases, usage }),

    authorize(input) {
      const { amount, rta } = input;
      const { file, own, used, merchant, chosen, draw, objection } = evaluate(input);
      const { card } = file;
      const reason =
        chosen?.reason ?? objection?.reason ?? (rta?.answer === 'declined' ? NOT_HONORED : undefined);
      const after = reason === undefined ? { amount: used.amount + amount, count: used.count + 1 } : used;
      const covered = reason === undefined && draw !== undefined ? fallbacks.draw(own, draw) : undefined;
      const details = detailsOf(card, input, merchant, availableLimit(card, after));
      const newTransaction = newCardTransaction(card, own, amount, details, covered);
      if (reason === undefined) usage.add(card.id, clock.now(), amount, 1);
      const opened =
        reason === undefined
          ? transactions.open({
              ...newTransaction,
              rail: input.test ? 'card_test_authorization' : 'card_authorization',
              outcome:
                chosen === undefined ? null : plannedOutcome('card_authorization', chosen, clock.now()),
            })
          : decline(newTransaction, reason, '');
      if (chosen !== undefined) noteChoice(dependencies, opened, chosen);
      if (objection !== undefined) noteObjection(dependencies, opened, objection);
      if (rta !== undefined) realTime.record(opened, 'card', rta);
      return opened;
    },

    questionOf(input) {
      const { file, own, chosen, objection } = evaluate(input);
      const decided = objection !== undefined || chosen?.event === 'decline';
      return decided ? undefined : { ...file, ...own };
    },

    controlNotApplied(input) {
      if (!isLenient(input.test)) return undefined;
      return 'total' in input ? limitObjection(input, false) : evaluate(input, false).objection;
    },

    update(input) {
      const { cardId, parentId, total, merchant, authMethod } = input;
      const parent = purchases.openParent(parentId, cardId);
      const { held, reversed } = purchases.amountsOf(parent);
      requireAbove(reversed, total);
      const { card } = cards.byId(cardId);
      const own = accounts.byId(card.accountId);
      const details = withWords(parent.details as CardDetails, input);
      const more = total - parent.amount;
      const available = totalsOf(own.balance).availableBalance;
      // A smaller total never needs a fallback account, even if the account is overdrawn.
      const draw = more > 0 ? fallbacks.drawFor(own, 'card', more) : undefined;
      const objection =
        more <= 0
          ? undefined
          : (limitObjection(input) ??
            (more > available && draw === undefined ? lowBalance(more, available, 'more ') : undefined));
      if (objection !== undefined) {
        const newTransaction = newCardTransaction(card, own, total, details);
        const declined = decline(newTransaction, objection.reason, parent.id);
        noteObjection(dependencies, declined, objection);
        return declined;
      }
      if (more === 0 && merchant === undefined && authMethod === undefined) return parent;
      usage.add(card.id, parent.createdAt, more, 0);
      const covered = draw === undefined ? undefined : fallbacks.draw(own, draw, parent.id);
      const changed = withTotal(parent, details, total, covered);
      return transactions.changeHold(changed, held + more, 'progressed').next;
    },

    require: purchases.require,
    amountsOf: purchases.amountsOf,
    legalEvents: purchases.legalEvents,
  };
}

/** Refuses: `parent_wrong`. */
function requireAbove(reversed: Cents, total: Cents): void {
  if (total > reversed) return;
  throw refuse('parent_wrong', {
    field: 'amount',
    message: `a new total must be more than the ${formatMoney(reversed)} that was already reversed; got ${formatMoney(total)}`,
  });
}

/** The fields of an authorization with a new total. */
function withTotal(
  parent: Transaction,
  details: CardDetails,
  total: Cents,
  covered: Covered | undefined,
): Transaction {
  return {
    ...parent,
    amount: total,
    description: details.described ? parent.description : details.merchant.name,
    details: {
      ...details,
      localAmount: details.localAmount ?? parent.amount,
      ...(covered !== undefined && { fallbackId: covered.fallbackId }),
    },
  };
}

/** The details of a new authorization. */
function detailsOf(
  { id: cardId, cardHolderId, label: cardLabel }: Card,
  { authMethod = 'other', wallet = '', atm = false, rta }: CardAuthorization,
  merchant: CardDetails['merchant'],
  availableLimit: CardDetails['availableLimit'],
): CardDetails {
  return {
    kind: 'card',
    cardId,
    cardHolderId,
    cardLabel,
    merchant,
    authMethod,
    wallet,
    atm,
    rtaId: rta?.id ?? '',
    availableLimit,
    networkSettlementAt: null,
  };
}

function noteObjection(
  dependencies: Dependencies,
  { id }: Transaction,
  { control, reason, numbers }: Objection,
): void {
  const { code, message } = reason;
  note(dependencies, {
    subjectId: id,
    source: 'control',
    name: control,
    effect: `declined ${code}`,
    message,
    numbers,
  });
}

function noteChoice(dependencies: Dependencies, transaction: Transaction, chosen: ChosenOutcome): void {
  const { source, name, message, numbers } = chosen;
  const { id, reason } = transaction;
  const effect = chosen.event === 'decline' ? `declined ${reason?.code}` : effectOf(transaction, chosen);
  note(dependencies, { subjectId: id, source, name, effect, message, numbers });
}
