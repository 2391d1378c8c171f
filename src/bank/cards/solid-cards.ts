/**
 * Money that is sent as a card: an account of the sender's holder with nothing but that money in it, and a virtual card on
 * it, in the name of whoever it is for, that can spend it once and for all. When the last card of such an account is
 * closed, what is left goes back to the account that it came from.
 * Source: the card samples of the platform's v1 webhooks; decision `v1-send-card` in docs/fidelity.md.
 */

import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { totalsOf } from '../../model/balances.ts';
import { on } from '../../model/conditions.ts';
import type { Counterparty, Person, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { objectionToPayment } from '../accounts/limits.ts';
import type { Counterparties } from '../counterparties/counterparties.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountFile, CardChange, CardFile, CardOrder, TransferFile } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { accountSnapshot, counterpartySnapshot } from '../payments/counterparty-snapshots.ts';
import { requireActiveHolder, requireMovable, requireUsable } from '../payments/originations.ts';
import { publisherOf } from '../publish.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import type { CardHolders } from './card-holders.ts';
import type { Cards } from './cards.ts';
import { transferFileOf } from './controls.ts';

export interface SolidCards {
  /**
   * Sends money as a card. Refuses: as an origination does that refuses a shortage, and `limit_exceeded` or `switched_off`
   * for the card.
   */
  send(input: CardOrder): Transaction;
  /** A transaction with the card that was sent with it, as the card is now. */
  withCard(transaction: Transaction): TransferFile;
  /** Changes a card; one that was sent as money gives back what is left when it is closed. Refuses: as cards do. */
  change(id: Id, change: CardChange): CardFile;
}

/** What cards that are sent are made with. */
export interface SolidCardVerbs {
  accounts: Accounts;
  counterparties: Counterparties;
  cardHolders: CardHolders;
  cards: Cards;
  transactions: TransactionVerbs;
}

const RAIL = 'solid_card_send';

/** The verbs of cards that are sent as money. */
export function createSolidCards(dependencies: Dependencies, given: SolidCardVerbs): SolidCards {
  const { store, sequence, clock, outbox } = dependencies;
  const { accounts, counterparties, cardHolders, cards, transactions } = given;

  const publishCard = publisherOf(outbox, 'card', ({ card }) => card);
  const publish = (file: CardFile, change: 'delivered' | 'recalled'): void =>
    publishCard(file, change, clock.now());

  const requireMoney = ({ account, balance }: AccountFile, amount: Cents): void => {
    const objection = objectionToPayment(dependencies, account, RAIL, amount, false);
    if (objection !== undefined) {
      const { refusal, field, message } = objection;
      throw refuse(refusal, { field, message });
    }
    if (totalsOf(balance).availableBalance < amount) throw refuse('insufficient_funds', { field: 'amount' });
  };

  /** The account on which the money waits, and the card that spends it. */
  const issue = ({ account: sender }: AccountFile, to: Counterparty, { amount, bin }: CardOrder) => {
    const label = `Card for ${to.name}`;
    const { holderId, createdBy, familyId } = sender;
    const { account } = accounts.open({
      holderId,
      type: 'prepaid',
      label,
      ...(createdBy !== '' && { createdBy }),
      ...(familyId !== '' && { familyId }),
    });
    const { id: cardHolderId } = cardHolders.create({ accountId: account.id, person: personOf(to) });
    const file = cards.issue({
      cardHolderId,
      type: 'virtual',
      label,
      ...(bin !== undefined && { bin }),
      ...(to.rails.card?.address != null && { billingAddress: to.rails.card.address }),
      controls: { limit: { period: 'all_time', maxSpendAmount: amount } },
    });
    return { account, file };
  };

  /** Returns the remaining balance of a card's account to the account that it came from. */
  const giveBack = (own: AccountFile, sent: Transaction): void => {
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

  const recall = (file: CardFile): void => {
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
    publish(file, 'recalled');
    giveBack(accounts.byId(accountId), transactions.byId(load.details.partnerId));
  };

  return {
    send(input) {
      const { amount, description = '' } = input;
      const own = accounts.byId(input.accountId);
      const counterparty = counterparties.byId(input.counterpartyId);
      requireActiveHolder(store, own.account);
      requireMovable(own.account, 'debit', 'accountId');
      requireUsable(counterparty, own.account, RAIL);
      requireMoney(own, amount);
      const metadata = mergeMetadata(null, input.metadata);

      const { account, file } = issue(own, counterparty, input);
      const now = clock.now();
      const [sentId, loadId] = [sequence.id(now), sequence.id(now)];
      const sent = transactions.open({
        id: sentId,
        rail: RAIL,
        ...own,
        amount,
        title: input.title ?? '',
        description,
        otherSide: counterpartySnapshot(RAIL, counterparty),
        counterpartyId: counterparty.id,
        details: { kind: 'intra', partnerId: loadId, sentCardId: file.card.id },
        metadata,
        contraAccountId: account.id,
      });
      transactions.open({
        id: loadId,
        rail: 'solid_card_load',
        ...accounts.byId(account.id),
        amount,
        description,
        otherSide: accountSnapshot(own.account),
        details: { kind: 'intra', partnerId: sentId },
        moved: amount,
      });
      publish(file, 'delivered');
      return sent;
    },

    withCard: (transaction) => transferFileOf(store, transaction),

    change(id, change) {
      const before = cards.byId(id).card.status;
      const file = cards.change(id, change);
      if (file.card.status === 'closed' && before !== 'closed') recall(file);
      return file;
    },
  };
}

/** Whom a card is for: the person of a contact, or whoever answers to its name. */
function personOf({ person, name, email, phone, rails }: Counterparty): Person {
  if (person !== null) return person;
  const [firstName = '', ...rest] = name.split(' ');
  return {
    firstName,
    middleName: '',
    lastName: rest.join(' '),
    idType: 'ssn',
    idNumber: '',
    dateOfBirth: '',
    phone,
    email,
    address: rails.card?.address ?? null,
  };
}
