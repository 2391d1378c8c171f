/**
 * Webhooks with real receivers and the real sender. A table has the events of each of ten operations, and it is
 * complete. Every event arrives in order, in the envelope of its version, with the record at its time, and with
 * signatures that can be verified independently. Decisions `v1-event-envelope`, `v2-event-envelope`,
 * `delivery-signature`, `delivery-success`, `delivery-retries`, `delivery-order`, `inactive-webhook-queue`,
 * `event-record-version` and `event-kinds-told` in docs/fidelity.md.
 */

import type { TSchema } from '@sinclair/typebox';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Account as AccountV1 } from '../../../src/bank/api/v1/accounts/shapes.ts';
import { Business } from '../../../src/bank/api/v1/businesses/shapes.ts';
import { DeclinedAuthorization } from '../../../src/bank/api/v1/cards/declined.ts';
import { Card as CardV1 } from '../../../src/bank/api/v1/cards/shapes.ts';
import { Contact } from '../../../src/bank/api/v1/contacts/shapes.ts';
import { Person } from '../../../src/bank/api/v1/persons.ts';
import { Transaction as TransactionV1 } from '../../../src/bank/api/v1/transactions/shapes.ts';
import { Transfer } from '../../../src/bank/api/v1/transfers/shapes.ts';
import { Kyb, Kyc } from '../../../src/bank/api/v1/verification.ts';
import { Card } from '../../../src/bank/api/v2/cards/shapes.ts';
import { Counterparty } from '../../../src/bank/api/v2/counterparties/counterparty.ts';
import { SubAccountHolder } from '../../../src/bank/api/v2/holders.ts';
import { Transaction } from '../../../src/bank/api/v2/transactions/shapes.ts';
import { V1_KINDS, V2_KINDS } from '../../../src/bank/model/facts.ts';
import type { RailEvent } from '../../../src/bank/model/rails/index.ts';
import { problemsWith } from './expectations.ts';
import { openReceiver, type Receiver, signaturesOf } from './receiver.ts';
import { simulate } from './simulate.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ realSender: true });
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

interface Subscription {
  id: string;
  secret: string;
}

async function subscribe(
  caller: Caller,
  { v1 = V1_KINDS, v2 = V2_KINDS }: { v1?: readonly string[]; v2?: readonly string[] } = {},
): Promise<{ v1: Subscription; v2: Subscription }> {
  const one = await caller.v1('POST', '/v1/webhook', { url: `${receiver.url}/v1`, events: v1 });
  const secret = await caller.v1('GET', `/v1/webhook/${one.id()}/secret`);
  const two = await caller.v2('POST', '/v2/webhook', { url: `${receiver.url}/v2`, events: v2 });
  return {
    v1: { id: one.id(), secret: secret.id('secret') },
    v2: { id: two.id(), secret: two.id('secret') },
  };
}

/** Waits until every due delivery has a response. */
const delivered = (caller: Caller) => caller.sandbox.courier?.idle();
const arrivalsOf = (apiVersion: 'v1' | 'v2') =>
  receiver.arrivals.filter(({ path }) => path === `/${apiVersion}`);
const kindsOf = (apiVersion: 'v1' | 'v2') =>
  arrivalsOf(apiVersion).map(({ json }) => String(json[apiVersion === 'v1' ? 'eventType' : 'event_type']));

// The action of a client, and later events.
const holder = (caller: Caller, type: 'person' | 'business', status?: string) =>
  caller.v2('POST', '/v2/accounts/sub_account_holder', {
    master_account_id: caller.seed('master_account_id'),
    type,
    [type]: { email: 'a@b.example' },
    ...(status !== undefined && { verification: { status, method: 'alloy', url: '' } }),
  });
const kyb = async (caller: Caller, idNumber: string) => {
  const made = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
    master_account_id: caller.seed('master_account_id'),
    type: 'business',
    business: {
      legal_name: 'Slate Works',
      entity_type: 'limited_partnership',
      id_number: idNumber,
      address: { line1: '2 Quarry Road' },
      members: [{ first_name: 'Uma', id_number: '999999999' }],
    },
  });
  return caller.v2('POST', `/v2/accounts/sub_account_holder/${made.id()}/kyb`);
};
const card = (caller: Caller, change: object, name = 'virtual_card_id') =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed(name)}`, change);
const intra = (caller: Caller, amount: string) =>
  caller.v2('POST', '/v2/payments/intra_account/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('intra_counterparty_id'),
    amount,
  });
const achPull = (caller: Caller) =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '10.00',
  });
const receive = (caller: Caller) =>
  caller.v1('POST', '/v1/receive/ach', {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount: '10.00',
  });
const test = (caller: Caller, amount: string, more: object = {}) =>
  caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount, ...more });
const simulateAll = async (caller: Caller, id: string, ...events: RailEvent[]) => {
  for (const event of events) await simulate(caller, id, event);
};
/** Authorizes 10.00 and returns the transaction's id. */
const authorize = async (caller: Caller): Promise<string> => {
  await test(caller, '10.00');
  return (await caller.v2('GET', '/v2/payments/transaction?limit=1')).id('data.0.id');
};

interface Row {
  operation: string;
  when: string;
  act: (caller: Caller) => Promise<unknown>;
  v1: string[];
  v2: string[];
}

const CREATE = 'POST /v2/accounts/sub_account_holder';
const KYB = 'POST /v2/accounts/sub_account_holder/{id}/kyb';
const CARD = 'PATCH /v2/issuing/card/{id}';
const INTRA = 'POST /v2/payments/intra_account/pull';
const ACH = 'POST /v2/payments/ach/pull';
const TEST = 'POST /v1/card/{cardId}/test';
const RECEIVE = 'POST /v1/receive/ach';
const MADE_PULL = { v1: ['transfer.created', 'ach.originated.credit'], v2: ['transaction.created'] };
const SETTLED_PULL = {
  v1: [
    ...MADE_PULL.v1,
    'ach.originated.updated',
    'transfer.updated',
    'ach.received.credit',
    'account.credit',
  ],
  v2: [
    ...MADE_PULL.v2,
    'transaction.status.pending',
    'transaction.status.clearing',
    'transaction.status.cleared',
    'transaction.status.settled',
  ],
};
const TAKEN_BACK = ['transaction.created', 'transaction.status.settled'];
const AUTHORIZED = {
  v1: ['card.spend', 'account.debit'],
  v2: ['transaction.created', 'transaction.status.pending'],
};

/** Every one of the ten operations, and all of its possible effects. */
const CAUSES: Row[] = [
  {
    operation: CREATE,
    when: 'a person',
    act: (caller) => holder(caller, 'person'),
    v1: ['person.created'],
    v2: ['sub_account_holder.created', 'sub_account_holder.status.pending_activation'],
  },
  {
    operation: CREATE,
    when: 'a person whose verification passed',
    act: (caller) => holder(caller, 'person', 'pass'),
    v1: ['person.created', 'person.kyc.approved', 'person.kyc.updated'],
    v2: ['sub_account_holder.created', 'sub_account_holder.status.activated', 'sub_account_holder.updated'],
  },
  {
    operation: CREATE,
    when: 'a person whose verification failed',
    act: (caller) => holder(caller, 'person', 'fail'),
    v1: ['person.created', 'person.kyc.declined', 'person.kyc.updated'],
    v2: [
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
      'sub_account_holder.updated',
    ],
  },
  {
    operation: CREATE,
    when: 'a business',
    act: (caller) => holder(caller, 'business'),
    v1: ['business.created'],
    v2: ['sub_account_holder.created', 'sub_account_holder.status.pending_activation'],
  },
  {
    operation: CREATE,
    when: 'a business whose verification passed',
    act: (caller) => holder(caller, 'business', 'pass'),
    v1: ['business.created', 'business.kyb.approved'],
    v2: ['sub_account_holder.created', 'sub_account_holder.status.activated', 'sub_account_holder.updated'],
  },
  {
    operation: KYB,
    when: 'that passes',
    act: (caller) => kyb(caller, '811111111'),
    v1: ['business.created', 'business.kyb.approved', 'business.updated'],
    v2: [
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
      'sub_account_holder.updated',
      'sub_account_holder.status.activated',
    ],
  },
  {
    operation: KYB,
    when: 'that is reviewed',
    act: (caller) => kyb(caller, '111111111'),
    v1: ['business.created', 'business.kyb.review'],
    v2: [
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
      'sub_account_holder.updated',
    ],
  },
  {
    operation: KYB,
    when: 'that fails',
    act: (caller) => kyb(caller, '011111111'),
    v1: ['business.created', 'business.kyb.declined'],
    v2: [
      'sub_account_holder.created',
      'sub_account_holder.status.pending_activation',
      'sub_account_holder.updated',
    ],
  },
  {
    operation: CARD,
    when: 'of the label',
    act: (caller) => card(caller, { label: 'Fuel' }),
    v1: ['card.updated'],
    v2: ['card.updated'],
  },
  {
    operation: CARD,
    when: 'to blocked and back',
    act: async (caller) => {
      await card(caller, { status: 'blocked' });
      await card(caller, { status: 'open' });
    },
    v1: ['card.updated', 'card.updated'],
    v2: ['card.status.blocked', 'card.status.open'],
  },
  {
    operation: CARD,
    when: 'to closed, with another label',
    act: (caller) => card(caller, { label: 'Old', status: 'closed' }),
    v1: ['card.updated', 'card.canceled'],
    v2: ['card.updated', 'card.status.closed'],
  },
  {
    operation: INTRA,
    when: 'that is covered',
    act: (caller) => intra(caller, '10.00'),
    v1: [
      'transfer.created',
      'intrabank.originated.credit',
      'account.credit',
      'intrabank.received.debit',
      'account.debit',
    ],
    v2: [
      'transaction.created',
      'transaction.status.settled',
      'transaction.created',
      'transaction.status.settled',
    ],
  },
  {
    operation: INTRA,
    when: 'that is not covered',
    act: (caller) => intra(caller, '2500.01'),
    v1: [],
    v2: [],
  },
  ...([ACH, RECEIVE] as const).flatMap((operation): Row[] => {
    const order = operation === ACH ? achPull : receive;
    const then =
      (...events: RailEvent[]) =>
      async (caller: Caller) =>
        simulateAll(caller, ((await order(caller)) as Answer).id(), ...events);
    return [
      { operation, when: 'that settles', act: then('submit', 'send', 'clear', 'settle'), ...SETTLED_PULL },
      {
        operation,
        when: 'that is returned before it settles',
        act: then('submit', 'send', 'return'),
        v1: [...MADE_PULL.v1, 'transfer.updated', 'ach.reversal.debit'],
        v2: [
          ...MADE_PULL.v2,
          'transaction.status.pending',
          'transaction.status.clearing',
          'transaction.status.returned',
          ...TAKEN_BACK,
        ],
      },
      {
        operation,
        when: 'that is returned after it settled',
        act: then('submit', 'send', 'clear', 'settle', 'return'),
        v1: [...SETTLED_PULL.v1, 'transfer.updated', 'ach.reversal.debit', 'account.debit'],
        v2: [...SETTLED_PULL.v2, 'transaction.status.returned', ...TAKEN_BACK],
      },
      {
        operation,
        when: 'that is reversed',
        act: then('submit', 'send', 'clear', 'settle', 'reverse'),
        v1: [...SETTLED_PULL.v1, 'transfer.updated', 'ach.reversal.debit', 'account.debit'],
        v2: [...SETTLED_PULL.v2, 'transaction.status.reversed', ...TAKEN_BACK],
      },
      {
        operation,
        when: 'that is reviewed and then canceled',
        act: then('review', 'cancel'),
        v1: [...MADE_PULL.v1, 'transfer.updated', 'ach.reversal.debit'],
        v2: [...MADE_PULL.v2, 'transaction.status.in_review', 'transaction.status.canceled', ...TAKEN_BACK],
      },
      {
        operation,
        when: 'that is declined late',
        act: then('submit', 'decline'),
        v1: [...MADE_PULL.v1, 'transfer.updated', 'ach.reversal.debit'],
        v2: [...MADE_PULL.v2, 'transaction.status.pending', 'transaction.status.declined', ...TAKEN_BACK],
      },
    ];
  }),
  {
    operation: TEST,
    when: 'auth, captured and then refunded',
    act: async (caller) => {
      const id = await authorize(caller);
      await simulate(caller, id, 'settle');
      await test(caller, '10.00', { txnType: 'refund', parentTxnId: id });
    },
    v1: [...AUTHORIZED.v1, 'card.refund', 'account.credit'],
    v2: [
      ...AUTHORIZED.v2,
      'transaction.status.settled',
      'transaction.created',
      'transaction.status.pending',
      'transaction.status.settled',
      'transaction.status.refunded',
    ],
  },
  {
    operation: TEST,
    when: 'auth that is declined',
    act: (caller) => test(caller, '5000.01'),
    v1: ['card.declined'],
    v2: ['transaction.created', 'transaction.status.declined'],
  },
  {
    operation: TEST,
    when: 'authUpdate up and down',
    act: async (caller) => {
      const parentTxnId = await authorize(caller);
      await test(caller, '12.00', { txnType: 'authUpdate', parentTxnId });
      await test(caller, '3.00', { txnType: 'authUpdate', parentTxnId });
    },
    v1: [...AUTHORIZED.v1, 'card.spend.update', 'account.debit', 'card.spend.update', 'account.credit'],
    v2: [...AUTHORIZED.v2, 'transaction.updated', 'transaction.updated'],
  },
  {
    operation: TEST,
    when: 'reversal',
    act: async (caller) =>
      test(caller, '10.00', { txnType: 'reversal', parentTxnId: await authorize(caller) }),
    v1: [...AUTHORIZED.v1, 'card.reversal', 'account.credit'],
    v2: [
      ...AUTHORIZED.v2,
      'transaction.status.reversed',
      'transaction.created',
      'transaction.status.settled',
    ],
  },
  {
    operation: 'PATCH /v1/contact/{contactId}',
    when: 'of the name',
    act: (caller) => caller.v1('PATCH', `/v1/contact/${caller.seed('contact_id')}`, { name: 'Other' }),
    v1: ['contact.updated'],
    v2: ['counterparty.updated'],
  },
  {
    operation: 'POST /v1/person/{personId}/document',
    when: '',
    act: (caller) =>
      caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, { name: 'Passport' }),
    v1: [],
    v2: [],
  },
  {
    operation: 'PATCH /v1/webhook/{webhookId}',
    when: '',
    act: (caller) => caller.v1('PATCH', `/v1/webhook/${caller.seed('webhook_id')}`, { description: 'Other' }),
    v1: [],
    v2: [],
  },
];

/** The record of each kind of v1. */
function shapeOfV1(kind: string): TSchema {
  if (kind === 'card.declined') return DeclinedAuthorization;
  if (kind.startsWith('transfer.')) return Transfer;
  if (kind.startsWith('person.kyc.')) return Kyc;
  if (kind.startsWith('business.kyb.')) return Kyb;
  if (kind.startsWith('person.')) return Person;
  if (kind.startsWith('business.')) return Business;
  if (kind.startsWith('contact.')) return Contact;
  if (kind === 'card.updated' || kind === 'card.canceled') return CardV1;
  if (kind === 'account.created' || kind === 'account.updated') return AccountV1;
  return TransactionV1;
}

const SHAPES_V2: Record<string, TSchema> = {
  sub_account_holder: SubAccountHolder,
  card: Card,
  counterparty: Counterparty,
  transaction: Transaction,
};

describe('an operation publishes', () => {
  it.each(CAUSES.map((row) => [row.operation, row.when, row] as const))('%s %s', async (_, __, row) => {
    const caller = http.caller();
    const { v1, v2 } = await subscribe(caller);
    await row.act(caller);
    await delivered(caller);
    expect({ v1: kindsOf('v1'), v2: kindsOf('v2') }).toEqual({ v1: row.v1, v2: row.v2 });

    for (const { headers, json, body, path } of receiver.arrivals) {
      const secret = path === '/v1' ? v1.secret : v2.secret;
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'sandbank' });
      const expected = signaturesOf({ headers, json, body, path }, secret);
      expect(headers['sd-webhook-sha256-signature']).toBe(expected.own);
      expect(headers['webhook-signature']).toBe(expected.standard);
      const library = new StandardWebhook(`whsec_${Buffer.from(secret).toString('base64')}`);
      expect(library.verify(body, headers as Record<string, string>)).toEqual(json);
    }
    for (const { json } of arrivalsOf('v1')) {
      expect(Object.keys(json)).toEqual(['eventType', 'programId', 'env', 'data']);
      expect(json).toMatchObject({ programId: caller.seed('program_id'), env: 'test' });
      const kind = String(json.eventType);
      expect(problemsWith(shapeOfV1(kind), json.data), kind).toEqual([]);
    }
    for (const { json, headers } of arrivalsOf('v2')) {
      expect(Object.keys(json)).toEqual(['id', 'event_type', 'client_id', 'env', 'created_at', 'data']);
      expect(json).toMatchObject({ client_id: caller.seed('client_id'), env: 'sandbox' });
      expect(json.id).toBe(headers['webhook-id']);
      expect(json.id).toMatch(/^evt_[0-9a-f]{32}$/);
      expect(json.created_at).toBe(`${new Date(http.clock.now()).toISOString().slice(0, 19)}Z`);
      const [resource = ''] = String(json.event_type).split('.');
      const shape = SHAPES_V2[resource];
      if (shape === undefined) throw new Error(`no shape is known for ${resource}`);
      expect(problemsWith(shape, json.data), String(json.event_type)).toEqual([]);
    }
    const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('each of these kinds, over all operations', () => {
    const all = (apiVersion: 'v1' | 'v2') => [...new Set(CAUSES.flatMap((row) => row[apiVersion]))].sort();
    expect(new Set(CAUSES.map(({ operation }) => operation)).size).toBe(10);
    expect(all('v1')).toEqual([
      'account.credit',
      'account.debit',
      'ach.originated.credit',
      'ach.originated.updated',
      'ach.received.credit',
      'ach.reversal.debit',
      'business.created',
      'business.kyb.approved',
      'business.kyb.declined',
      'business.kyb.review',
      'business.updated',
      'card.canceled',
      'card.declined',
      'card.refund',
      'card.reversal',
      'card.spend',
      'card.spend.update',
      'card.updated',
      'contact.updated',
      'intrabank.originated.credit',
      'intrabank.received.debit',
      'person.created',
      'person.kyc.approved',
      'person.kyc.declined',
      'person.kyc.updated',
      'transfer.created',
      'transfer.updated',
    ]);
    expect(all('v2')).toEqual([
      'card.status.blocked',
      'card.status.closed',
      'card.status.open',
      'card.updated',
      'counterparty.updated',
      'sub_account_holder.created',
      'sub_account_holder.status.activated',
      'sub_account_holder.status.pending_activation',
      'sub_account_holder.updated',
      'transaction.created',
      'transaction.status.canceled',
      'transaction.status.cleared',
      'transaction.status.clearing',
      'transaction.status.declined',
      'transaction.status.in_review',
      'transaction.status.pending',
      'transaction.status.refunded',
      'transaction.status.returned',
      'transaction.status.reversed',
      'transaction.status.settled',
      'transaction.updated',
    ]);
  });
});

describe('a webhook', () => {
  it('gets the kinds that it subscribes to, and no others', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: ['card.spend'], v2: ['transaction.status.settled', 'card.updated'] });
    await test(caller, '1.00');
    await intra(caller, '1.00');
    await card(caller, { label: 'x' });
    await delivered(caller);
    expect(kindsOf('v1')).toEqual(['card.spend']);
    expect(kindsOf('v2')).toEqual([
      'transaction.status.settled',
      'transaction.status.settled',
      'card.updated',
    ]);
  });

  it('gets the events of concurrent requests in the order of their commits', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: ['transfer.created'], v2: ['transaction.created'] });
    const made = await Promise.all(Array.from({ length: 40 }, () => achPull(caller)));
    await delivered(caller);
    const order = made.map((answer) => answer.id()).sort();
    expect(arrivalsOf('v2').map(({ json }) => (json.data as { id: string }).id)).toEqual(order);
    const transfers = arrivalsOf('v1').map(({ json }) => (json.data as { id: string }).id);
    expect(transfers.map((id) => id.replace('tra', 'txn_').replaceAll('-', ''))).toEqual(order);
  });

  it('gets each record as it was at the event, however late it is delivered', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: [], v2: ['card.updated'] });
    let go: (status: number) => void = () => {};
    const held = new Promise<number>((resolve) => {
      go = resolve;
    });
    receiver.answer = () => held;
    for (const label of ['one', 'two', 'three']) await card(caller, { label });
    go(200);
    await delivered(caller);
    expect(arrivalsOf('v2').map(({ json }) => (json.data as { label: string }).label)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it('that is paused gets nothing, and afterwards only new events', async () => {
    const caller = http.caller();
    const { v1 } = await subscribe(caller, { v1: ['card.spend'], v2: ['card.updated'] });
    const amounts = () => arrivalsOf('v1').map(({ json }) => (json.data as { amount: string }).amount);
    await test(caller, '1.00');
    await delivered(caller);
    await caller.v1('PATCH', `/v1/webhook/${v1.id}`, { status: 'paused' });
    await test(caller, '2.00');
    await card(caller, { label: 'x' });
    await delivered(caller);
    expect(amounts()).toEqual(['-1.00']);
    expect(kindsOf('v2')).toEqual(['card.updated']);
    const resumed = await caller.v1('PATCH', `/v1/webhook/${v1.id}`, { status: 'active' });
    expect(resumed.at('events')).toEqual(['card.spend']);
    await test(caller, '4.00');
    await delivered(caller);
    expect(amounts()).toEqual(['-1.00', '-4.00']);
  });

  it('that is paused while events wait gets them when it is resumed', async () => {
    const caller = http.caller();
    const { v1 } = await subscribe(caller, { v1: ['card.spend'], v2: ['card.updated'] });
    let go: (status: number) => void = () => {};
    const arrived = new Promise<void>((resolve) => {
      receiver.answer = () => {
        resolve();
        return new Promise<number>((answer) => {
          go = answer;
        });
      };
    });
    for (const amount of ['1.00', '2.00', '3.00']) await test(caller, amount);
    await arrived;
    await caller.v1('PATCH', `/v1/webhook/${v1.id}`, { status: 'paused' });
    receiver.answer = () => 200;
    go(200);
    await delivered(caller);
    expect(arrivalsOf('v1')).toHaveLength(1);
    await caller.v1('PATCH', `/v1/webhook/${v1.id}`, { status: 'active' });
    await delivered(caller);
    expect(arrivalsOf('v1').map(({ json }) => (json.data as { amount: string }).amount)).toEqual([
      '-1.00',
      '-2.00',
      '-3.00',
    ]);
  });

  it('that fails is retried with the same event, and delays nothing else', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: ['card.spend'], v2: ['card.updated'] });
    const statuses = [500, 200, 200];
    receiver.answer = () => statuses.shift() ?? 200;
    await test(caller, '1.00');
    await test(caller, '2.00');
    await delivered(caller);
    const amounts = () => arrivalsOf('v1').map(({ json }) => (json.data as { amount: string }).amount);
    expect(amounts()).toEqual(['-1.00', '-2.00']);
    http.clock.advance(4_000);
    caller.sandbox.courier?.wake();
    await delivered(caller);
    expect(amounts()).toEqual(['-1.00', '-2.00']);
    http.clock.advance(2_000);
    caller.sandbox.courier?.wake();
    await delivered(caller);
    expect(amounts()).toEqual(['-1.00', '-2.00', '-1.00']);
    const [first, , again] = arrivalsOf('v1');
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.body).toBe(first?.body);
  });

  it('that responds with 410 is deactivated, and can be activated again', async () => {
    const caller = http.caller();
    const { v1 } = await subscribe(caller, { v1: ['card.spend'], v2: ['card.updated'] });
    receiver.answer = () => 410;
    await test(caller, '1.00');
    await delivered(caller);
    expect((await caller.v1('GET', `/v1/webhook/${v1.id}`)).at('status')).toBe('deactivated');
    receiver.answer = () => 200;
    await test(caller, '2.00');
    await delivered(caller);
    expect(arrivalsOf('v1')).toHaveLength(1);
    await caller.v1('PATCH', `/v1/webhook/${v1.id}`, { status: 'active' });
    await test(caller, '3.00');
    await delivered(caller);
    expect(arrivalsOf('v1')).toHaveLength(2);
  });

  it('is not called at the target of a redirect', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: ['card.spend'], v2: ['card.updated'] });
    receiver.headers = { location: '/elsewhere' };
    receiver.answer = () => 302;
    await test(caller, '1.00');
    await delivered(caller);
    expect(receiver.arrivals.map(({ path }) => path)).toEqual(['/v1']);
  });

  it('may call the bank before it responds', async () => {
    const caller = http.caller();
    await subscribe(caller, { v1: ['card.spend'], v2: ['transaction.created'] });
    const seen: unknown[] = [];
    receiver.answer = async ({ path, json }) => {
      if (path !== '/v1') return 200;
      const { id } = json.data as { id: string };
      seen.push((await caller.v2('GET', `/v2/payments/transaction/${id}`)).at('status'));
      seen.push((await achPull(caller)).status);
      return 200;
    };
    await test(caller, '1.00');
    await delivered(caller);
    expect(seen).toEqual(['pending', 201]);
    expect(kindsOf('v2')).toEqual(['transaction.created', 'transaction.created']);
  });

  it('of v1 has another secret than one of v2', async () => {
    const caller = http.caller();
    const { v1, v2 } = await subscribe(caller);
    await test(caller, '1.00');
    await delivered(caller);
    const [arrival] = arrivalsOf('v1');
    if (arrival === undefined) throw new Error('nothing arrived');
    expect(arrival.headers['sd-webhook-sha256-signature']).not.toBe(signaturesOf(arrival, v2.secret).own);
    const tampered = arrival.body.replace('-1.00', '-9.00');
    const library = new StandardWebhook(`whsec_${Buffer.from(v1.secret).toString('base64')}`);
    expect(() => library.verify(tampered, arrival.headers as Record<string, string>)).toThrow();
  });
});
