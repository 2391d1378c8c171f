/**
 * The 73 event types of v1, each with its cause, or the reason why there is none.
 * Source: decisions `event-kinds-told` and `v1-uncaused-kinds` in docs/fidelity.md.
 */
import { UNCAUSED } from '../../bank/api/uncaused-events.ts';
import {
  AMOUNT,
  after,
  authorize,
  type Cause,
  makes,
  nameCounterparty,
  newAccount,
  newBusiness,
  newCard,
  newCounterparty,
  newPerson,
  on,
  onSeeded,
  receive,
  simulateEvent,
  TOO_MUCH,
  type World,
} from './cause.ts';

/** The person of v1 calls. */
const onBehalf = ({ seed }: World) => ({ headers: { 'sd-person-id': seed('person_id') } });

/** Originates a transfer with a new counterparty; returns its id. */
type Order = (world: World, accountId: string) => Promise<string>;

type Rail = 'sendAch' | 'receiveAch' | 'sendCheck' | 'receiveCheck' | 'sendIntrabank' | 'receiveIntrabank';

const order =
  (rail: Rail): Order =>
  async (world, accountId) => {
    const contactId = await nameCounterparty(world, accountId);
    const body = { accountId, contactId, amount: AMOUNT, description: 'Invoice 88' };
    return (await world.v1[rail]({ ...onBehalf(world), body })).id;
  };

const orderWire: Order = async (world, accountId) => {
  const contactId = await nameCounterparty(world, accountId);
  const body = { accountId, contactId, amount: AMOUNT, type: 'domestic', description: 'Invoice 88' } as const;
  return (await world.v1.sendWire({ ...onBehalf(world), body })).id;
};

/** Sends money as a card; returns the transfer. */
const giveCard = async (world: World, accountId: string) => {
  const contact = {
    accountId,
    name: 'Quill Press LLC',
    email: 'desk@quill.example',
    phone: '+15035550124',
    card: { address: ADDRESS },
  };
  const { id: contactId } = await world.v1.createContact({ ...onBehalf(world), body: contact });
  const body = { accountId, contactId, amount: AMOUNT, description: 'Thanks' };
  return world.v1.sendCard({ ...onBehalf(world), body });
};

const sendCard: Order = async (world, accountId) => (await giveCard(world, accountId)).id;

/** The card that was sent. */
const sentCard = async (world: World): Promise<string> =>
  (await giveCard(world, world.seed('account_id'))).card?.id ?? '';

const cancel = (world: World, cardId: string) =>
  world.v1.cancelCard({ ...onBehalf(world), params: { cardId } });

/** Pulls money from the debit card of a new contact. */
const pullFromCard: Order = async (world, accountId) => {
  const contactId = await nameCounterparty(world, accountId);
  const params = { contactId };
  const { debitCardToken } = await world.v1.createDebitCardToken({ ...onBehalf(world), params });
  const debitCard = { cardNumber: '4000056655665556', expiryMonth: '04', expiryYear: '2035' };
  await world.v1.setDebitCard({
    params,
    headers: { 'sd-debitcard-token': debitCardToken },
    body: { debitCard },
  });
  const body = { accountId, contactId, amount: AMOUNT, description: 'Top up' };
  return (await world.v1.receiveDebitpull({ ...onBehalf(world), body })).id;
};

/** A cause that is complete when a transfer is originated. */
const ordered = (by: Order): Cause => onSeeded('account', 'account_id', by);

/** A cause in which `last` happens to a transfer after the other events. */
const transfer = (by: Order, last: string, ...before: readonly string[]): Cause =>
  on(
    'payment',
    after((world) => by(world, world.seed('account_id')), ...before),
    simulateEvent(last),
  );

/** A settled incoming payment of another bank. */
const arrival = (rail: string): Cause =>
  onSeeded('account', 'account_id', async (world, id) =>
    simulateEvent('settle')(world, await receive(world, id, rail)),
  );

/** A debit by another bank, which fails if the amount exceeds the balance. */
const request = (amount: string): Cause =>
  onSeeded('account', 'account_id', (world, accountId) =>
    world.v1.testAch({ ...onBehalf(world), params: { accountId }, body: { txnType: 'debit', amount } }),
  );

const purchase = (world: World): Promise<string> => authorize(world, world.seed('card_id'));

const decided = (noun: 'person' | 'business', event: string): Cause =>
  on(noun, noun === 'person' ? newPerson : newBusiness, ({ sandbox }, id) =>
    sandbox.simulateHolder({ params: { id, event } }),
  );

const ADDRESS = {
  addressType: 'mailing',
  line1: '9 Pier Road',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
} as const;
const newFamily = async (world: World): Promise<string> => {
  const body = { name: 'Quill', phone: '+15035550180', email: 'home@quill.example', address: ADDRESS };
  return (await world.v1.createFamily({ ...onBehalf(world), body })).id;
};

const joinBusiness = async (world: World, businessId: string): Promise<string> => {
  const personId = await newPerson(world);
  const body = { businessId, personId, ownership: '10', title: 'Partner', isControlPerson: false };
  return (await world.v1.createMember({ ...onBehalf(world), body })).id;
};

export const V1_CAUSES: Readonly<Record<string, Cause | string>> = {
  ...UNCAUSED.v1,

  'account.created': makes((world) =>
    world.v1.createAccount({
      ...onBehalf(world),
      body: { label: 'Savings', acceptedTerms: true, type: 'personalChecking' },
    }),
  ),
  'account.credit': arrival('ach_push'),
  'account.debit': ordered(order('sendAch')),
  'account.updated': on('account', newAccount, (world, accountId) =>
    world.v1.updateAccount({ ...onBehalf(world), params: { accountId }, body: { label: 'Rent' } }),
  ),

  'ach.originated.credit': ordered(order('receiveAch')),
  'ach.originated.debit': ordered(order('sendAch')),
  'ach.originated.updated': transfer(order('sendAch'), 'clear'),
  'ach.received.credit': arrival('ach_push'),
  'ach.received.debit': request(AMOUNT),
  'ach.received.declined': request(TOO_MUCH),
  'ach.reversal.credit': transfer(order('sendAch'), 'return', 'settle'),
  'ach.reversal.debit': transfer(order('receiveAch'), 'return', 'settle'),

  'business.created': makes(newBusiness),
  'business.kyb.approved': decided('business', 'pass'),
  'business.kyb.declined': decided('business', 'fail'),
  'business.kyb.review': decided('business', 'review'),
  'business.updated': on('business', newBusiness, (world, businessId) =>
    world.v1.updateBusiness({ ...onBehalf(world), params: { businessId }, body: { dba: 'Quill' } }),
  ),

  'card.canceled': on('card', newCard, cancel),
  'card.declined': onSeeded('card', 'card_id', (world, id) => authorize(world, id, TOO_MUCH)),
  'card.refund': onSeeded('card', 'card_id', ({ sandbox }, card_id) =>
    sandbox.simulateCardRefund({ params: { card_id }, body: { amount: AMOUNT } }),
  ),
  'card.replaced': on('card', newCard, (world, cardId) =>
    world.v1.replaceCard({ ...onBehalf(world), params: { cardId }, body: { reason: 'lost' } }),
  ),
  'card.reversal': on('payment', purchase, ({ sandbox }, id) =>
    sandbox.simulateAuthorization({ params: { transaction_id: id, event: 'reverse' }, body: {} }),
  ),
  'card.spend': onSeeded('card', 'card_id', authorize),
  'card.spend.update': on('payment', purchase, ({ sandbox }, id) =>
    sandbox.simulateAuthorization({
      params: { transaction_id: id, event: 'increment' },
      body: { amount: '2.00' },
    }),
  ),
  'card.updated': on('card', newCard, (world, cardId) =>
    world.v1.updateCard({ ...onBehalf(world), params: { cardId }, body: { label: 'Travel' } }),
  ),
  'card.wallet.created': on('card', newCard, (world, cardId) =>
    world.v1.provisionCard({
      ...onBehalf(world),
      params: { cardId },
      body: { wallet: 'googlePay', googlePay: { clientCustomerId: 'customer-1', deviceId: 'device-1' } },
    }),
  ),

  'check.originated.credit': ordered(order('receiveCheck')),
  'check.originated.debit': ordered(order('sendCheck')),
  'check.reversal.credit': transfer(order('sendCheck'), 'return', 'settle'),
  'check.reversal.debit': transfer(order('receiveCheck'), 'return', 'settle'),

  'contact.created': onSeeded('account', 'account_id', nameCounterparty),
  'contact.updated': on('counterparty', newCounterparty, (world, contactId) =>
    world.v1.updateContact({
      ...onBehalf(world),
      params: { contactId },
      body: { email: 'desk@quill.example' },
    }),
  ),

  'debitcard.chargeback': transfer(pullFromCard, 'charge_back', 'settle'),

  'wallet.created': makes(async (world) => {
    const body = { accountId: world.seed('account_id'), currency: 'BTC' as const };
    return (await world.v1.createWallet({ ...onBehalf(world), body })).id;
  }),

  'family.created': makes(newFamily),
  'family.updated': on('family', newFamily, (world, familyId) =>
    world.v1.updateFamily({ ...onBehalf(world), params: { familyId }, body: { name: 'Quill-Rowe' } }),
  ),

  'intrabank.originated.credit': ordered(order('receiveIntrabank')),
  'intrabank.originated.debit': ordered(order('sendIntrabank')),
  'intrabank.received.credit': ordered(order('sendIntrabank')),
  'intrabank.received.debit': ordered(order('receiveIntrabank')),

  'member.created': on('business', newBusiness, joinBusiness),
  'member.updated': on(
    'member',
    async (world) => joinBusiness(world, await newBusiness(world)),
    (world, memberId) =>
      world.v1.updateMember({ ...onBehalf(world), params: { memberId }, body: { title: 'CFO' } }),
  ),

  'person.created': makes(newPerson),
  'person.kyc.approved': decided('person', 'pass'),
  'person.kyc.declined': decided('person', 'fail'),
  'person.kyc.review': decided('person', 'review'),
  'person.kyc.updated': decided('person', 'pass'),
  'person.updated': on('person', newPerson, (world, personId) =>
    world.v1.updatePerson({
      ...onBehalf(world),
      params: { personId },
      body: { email: 'mara.quill@quill.example' },
    }),
  ),

  'solidcard.canceled': on('card', sentCard, cancel),
  'solidcard.delivered': ordered(sendCard),
  'solidcard.originated.debit': ordered(sendCard),
  'solidcard.reversal.credit': on('card', sentCard, cancel),

  'transfer.created': ordered(order('sendAch')),
  'transfer.updated': transfer(order('receiveAch'), 'settle'),

  'wire.originated.debit': ordered(orderWire),
  'wire.originated.updated': transfer(orderWire, 'clear'),
  'wire.received.credit': arrival('domestic_wire'),
  'wire.reversal.credit': transfer(orderWire, 'return', 'settle'),
  'wire.reversal.debit': on(
    'payment',
    after((world) => receive(world, world.seed('account_id'), 'domestic_wire'), 'settle'),
    simulateEvent('return'),
  ),
};
