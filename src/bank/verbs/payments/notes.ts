/**
 * The decisions that are recorded when a payment is made: the source of a deviation from the ordinary steps, and its
 * figures.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { note } from '../publish.ts';
import { type ChosenOutcome, effectOf } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** The reason of an origination that exceeds the balance. */
export const LOW_BALANCE: Reason = {
  code: 'lowBalance',
  message: 'the available balance of the account is not sufficient',
};
/** NACHA's reason for another bank's debit that exceeds the balance. */
export const INSUFFICIENT_FUNDS: Reason = { code: 'R01', message: 'insufficient funds' };

/** The control of the bank that refuses a payment, its reason and its figures. */
export interface Objection {
  control: string;
  /** The reason of the transaction, if one is recorded. */
  reason: Reason;
  message: string;
  numbers: Record<string, string>;
}

/** The objection that the balance is lower than the amount. */
export function shortageOf(
  { code, message }: Reason,
  amount: Cents,
  available: Cents,
  detail = message,
): Objection {
  return {
    control: 'available_balance',
    reason: { code, message },
    message: detail,
    numbers: { amount: formatMoney(amount), available_balance: formatMoney(available) },
  };
}

/** The notes of one bank. */
export function createPaymentNotes(dependencies: Dependencies, transactions: TransactionVerbs) {
  return {
    /** Records that a control of the bank refused, with this effect. */
    objection(
      { id }: Transaction,
      { control, message, numbers }: Omit<Objection, 'reason'>,
      effect: string,
    ): void {
      note(dependencies, { subjectId: id, source: 'control', name: control, effect, message, numbers });
    },

    /** Records a chosen outcome, and executes the step of a review that is due immediately. */
    conclude(transaction: Transaction, chosen: ChosenOutcome | undefined): Transaction {
      if (chosen === undefined) return transaction;
      const { id, status, reason } = transaction;
      const { source, name, message, numbers } = chosen;
      const effect = status === 'declined' ? `declined ${reason?.code}` : effectOf(transaction, chosen);
      note(dependencies, { subjectId: id, source, name, effect, message, numbers });
      const reviewed = chosen.event === 'review' && chosen.afterMs === null;
      return reviewed ? transactions.applyEvent(transaction, 'review') : transaction;
    },
  };
}

export type PaymentNotes = ReturnType<typeof createPaymentNotes>;
