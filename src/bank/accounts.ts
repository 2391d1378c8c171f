/**
 * Sub accounts: a ledger each, opened at zero for a holder who has passed verification. The balance is the ledger's;
 * what stands here is whose the account is, what it is called and whether it takes part.
 */
import { step } from '../kernel/machine.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import { ACCOUNT, type AccountEvent } from '../model/machines.ts';
import type { Account, Balance, MasterAccount } from '../model/records.ts';
import { announce } from './announce.ts';
import type { AccountFile, NewAccount } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import type { Parts } from './parts.ts';

export interface Accounts {
  /** Opens a sub account at 0.00. Refuses: `holder_not_found`, `holder_not_verified`. */
  open(input: NewAccount): AccountFile;
  /** Refuses: `account_not_found`. */
  byId(id: Id): AccountFile;
  /** Refuses: `intra_account_unknown`. */
  byNumber(accountNumber: string): AccountFile;
  master(): { account: MasterAccount; balance: Balance };
  /** What only the platform does. Refuses: `account_not_found`, `illegal_step`. */
  lock(id: Id): AccountFile;
  /** Back to the state before. Refuses as `lock` does. */
  unlock(id: Id): AccountFile;
}

const UNLOCK_TO: Readonly<Partial<Record<Account['status'], AccountEvent>>> = {
  open: 'unlock_open',
  blocked: 'unlock_blocked',
  credit_blocked: 'unlock_credit_blocked',
  debit_blocked: 'unlock_debit_blocked',
};
const NUMBER_PREFIX = '95000000';
const NUMBER_DIGITS = 8;

/** The verbs of sub accounts. */
export function createAccounts(parts: Parts): Accounts {
  const { store, ledger, sequence, clock, outbox, program } = parts;

  const byId = (id: Id): AccountFile => {
    const file = store.accounts.withBalance(id);
    if (file === undefined) throw refuse('account_not_found');
    return file;
  };

  const freshNumber = (): string => {
    for (;;) {
      const number = NUMBER_PREFIX + sequence.digits(NUMBER_DIGITS);
      if (store.accounts.idOfNumber(number) === undefined) return number;
    }
  };

  const take = ({ account, balance }: AccountFile, event: AccountEvent): AccountFile => {
    const now = clock.now();
    const status = step(ACCOUNT, account.status, event);
    const next: Account = {
      ...account,
      status,
      lockedFrom: status === 'locked' ? account.status : null,
      updatedAt: now,
    };
    store.accounts.replace(next);
    const file = { account: next, balance };
    announce(outbox, { resource: 'account', id: next.id, change: 'status', at: now, record: file });
    return file;
  };

  return {
    byId,
    lock: (id) => take(byId(id), 'lock'),
    unlock(id) {
      const file = byId(id);
      return take(file, UNLOCK_TO[file.account.lockedFrom ?? 'open'] ?? 'unlock_open');
    },

    byNumber(accountNumber) {
      const id = store.accounts.idOfNumber(accountNumber);
      if (id === undefined) throw refuse('intra_account_unknown');
      return byId(id);
    },

    master() {
      const account = store.masterAccounts.byId(program.masterAccountId);
      if (account === undefined) throw refuse('master_account_not_found');
      return { account, balance: ledger.balance(account.id) };
    },

    open(input) {
      const holder = store.holders.byId(input.holderId);
      if (holder === undefined) throw refuse('holder_not_found');
      if (holder.status !== 'activated') {
        throw refuse('holder_not_verified', {
          field: 'holderId',
          message: `the holder is ${holder.status}; an account needs an activated one: submit its KYC or KYB first`,
        });
      }
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
        accountNumber: freshNumber(),
        externalReferenceId: input.externalReferenceId ?? '',
        purpose: input.purpose ?? '',
        metadata: mergeMetadata(null, input.metadata),
        config: null,
        status: 'open',
        lockedFrom: null,
        createdAt: now,
        updatedAt: now,
        closedAt: null,
      };
      store.accounts.insert(account);
      ledger.open(account.id, 'sub_account');
      const file = { account, balance: ledger.balance(account.id) };
      announce(outbox, { resource: 'account', id: account.id, change: 'created', at: now, record: file });
      return file;
    },
  };
}
