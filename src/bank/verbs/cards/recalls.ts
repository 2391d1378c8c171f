/**
 * Cards that were sent as money: when the last card of such an account is closed, the rest is returned to the
 * sender's account.
 * Source: decision `v1-send-card` in docs/fidelity.md.
 */
import { totalsOf } from '../../model/balances.ts';
import { on } from '../../model/conditions.ts';
import type { Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, CardWithHolder } from '../inputs.ts';
import { accountSnapshot } from '../payments/counterparty-snapshots.ts';
import { publisherOf } from '../publish.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';

/** Returns the money of a card that was closed, if it was sent as money and is the last card of its account. */
export type Recall = (file: CardWithHolder) => void;

export function createRecall(
  dependencies: Dependencies,
  accounts: Accounts,
  transactions: TransactionVerbs,
): Recall {
  const { store, sequence, clock, outbox } = dependencies;
  const publish = publisherOf(outbox, 'card');

  /** Returns the remaining balance of a card's account to the account that it came from. */
  const giveBack = (own: AccountWithBalance, sent: Transaction): void => {
    const left = totalsOf(own.balance).availableBalance;
    const sender = accounts.byId(sent.accountId ?? '');
    if (left <= 0 || sender.account.status === 'closed') return;
    const now = clock.now();
    const [outId, backId] = [sequence.id(now), sequence.id(now)];
    const shared = { amount: left, description: `Reversal for - ${sent.description}`, parentId: sent.id };
    transactions.open({
      ...shared,
      id: outId,
      rail: 'solid_card_unload',
      ...own,
      otherSide: accountSnapshot(sender.account),
      details: { kind: 'intra', partnerId: backId },
      contraAccountId: sender.account.id,
    });
    transactions.open({
      ...shared,
      id: backId,
      rail: 'solid_card_back',
      ...accounts.byId(sender.account.id),
      title: sent.title,
      otherSide: sent.otherSide,
      counterpartyId: sent.counterpartyId,
      details: { kind: 'intra', partnerId: outId },
      moved: left,
    });
  };

  return (file) => {
    const { accountId } = file.card;
    if (accounts.byId(accountId).account.type !== 'prepaid') return;
    const [load] = store.transactions.list.all([
      on('accountId', { is: accountId }),
      on('rail', { is: 'solid_card_load' }),
    ]);
    if (load?.details.kind !== 'intra' || load.details.partnerId === '') return;
    const others = store.cards.list.total([
      on('accountId', { is: accountId }),
      on('status', { not: 'closed' }),
    ]);
    if (others > 0) return;
    publish(file, 'recalled', clock.now());
    giveBack(accounts.byId(accountId), transactions.byId(load.details.partnerId));
  };
}
