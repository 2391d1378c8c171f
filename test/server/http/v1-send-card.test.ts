/**
 * Payments by card: the new account and card, its events, its use, and the return of the rest when the card is
 * closed. Decision `v1-send-card` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { sendCard } from '../../../src/bank/api/v1/transfers/operations.ts';
import { CARD_V1 } from '../../contract/v1/card.ts';
import { TRANSFER } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';
import { ADDRESS, available, entries, kinds, recordOf, send } from './v1-orders.ts';

const http = useHttp({ small: true });
const PATH = '/v1/send/card';

async function giveAddress(caller: Caller): Promise<void> {
  const contact = `/v1/contact/${caller.seed('contact_id')}`;
  expect((await caller.v1('PATCH', contact, { card: { address: ADDRESS } })).status).toBe(200);
}
async function sendOne(caller: Caller, change: object = {}): Promise<Answer> {
  await giveAddress(caller);
  const answer = await send(caller, PATH, { description: 'Thanks', ...change });
  expect(answer.status, answer.text).toBe(201);
  return answer;
}
const cardOf = (caller: Caller, sent: Answer) => caller.v1('GET', `/v1/card/${sent.id('card.id')}`);
const spend = (caller: Caller, sent: Answer, body: object) =>
  caller.v1('POST', `/v1/card/${sent.id('card.id')}/test`, body);
const entriesOf = async (caller: Caller, accountId: string) =>
  (await caller.v1('GET', `/v1/account/${accountId}/transaction`)).at('data') as Record<string, unknown>[];

describe('a payment by card (sendCard)', () => {
  it('is a completed transfer with the card', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller, { metadata: { externalId: '7' } });
    expectRecord(sent, sendCard.create, TRANSFER);
    expect(sent.body).toMatchObject({
      name: 'Harbor Supplies',
      accountNumber: '',
      routingNumber: '',
      amount: '41.20',
      status: 'completed',
      title: '',
      description: 'Thanks',
      txnType: 'debit',
      transferType: 'solidCard',
      transferSubType: 'originated',
      type: '',
      metadata: { externalId: '7' },
    });
    expectRecord(await cardOf(caller, sent), 'retrieveCard', CARD_V1);
    expect(sent.at('card')).toEqual((await cardOf(caller, sent)).body);
    expect(await available(caller)).toBe('4958.80');
    expect((await entries(caller))[0]).toMatchObject({
      amount: '-41.20',
      transferType: 'solidCard',
      subType: 'originated',
      status: 'settled',
      title: 'Card sent to Harbor Supplies',
      solidCard: { transferId: sent.id(), contactId: caller.seed('contact_id'), name: 'Harbor Supplies' },
      intrabank: null,
    });
  });

  it('creates a virtual card in its own account, with a limit of the amount for all time', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    const card = await cardOf(caller, sent);
    expect(card.body).toMatchObject({
      cardType: 'virtual',
      cardStatus: 'active',
      limitInterval: 'allTime',
      limitAmount: '41.20',
      availableLimit: '41.20',
      cardholder: { name: 'Harbor Supplies', billingAddress: { line1: '9 Pier Road' } },
    });
    const account = await caller.v1('GET', `/v1/account/${card.id('accountId')}`);
    expect(account.body).toMatchObject({ type: 'cardAccount', availableBalance: '41.20' });
    const [load, ...others] = await entriesOf(caller, card.id('accountId'));
    expect(others).toEqual([]);
    expect(load).toMatchObject({
      amount: '41.20',
      transferType: 'solidCard',
      subType: 'received',
      title: 'Received from Ada Lovegood',
      balance: '41.20',
    });
    const inV2 = await caller.v2('GET', `/v2/payments/transaction/${sent.id()}`);
    expect(inV2.body).toMatchObject({ method: 'intra_account', type: 'push', status: 'settled' });
  });

  it('has the current state of its card in the transfer, and the original one in the event', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    await spend(caller, sent, { amount: '11.20' });
    const program = `/v1/program/${caller.seed('program_id')}/transfer?transferType=solidCard`;
    const shown = async () => {
      const card = (await cardOf(caller, sent)).body;
      for (const path of [PATH, program]) {
        expect((await caller.v1('GET', path)).at('data.0.card')).toEqual(card);
      }
      expect((await caller.v1('GET', `${PATH}/${sent.id()}`)).at('card')).toEqual(card);
      return card;
    };
    expect(await shown()).toMatchObject({ cardStatus: 'active', availableLimit: '30.00' });
    await caller.listen();
    const renamed = await caller.v1('PATCH', `${PATH}/${sent.id()}`, { title: 'A gift' });
    expect(renamed.at('card')).toEqual(await shown());
    await caller.v1('DELETE', `/v1/card/${sent.id('card.id')}`);
    expect(await shown()).toMatchObject({ cardStatus: 'canceled' });
    const event = recordOf((await caller.receivedEvents()).v1, 'transfer.updated');
    expect(event).toEqual(renamed.body);
    const path = `/_sandbox/events?type=transfer.*&resource=${sent.id()}`;
    const log = (await caller.v2('GET', path)).at('events') as { data: unknown }[];
    expect(log.map(({ data }) => data)).toEqual([event, sent.body]);
  });

  it('has the requested type of card', async () => {
    const caller = http.caller();
    expect((await cardOf(caller, await sendOne(caller))).at('bin')).toBe('debit');
    expect((await cardOf(caller, await sendOne(caller, { bin: 'credit' }))).at('bin')).toBe('credit');
    expectRefusedV1(await send(caller, PATH, { bin: 'prepaid' }), {
      status: 400,
      code: 'EC_TRANSFER_INVALID_REQUEST',
      message: /bin must be one of debit, credit/,
    });
  });

  it('publishes events for the payment and the card', async () => {
    const caller = http.caller();
    await giveAddress(caller);
    await caller.listen();
    const sent = await sendOne(caller);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual([
      'contact.updated',
      'account.created',
      'transfer.created',
      'solidcard.originated.debit',
      'account.debit',
      'account.credit',
      'solidcard.delivered',
    ]);
    expect(recordOf(v1, 'transfer.created')).toEqual(sent.body);
    expect(recordOf(v1, 'solidcard.originated.debit')).toEqual((await entries(caller))[0]);
    const card = (await cardOf(caller, sent)).body as { cardholder: object };
    const cardholder = { ...card.cardholder, personId: '' };
    expect(recordOf(v1, 'solidcard.delivered')).toEqual({ ...card, accountId: '', cardholder });
    expect(v2.map(({ kind }) => kind)).toEqual([
      'counterparty.updated',
      'sub_account.created',
      'sub_account.status.open',
      'card_holder.created',
      'card_holder.status.activated',
      'card.created',
      'card.status.open',
      'transaction.created',
      'transaction.status.settled',
      'transaction.created',
      'transaction.status.settled',
    ]);
  });

  it('is listed with its own method, and not with intrabank transfers', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    expect((await caller.v1('GET', `${PATH}/${sent.id()}`)).body).toEqual(sent.body);
    expect((await caller.v1('GET', PATH)).at('total')).toBe(1);
    expect((await caller.v1('GET', '/v1/send/intrabank')).at('total')).toBe(0);
    expectRefusedV1(await caller.v1('GET', `/v1/send/intrabank/${sent.id()}`), {
      status: 404,
      code: 'EC_TRANSFER_NOT_FOUND',
    });
    expect(await entries(caller, '?transferType=solidCard')).toHaveLength(1);
    expect(await entries(caller, '?transferType=intrabank')).toHaveLength(0);
    const renamed = await caller.v1('PATCH', `${PATH}/${sent.id()}`, { title: 'A gift' });
    expect(renamed.at('title')).toBe('A gift');
    expect((await entries(caller))[0]).toMatchObject({ title: 'A gift' });
  });

  it('returns the rest when it is canceled', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    const cardId = sent.id('card.id');
    expect((await spend(caller, sent, { amount: '11.20' })).at('status')).toBe('approved');
    const tooMuch = await spend(caller, sent, { amount: '30.01' });
    expect(tooMuch.at('status')).toBe('declined');
    await caller.listen();
    expect((await caller.v1('DELETE', `/v1/card/${cardId}`)).status).toBe(200);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual([
      'card.canceled',
      'solidcard.canceled',
      'account.debit',
      'solidcard.reversal.credit',
      'account.credit',
    ]);
    expect(recordOf(v1, 'solidcard.canceled')).toMatchObject({ id: cardId, cardStatus: 'canceled' });
    const [back, paid] = await entries(caller);
    expect(back).toMatchObject({
      amount: '30.00',
      transferType: 'solidCard',
      subType: 'reversal',
      title: 'Card sent to Harbor Supplies',
      description: 'Reversal for - Thanks',
      parentTxnId: paid?.id,
      balance: '4988.80',
      solidCard: { contactId: caller.seed('contact_id') },
    });
    expect(recordOf(v1, 'solidcard.reversal.credit')).toEqual(back);
    expect((await caller.v1('GET', `${PATH}/${sent.id()}`)).at('status')).toBe('completed');
    // A second cancellation returns nothing.
    await caller.v1('DELETE', `/v1/card/${cardId}`);
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual([]);
  });

  it('returns the unspent amount in v2, and when its last card is closed', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    const id = sent.id('card.id').replace('crd-', 'crd_').replaceAll('-', '');
    const replaced = await caller.v2('POST', `/v2/issuing/card/${id}/replace`, { reason: 'lost' });
    expect(replaced.status, replaced.text).toBe(200);
    expect(await available(caller)).toBe('4958.80');
    await caller.v2('PATCH', `/v2/issuing/card/${replaced.id()}`, { status: 'closed' });
    expect(await available(caller)).toBe('5000.00');
  });

  it('that was spent completely returns nothing', async () => {
    const caller = http.caller();
    const sent = await sendOne(caller);
    await spend(caller, sent, { amount: '41.20' });
    await caller.listen();
    await caller.v1('DELETE', `/v1/card/${sent.id('card.id')}`);
    expect(await kinds(caller)).toEqual(['card.canceled', 'solidcard.canceled']);
    expect(await available(caller)).toBe('4958.80');
  });

  it('differs from an ordinary card', async () => {
    const caller = http.caller();
    await caller.listen();
    await caller.v1('DELETE', `/v1/card/${caller.seed('card_id')}`);
    expect(await kinds(caller)).toEqual(['card.canceled']);
  });

  it('requires an amount, a contact with a card, and an account that may use the method', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await send(caller, PATH), { status: 400, code: 'EC_CONTACT_TRANSFER_TYPE_MISSING' });
    expect(digestOf(caller.sandbox)).toBe(before);
    await giveAddress(caller);
    const with_ = digestOf(caller.sandbox);
    expectRefusedV1(await send(caller, PATH, { amount: '5000.01' }), {
      status: 400,
      code: 'EC_ACCOUNT_INSUFFICIENT_FUNDS',
    });
    expect(digestOf(caller.sandbox)).toBe(with_);
    const account = `/v1/account/${caller.seed('account_id')}`;
    const off = await caller.v1('PATCH', account, { config: { send: { card: { enabled: false } } } });
    expect(off.status, off.text).toBe(200);
    const refused = await send(caller, PATH);
    expect([refused.status, refused.at('message')]).toEqual([400, expect.stringContaining('send.card')]);
  });

  it('is refused from a locked account, and nothing is created', async () => {
    const caller = http.caller();
    await giveAddress(caller);
    const lock = `/_sandbox/simulate/accounts/${caller.seed('sub_account_id')}/lock`;
    expect((await caller.v2('POST', lock, {})).status).toBe(200);
    const before = digestOf(caller.sandbox);
    const refused = await send(caller, PATH);
    expect([refused.status, refused.at('message')]).toEqual([400, expect.stringContaining('locked')]);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('may use the whole balance', async () => {
    const caller = http.caller();
    await sendOne(caller, { amount: '5000.00' });
    expect(await available(caller)).toBe('0.00');
  });
});
