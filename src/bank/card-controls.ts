/**
 * Whether a card may be used for one purchase: the checks in their order, of which the first refusal is the reason.
 * Periods are counted in UTC; what was reversed or refunded is given back to the day on which it was spent.
 * Source: rows 34, 36, 37 and 40 of docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../kernel/money.ts';
import { DAY_MS, type Instant, utcDate } from '../kernel/time.ts';
import type { Account, AvailableLimit, Card, ControlList, Merchant, Reason } from '../model/records.ts';
import type { LimitPeriod } from '../model/vocabulary.ts';

/** What was spent on a card since a day. */
export interface Usage {
  amount: Cents;
  count: number;
}

/** One wish to pay. */
export interface Purchase {
  amount: Cents;
  merchant: Merchant;
  atm: boolean;
}

/** The first UTC date of the period that `now` is in; `""` for all time. */
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
    default:
      return '';
  }
}

/** True when a limit needs to know what was spent before. */
export function countsUsage({ controls: { limit } }: Card): boolean {
  if (limit.maxSpendCount !== null) return true;
  return limit.maxSpendAmount !== null && limit.period !== 'per_transaction' && limit.period !== '';
}

/** What is left of the card's limit after `usage`; `null` for a card without one. */
export function availableLimit({ controls: { limit } }: Card, usage: Usage): AvailableLimit | null {
  const { period, maxSpendAmount, maxSpendCount } = limit;
  if (period === '') return null;
  const left = period === 'per_transaction' ? maxSpendAmount : minus(maxSpendAmount, usage.amount);
  return { period, amount: left, count: minus(maxSpendCount, usage.count) };
}

const minus = (limit: number | null, used: number): number | null =>
  limit === null ? null : Math.max(0, limit - used);

/** Why the purchase is refused, in the platform's words for a decline; `undefined` when it is approved. */
export function refusalOfPurchase(
  card: Card,
  account: Account,
  available: Cents,
  usage: Usage,
  purchase: Purchase,
): Reason | undefined {
  return (
    refusalOfState(card, account) ??
    refusalOfMerchant(card, purchase) ??
    refusalOfLimit(card, usage, purchase.amount) ??
    (available < purchase.amount
      ? {
          code: 'lowBalance',
          message: `${formatMoney(purchase.amount)} asked, ${formatMoney(available)} available`,
        }
      : undefined)
  );
}

function refusalOfState(card: Card, account: Account): Reason | undefined {
  if (card.status === 'closed') return { code: 'cardCanceled', message: 'the card is closed' };
  if (card.status !== 'open') return { code: 'cardInactive', message: `the card is ${card.status}` };
  if (account.status !== 'open' && account.status !== 'credit_blocked') {
    return { code: 'accountBlocked', message: `the account is ${account.status}` };
  }
  return undefined;
}

function refusalOfMerchant(card: Card, { merchant, atm }: Purchase): Reason | undefined {
  const { allowed, blocked, atmEnabled } = card.controls;
  if (atm && !atmEnabled) return { code: 'doNotHonor', message: 'cash machines are switched off' };
  const tests: [keyof ControlList, string, string][] = [
    ['countries', merchant.country, 'countryNotAllowed'],
    ['categories', merchant.mcc, 'categoryNotAllowed'],
    ['merchants', merchant.name, 'merchantNotAllowed'],
  ];
  for (const [list, value, code] of tests) {
    if (allowed[list].length > 0 && !holds(allowed[list], value)) {
      return { code, message: `${value} is not among the allowed ${list}` };
    }
    if (holds(blocked[list], value)) return { code, message: `${value} is among the blocked ${list}` };
  }
  return undefined;
}

const plain = (text: string): string => text.trim().toLowerCase();
const holds = (list: readonly string[], value: string): boolean =>
  list.some((item) => plain(item) === plain(value));

function refusalOfLimit(card: Card, usage: Usage, amount: Cents): Reason | undefined {
  const { period, maxSpendAmount, maxSpendPerTransaction, maxSpendCount } = card.controls.limit;
  const single = period === 'per_transaction' ? maxSpendAmount : null;
  for (const limit of [maxSpendPerTransaction, single]) {
    if (limit !== null && amount > limit) {
      return {
        code: 'perTransactionLimit',
        message: `${formatMoney(amount)} asked, ${formatMoney(limit)} allowed at once`,
      };
    }
  }
  if (maxSpendAmount !== null && single === null && usage.amount + amount > maxSpendAmount) {
    const spent = `${formatMoney(usage.amount)} of ${formatMoney(maxSpendAmount)} spent`;
    return { code: 'spendLimit', message: `${formatMoney(amount)} asked, ${spent} in this ${period} period` };
  }
  if (maxSpendCount !== null && usage.count + 1 > maxSpendCount) {
    return { code: 'countLimit', message: `${usage.count} of ${maxSpendCount} uses made in this period` };
  }
  return undefined;
}
