/**
 * The 72 kinds of event of v1, each with what causes it or why nothing does. What causes one is done, in a sandbox of its
 * own, and the event is heard by a webhook with the record as a retrieval shows it. Rows 55 and 208 of docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it, test } from 'vitest';
import { Account } from '../../src/dialects/v1/shapes/account.ts';
import { Business } from '../../src/dialects/v1/shapes/business.ts';
import { Card } from '../../src/dialects/v1/shapes/card.ts';
import { Contact } from '../../src/dialects/v1/shapes/contact.ts';
import { DeclinedAuthorization } from '../../src/dialects/v1/shapes/declined-authorization.ts';
import { Family } from '../../src/dialects/v1/shapes/family.ts';
import { Member } from '../../src/dialects/v1/shapes/member.ts';
import { Person } from '../../src/dialects/v1/shapes/person.ts';
import { Transaction } from '../../src/dialects/v1/shapes/transaction.ts';
import { Transfer } from '../../src/dialects/v1/shapes/transfer.ts';
import { Kyb, Kyc } from '../../src/dialects/v1/shapes/verification.ts';
import type { AnyOperation } from '../../src/http/operation.ts';
import { cancelCard } from '../../src/http/v1/routes/cancel-card.ts';
import { createAccount } from '../../src/http/v1/routes/create-account.ts';
import { createBusiness } from '../../src/http/v1/routes/create-business.ts';
import { createContact } from '../../src/http/v1/routes/create-contact.ts';
import { createFamily } from '../../src/http/v1/routes/create-family.ts';
import { createMember } from '../../src/http/v1/routes/create-member.ts';
import { createPerson } from '../../src/http/v1/routes/create-person.ts';
import { provisionCard } from '../../src/http/v1/routes/provision-card.ts';
import { replaceCard } from '../../src/http/v1/routes/replace-card.ts';
import { submitKyb } from '../../src/http/v1/routes/submit-kyb.ts';
import { submitPersonIdv } from '../../src/http/v1/routes/submit-person-idv.ts';
import { submitPersonKyc } from '../../src/http/v1/routes/submit-person-kyc.ts';
import { testAch } from '../../src/http/v1/routes/test-ach.ts';
import { testCard } from '../../src/http/v1/routes/test-card.ts';
import { TRANSFERS } from '../../src/http/v1/routes/transfers.ts';
import { updateAccount } from '../../src/http/v1/routes/update-account.ts';
import { updateBusiness } from '../../src/http/v1/routes/update-business.ts';
import { updateCard } from '../../src/http/v1/routes/update-card.ts';
import { updateContact } from '../../src/http/v1/routes/update-contact.ts';
import { updateFamily } from '../../src/http/v1/routes/update-family.ts';
import { updateMember } from '../../src/http/v1/routes/update-member.ts';
import { updatePerson } from '../../src/http/v1/routes/update-person.ts';
import { V1_KINDS } from '../../src/model/facts.ts';
import { useHttp } from '../http/support.ts';
import { type Causes, causedIn, type Doer, hear } from './causes.ts';

const http = useHttp();

const A_QUESTION =
  'a question that waits for its answer: it goes to the address of PUT /_sandbox/rta, as on the platform to one that is set on the dashboard, and no webhook is told';
const NO_CASH = 'no cash is paid in at a machine here';
const NO_ENRICHMENT = 'nobody looks merchants up after the purchase';
const NO_REWARDS = 'no merchant gives rewards here';
const WALLET_ONLY_MADE =
  'a card is put into a wallet, and what the wallet does with it afterwards is not told to the bank';
const NO_SOLID_CARD = 'POST /v1/send/card is documented and not emulated';
const NO_CRYPTO = 'there are no wallets of other currencies';

/** The order of a transfer: `send/ach`. */
function orderOf(rail: string): AnyOperation {
  const found = TRANSFERS.find(({ method, path }) => method === 'POST' && path === `/v1/${rail}`);
  if (found === undefined) throw new Error(`nothing is ordered at ${rail}`);
  return found;
}

/** A transfer to which these events happen. */
const transfer =
  (rail: string, ...events: string[]) =>
  async (doer: Doer) => {
    const id = (await doer.run(orderOf(rail))).id();
    for (const event of events) await doer.simulate(`transactions/${id}/${event}`);
  };

/** Money that comes from another bank, to which these events happen. */
const incoming =
  (rail: string, ...events: string[]) =>
  async (doer: Doer) => {
    const made = await doer.simulate(`incoming/${rail}`, {
      account_id: doer.seed('account_id'),
      amount: '20.00',
    });
    for (const event of events) await doer.simulate(`transactions/${made.id('transaction.id')}/${event}`);
  };

const run = (operation: AnyOperation, body?: Record<string, unknown>) => (doer: Doer) =>
  doer.run(operation, body === undefined ? {} : { body });

/** Tests the card, and answers the transaction that came of it. */
async function buy(doer: Doer, body: Record<string, unknown> = {}): Promise<string> {
  await doer.run(testCard, { body: { amount: '10.00', txnType: 'auth', ...body } });
  const listed = await doer.call('v1', 'GET', `/v1/account/${doer.seed('account_id')}/transaction?limit=1`);
  return listed.id('data.0.id');
}

const buyAnd = (txnType: string, amount: string) => async (doer: Doer) => {
  const parentTxnId = await buy(doer);
  await doer.run(testCard, { body: { txnType, amount, parentTxnId } });
};

/** A KYC of a person, or a KYB of a business, that ends as told. */
const kyc = (outcome: string) => async (doer: Doer) => {
  const personId = (await doer.run(submitPersonKyc)).id('personId');
  await doer.simulate(`holders/${personId}/${outcome}`);
};
const kyb = (outcome: string) => async (doer: Doer) => {
  await doer.run(submitKyb);
  await doer.simulate(`holders/${doer.seed('business_holder_id')}/${outcome}`);
};

const moves = (by: (doer: Doer) => Promise<unknown>, shape: TSchema = Transaction) => ({ by, shape });

const CAUSES: Causes = {
  'account.created': { by: run(createAccount), shape: Account },
  'account.credit': moves(incoming('ach_push', 'settle')),
  'account.debit': moves(transfer('send/ach')),
  'account.updated': { by: run(updateAccount), shape: Account },

  'ach.auth.request': A_QUESTION,
  'ach.originated.credit': moves(transfer('receive/ach')),
  'ach.originated.debit': moves(transfer('send/ach')),
  'ach.originated.updated': moves(transfer('send/ach', 'submit', 'send', 'clear')),
  'ach.received.credit': moves(incoming('ach_push', 'settle')),
  'ach.received.debit': moves(run(testAch, { txnType: 'debit' })),
  'ach.received.declined': moves(run(testAch, { txnType: 'debit', amount: '1000000.00' })),
  'ach.reversal.credit': moves(transfer('send/ach', 'settle', 'return')),
  'ach.reversal.debit': moves(transfer('receive/ach', 'settle', 'return')),

  'business.created': { by: run(createBusiness), shape: Business },
  'business.kyb.approved': { by: kyb('pass'), shape: Kyb },
  'business.kyb.declined': { by: kyb('fail'), shape: Kyb },
  'business.kyb.review': { by: kyb('review'), shape: Kyb },
  'business.updated': { by: run(updateBusiness), shape: Business },

  'card.auth.request': A_QUESTION,
  'card.canceled': { by: run(cancelCard), shape: Card },
  'card.declined': {
    by: run(testCard, { txnType: 'auth', amount: '1000000.00' }),
    shape: DeclinedAuthorization,
  },
  'card.deposit': NO_CASH,
  'card.enriched': NO_ENRICHMENT,
  'card.refund': moves(run(testCard, { txnType: 'refund' })),
  'card.replaced': { by: run(replaceCard), shape: Card },
  'card.reversal': moves(buyAnd('reversal', '10.00')),
  'card.reward.canceled': NO_REWARDS,
  'card.reward.credit': NO_REWARDS,
  'card.reward.pending': NO_REWARDS,
  'card.spend': moves(run(testCard, { txnType: 'auth' })),
  'card.spend.update': moves(buyAnd('authUpdate', '12.00')),
  'card.updated': { by: run(updateCard), shape: Card },
  'card.wallet.created': { by: run(provisionCard), shape: Card },
  'card.wallet.updated': WALLET_ONLY_MADE,

  'check.originated.credit': moves(transfer('receive/check')),
  'check.originated.debit': moves(transfer('send/check')),
  'check.reversal.credit': moves(transfer('send/check', 'settle', 'return')),
  'check.reversal.debit': moves(transfer('receive/check', 'settle', 'return')),

  'contact.created': { by: run(createContact), shape: Contact },
  'contact.updated': { by: run(updateContact), shape: Contact },

  'family.created': { by: run(createFamily), shape: Family },
  'family.updated': { by: run(updateFamily), shape: Family },

  'intrabank.originated.credit': moves(transfer('receive/intrabank')),
  'intrabank.originated.debit': moves(transfer('send/intrabank')),
  'intrabank.received.credit': moves(transfer('send/intrabank')),
  'intrabank.received.debit': moves(transfer('receive/intrabank')),

  'member.created': { by: run(createMember), shape: Member },
  'member.updated': { by: run(updateMember), shape: Member },

  'person.created': { by: run(createPerson), shape: Person },
  'person.kyc.approved': { by: kyc('pass'), shape: Kyc },
  'person.kyc.declined': { by: kyc('fail'), shape: Kyc },
  'person.kyc.review': { by: kyc('review'), shape: Kyc },
  'person.kyc.updated': { by: run(submitPersonIdv), shape: Kyc },
  'person.updated': { by: run(updatePerson), shape: Person },

  'solidcard.canceled': NO_SOLID_CARD,
  'solidcard.delivered': NO_SOLID_CARD,
  'solidcard.originated.debit': NO_SOLID_CARD,
  'solidcard.reversal.credit': NO_SOLID_CARD,
  'solidcard.topup': NO_SOLID_CARD,

  'transfer.created': { by: transfer('send/ach'), shape: Transfer },
  'transfer.updated': { by: transfer('receive/ach', 'settle'), shape: Transfer },

  'wallet.created': NO_CRYPTO,
  'wallet.credit': NO_CRYPTO,
  'wallet.debit': NO_CRYPTO,
  'wallet.transfer.created': NO_CRYPTO,
  'wallet.transfer.updated': NO_CRYPTO,
  'wallet.updated': NO_CRYPTO,

  'wire.originated.debit': moves(transfer('send/wire')),
  'wire.originated.updated': moves(transfer('send/wire', 'submit', 'send', 'clear')),
  'wire.received.credit': moves(incoming('domestic_wire', 'settle')),
  'wire.reversal.credit': moves(transfer('send/wire', 'settle', 'return')),
  'wire.reversal.debit': moves(incoming('domestic_wire', 'settle', 'return')),
};

describe('the table', () => {
  it('has the 72 kinds of v1 and no other', () => {
    expect(Object.keys(CAUSES)).toHaveLength(72);
    expect(Object.keys(CAUSES).sort()).toEqual([...V1_KINDS].sort());
  });

  it('says of 19 why nothing causes them', () => {
    expect(Object.keys(CAUSES).length - causedIn(CAUSES).length).toBe(19);
  });
});

test.each(causedIn(CAUSES))('%s is heard', async (kind, cause) => {
  await hear(http, 'v1', kind, cause);
});
