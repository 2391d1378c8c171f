/**
 * What is noted down of a payment when it is made: who decided that it goes otherwise than usual, and on which figures.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import type { Dependencies } from '../dependencies.ts';
import { note } from '../publish.ts';
import { type Chosen, effectOf } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** Too little money for what a client originates. */
export const LOW_BALANCE: Reason = {
  code: 'lowBalance',
  message: 'the account has not enough available balance',
};
/** NACHA's word for too little money for what another bank asks for. */
export const INSUFFICIENT_FUNDS: Reason = { code: 'R01', message: 'insufficient funds' };

/** What of the bank's own controls says no to a payment, why, and on which figures. */
export interface Objection {
  control: string;
  /** What the transaction carries where it is recorded. */
  reason: Reason;
  message: string;
  numbers: Record<string, string>;
}

/** There is less than is asked for. */
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
    /** The bank's own controls said no, with this effect. */
    objection(
      { id }: Transaction,
      { control, message, numbers }: Omit<Objection, 'reason'>,
      effect: string,
    ): void {
      note(dependencies, { subjectId: id, source: 'control', name: control, effect, message, numbers });
    },

    /** Notes a choice, and does what of it does not wait for the timetable. */
    conclude(transaction: Transaction, chosen: Chosen | undefined): Transaction {
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
