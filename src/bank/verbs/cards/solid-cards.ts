/**
 * Money that is sent as a card: a separate account of the sender's holder with that money, and a virtual card in the
 * recipient's name that can spend it. `recalls.ts` returns the rest.
 * Source: the card samples of the platform's v1 webhooks; decision `v1-send-card` in docs/fidelity.md.
 */
import type { Cents } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { totalsOf } from '../../model/balances.ts';
import type { Counterparty, Person, Transaction } from '../../model/records.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { objectionToPayment } from '../accounts/limits.ts';
import type { Counterparties } from '../counterparties/counterparties.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AccountWithBalance, CardOrder, TransactionWithCard } from '../inputs.ts';
import { mergeMetadata } from '../metadata.ts';
import { accountSnapshot, counterpartySnapshot } from '../payments/counterparty-snapshots.ts';
import { requireActiveHolder, requireMovable, requireUsable } from '../payments/originations.ts';
import { publisherOf } from '../publish.ts';
import type { TransactionVerbs } from '../transactions/transactions.ts';
import type { CardHolders } from './card-holders.ts';
import type { Cards } from './cards.ts';
import { transactionWithCard } from './controls.ts';

export interface SolidCards {
  /**
   * Sends money as a card. Refuses: as an origination with `shortage: 'refuse'` does, and `limit_exceeded` or
   * `switched_off` for the card.
   */
  send(input: CardOrder): Transaction;
  /** A transaction with the card that was sent with it, in its current state. */
  withCard(transaction: Transaction): TransactionWithCard;
}

/** The dependencies of sent cards. */
export interface SolidCardVerbs {
  accounts: Accounts;
  counterparties: Counterparties;
  cardHolders: CardHolders;
  cards: Cards;
  transactions: TransactionVerbs;
}

const RAIL = 'solid_card_send';

/** The verbs of cards that are sent as money. */
export function createSolidCards(dependencies: Dependencies, options: SolidCardVerbs): SolidCards {
  const { store, sequence, clock, outbox } = dependencies;
  const { accounts, counterparties, cardHolders, cards, transactions } = options;

  const publish = publisherOf(outbox, 'card');

  /** The account with the money, and its card. */
  const issue = ({ account: sender }: AccountWithBalance, to: Counterparty, { amount, bin }: CardOrder) => {
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

  return {
    send(input) {
      const { amount, description = '' } = input;
      const own = accounts.byId(input.accountId);
      const counterparty = counterparties.byId(input.counterpartyId);
      requireActiveHolder(store, own.account);
      requireMovable(own.account, 'debit', 'accountId');
      requireUsable(counterparty, own.account, RAIL);
      requireMoney(dependencies, own, amount);
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
      publish(file, 'delivered', clock.now());
      return sent;
    },

    withCard: (transaction) => transactionWithCard(store, transaction),
  };
}

/** Refuses: `limit_exceeded`, `switched_off`, `insufficient_funds`. */
function requireMoney(
  dependencies: Dependencies,
  { account, balance }: AccountWithBalance,
  amount: Cents,
): void {
  const objection = objectionToPayment(dependencies, account, RAIL, amount, false);
  if (objection !== undefined) {
    const { refusal, field, message } = objection;
    throw refuse(refusal, { field, message });
  }
  if (totalsOf(balance).availableBalance < amount) throw refuse('insufficient_funds', { field: 'amount' });
}

/** The recipient of a card: the person of a contact, or a person with its name. */
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
