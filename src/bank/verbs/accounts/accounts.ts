/**
 * Sub accounts: opened with a balance of zero for a verified holder. The ledger has the balance; this module has the
 * owner, the label, the status and the configuration. The master account, of which a bank has one, is the contra
 * account of all of them.
 * Source: decisions `opening-balance`, `account-holders`, `account-card-numbers`, `account-creation-credit`,
 * `account-status-changes`, `account-config-changes`, `account-without-number` and `fallback-accounts` in docs/fidelity.md.
 */

import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { type AccountConfigChange, changeConfig, FALLBACK_CONFIG } from '../../model/account-config.ts';
import { totalsOf } from '../../model/balances.ts';
import { ACCOUNT_FILTERS, type AccountCondition } from '../../model/filters.ts';
import { ACCOUNT, ACCOUNT_EVENT_FOR, ACCOUNT_UNLOCK_FOR } from '../../model/machines.ts';
import type { Account, AccountConfig, Holder } from '../../model/records.ts';
import type { HolderType } from '../../model/vocabulary.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Store } from '../../store/store.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountChange, AccountWithBalance, MasterAccountWithBalance, NewAccount } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { changed, changesOf, createLocks, createNoun, statusFor } from '../noun.ts';
import type { Outcomes } from '../transactions/outcomes.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import { mailBalance, requireEmpty } from './closing.ts';
import { requireFallbacks, requireNoneCovered } from './fallbacks.ts';
import { type LimitInUse, limitsInUse, requireAchWithinOverall } from './limits.ts';

export interface Accounts {
  /**
   * Opens a sub account at 0.00, and then posts its opening credit, if it has one. Refuses: `holder_not_found`,
   * `holder_not_verified`, `family_not_found`, `holder_not_active`, `metadata_too_large`.
   */
  open(input: NewAccount): AccountWithBalance;
  /** Refuses: `account_not_found`. */
  byId(id: Id): AccountWithBalance;
  /** The account with a number; `null` if no account has it, and for `''`. */
  idOfNumber(accountNumber: string): Id | null;
  /** Refuses: `intra_account_unknown`. */
  byNumber(accountNumber: string): AccountWithBalance;
  /** A page of the accounts that match the conditions. */
  list(where: readonly AccountCondition[], window: Window): Page<AccountWithBalance>;
  /**
   * Changes the fields that are sent. Closing is final. The pending amounts must be zero, and the balance too unless
   * it is mailed, and the account may cover no other account. Refuses: `account_not_found`, `illegal_step`, `account_not_empty`,
   * `account_is_fallback`, `field_invalid`, `metadata_too_large`.
   */
  change(id: Id, change: AccountChange): AccountWithBalance;
  master(): MasterAccountWithBalance;
  /** Refuses: `master_account_not_found`. */
  masterById(id: Id): MasterAccountWithBalance;
  /** Every limit of its configuration, with the used amount. Refuses: `account_not_found`. */
  limits(id: Id): LimitInUse[];
  /** An action of the platform. Refuses: `account_not_found`, `illegal_step`. */
  lock(id: Id): AccountWithBalance;
  /** Restores the previous status. Refuses as `lock` does. */
  unlock(id: Id): AccountWithBalance;
}

const OPENING_CREDIT = 'Account Opened';
const NUMBER_PREFIX = '95000000';
const NUMBER_DIGITS = 8;

/** The verbs of sub accounts. */
export function createAccounts(
  dependencies: Dependencies,
  transactions: TransactionVerbs,
  outcomes: Pick<Outcomes, 'settings'>,
): Accounts {
  const { store, ledger, sequence, clock, program } = dependencies;

  const noun = createNoun(dependencies, {
    resource: 'account',
    rows: store.accounts,
    filters: ACCOUNT_FILTERS,
    show: (account) => ({ account, balance: ledger.balance(account.id) }),
  });
  const { byId } = noun;
  const { lock, unlock } = createLocks(clock, noun, ACCOUNT, ACCOUNT_UNLOCK_FOR);

  const freshNumber = (): string => {
    for (;;) {
      const number = NUMBER_PREFIX + sequence.digits(NUMBER_DIGITS);
      if (store.accounts.idOfNumber(number) === undefined) return number;
    }
  };

  const master = (): MasterAccountWithBalance => {
    const account = found(store.masterAccounts.byId(program.masterAccountId), 'master_account_not_found');
    const balance = ledger.balance(account.id);
    return { account, balance, totals: totalsOf(balance, 'master_account') };
  };

  /** The opening credit of an account of v1, from the master account. */
  const credit = (file: AccountWithBalance, amount: number): AccountWithBalance => {
    transactions.open({
      rail: 'account_opening',
      ...file,
      amount,
      description: OPENING_CREDIT,
      otherSide: null,
      details: { kind: 'none' },
    });
    return byId(file.account.id);
  };

  return {
    byId,
    list: noun.list,
    master,
    lock,
    unlock,

    masterById(id) {
      if (id !== program.masterAccountId) throw refuse('master_account_not_found');
      return master();
    },

    change(id, input) {
      const present = noun.row(id);
      const { mailsBalance = false, ...change } = input;
      const { status, config, ...plain } = change;
      const next: Account = {
        ...changed(present, plain, clock.now()),
        config: config === undefined ? present.config : newConfig(present.config, config),
        status: statusFor(ACCOUNT, present.status, ACCOUNT_EVENT_FOR, status),
      };
      const moves = next.status !== present.status;
      if (config !== undefined && next.config !== null) requireFallbacks(store, next, next.config);
      if (next.status === 'closed' && moves) {
        requireNoneCovered(store, present);
        if (mailsBalance) mailBalance(dependencies, transactions, present);
        else requireEmpty(dependencies, present);
        next.closedAt = next.updatedAt;
      }
      const changes = changesOf(change, moves);
      return changes.length === 0 ? noun.show(present) : noun.put(next, ...changes);
    },

    limits: (id) => limitsInUse(dependencies, noun.row(id)),

    idOfNumber: (accountNumber) => store.accounts.idOfNumber(accountNumber) ?? null,
    byNumber(accountNumber) {
      const id = store.accounts.idOfNumber(accountNumber);
      if (id === undefined) throw refuse('intra_account_unknown');
      return byId(id);
    },

    open(input) {
      const holder = store.holders.byId(input.holderId);
      if (holder === undefined || holder.type !== (input.holderType ?? holder.type)) {
        throw refuse('holder_not_found', { field: fieldOf(input.holderType) });
      }
      requireActivated(holder);
      if (input.familyId !== undefined) requireFamily(store, input.familyId);
      const now = clock.now();
      const account: Account = {
        id: sequence.id(now),
        holderId: holder.id,
        holderType: holder.type,
        holderName: holder.name,
        createdBy: input.createdBy ?? (holder.type === 'person' ? holder.id : holder.createdBy),
        familyId: input.familyId ?? '',
        label: input.label ?? '',
        type: input.type,
        role: input.role ?? '',
        accountNumber: outcomes.settings().accountNumbers ? freshNumber() : '',
        externalReferenceId: input.externalReferenceId ?? '',
        purpose: input.purpose ?? '',
        metadata: mergeMetadata(null, input.metadata),
        config: input.role === 'fallback' ? FALLBACK_CONFIG : null,
        status: 'open',
        lockedFrom: null,
        createdAt: now,
        updatedAt: now,
        closedAt: null,
      };
      ledger.open(account.id, 'sub_account');
      const file = noun.add(account);
      return input.openingCredit === undefined ? file : credit(file, input.openingCredit);
    },
  };
}

/**
 * Refuses: `account_holder_not_verified` while the verification has not passed, `account_holder_not_active` for a holder who is
 * suspended, deactivated or locked.
 */
function requireActivated({ type, status }: Holder): void {
  if (status === 'activated') return;
  const field = fieldOf(type);
  if (status === 'pending_activation') {
    throw refuse('account_holder_not_verified', {
      field,
      message: `an account needs a verified holder, and this one is ${status}: its KYC or KYB must pass first`,
    });
  }
  throw refuse('account_holder_not_active', {
    field,
    message: `an account needs an activated holder, and this one is ${status}`,
  });
}

/** Refuses: `family_not_found`, `account_holder_not_active`. */
function requireFamily({ families }: Store, id: Id): void {
  const { status } = found(families.byId(id), 'family_not_found', { field: 'familyId' });
  if (status === 'activated') return;
  throw refuse('account_holder_not_active', {
    field: 'familyId',
    message: `the family is ${status}; an account needs an active one`,
  });
}

/** Refuses: `field_invalid`. */
function newConfig(present: AccountConfig | null, change: AccountConfigChange): AccountConfig {
  const config = changeConfig(present, change);
  requireAchWithinOverall(config);
  return config;
}

/** The field that names a holder. */
function fieldOf(type: HolderType | undefined): string {
  return type === 'business' ? 'businessId' : 'holderId';
}
