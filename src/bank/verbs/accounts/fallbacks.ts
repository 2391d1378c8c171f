/**
 * Fallback accounts: accounts that cover another account of their holder for a card authorization or another bank's
 * ACH debit. A draw is a payment within the bank, made just before the payment that it covers, and it stays when that
 * payment is returned. If the balance of a fallback account is too low, nothing is drawn.
 * Source: the help and the guide on fallback accounts of the platform's v1; decisions `fallback-accounts` and
 * `fallback-draws` in docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { beyondFallback, type Covers, configOf } from '../../model/account-config.ts';
import { totalsOf } from '../../model/balances.ts';
import { on } from '../../model/conditions.ts';
import type { Account, AccountConfig } from '../../model/records.ts';
import { COVERED_WAYS, type CoveredWay } from '../../model/vocabulary.ts';
import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance } from '../inputs.ts';
import { accountSnapshot } from '../payments/counterparty-snapshots.ts';
import { note } from '../publish.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** A possible draw from a fallback account. */
export interface Draw {
  way: CoveredWay;
  fallback: Account;
  amount: Cents;
}

/** An executed draw: the account after it, and the fields for the payment's transaction. */
export interface Covered {
  own: AccountWithBalance;
  /** The id of the payment. */
  id: Id;
  /** The account's transaction of the draw. */
  fallbackId: Id;
}

export interface Fallbacks {
  /**
   * The missing amount, if the fallback account has it; `undefined` if nothing is missing, or if there is no fallback
   * account, its balance is too low or it does not allow debits.
   */
  drawFor(own: AccountWithBalance, way: CoveredWay, amount: Cents): Draw | undefined;
  /** Executes a draw for a payment, and creates the id of the payment unless it exists already. */
  draw(own: AccountWithBalance, draw: Draw, paymentId?: Id): Covered;
}

const DESCRIPTION = 'Overdraft';

/** The verbs of fallback accounts. */
export function createFallbacks(dependencies: Dependencies, transactions: TransactionVerbs): Fallbacks {
  const { store, ledger, sequence, clock } = dependencies;

  return {
    drawFor({ account, balance }, way, amount) {
      const cover = account.config?.fallback?.[way];
      if (cover?.enabled !== true) return undefined;
      const missing = amount - totalsOf(balance).availableBalance;
      const fallback = missing <= 0 ? undefined : store.accounts.byId(cover.fallbackId);
      if (fallback === undefined || (fallback.status !== 'open' && fallback.status !== 'credit_blocked')) {
        return undefined;
      }
      const { availableBalance } = totalsOf(ledger.balance(fallback.id));
      return availableBalance < missing ? undefined : { way, fallback, amount: missing };
    },

    draw({ account }, { way, fallback, amount }, paymentId) {
      const now = clock.now();
      const id = paymentId ?? sequence.id(now);
      const [drawId, fallbackId] = [sequence.id(now), sequence.id(now)];
      const shared = { amount, description: DESCRIPTION, parentId: id };
      transactions.open({
        ...shared,
        id: drawId,
        rail: 'overdraft_draw',
        account: fallback,
        balance: ledger.balance(fallback.id),
        otherSide: accountSnapshot(account),
        details: { kind: 'intra', partnerId: fallbackId },
        contraAccountId: account.id,
      });
      transactions.open({
        ...shared,
        id: fallbackId,
        rail: 'overdraft_cover',
        account,
        balance: ledger.balance(account.id),
        otherSide: accountSnapshot(fallback),
        details: { kind: 'intra', partnerId: drawId },
        moved: amount,
      });
      note(dependencies, {
        subjectId: id,
        source: 'control',
        name: `fallback.received.${way}`,
        effect: `drew ${formatMoney(amount)}`,
        message: 'the fallback account covered the missing amount',
        numbers: { amount: formatMoney(amount) },
      });
      return { own: { account, balance: ledger.balance(account.id) }, id, fallbackId };
    },
  };
}

/** Checks the fallback accounts of a configuration. Refuses: `field_invalid`, `account_not_found`. */
export function requireFallbacks({ accounts }: Store, account: Account, config: AccountConfig): void {
  const beyond = account.role === 'fallback' ? beyondFallback(config) : undefined;
  if (beyond !== undefined) {
    throw refuse('field_invalid', {
      field: `config.${beyond}.enabled`,
      message: `config.${beyond}.enabled must be false: a fallback account sends and receives only intrabank payments`,
    });
  }
  const covers: Covers | null = configOf(config).fallback;
  for (const way of covers === null ? [] : COVERED_WAYS) {
    const { enabled, fallbackId } = (covers as Covers)[way];
    if (fallbackId !== '') requireFallback(accounts.byId(fallbackId), account, way);
    else if (enabled) throw wrongFallback(way, 'is required if "enabled" is true');
  }
}

function requireFallback(fallback: Account | undefined, { holderId }: Account, way: CoveredWay): void {
  if (fallback?.role !== 'fallback' || fallback.holderId !== holderId) {
    throw wrongFallback(way, 'must be a fallbackAccount of the same holder');
  }
  if (fallback.status === 'closed') throw wrongFallback(way, 'is closed');
}

function wrongFallback(way: CoveredWay, problem: string): Error {
  const field = `config.fallback.received.${way}.fallbackId`;
  return refuse('field_invalid', { field, message: `${field} ${problem}` });
}

/** Checks that no open account uses this one as its fallback. Refuses: `account_is_fallback`. */
export function requireNoneCovered({ accounts }: Store, { id, holderId, role }: Account): void {
  if (role !== 'fallback') return;
  const covered = accounts.list.all([on('holderId', { is: holderId })]).filter(
    ({ status, config }) =>
      status !== 'closed' &&
      COVERED_WAYS.some((way) => {
        const cover = config?.fallback?.[way];
        return cover?.enabled === true && cover.fallbackId === id;
      }),
  );
  if (covered.length === 0) return;
  const others = covered.length === 1 ? 'another account' : `${covered.length} other accounts`;
  throw refuse('account_is_fallback', {
    field: 'status',
    message: `this account is the fallback of ${others} of the holder: set "fallback" to null there first`,
  });
}
