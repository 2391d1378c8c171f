/**
 * Payments that another bank sends or pulls. They are always received. Then the bank settles them, returns them or,
 * without a sub account, keeps them in suspense.
 * Source: decisions `incoming-not-taken`, `doomed-incoming-payment`, `account-pulls-and-cards`,
 * `master-account-incoming`, `account-without-number` and `fallback-draws` in docs/fidelity.md.
 */
import { totalsOf } from '../../model/balances.ts';
import { bankName } from '../../model/banks.ts';
import { type IncomingRail, railOf } from '../../model/rails/index.ts';
import type { Balance, PlannedOutcome, Reason, Transaction } from '../../model/records.ts';
import { reasonOfReturn } from '../../model/return-codes.ts';
import type { Direction } from '../../model/vocabulary.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Draw, Fallbacks } from '../accounts/fallbacks.ts';
import { notAuthorized, objectionToPull } from '../accounts/limits.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, Incoming } from '../inputs.ts';
import type { RealTime } from '../real-time.ts';
import { incomingDetails } from '../transactions/details.ts';
import { type ChosenOutcome, type Outcomes, plannedOutcome } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { NO_COUNTERPARTY } from './counterparty-snapshots.ts';
import { INSUFFICIENT_FUNDS, type Objection, type PaymentNotes, shortageOf } from './notes.ts';
import { requireWithinNetwork } from './originations.ts';

export interface Incomings {
  /** An incoming payment, or another bank's debit. Refuses: `account_not_found`, `amount_too_large`. */
  receive(rail: IncomingRail, input: Incoming): Transaction;
  /**
   * The account for a real-time request to the client before `receive`; `undefined` if the bank decides: by a rule,
   * the status of the account, its allowed originators, or a balance that is too low. Changes nothing. Refuses:
   * `account_not_found`.
   */
  questionOf(rail: IncomingRail, input: Incoming): AccountWithBalance | undefined;
}

/** The dependencies of incoming payments. */
export interface IncomingDependencies {
  accounts: Accounts;
  fallbacks: Fallbacks;
  transactions: TransactionVerbs;
  outcomes: Outcomes;
  realTime: RealTime;
  notes: PaymentNotes;
}

const ACCOUNT_CLOSED: Reason = { code: 'R02', message: 'account closed' };
const INSUFFICIENT_BALANCE = 'the available balance is lower than the amount';
const NO_ACCOUNT: Objection = {
  control: 'sub_account',
  reason: reasonOfReturn('R20'),
  message: 'no sub account is named',
  numbers: {},
};

const FALLBACK_ACCOUNT: Objection = {
  control: 'role',
  reason: reasonOfReturn('R20'),
  message: 'a fallback account sends and receives only intrabank payments',
  numbers: {},
};

/** The objection for an unknown account number. */
function noSuchNumber(accountNumber: string): Omit<Objection, 'reason'> {
  return {
    control: 'account_number',
    message: 'no sub account has this number',
    numbers: { account_number: accountNumber },
  };
}

/** The verbs of incoming payments. */
export function createIncomings(dependencies: Dependencies, options: IncomingDependencies): Incomings {
  const { clock, ledger, program } = dependencies;
  const { accounts, fallbacks, transactions, outcomes, realTime, notes } = options;

  const choose = (rail: IncomingRail, { amount, sender }: Incoming): ChosenOutcome | undefined => {
    const { name, accountNumber, routingNumber } = sender;
    return outcomes.choose({ rail, amount, name, accountNumber, routingNumber });
  };

  /** The account of the payment; without one, the balance of the master account. */
  const ownerOf = ({ accountId }: Incoming): AccountWithBalance | { account: null; balance: Balance } =>
    accountId === null
      ? { account: null, balance: ledger.balance(program.masterAccountId) }
      : accounts.byId(accountId);

  /** The draw from a fallback account for a debit of another bank. */
  const drawOf = (
    rail: IncomingRail,
    own: AccountWithBalance | undefined,
    { amount }: Incoming,
  ): Draw | undefined =>
    own !== undefined && rail === 'ach_received_pull' ? fallbacks.drawFor(own, 'ach', amount) : undefined;

  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one part of the new transaction after the other
    receive(rail, input) {
      requireWithinNetwork(rail, input.amount);
      const owner = ownerOf(input);
      const own = owner.account === null ? undefined : owner;
      const now = clock.now();
      const { sender, amount, rta } = input;
      const draw = drawOf(rail, own, input);
      const refusal = refusalOf(own, railOf(rail).direction, input, draw);
      const chosen = choose(rail, input);
      const declined =
        rta?.answer === 'declined' && own !== undefined ? notAuthorized(own.account.holderType) : undefined;
      const bankOutcome = plannedReturn(refusal?.reason ?? declined);
      const outcome = chosen === undefined ? null : plannedOutcome(rail, chosen, now);
      const routingNumber = sender.routingNumber ?? '';
      // A payment that is going to be returned has no hold.
      const opensWithoutHold =
        refusal !== undefined ||
        declined !== undefined ||
        (input.atOnce === true && isReturnedImmediately(outcome));
      const covered =
        own === undefined || draw === undefined || opensWithoutHold ? undefined : fallbacks.draw(own, draw);
      const details = incomingDetails(rail, input, now, dependencies);
      const transaction = transactions.open({
        rail,
        ...(covered === undefined ? owner : { ...covered.own, id: covered.id }),
        amount,
        description: input.description ?? '',
        otherSide: {
          ...NO_COUNTERPARTY,
          verificationStatus: rail.startsWith('ach') ? 'pass' : '',
          bankName: bankName(routingNumber),
          ...sender,
        },
        details:
          covered === undefined || details.kind !== 'ach'
            ? details
            : { ...details, fallbackId: covered.fallbackId },
        opensWithoutHold,
        outcome: outcome?.event === 'review' ? { ...outcome, next: bankOutcome } : (outcome ?? bankOutcome),
      });
      if (rta !== undefined) realTime.record(transaction, 'ach', rta);
      if (outcome === null && refusal !== undefined) {
        notes.objection(transaction, refusal, `return ${refusal.reason.code} in received`);
      } else if (own === undefined && input.accountNumber !== undefined) {
        notes.objection(transaction, noSuchNumber(input.accountNumber), 'in suspense on the master account');
      }
      return notes.conclude(transaction, chosen);
    },

    questionOf(rail, input) {
      const owner = ownerOf(input);
      if (owner.account === null) return undefined;
      const chosen = choose(rail, input);
      if (chosen !== undefined && chosen.event !== null) return undefined;
      const refusal = refusalOf(owner, railOf(rail).direction, input, drawOf(rail, owner, input));
      return refusal === undefined ? owner : undefined;
    },
  };
}

/** Whether the outcome returns the money during the request in which it is received. */
function isReturnedImmediately(outcome: PlannedOutcome | null): boolean {
  return outcome !== null && outcome.at === undefined && outcome.event !== 'review';
}

function plannedReturn(reason: Reason | undefined): PlannedOutcome | null {
  return reason === undefined ? null : { status: 'received', event: 'return', reason };
}

/** Why an incoming payment will be returned; `undefined` if it will not. */
function refusalOf(
  own: AccountWithBalance | undefined,
  direction: Direction,
  { amount, sender }: Incoming,
  draw: Draw | undefined,
): Objection | undefined {
  // The money of the master account belongs to the holders, so debits of it are returned.
  if (own === undefined) return direction === 'debit' ? NO_ACCOUNT : undefined;
  const { status } = own.account;
  const blocks = direction === 'credit' ? 'credit_blocked' : 'debit_blocked';
  if (status === blocks || status === 'closed' || status === 'blocked' || status === 'locked') {
    return {
      control: 'account_status',
      reason: ACCOUNT_CLOSED,
      message: `the account is ${status}`,
      numbers: {},
    };
  }
  if (own.account.role === 'fallback') return FALLBACK_ACCOUNT;
  if (direction === 'credit') return undefined;
  const { availableBalance } = totalsOf(own.balance);
  const isShort = draw === undefined && availableBalance < amount;
  return (
    objectionToPull(own.account, sender) ??
    (isShort ? shortageOf(INSUFFICIENT_FUNDS, amount, availableBalance, INSUFFICIENT_BALANCE) : undefined)
  );
}
