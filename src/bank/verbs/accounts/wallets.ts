/**
 * Wallets of v1: the place of another currency beside an account. No chain is behind them, so a wallet is only a
 * record: it has no balance, and nothing can be bought, sold, sent or received. v2 has no wallets.
 * Source: the `walletId` and the events of the platform's v1 reference; decision `v1-wallets` in docs/fidelity.md.
 */
import { found, refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { WALLET_FILTERS, type WalletCondition } from '../../model/filters.ts';
import type { Wallet } from '../../model/records.ts';
import type { Page, Window } from '../../store/lists.ts';
import type { Dependencies } from '../dependencies.ts';
import type { NewWallet } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { createNoun } from '../noun.ts';

export interface Wallets {
  /** Refuses: `account_not_found`, `account_not_active` for a closed account, `metadata_too_large`. */
  create(input: NewWallet): Wallet;
  /** Refuses: `wallet_not_found`. */
  byId(id: Id): Wallet;
  list(where: readonly WalletCondition[], window: Window): Page<Wallet>;
}

/** The verbs of wallets. */
export function createWallets(dependencies: Dependencies): Wallets {
  const { store, sequence, clock } = dependencies;
  const { add, byId, list } = createNoun(dependencies, {
    resource: 'wallet',
    rows: store.wallets,
    filters: WALLET_FILTERS,
    show: (wallet) => wallet,
  });

  return {
    byId,
    list,

    create({ accountId, currency, label = currency, metadata }) {
      const { status } = found(store.accounts.byId(accountId), 'account_not_found', { field: 'accountId' });
      if (status === 'closed') throw refuse('account_not_active', { field: 'accountId' });
      const now = clock.now();
      return add({
        id: sequence.id(now),
        accountId,
        label,
        currency,
        status: 'active',
        metadata: mergeMetadata(null, metadata),
        createdAt: now,
        updatedAt: now,
      });
    },
  };
}
