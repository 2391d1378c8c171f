/**
 * Simulations of payments: any event of a payment's rail, and the events of an authorization. They use the same verbs
 * as everything else, take effect at once and so override scheduled steps, and are recorded as decisions.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import {
  type AuthorizationStep,
  isAuthorization,
  type RailEvent,
  type RailName,
  railOf,
  railStep,
} from '../../model/rails/index.ts';
import type { Reason, Transaction } from '../../model/records.ts';
import { reasonOfReturn } from '../../model/return-codes.ts';
import type { TransactionStatus } from '../../model/vocabulary.ts';
import type { Captured } from '../cards/captures.ts';
import type { CardPayments } from '../cards/payments.ts';
import type { AuthorizationEvent } from '../cards/purchases.ts';
import type { Dependencies } from '../dependencies.ts';
import { noteSimulated } from '../publish.ts';
import { requireInTime, requireReversible, returnLimitOf, reversibleUntil } from '../transactions/plans.ts';
import type { TakeStep } from '../transactions/steps.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { createPartySimulation, type PartySimulation, type SimulatedNouns } from './records.ts';

/** The options of a simulated event of an authorization. */
export interface AuthorizationOptions {
  /** For an increment, the added amount; otherwise the default is the whole amount. */
  amount?: Cents;
  /** For a capture: whether it is the last one. */
  final?: boolean;
}

export interface Simulation extends PartySimulation {
  /**
   * Simulates an event of a payment. An early `clear` or `settle` includes the steps before it, all at the current
   * time. A return or reversal after its window requires `late`. Refuses: `transaction_not_found`, `illegal_step`
   * with the legal events, `return_too_late`, `reversal_too_late`.
   */
  transaction(
    id: Id,
    event: RailEvent,
    reason?: Reason,
    late?: boolean,
  ): { transaction: Transaction; steps: readonly RailEvent[] };
  /** Simulates an event of an authorization. Refuses: `illegal_step` with the legal events, `parent_wrong`. */
  authorization(id: Id, event: AuthorizationEvent, options: AuthorizationOptions): Captured;
  /** Refuse what the verbs with the same names would refuse in the current state, without changes. */
  readonly require: PartySimulation['require'] & {
    /** Refuses: `illegal_step`, `return_too_late` for the default code of a return, `reversal_too_late`. */
    transaction(transaction: Transaction, event: RailEvent): void;
    /** Refuses: `illegal_step`, `parent_wrong` if it is not an authorization. */
    authorization(transaction: Transaction, event: AuthorizationEvent): void;
  };
}

/** The authorization event for each step of an authorization's rail. */
const AUTHORIZATION_EVENT_OF: Readonly<Record<AuthorizationStep, AuthorizationEvent>> = {
  settle: 'capture',
  reverse: 'reverse',
  expire: 'expire',
  refund: 'refund',
  dispute: 'dispute',
  win_dispute: 'win_dispute',
  lose_dispute: 'lose_dispute',
};

/** The events of a payment that proceeds to its settlement. */
const FORWARD: readonly RailEvent[] = ['approve', 'submit', 'send', 'clear', 'settle'];
/** The verbs of simulation. */
export function createSimulation(
  dependencies: Dependencies,
  nouns: SimulatedNouns,
  transactions: TransactionVerbs,
  cardPayments: CardPayments,
  takeStep: TakeStep,
): Simulation {
  const onAuthorization = (
    present: Transaction,
    event: AuthorizationEvent,
    { amount, final }: AuthorizationOptions,
  ): Captured => {
    const { id, cardId } = present;
    const withAuthorization = (transaction: Transaction): Captured => ({
      authorization: transactions.byId(id),
      transaction,
    });
    switch (event) {
      case 'increment':
        if (amount === undefined) throw refuse('amount_invalid', { field: 'amount' });
        return withAuthorization(
          cardPayments.update({ cardId, parentId: id, total: present.amount + amount }),
        );
      case 'capture':
        return cardPayments.capture({
          authorizationId: id,
          ...(amount !== undefined && { amount }),
          ...(final !== undefined && { final }),
        });
      case 'reverse':
        return withAuthorization(
          cardPayments.reverse({ cardId, parentId: id, ...(amount !== undefined && { amount }) }),
        );
      case 'expire':
        return cardPayments.expire(present);
      case 'refund':
        return withAuthorization(cardPayments.refundRemaining(id, amount));
      case 'dispute':
      case 'win_dispute':
      case 'lose_dispute':
        return cardPayments.dispute(id, event);
    }
  };

  /** Refuses an event that is not possible now, before any change. */
  const requireEvent = (present: Transaction, event: RailEvent, reason?: Reason, late = false) => {
    const { id, rail, status } = present;
    const steps = stepsTo(rail, status, event);
    let from = status;
    for (const step of steps) from = railStep(rail, from, step).to;
    if (isAuthorization(rail)) cardPayments.require(id, AUTHORIZATION_EVENT_OF[event as AuthorizationStep]);
    const why = reason ?? (event === 'return' ? usualReturn(present) : null);
    const now = dependencies.clock.now();
    if (event === 'return' && !late) requireInTime(present, why?.code ?? '', now);
    if (event === 'reverse' && !late) requireReversible(present, now);
    return { steps, why };
  };

  const parties = createPartySimulation(dependencies, nouns);
  return {
    ...parties,

    require: {
      ...parties.require,
      transaction: (transaction, event) => void requireEvent(transaction, event),
      authorization: ({ id }, event) => void cardPayments.require(id, event),
    },

    transaction(id, event, reason, late = false) {
      const present = transactions.byId(id);
      const { status } = present;
      const { steps, why } = requireEvent(present, event, reason, late);
      const now = dependencies.clock.now();
      const until =
        event === 'return' ? returnLimitOf(present, why?.code ?? '')?.until : reversibleUntil(present);
      const isLate = (event === 'return' || event === 'reverse') && now > (until ?? now);
      let transaction = present;
      for (const step of steps) transaction = takeStep(transaction, step, step === event ? why : null);
      noteSimulated(dependencies, id, event, [status, transaction.status], {
        ...(steps.length > 1 && { steps: steps.join(', ') }),
        ...(why !== null && { reason: why.code }),
        ...(isLate && { late: 'true' }),
      });
      return { transaction, steps };
    },

    authorization(id, event, options) {
      const { authorization: present, held } = cardPayments.require(id, event);
      const captured = onAuthorization(present, event, options);
      const { authorization, transaction } = captured;
      const numbers = {
        held_before: formatMoney(held),
        ...(options.amount !== undefined && { amount: formatMoney(options.amount) }),
        ...(options.final !== undefined && { final: String(options.final) }),
      };
      noteSimulated(dependencies, id, event, [present.status, authorization.status], numbers);
      // A separate transaction gets the simulation as its decision, unless it has its own reason for a decline.
      if (transaction.id !== id && transaction.status !== 'declined') {
        noteSimulated(dependencies, transaction.id, event, [transaction.status, transaction.status], numbers);
      }
      return captured;
    },
  };
}

/** The steps that end with `event`: for `clear` and `settle` all steps before it, otherwise only `event`. */
export function stepsTo(rail: RailName, from: TransactionStatus, event: RailEvent): readonly RailEvent[] {
  if (event !== 'settle' && event !== 'clear') return [event];
  const { steps } = railOf(rail);
  const paths: { status: TransactionStatus; taken: RailEvent[] }[] = [{ status: from, taken: [] }];
  const seen = new Set<TransactionStatus>();
  for (const { status, taken } of paths) {
    const row = steps[status];
    if (row?.[event] !== undefined) return [...taken, event];
    seen.add(status);
    for (const forward of FORWARD) {
      const next = row?.[forward]?.to;
      if (next !== undefined && !seen.has(next)) paths.push({ status: next, taken: [...taken, forward] });
    }
  }
  return [event];
}

/** The default return reason of an ACH payment: insufficient funds for a debit, no account for a credit. */
function usualReturn({ method, type }: Transaction): Reason | null {
  if (method !== 'ach') return null;
  return reasonOfReturn(type === 'pull' ? 'R01' : 'R03');
}
