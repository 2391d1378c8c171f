/**
 * What was spent on cards, day by day, as far as a limit needs to know it. It is counted on the day of the purchase, and
 * what is given back is given back to that day.
 * Source: row 100 of docs/fidelity.md.
 */
import type { Cents } from '../kernel/money.ts';
import type { Id } from '../kernel/sequence.ts';
import { type Instant, utcDate } from '../kernel/time.ts';
import type { AvailableLimit, Card, Transaction } from '../model/records.ts';
import { availableLimit, countsUsage, periodStart, type Usage } from './card-controls.ts';
import type { Parts } from './parts.ts';

export interface CardUsage {
  /** What was spent in the period that `now` is in. */
  of(card: Card, now: Instant): Usage;
  /** The same without what one purchase holds: its new total is judged by that, so that it is not counted twice. */
  without(purchase: Transaction, held: Cents, card: Card): Usage;
  /** Adds to, or with negative figures gives back to, the day of an instant. */
  add(cardId: Id, at: Instant, amount: Cents, count: number): void;
  /** What is left of the card's limit now. */
  left(card: Card): AvailableLimit | null;
}

const NOTHING_USED: Usage = { amount: 0, count: 0 };

/** The usage of the cards of one bank. */
export function createCardUsage({ store, clock }: Pick<Parts, 'store' | 'clock'>): CardUsage {
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
    left: (card) => availableLimit(card, of(card, clock.now())),
  };
}
