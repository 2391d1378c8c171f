/** The books of one account by the rules alone: a payment holds money when it is made, and moves it when it settles. */
import type { Step } from './rules.ts';

/** A payment of the run, with the steps that the rules expect. */
export interface Payment {
  readonly id: string;
  readonly rail: string;
  readonly amount: number;
  readonly made: number;
  readonly isDebit: boolean;
  /** Whether a statement has it from its creation on. */
  readonly isBookedWhenMade: boolean;
  /** Of an ACH. */
  effective: string;
  /** Steps that were taken, and those that follow. */
  readonly taken: Step[];
  ahead: Step[];
}

export interface Booking {
  readonly at: number;
  readonly amount: number;
}

export class Books {
  available = 0;
  pendingCredits = 0;
  pendingDebits = 0;
  readonly bookings: Booking[] = [];
  readonly #open = new Set<Payment>();

  make(payment: Payment): void {
    const { amount, isDebit, made } = payment;
    if (isDebit) {
      this.available -= amount;
      this.pendingDebits += amount;
    } else this.pendingCredits += amount;
    if (payment.isBookedWhenMade) this.#book(payment, made, 1);
    this.#open.add(payment);
  }

  /** Takes all steps until an instant, in their order. Returns the payments that have no step ahead any more. */
  pass(until: number): Payment[] {
    const due = [...this.#open].flatMap((payment) =>
      payment.ahead.filter(({ at }) => at <= until).map((step) => ({ payment, step })),
    );
    for (const { payment, step } of due.sort((one, other) => one.step.at - other.step.at)) {
      payment.ahead.shift();
      this.take(payment, step);
    }
    const ended = [...this.#open].filter(({ ahead }) => ahead.length === 0);
    for (const payment of ended) this.#open.delete(payment);
    return ended;
  }

  /** Takes one step of a payment. */
  take(payment: Payment, step: Step): void {
    const { amount, isDebit, taken, isBookedWhenMade } = payment;
    const isSettled = taken.some(({ status }) => status === 'settled');
    taken.push(step);
    if (step.status === 'settled') {
      if (isDebit) this.pendingDebits -= amount;
      else {
        this.pendingCredits -= amount;
        this.available += amount;
      }
      if (!isBookedWhenMade) this.#book(payment, step.at, 1);
    }
    if (!['returned', 'reversed', 'canceled'].includes(step.status)) return;
    payment.ahead = [];
    if (isDebit) this.available += amount;
    else if (isSettled) this.available -= amount;
    else this.pendingCredits -= amount;
    if (isDebit && !isSettled) this.pendingDebits -= amount;
    if (isSettled || isBookedWhenMade) this.#book(payment, step.at, -1);
  }

  #book({ amount, isDebit }: Payment, at: number, sign: 1 | -1): void {
    this.bookings.push({ at, amount: isDebit ? -sign * amount : sign * amount });
  }
}
