/**
 * A history that produces every event type that this bank can publish: the examples of events are taken from it. A
 * separate bank, with the records of the seed, runs it.
 */

import type { Cents } from '../../bank/kernel/money.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import type { IncomingRail, OriginationRail, RailEvent } from '../../bank/model/rails/index.ts';
import type { Address, Business, Person, Reason } from '../../bank/model/records.ts';
import { reasonOfReturn } from '../../bank/model/return-codes.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import type { NewCounterparty } from '../../bank/verbs/inputs.ts';

const AMOUNT: Cents = 6410;
/** More than the balance of any account of the history. */
const TOO_MUCH: Cents = 100_000_000;
const ADDRESS: Address = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postalCode: '97103',
};
const PERSON: Person = {
  firstName: 'Mara',
  middleName: '',
  lastName: 'Quill',
  idType: 'ssn',
  idNumber: '999999999',
  dateOfBirth: '1988-03-14',
  phone: '+15555555555',
  email: 'mara@quill.example',
  address: ADDRESS,
};
const BUSINESS: Business = {
  legalName: 'Quill Press LLC',
  dba: 'Quill',
  entityType: 'limited_liability_company',
  idType: 'ein',
  idNumber: '999999999',
  phone: '+15035550124',
  email: 'desk@quill.example',
  formationDate: '2015-02-28',
  address: ADDRESS,
  website: 'quill.example',
  about: '',
  industry: '',
  naicsCode: '323111',
};
const BANK_ACCOUNT = {
  accountNumber: '5500112244',
  routingNumber: '121042882',
  accountType: 'business_checking',
  bankName: '',
} as const;

/** The records that a bank begins with. */
export interface Beginning {
  personId: Id;
  accountId: Id;
  otherAccountId: Id;
  cardId: Id;
}

/** Runs the history in a bank. */
export function writeExampleHistory(bank: Bank, beginning: Beginning): void {
  writeParties(bank, beginning);
  writeCards(bank, beginning);
  writePayments(bank, beginning);
}

function writeParties(
  { holders, simulation, families, members, accounts, wallets, cardHolders, counterparties }: Bank,
  { personId, accountId }: Beginning,
): void {
  for (const event of ['pass', 'review', 'fail'] as const) {
    const { holder } = holders.create({ person: PERSON });
    simulation.holder(holder.id, event);
  }
  for (const event of ['pass', 'review', 'fail'] as const) {
    const { holder } = holders.create({ business: BUSINESS });
    simulation.holder(holder.id, event);
  }
  const { holder } = holders.create({
    person: PERSON,
    verification: { status: 'pass', method: 'own', url: '' },
  });
  holders.change(holder.id, { purpose: 'Rent' });
  const business = holders.create({ business: BUSINESS }).holder;
  holders.change(business.id, { business: { dba: 'Quill & Sons' } });
  simulation.holder(holder.id, 'lock');
  simulation.holder(holder.id, 'unlock');
  holders.change(holder.id, { status: 'suspended' });
  holders.change(holder.id, { status: 'deactivated' });

  const family = families.create({ name: 'Quill', createdBy: personId, address: ADDRESS });
  families.change(family.id, { name: 'Quill-Rowe' });
  const { member } = members.create({ of: { familyId: family.id }, person: personId });
  members.change(member.id, { title: 'Guardian' });

  const { account } = accounts.open({ holderId: personId, type: 'checking', label: 'Savings' });
  wallets.create({ accountId: account.id, currency: 'BTC', label: 'Savings in Bitcoin' });
  accounts.change(account.id, { label: 'Rent' });
  for (const status of ['credit_blocked', 'debit_blocked', 'blocked'] as const) {
    accounts.change(account.id, { status });
  }
  accounts.lock(account.id);
  accounts.unlock(account.id);
  accounts.change(account.id, { status: 'closed' });

  const cardHolder = cardHolders.create({ accountId, person: PERSON });
  cardHolders.change(cardHolder.id, { purpose: 'Travel' });
  cardHolders.change(cardHolder.id, { status: 'suspended' });
  cardHolders.change(cardHolder.id, { status: 'deactivated' });

  const counterparty = counterparties.create(everyRail(accountId));
  counterparties.change(counterparty.id, { email: 'ap@quill.example' });
  counterparties.change(counterparty.id, { status: 'suspended' });
  counterparties.change(counterparty.id, { status: 'deactivated' });
}

function writeCards(
  { cards, cardHolders, cardVault, cardPayments, counterparties, solidCards }: Bank,
  { accountId, cardId }: Beginning,
): void {
  const cardHolderId = cardHolders.create({ accountId, person: PERSON }).id;
  const { card } = cards.issue({ cardHolderId, type: 'virtual', label: 'Travel' });
  cards.change(card.id, { label: 'Fuel' });
  cardVault.provision(card.id, 'google_pay');
  cards.change(card.id, { status: 'blocked' });
  cards.change(card.id, { status: 'open' });
  cards.lock(card.id);
  cards.unlock(card.id);
  const next = cards.replace(card.id, {}).card;
  cards.change(next.id, { status: 'closed' });

  const merchant = {
    name: 'Harbor Books',
    city: 'Monterey',
    state: 'CA',
    mcc: '5942',
    category: 'Book Stores',
  };
  const spend = () => cardPayments.authorize({ cardId, amount: AMOUNT, merchant });
  const spent = spend();
  cardPayments.update({ cardId, parentId: spent.id, total: AMOUNT + 500 });
  cardPayments.capture({ authorizationId: spent.id });
  cardPayments.refund({ cardId, parentId: spent.id, amount: AMOUNT + 500 });
  cardPayments.reverse({ cardId, parentId: spend().id });
  cardPayments.authorize({ cardId, amount: TOO_MUCH, merchant });

  const contact = counterparties.create({ ...everyRail(accountId), rails: { card: { address: ADDRESS } } });
  const order = { accountId, counterpartyId: contact.id, amount: AMOUNT, shortage: 'refuse' } as const;
  const sent = solidCards.send({ ...order, description: 'Thanks' });
  if (sent.details.kind === 'intra' && sent.details.sentCardId !== undefined) {
    cards.change(sent.details.sentCardId, { status: 'closed' });
  }
}

function writePayments({ payments, counterparties }: Bank, { accountId, otherAccountId }: Beginning): void {
  const { id: counterpartyId } = counterparties.create({
    ...everyRail(accountId),
    rails: { ...everyRail(accountId).rails, intraAccount: { accountId: otherAccountId } },
  });
  const returned = reasonOfReturn('R01');
  const order = (rail: OriginationRail, ...events: readonly RailEvent[]): void => {
    const { id } = payments.originate(rail, {
      accountId,
      counterpartyId,
      amount: AMOUNT,
      description: 'Invoice 88',
      shortage: 'refuse',
    });
    for (const event of events) payments.applyEvent(id, event, ...reasonOf(event, returned));
  };
  const receive = (rail: IncomingRail, events: readonly RailEvent[], amount = AMOUNT): void => {
    const { id } = payments.receive(rail, {
      accountId,
      amount,
      description: 'Invoice 88',
      sender: { name: 'Cedar Supply', routingNumber: '121042882', accountNumber: '5500118822' },
    });
    for (const event of events) payments.applyEvent(id, event, ...reasonOf(event, returned));
  };

  const through: readonly RailEvent[] = ['submit', 'send', 'clear', 'settle'];
  for (const rail of ['ach_push', 'ach_pull', 'domestic_wire', 'check_send', 'check_deposit'] as const) {
    order(rail, ...through, 'return');
  }
  order('ach_pull', ...through, 'reverse');
  order('ach_pull', 'review', 'cancel');
  order('ach_pull', 'decline');
  order('debit_card_pull', 'settle', 'charge_back');
  order('intra_push');
  order('intra_pull');
  receive('ach_received_push', ['settle']);
  receive('ach_received_pull', ['settle']);
  receive('ach_received_pull', ['return'], TOO_MUCH);
  receive('domestic_wire_received', ['settle', 'return']);
}

function reasonOf(event: RailEvent, returned: Reason): [] | [Reason] {
  return event === 'return' ? [returned] : [];
}

/** A counterparty with the details of every rail to other banks. */
function everyRail(accountId: Id): NewCounterparty {
  return {
    accountId,
    name: 'Cedar Supply',
    email: 'ap@cedar.example',
    phone: '+15035550130',
    rails: {
      ach: { ...BANK_ACCOUNT, verified: true },
      domesticWire: { ...BANK_ACCOUNT, address: ADDRESS },
      check: { address: ADDRESS },
      debitCard: {
        cardNumber: '4000056655665556',
        expiryMonth: '04',
        expiryYear: '2035',
        address: ADDRESS,
      },
    },
  };
}
