/**
 * The 78 event types of v2, each with its cause, or the reason why there is none.
 * Source: decisions `event-kinds-told` and `v2-uncaused-kinds` in docs/fidelity.md.
 */
import { UNCAUSED } from '../../bank/api/uncaused-events.ts';
import {
  after,
  authorize,
  type Cause,
  issueCard,
  makes,
  nameCardHolder,
  nameCounterparty,
  newAccount,
  newCard,
  newCardHolder,
  newCounterparty,
  newPayment,
  newPerson,
  on,
  onSeeded,
  openAccount,
  pull,
  receive,
  simulateEvent,
  TOO_MUCH,
  type World,
} from './cause.ts';

type Body<Method extends keyof World['v2']> = NonNullable<
  NonNullable<Parameters<World['v2'][Method]>[0]> extends { body?: infer B } ? B : never
>;

const approvedPerson = async (world: World): Promise<string> => {
  const id = await newPerson(world);
  await world.sandbox.simulateHolder({ params: { id, event: 'pass' } });
  return id;
};

const changeHolder = (body: Body<'updateSubAccountHolder'>): Cause =>
  on('holder', approvedPerson, ({ v2 }, id) =>
    v2.updateSubAccountHolder({ params: { sub_account_holder_id: id }, body }),
  );
const changeAccount = (body: Body<'updateSubAccount'>): Cause =>
  on('account', newAccount, ({ v2 }, id) => v2.updateSubAccount({ params: { sub_account_id: id }, body }));
const changeCardHolder = (body: Body<'updateCardHolder'>): Cause =>
  on('card holder', newCardHolder, ({ v2 }, id) =>
    v2.updateCardHolder({ params: { card_holder_id: id }, body }),
  );
const changeCounterparty = (body: Body<'updateCounterparty'>): Cause =>
  on('counterparty', newCounterparty, ({ v2 }, id) =>
    v2.updateCounterparty({ params: { counterparty_id: id }, body }),
  );
const changeCard = (body: Body<'updateCard'>, prepare = newCard): Cause =>
  on('card', prepare, ({ v2 }, id) => v2.updateCard({ params: { card_id: id }, body }));

const blockedCard = async (world: World): Promise<string> => {
  const id = await newCard(world);
  await world.v2.updateCard({ params: { card_id: id }, body: { status: 'blocked' } });
  return id;
};

/** A cause in which `last` happens to an ACH pull after the other events. */
const payment = (last: string, ...before: readonly string[]): Cause =>
  on('payment', after(newPayment, ...before), simulateEvent(last));

/** A purchase that was captured. */
const purchase = async (world: World): Promise<string> => {
  const id = await authorize(world, world.seed('virtual_card_id'));
  await world.sandbox.simulateAuthorization({ params: { transaction_id: id, event: 'capture' }, body: {} });
  return id;
};

const HOLDER_MADE = makes(newPerson);
const CARD_HOLDER_MADE = onSeeded('account', 'sub_account_id', nameCardHolder);
const COUNTERPARTY_MADE = onSeeded('account', 'sub_account_id', nameCounterparty);
const ACCOUNT_MADE = onSeeded('holder', 'person_holder_id', openAccount);

export const V2_CAUSES: Readonly<Record<string, Cause | string>> = {
  ...UNCAUSED.v2,

  'sub_account_holder.created': HOLDER_MADE,
  'sub_account_holder.updated': changeHolder({ purpose: 'Rent' }),
  'sub_account_holder.status.pending_activation': HOLDER_MADE,
  'sub_account_holder.status.activated': on('holder', newPerson, ({ sandbox }, id) =>
    sandbox.simulateHolder({ params: { id, event: 'pass' } }),
  ),
  'sub_account_holder.status.suspended': changeHolder({ status: 'suspended' }),
  'sub_account_holder.status.deactivated': changeHolder({ status: 'deactivated' }),
  'sub_account_holder.status.locked': on('holder', newPerson, ({ sandbox }, id) =>
    sandbox.simulateHolder({ params: { id, event: 'lock' } }),
  ),

  'card_holder.created': CARD_HOLDER_MADE,
  'card_holder.updated': changeCardHolder({ purpose: 'Travel' }),
  'card_holder.status.activated': CARD_HOLDER_MADE,
  'card_holder.status.suspended': changeCardHolder({ status: 'suspended' }),
  'card_holder.status.deactivated': changeCardHolder({ status: 'deactivated' }),

  'counterparty.created': COUNTERPARTY_MADE,
  'counterparty.updated': changeCounterparty({ label: 'Harbor' }),
  'counterparty.status.activated': COUNTERPARTY_MADE,
  'counterparty.status.suspended': changeCounterparty({ status: 'suspended' }),
  'counterparty.status.deactivated': changeCounterparty({ status: 'deactivated' }),

  'sub_account.created': ACCOUNT_MADE,
  'sub_account.updated': changeAccount({ label: 'Rent' }),
  'sub_account.status.open': ACCOUNT_MADE,
  'sub_account.status.closed': changeAccount({ status: 'closed' }),
  'sub_account.status.credit_blocked': changeAccount({ status: 'credit_blocked' }),
  'sub_account.status.debit_blocked': changeAccount({ status: 'debit_blocked' }),
  'sub_account.status.blocked': changeAccount({ status: 'blocked' }),
  'sub_account.status.locked': on('account', newAccount, ({ sandbox }, id) =>
    sandbox.simulateAccount({ params: { id, event: 'lock' } }),
  ),

  'card.created': onSeeded('card holder', 'card_holder_id', issueCard),
  'card.updated': changeCard({ label: 'Travel' }),
  'card.status.open': changeCard({ status: 'open' }, blockedCard),
  'card.status.closed': changeCard({ status: 'closed' }),
  'card.status.blocked': changeCard({ status: 'blocked' }),
  'card.status.locked': on('card', newCard, ({ sandbox }, id) =>
    sandbox.simulateCard({ params: { card_id: id, event: 'lock' }, body: {} }),
  ),

  'transaction.created': onSeeded('account', 'sub_account_id', pull),
  'transaction.updated': on('payment', newPayment, ({ v2 }, id) =>
    v2.updateTransaction({ params: { transaction_id: id }, body: { description: 'First' } }),
  ),
  'transaction.status.pending': payment('submit'),
  'transaction.status.clearing': payment('send', 'submit'),
  'transaction.status.cleared': payment('clear'),
  'transaction.status.settled': payment('settle'),
  'transaction.status.canceled': payment('cancel'),
  'transaction.status.in_review': payment('review'),
  'transaction.status.returned': payment('return', 'settle'),
  'transaction.status.reversed': payment('reverse', 'settle'),
  'transaction.status.received': onSeeded('account', 'sub_account_id', (world, id) =>
    receive(world, id, 'ach_push'),
  ),
  'transaction.status.declined': onSeeded('card', 'virtual_card_id', (world, id) =>
    authorize(world, id, TOO_MUCH),
  ),
  'transaction.status.refunded': on('payment', purchase, ({ sandbox }, id) =>
    sandbox.simulateAuthorization({ params: { transaction_id: id, event: 'refund' }, body: {} }),
  ),
};
