/**
 * The 78 kinds of event of v2, each with what causes it or why nothing does. What causes one is done, in a sandbox of its
 * own, and the event is heard by a webhook with the record as a retrieval shows it. Rows 55 and 207 of docs/fidelity.md.
 */
import { describe, expect, it, test } from 'vitest';
import { SubAccount } from '../../src/dialects/v2/shapes/account.ts';
import { Card } from '../../src/dialects/v2/shapes/card.ts';
import { CardHolder } from '../../src/dialects/v2/shapes/card-holder.ts';
import { Counterparty } from '../../src/dialects/v2/shapes/counterparty.ts';
import { SubAccountHolder } from '../../src/dialects/v2/shapes/holder.ts';
import { Transaction } from '../../src/dialects/v2/shapes/transaction.ts';
import { createCard } from '../../src/http/v2/routes/create-card.ts';
import { createCardHolder } from '../../src/http/v2/routes/create-card-holder.ts';
import { createCounterparty } from '../../src/http/v2/routes/create-counterparty.ts';
import { createSubAccount } from '../../src/http/v2/routes/create-sub-account.ts';
import { createSubAccountHolder } from '../../src/http/v2/routes/create-sub-account-holder.ts';
import { originateAchPull } from '../../src/http/v2/routes/originate-ach-pull.ts';
import { simulateAchPush } from '../../src/http/v2/routes/simulate-ach-push.ts';
import { simulateCard } from '../../src/http/v2/routes/simulate-card.ts';
import { V2_KINDS } from '../../src/model/facts.ts';
import { useHttp } from '../http/support.ts';
import { type Causes, causedIn, type Doer, hear } from './causes.ts';

const http = useHttp();

const NO_CLIENT =
  'the client and its members are kept on the dashboard of the platform; no operation knows them';
const NO_MASTER_HOLDER =
  'the platform has no operation on master account holders, and nothing here changes one';
const NO_MASTER = 'there is one master account from the start, which can be read and nothing more';
const MADE_ACTIVE = 'it is activated when it is made, and nobody can have it wait again';
const NEVER_LOCKED =
  'neither a client nor the control plane locks one: locks are for holders, accounts and cards';
const NO_SUCH_STATE = 'a card is blocked as a whole; its record has no such state';

const HOLDER = '/v2/accounts/sub_account_holder/';
const ACCOUNT = '/v2/accounts/sub_account/';
const CARD_HOLDER = '/v2/issuing/card_holder/';
const CARD = '/v2/issuing/card/';
const COUNTERPARTY = '/v2/payments/counterparty/';

/** A change of a record that the sandbox began with. */
const change = (path: string, seed: string, body: object) => (doer: Doer) =>
  doer.call('v2', 'PATCH', path + doer.seed(seed), body);
const changeHolder = (body: object) => change(HOLDER, 'person_holder_id', body);
const changeAccount = (body: object) => change(ACCOUNT, 'sub_account_id', body);
const changeCardHolder = (body: object) => change(CARD_HOLDER, 'card_holder_id', body);
const changeCard = (body: object) => change(CARD, 'virtual_card_id', body);
const changeCounterparty = (body: object) => change(COUNTERPARTY, 'ach_counterparty_id', body);

/** An ACH pull to which these events happen. */
const achPull =
  (...events: string[]) =>
  async (doer: Doer) => {
    const id = (await doer.run(originateAchPull)).id();
    for (const event of events) await doer.simulate(`transactions/${id}/${event}`);
  };

const CAUSES: Causes = {
  'client.updated': NO_CLIENT,
  'client.status.pending_activation': NO_CLIENT,
  'client.status.activated': NO_CLIENT,
  'client.status.suspended': NO_CLIENT,
  'client.status.deactivated': NO_CLIENT,
  'client.status.locked': NO_CLIENT,

  'client_member.created': NO_CLIENT,
  'client_member.updated': NO_CLIENT,
  'client_member.status.pending_activation': NO_CLIENT,
  'client_member.status.activated': NO_CLIENT,
  'client_member.status.suspended': NO_CLIENT,
  'client_member.status.deactivated': NO_CLIENT,
  'client_member.status.locked': NO_CLIENT,

  'master_account_holder.created': NO_MASTER_HOLDER,
  'master_account_holder.updated': NO_MASTER_HOLDER,
  'master_account_holder.status.pending_activation': NO_MASTER_HOLDER,
  'master_account_holder.status.activated': NO_MASTER_HOLDER,
  'master_account_holder.status.suspended': NO_MASTER_HOLDER,
  'master_account_holder.status.deactivated': NO_MASTER_HOLDER,
  'master_account_holder.status.locked': NO_MASTER_HOLDER,

  'sub_account_holder.created': { by: (doer) => doer.run(createSubAccountHolder), shape: SubAccountHolder },
  'sub_account_holder.updated': { by: changeHolder({ purpose: 'Rent' }), shape: SubAccountHolder },
  'sub_account_holder.status.pending_activation': {
    by: (doer) => doer.run(createSubAccountHolder, { body: { verification: undefined } }),
    shape: SubAccountHolder,
  },
  'sub_account_holder.status.activated': {
    by: (doer) => doer.call('v2', 'POST', `${HOLDER}${doer.seed('business_holder_id')}/kyb`),
    shape: SubAccountHolder,
  },
  'sub_account_holder.status.suspended': {
    by: changeHolder({ status: 'suspended' }),
    shape: SubAccountHolder,
  },
  'sub_account_holder.status.deactivated': {
    by: changeHolder({ status: 'deactivated' }),
    shape: SubAccountHolder,
  },
  'sub_account_holder.status.locked': {
    by: (doer) => doer.simulate(`holders/${doer.seed('person_holder_id')}/lock`),
    shape: SubAccountHolder,
  },

  'card_holder.created': { by: (doer) => doer.run(createCardHolder), shape: CardHolder },
  'card_holder.updated': { by: changeCardHolder({ purpose: 'Travel' }), shape: CardHolder },
  'card_holder.status.pending_activation': MADE_ACTIVE,
  'card_holder.status.activated': { by: (doer) => doer.run(createCardHolder), shape: CardHolder },
  'card_holder.status.suspended': { by: changeCardHolder({ status: 'suspended' }), shape: CardHolder },
  'card_holder.status.deactivated': { by: changeCardHolder({ status: 'deactivated' }), shape: CardHolder },
  'card_holder.status.locked': NEVER_LOCKED,

  'counterparty.created': { by: (doer) => doer.run(createCounterparty), shape: Counterparty },
  'counterparty.updated': { by: changeCounterparty({ label: 'Harbor' }), shape: Counterparty },
  'counterparty.status.pending_activation': MADE_ACTIVE,
  'counterparty.status.activated': { by: (doer) => doer.run(createCounterparty), shape: Counterparty },
  'counterparty.status.suspended': { by: changeCounterparty({ status: 'suspended' }), shape: Counterparty },
  'counterparty.status.deactivated': {
    by: changeCounterparty({ status: 'deactivated' }),
    shape: Counterparty,
  },
  'counterparty.status.locked': NEVER_LOCKED,

  'master_account.created': NO_MASTER,
  'master_account.updated': NO_MASTER,
  'master_account.status.open': NO_MASTER,
  'master_account.status.closed': NO_MASTER,
  'master_account.status.credit_blocked': NO_MASTER,
  'master_account.status.debit_blocked': NO_MASTER,
  'master_account.status.blocked': NO_MASTER,
  'master_account.status.locked': NO_MASTER,

  'sub_account.created': { by: (doer) => doer.run(createSubAccount), shape: SubAccount },
  'sub_account.updated': { by: changeAccount({ label: 'Rent' }), shape: SubAccount },
  'sub_account.status.open': { by: (doer) => doer.run(createSubAccount), shape: SubAccount },
  'sub_account.status.closed': {
    by: async (doer) => {
      const id = (await doer.run(createSubAccount)).id();
      await doer.call('v2', 'PATCH', ACCOUNT + id, { status: 'closed' });
    },
    shape: SubAccount,
  },
  'sub_account.status.credit_blocked': { by: changeAccount({ status: 'credit_blocked' }), shape: SubAccount },
  'sub_account.status.debit_blocked': { by: changeAccount({ status: 'debit_blocked' }), shape: SubAccount },
  'sub_account.status.blocked': { by: changeAccount({ status: 'blocked' }), shape: SubAccount },
  'sub_account.status.locked': {
    by: (doer) => doer.simulate(`accounts/${doer.seed('sub_account_id')}/lock`),
    shape: SubAccount,
  },

  'card.created': { by: (doer) => doer.run(createCard), shape: Card },
  'card.updated': { by: changeCard({ label: 'Travel' }), shape: Card },
  'card.status.open': {
    by: async (doer) => {
      await changeCard({ status: 'blocked' })(doer);
      await changeCard({ status: 'open' })(doer);
    },
    shape: Card,
  },
  'card.status.closed': { by: changeCard({ status: 'closed' }), shape: Card },
  'card.status.credit_blocked': NO_SUCH_STATE,
  'card.status.debit_blocked': NO_SUCH_STATE,
  'card.status.blocked': { by: changeCard({ status: 'blocked' }), shape: Card },
  'card.status.locked': {
    by: (doer) => doer.simulate(`cards/${doer.seed('virtual_card_id')}/lock`),
    shape: Card,
  },

  'transaction.created': { by: achPull(), shape: Transaction },
  'transaction.updated': {
    by: (doer) =>
      doer.call('v2', 'PATCH', `/v2/payments/transaction/${doer.seed('transaction_id')}`, {
        description: 'First',
      }),
    shape: Transaction,
  },
  'transaction.status.pending': { by: achPull('submit'), shape: Transaction },
  'transaction.status.clearing': { by: achPull('submit', 'send'), shape: Transaction },
  'transaction.status.cleared': { by: achPull('submit', 'send', 'clear'), shape: Transaction },
  'transaction.status.settled': { by: achPull('settle'), shape: Transaction },
  'transaction.status.canceled': { by: achPull('cancel'), shape: Transaction },
  'transaction.status.in_review': { by: achPull('review'), shape: Transaction },
  'transaction.status.returned': { by: achPull('settle', 'return'), shape: Transaction },
  'transaction.status.reversed': { by: achPull('settle', 'reverse'), shape: Transaction },
  'transaction.status.received': { by: (doer) => doer.run(simulateAchPush), shape: Transaction },
  'transaction.status.declined': {
    by: (doer) => doer.run(simulateCard, { body: { amount: '1000000.00' } }),
    shape: Transaction,
  },
  'transaction.status.refunded': {
    by: async (doer) => {
      const bought = (await doer.run(simulateCard, { body: { status: 'settled' } })).id();
      await doer.run(simulateCard, {
        body: { type: 'refund', status: 'settled', parent_transaction_id: bought },
      });
    },
    shape: Transaction,
  },
};

describe('the table', () => {
  it('has the 78 kinds of v2 and no other', () => {
    expect(Object.keys(CAUSES)).toHaveLength(78);
    expect(Object.keys(CAUSES).sort()).toEqual([...V2_KINDS].sort());
  });

  it('says of 34 why nothing causes them', () => {
    expect(Object.keys(CAUSES).length - causedIn(CAUSES).length).toBe(34);
  });
});

test.each(causedIn(CAUSES))('%s is heard', async (kind, cause) => {
  const told = await hear(http, 'v2', kind, cause);
  const status = /\.status\.(\w+)$/.exec(kind)?.[1];
  if (status !== undefined) expect(told.map(({ record }) => record.status)).toContain(status);
});
