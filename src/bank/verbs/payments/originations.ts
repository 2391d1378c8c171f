/**
 * Payments that a client originates from a sub account. All checks are done before the first write. A balance that is
 * too low, or an exceeded limit, is refused, or recorded as a decline with a setting of v2.
 * Source: decisions `too-little-money`, `unfit-payment-side`, `payment-under-way`, `account-limit-counting` and
 * `over-account-limit` in docs/fidelity.md.
 */

import { dateIn, PACIFIC } from '../../kernel/calendar.ts';
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { inV2 } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { totalsOf } from '../../model/balances.ts';
import {
  type IncomingRail,
  type OrderedRail,
  type OriginationRail,
  RAILS,
  railOf,
} from '../../model/rails/index.ts';
import type {
  Account,
  Counterparty,
  CounterpartySnapshot,
  Reason,
  Transaction,
} from '../../model/records.ts';
import type { Direction } from '../../model/vocabulary.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { objectionToPayment, type PaymentObjection } from '../accounts/limits.ts';
import type { Counterparties } from '../counterparties/counterparties.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, Origination } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { originatedDetails } from '../transactions/details.ts';
import { type ChosenOutcome, type Outcomes, plannedOutcome } from '../transactions/outcomes.ts';
import { changedTerms } from '../transactions/plans.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import type { CheckDeposits } from './check-deposits.ts';
import { accountSnapshot, counterpartySnapshot } from './counterparty-snapshots.ts';
import { LOW_BALANCE, type PaymentNotes, shortageOf } from './notes.ts';

export interface Originations {
  /**
   * Originates a payment. Refuses: `account_not_found`, `counterparty_not_found`, `holder_not_active`,
   * `account_not_active`, `account_debit_blocked`, `account_credit_blocked`, `counterparty_elsewhere`,
   * `counterparty_not_active`, `counterparty_ofac_failed`, `counterparty_rail_missing`, `amount_too_large`, and unless
   * `shortage` is `record`: `insufficient_funds`, `daily_limit_exceeded`, `monthly_limit_exceeded` and `switched_off`.
   */
  originate(rail: OriginationRail, input: Origination): Transaction;
  /** What the bank changed in the requested speed and date of an ACH payment, in words; `''` for nothing. */
  changedTerms(payment: Transaction, requestedDate?: string): string;
}

/** The dependencies of originations. */
export interface OriginationVerbs {
  accounts: Accounts;
  counterparties: Counterparties;
  transactions: TransactionVerbs;
  outcomes: Outcomes;
  notes: PaymentNotes;
  deposits: Pick<CheckDeposits, 'keep'>;
}

/** The verb of originations. */
export function createOriginations(dependencies: Dependencies, options: OriginationVerbs): Originations {
  const { store, clock, sequence } = dependencies;
  const { accounts, counterparties, transactions, outcomes, notes, deposits } = options;

  /** Decision `inactive-holder` in docs/fidelity.md: pending and incoming payments continue. */
  const choose = (
    rail: OriginationRail,
    { amount, magic }: Origination,
    { name, accountNumber, routingNumber }: CounterpartySnapshot,
  ): ChosenOutcome | undefined =>
    outcomes.choose({ rail, amount, name, accountNumber, routingNumber, magic });

  /** Why the bank declines it: the configuration of the account, then the balance of the payer. */
  const objectionTo = (
    rail: OriginationRail,
    { amount, sameDay = false }: Origination,
    { account }: AccountWithBalance,
    payer: AccountWithBalance | undefined,
  ): PaymentObjection | undefined => {
    const objection = objectionToPayment(dependencies, account, rail, amount, sameDay);
    if (objection !== undefined || payer === undefined) return objection;
    const { availableBalance } = totalsOf(payer.balance);
    if (availableBalance >= amount) return undefined;
    const shortage = shortageOf(LOW_BALANCE, amount, availableBalance);
    return { ...shortage, refusal: 'insufficient_funds', field: 'amount' };
  };

  /** Records why it was declined, with the code of its refusal in v2, or its chosen outcome. */
  const withNotes = (
    transaction: Transaction,
    declined: Reason | undefined,
    objection: PaymentObjection | undefined,
    chosen: ChosenOutcome | undefined,
  ): Transaction => {
    // A rule that declines takes precedence over the bank's controls.
    if (objection === undefined || declined !== objection.reason) return notes.conclude(transaction, chosen);
    const numbers = { ...objection.numbers, error_code: inV2(objection.refusal).code };
    notes.objection(transaction, { ...objection, numbers }, `declined ${declined.code}`);
    return transaction;
  };

  const originateIntra = (
    rail: 'intra_push' | 'intra_pull',
    input: Origination,
    own: AccountWithBalance,
    counterparty: Counterparty,
  ): Transaction => {
    const contraAccount = accounts.byId((counterparty.rails.intraAccount as { accountId: Id }).accountId);
    const isPush = rail === 'intra_push';
    const payer = isPush ? own : contraAccount;
    requireMovable(contraAccount.account, isPush ? 'credit' : 'debit', 'counterpartyId');
    const shared = {
      amount: input.amount,
      description: input.description ?? '',
      metadata: mergeMetadata(null, input.metadata),
    };
    const snapshot = counterpartySnapshot(rail, counterparty);
    const chosen = choose(rail, input, snapshot);
    const objection = objectionTo(rail, input, own, payer);
    const declined = declinedAtOnce(chosen, rail, input.shortage, objection);
    const now = clock.now();
    const [ownId, linkedId] = [sequence.id(now), sequence.id(now)];
    const transaction = transactions.open({
      ...shared,
      id: ownId,
      rail,
      ...own,
      details: { kind: 'intra', partnerId: declined === undefined ? linkedId : '' },
      title: input.title ?? '',
      otherSide: snapshot,
      counterpartyId: counterparty.id,
      externalReferenceId: input.externalReferenceId ?? '',
      contraAccountId: contraAccount.account.id,
      ...(declined !== undefined && { declined }),
    });
    if (declined === undefined) {
      const contraNow = accounts.byId(contraAccount.account.id);
      const received = isPush ? 'intra_received_push' : 'intra_received_pull';
      transactions.open({
        ...shared,
        id: linkedId,
        details: { kind: 'intra', partnerId: ownId },
        rail: received,
        ...contraNow,
        otherSide: accountSnapshot(own.account),
        moved: isPush ? input.amount : -input.amount,
        metadata: null,
      });
    }
    return withNotes(transaction, declined, objection, chosen);
  };

  return {
    changedTerms,

    originate(rail, input) {
      const own = accounts.byId(input.accountId);
      const counterparty = counterparties.byId(input.counterpartyId);
      const { direction } = railOf(rail);
      requireActiveHolder(store, own.account);
      requireMovable(own.account, direction, 'accountId');
      requireUsable(counterparty, own.account, rail);
      requireEffectiveDate(input, clock.now());
      requireWithinNetwork(rail, input.amount);
      if (rail === 'intra_push' || rail === 'intra_pull') {
        return originateIntra(rail, input, own, counterparty);
      }
      const snapshot = counterpartySnapshot(rail, counterparty);
      const chosen = choose(rail, input, snapshot);
      const objection = objectionTo(rail, input, own, direction === 'debit' ? own : undefined);
      const declined = declinedAtOnce(chosen, rail, input.shortage, objection);
      const now = clock.now();
      const outcome = chosen === undefined ? null : plannedOutcome(rail, chosen, now);
      const opened = transactions.open({
        rail,
        ...own,
        amount: input.amount,
        title: input.title ?? '',
        description: input.description ?? '',
        otherSide: snapshot,
        details: originatedDetails(rail, input, now, sequence, deposits.keep),
        counterpartyId: counterparty.id,
        externalReferenceId: input.externalReferenceId ?? '',
        metadata: mergeMetadata(null, input.metadata),
        ...(declined === undefined ? { outcome } : { declined }),
      });
      return withNotes(opened, declined, objection, chosen);
    },
  };
}

/**
 * Why an origination is recorded as declined: a rule, or with `shortage: 'record'` a limit of the account or its
 * balance. v1 records none of them; it refuses them, or declines an accepted payment later.
 */
function declinedAtOnce(
  chosen: ChosenOutcome | undefined,
  rail: OriginationRail,
  shortage: Origination['shortage'],
  objection: PaymentObjection | undefined,
): Reason | undefined {
  if (chosen?.source === 'rule' && chosen.event === 'decline' && chosen.afterMs === null) {
    if (shortage !== 'refuse') return chosen.reason ?? undefined;
    if (railOf(rail).contra === 'sub_account') {
      throw refuse('limit_exceeded', { field: 'amount', message: `${chosen.name}: ${chosen.reason?.code}` });
    }
  }
  if (objection === undefined) return undefined;
  const { refusal, field, message, reason } = objection;
  if (shortage !== 'record') throw refuse(refusal, { field, message });
  return reason;
}

/** Refuses: `holder_not_active`. */
export function requireActiveHolder({ holders }: Dependencies['store'], { holderId }: Account): void {
  const status = holders.statusOf(holderId);
  if (status === 'activated') return;
  throw refuse('holder_not_active', {
    field: 'accountId',
    message: `the holder of the account is ${status}; only an activated holder can originate payments`,
  });
}

/** Refuses an account that does not allow this direction: `account_not_active`, `account_..._blocked`. */
export function requireMovable(account: Account, direction: Direction, field: string): void {
  const { status } = account;
  if (status === 'open') return;
  if (status === 'debit_blocked') {
    if (direction === 'debit') throw refuse('account_debit_blocked', { field });
    return;
  }
  if (status === 'credit_blocked') {
    if (direction === 'credit') throw refuse('account_credit_blocked', { field });
    return;
  }
  throw refuse('account_not_active', { field, message: `the account is ${status}` });
}

/**
 * Refuses a counterparty that cannot be used: `counterparty_not_found`, `counterparty_elsewhere`,
 * `counterparty_not_active`, `counterparty_ofac_failed`, `counterparty_rail_missing`.
 */
export function requireUsable(counterparty: Counterparty, account: Account, rail: OrderedRail): void {
  const field = 'counterpartyId';
  if (counterparty.deletedAt !== null) throw refuse('counterparty_not_found');
  if (counterparty.accountId !== account.id) throw refuse('counterparty_elsewhere', { field });
  if (counterparty.status !== 'activated') {
    throw refuse('counterparty_not_active', {
      field,
      message: `the counterparty is ${counterparty.status}; it must be activated`,
    });
  }
  if (counterparty.ofacStatus !== 'pass') throw refuse('counterparty_ofac_failed', { field });
  const needed = RAILS[rail].needs;
  if (counterparty.rails[needed] === null) {
    throw refuse('counterparty_rail_missing', {
      field,
      message: `the counterparty has no ${snake(needed)}, which this payment needs: add it first`,
    });
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Refuses: `amount_too_large` for an amount that the network of the rail does not carry. */
export function requireWithinNetwork(rail: OriginationRail | IncomingRail, amount: Cents): void {
  const { max, method } = railOf(rail);
  if (max === undefined || amount <= max) return;
  throw refuse('amount_too_large', {
    field: 'amount',
    message: `${method === 'rtp' ? 'RTP' : 'FedNow'} carries at most ${formatMoney(max)} in one payment: send a wire, or several payments`,
  });
}

/** No bank stores a payment for longer than a year: decision `ach-effective-date` in docs/fidelity.md. */
function requireEffectiveDate({ effectiveDate = '' }: Origination, now: Instant): void {
  const today = dateIn(PACIFIC, now);
  const latest = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  if (effectiveDate <= latest) return;
  throw refuse('field_invalid', {
    field: 'effectiveDate',
    message: `an effective date must be at most a year from now, by ${latest}`,
  });
}
