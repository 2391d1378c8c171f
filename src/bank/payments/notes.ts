/**
 * What is noted of a payment when it is made: who decided that it does not take its ordinary course, and on which amounts.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { note } from '../publish.ts';
import { type ChosenOutcome, effectOf } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** Too little money for what a client originates. */
export const LOW_BALANCE: Reason = {
  code: 'lowBalance',
  message: 'the available balance of the account is not sufficient',
};
/** NACHA's word for too little money for what another bank asks for. */
export const INSUFFICIENT_FUNDS: Reason = { code: 'R01', message: 'insufficient funds' };

/** Which of the bank's own controls refuses a payment, why, and on which amounts. */
export interface Objection {
  control: string;
  /** The reason of the transaction, where that is recorded. */
  reason: Reason;
  message: string;
  numbers: Record<string, string>;
}

/** The account has less than the amount. */
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
    /** Notes that one of the bank's own controls refused, with this effect. */
    objection(
      { id }: Transaction,
      { control, message, numbers }: Omit<Objection, 'reason'>,
      effect: string,
    ): void {
      note(dependencies, { subjectId: id, source: 'control', name: control, effect, message, numbers });
    },

    /** Notes a chosen outcome, and takes the step of a review that is due immediately. */
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
