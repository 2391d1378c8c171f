/**
 * Whether a card can be used for a purchase: the checks in their order; the first failed one is the reason. Usage is
 * counted per UTC day, on the day of the purchase. Reversals and refunds reduce the usage of that day.
 * Source: decisions `authorization-checks`, `v1-card-test-decline`, `card-limit-periods`, `merchant-matching`,
 * `card-holder-status`, `card-expiry`, `cash-withdrawal-needs` and `card-use-day` in docs/fidelity.md.
 */

import { type Cents, formatMoney } from '../../kernel/money.ts';
import { found } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { DAY_MS, type Instant, utcDate } from '../../kernel/time.ts';
import type {
  Account,
  AvailableLimit,
  Card,
  CardHolder,
  ControlList,
  Merchant,
  Reason,
  Transaction,
} from '../../model/records.ts';
import type { LimitPeriod } from '../../model/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { CardWithHolder, TransactionWithCard } from '../inputs.ts';

/** The usage of a card since a day. */
export interface Usage {
  amount: Cents;
  count: number;
}

/** A purchase for which a merchant requests an authorization. */
export interface Purchase {
  amount: Cents;
  merchant: Merchant;
  atm: boolean;
  at: Instant;
  /** Does not check categories, ATMs among them, and the limits of an interval: the card test of v1. */
  lenient?: boolean;
}

/** The control that declined, its reason, and its figures. */
export interface Objection {
  control: string;
  reason: Reason;
  numbers: Record<string, string>;
}

/** The first UTC date of the period of `now`; `""` for all time. */
export function periodStart(period: LimitPeriod | '', now: Instant): string {
  const today = utcDate(now);
  switch (period) {
    case 'daily':
      return today;
    case 'weekly': {
      const weekday = (new Date(now).getUTCDay() + 6) % 7;
      return utcDate(now - weekday * DAY_MS);
    }
    case 'monthly':
      return `${today.slice(0, 7)}-01`;
    case 'yearly':
      return `${today.slice(0, 4)}-01-01`;
    case 'all_time':
    case 'per_transaction':
    case '':
      return '';
  }
}

/** True if a limit depends on earlier usage. */
function countsUsage({ controls: { limit } }: Card): boolean {
  if (limit.maxSpendCount !== null) return true;
  return limit.maxSpendAmount !== null && limit.period !== 'per_transaction' && limit.period !== '';
}

/** The remaining limit of the card after `usage`; `null` for a card without a limit. */
export function availableLimit({ controls: { limit } }: Card, usage: Usage): AvailableLimit | null {
  const { period, maxSpendAmount, maxSpendCount } = limit;
  if (period === '') return null;
  const remainingLimit = period === 'per_transaction' ? maxSpendAmount : minus(maxSpendAmount, usage.amount);
  return { period, amount: remainingLimit, count: minus(maxSpendCount, usage.count) };
}

const minus = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** The objection to a purchase, with the platform's decline code; `undefined` if it is approved. */
export function objectionTo(
  { card, cardHolder }: CardWithHolder,
  account: Account,
  available: Cents,
  usage: Usage,
  purchase: Purchase,
): Objection | undefined {
  return (
    objectionOfState(card, cardHolder, account, purchase.at) ??
    objectionOfMerchant(card, purchase) ??
    objectionOfLimit(card, usage, purchase) ??
    (available < purchase.amount ? lowBalance(purchase.amount, available) : undefined)
  );
}

/** The objection that the balance is too low for `amount`, or for an increase by `amount`. */
export function lowBalance(amount: Cents, available: Cents, more = ''): Objection {
  const [requested, there] = [formatMoney(amount), formatMoney(available)];
  return objection('available_balance', 'lowBalance', `${requested} ${more}asked, ${there} available`, {
    amount: requested,
    available_balance: there,
  });
}

function objection(
  control: string,
  code: string,
  message: string,
  numbers: Objection['numbers'] = {},
): Objection {
  return { control, reason: { code, message }, numbers };
}

function objectionOfState(
  card: Card,
  cardHolder: CardHolder,
  account: Account,
  at: Instant,
): Objection | undefined {
  if (card.status === 'closed') return objection('card_status', 'cardCanceled', 'the card is closed');
  if (card.status !== 'open') return objection('card_status', 'cardInactive', `the card is ${card.status}`);
  const { expiryMonth, expiryYear } = card;
  if (utcDate(at).slice(0, 7) > `${expiryYear}-${expiryMonth}`) {
    return objection('card_expiry', 'cardExpired', `the card expired in ${expiryYear}-${expiryMonth}`);
  }
  if (cardHolder.status !== 'activated') {
    return objection('card_holder_status', 'cardInactive', `the card holder is ${cardHolder.status}`);
  }
  if (account.status !== 'open' && account.status !== 'credit_blocked') {
    return objection('account_status', 'accountBlocked', `the account is ${account.status}`);
  }
  return undefined;
}

const LISTS = [
  ['countries', 'country', 'countryNotAllowed'],
  ['categories', 'mcc', 'categoryNotAllowed'],
  ['merchants', 'name', 'merchantNotAllowed'],
] as const satisfies [keyof ControlList, keyof Merchant, string][];

function objectionOfMerchant(card: Card, { merchant, atm, lenient }: Purchase): Objection | undefined {
  const { allowed, blocked, atmEnabled } = card.controls;
  const isChecked = atm && lenient !== true;
  if (isChecked && !atmEnabled)
    return objection('atm_enabled', 'doNotHonor', 'ATM withdrawals are switched off');
  if (isChecked && card.pinSetAt === null)
    return objection('pin', 'pinNotSet', 'no PIN was set for the card');
  for (const [list, field, code] of LISTS) {
    if (lenient === true && list === 'categories') continue;
    const value = merchant[field];
    const describe = (how: string) => `${value} is ${how} ${list}`;
    if (allowed[list].length > 0 && !holds(allowed[list], value)) {
      return objection(`allowed.${list}`, code, describe('not in the allowed list'), { [field]: value });
    }
    if (holds(blocked[list], value)) {
      return objection(`blocked.${list}`, code, describe('in the blocked list'), { [field]: value });
    }
  }
  return undefined;
}

const plain = (text: string): string => text.trim().toLowerCase();
const holds = (list: readonly string[], value: string): boolean =>
  list.some((item) => plain(item) === plain(value));

/** The objection of the card's limit to another purchase of `amount` after `usage`. */
export function objectionOfLimit(
  card: Card,
  usage: Usage,
  { amount, lenient }: Pick<Purchase, 'amount' | 'lenient'>,
): Objection | undefined {
  const { period, maxSpendAmount, maxSpendPerTransaction, maxSpendCount } = card.controls.limit;
  const requested = formatMoney(amount);
  const single = period === 'per_transaction' ? maxSpendAmount : null;
  for (const limit of [maxSpendPerTransaction, single]) {
    if (limit !== null && amount > limit) {
      const max = formatMoney(limit);
      return objection(
        'limit.max_spend_per_transaction',
        'perTransactionLimit',
        `${requested} requested, ${max} allowed per transaction`,
        { amount: requested, limit: max },
      );
    }
  }
  if (lenient === true) return undefined;
  if (maxSpendAmount !== null && single === null && usage.amount + amount > maxSpendAmount) {
    const [spent, max] = [formatMoney(usage.amount), formatMoney(maxSpendAmount)];
    return objection(
      'limit.max_spend_amount',
      'spendLimit',
      `${requested} requested, ${spent} of ${max} spent in this ${period} period`,
      { amount: requested, spent, limit: max, period },
    );
  }
  if (maxSpendCount !== null && usage.count + 1 > maxSpendCount) {
    const [count, limit] = [String(usage.count), String(maxSpendCount)];
    return objection('limit.max_spend_count', 'countLimit', `${count} of ${limit} uses made in this period`, {
      count,
      limit,
      period,
    });
  }
  return undefined;
}

export interface CardUsage {
  /** The usage in the period of `now`. */
  of(card: Card, now: Instant): Usage;
  /** The same without the hold of a purchase, so that its new total is not counted twice. */
  without(purchase: Transaction, held: Cents, card: Card): Usage;
  /** Adds to the usage of the day of an instant; negative numbers reduce it. */
  add(cardId: Id, at: Instant, amount: Cents, count: number): void;
  /** The remaining limit of the card now. */
  remainingLimit(card: Card): AvailableLimit | null;
}

const NOTHING_USED: Usage = { amount: 0, count: 0 };

/** Creates the card usage of a bank. */
export function createCardUsage({ store, clock }: Pick<Dependencies, 'store' | 'clock'>): CardUsage {
  const of: CardUsage['of'] = (card, now) =>
    countsUsage(card)
      ? store.cardUsage.since(card.id, periodStart(card.controls.limit.period, now))
      : NOTHING_USED;
  return {
    of,
    without(purchase, held, card) {
      const now = clock.now();
      if (utcDate(purchase.createdAt) < periodStart(card.controls.limit.period, now)) return NOTHING_USED;
      const { amount, count } = of(card, now);
      return { amount: amount - held, count: count - 1 };
    },
    add(cardId, at, amount, count) {
      store.cardUsage.add(cardId, utcDate(at), amount, count);
    },
    remainingLimit: (card) => availableLimit(card, of(card, clock.now())),
  };
}

/** A card with its card holder. Refuses: `card_holder_not_found`. */
export function cardWithHolder({ cardHolders, cardUsage }: Store, card: Card): CardWithHolder {
  const cardHolder = found(cardHolders.byId(card.cardHolderId), 'card_holder_not_found');
  const { period, maxSpendAmount } = card.controls.limit;
  if (period !== 'all_time' || maxSpendAmount === null) return { card, cardHolder };
  const { amount } = cardUsage.since(card.id, '');
  return { card, cardHolder, left: Math.max(0, maxSpendAmount - amount) };
}

/** A transaction with the card that was sent with its money, if any. */
export function transactionWithCard(store: Store, transaction: Transaction): TransactionWithCard {
  const { details } = transaction;
  if (details.kind !== 'intra' || details.sentCardId === undefined) return transaction;
  const card = store.cards.byId(details.sentCardId);
  return card === undefined ? transaction : { ...transaction, sentCard: cardWithHolder(store, card) };
}
