/**
 * The limit of a card in v1. v1 has one limit with an amount and an interval, the bank has several. This file selects
 * the one that v1 shows, and applies its changes.
 * Source: the card object of the platform's v1 reference; decision `v1-one-card-limit` in docs/fidelity.md.
 */
import type { Cents } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { CardLimit } from '../../../model/records.ts';
import type { LimitPeriod } from '../../../model/vocabulary.ts';

/** The limit of v1; an amount of `null` means no limit. */
interface OneLimit {
  interval: LimitPeriod | '';
  amount: Cents | null;
}

export const NO_LIMIT: CardLimit = {
  period: '',
  maxSpendAmount: null,
  maxSpendPerTransaction: null,
  maxSpendCount: null,
};

/** Selects the shown limit: the limit per transaction if the card has no other amount. */
export function shownLimit({ period, maxSpendAmount, maxSpendPerTransaction }: CardLimit): OneLimit {
  if (maxSpendAmount === null && maxSpendPerTransaction !== null) {
    return { interval: 'per_transaction', amount: maxSpendPerTransaction };
  }
  const single = period === 'per_transaction' ? maxSpendPerTransaction : null;
  return { interval: period, amount: single ?? maxSpendAmount };
}

/**
 * The change of the bank's limits for a change of v1's limit; empty if it does not change. Refuses: `field_invalid`.
 */
export function changeShownLimit(present: CardLimit, change: Partial<OneLimit>): Partial<CardLimit> {
  const shown = shownLimit(present);
  const { interval, amount } = { ...shown, ...change };
  if (interval === shown.interval && amount === shown.amount) return {};
  if ((interval === '') !== (amount === null)) {
    throw refuse('field_invalid', {
      field: interval === '' ? 'limitInterval' : 'limitAmount',
      message: 'limitAmount and limitInterval depend on each other: send both, or leave both out',
    });
  }
  const isPerTransaction = shown.interval === 'per_transaction';
  return {
    period: interval,
    maxSpendAmount: amount,
    ...(isPerTransaction && { maxSpendPerTransaction: null }),
  };
}
