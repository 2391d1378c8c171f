/**
 * The simulations of v2: payments that other banks send or pull, and all actions of merchants with a card. Decisions
 * `incoming-not-taken`, `authorization-checks`, `v2-simulated-decline`, `payment-references`, `incoming-ach-fields`,
 * `real-time-stand-in`, `master-account-incoming`, `reconciled-transactions` and `simulated-card-pairs` in
 * docs/fidelity.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../../src/bank/api/operation.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp({ small: true, rails: 'fast' });
const INVALID = 'ERROR_CODE_INVALID_FIELD';

const kindsOf = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);
const figures = (answer: Answer) =>
  ['available_balance', 'pending_credits', 'pending_debits'].map((field) => answer.at(field));
const retrieve = (caller: Caller, id: string) => caller.v2('GET', `/v2/payments/transaction/${id}`);

function operationOf(path: string): AnyOperation {
  const found = V2_OPERATIONS.find((operation) => operation.path === path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
}

async function pass(caller: Caller): Promise<void> {
  http.clock.advance(60_000);
  await caller.sandbox.agenda.runDue();
}

const COMING = '/v2/simulate/incoming';
const ADDRESS = {
  line1: '5 Kai',
  line2: '',
  city: 'Hamburg',
  state: '',
  country: 'DE',
  postal_code: '20457',
};
const ACH_SENDER = { name: 'Pat Rowe', routing_number: '021000021' };
const ACH_OBJECT = {
  same_day: 'true',
  effective_date: expect.stringMatching(/^2026-11-\d\d$/),
  company_discretionary_data: '',
  company_entry_description: 'Payment',
  trace_number: expect.stringMatching(/^021000021\d{5}$/),
  return_code: '',
  rta_id: '',
};
const REFERENCES = {
  imad: expect.stringMatching(/^[A-Z0-9]{9}$/),
  omad: expect.stringMatching(/^[A-Z0-9]{9}$/),
};
const NOBODY = {
  id: '',
  verification_status: '',
  account_number: '',
  routing_number: '',
  account_type: '',
  bank_name: '',
  beneficiary_bank: null,
  correspondent_bank: null,
  shipping_address: null,
};

const INCOMING = [
  {
    name: 'ach/push',
    direction: 'credit',
    method: 'ach',
    type: 'push',
    sender: ACH_SENDER,
    side: { ...NOBODY, ...ACH_SENDER, verification_status: 'pass', bank_name: 'JPMorgan Chase' },
    object: ACH_OBJECT,
    settled: ['ach.received.credit', 'account.credit'],
  },
  {
    name: 'ach/pull',
    direction: 'debit',
    method: 'ach',
    type: 'pull',
    sender: ACH_SENDER,
    side: { ...NOBODY, ...ACH_SENDER, verification_status: 'pass', bank_name: 'JPMorgan Chase' },
    object: ACH_OBJECT,
    settled: [],
  },
  {
    name: 'domestic_wire',
    direction: 'credit',
    method: 'domestic_wire',
    type: 'push',
    sender: { ...ACH_SENDER, account_number: '5500112255' },
    side: { ...NOBODY, ...ACH_SENDER, account_number: '5500112255', bank_name: '' },
    object: REFERENCES,
    settled: ['wire.received.credit', 'account.credit'],
  },
  {
    name: 'international_wire',
    direction: 'credit',
    method: 'international_wire',
    type: 'push',
    sender: { name: 'Pat Rowe', identifier_code: 'COBADEFFXXX', account_number: 'DE8937', address: ADDRESS },
    side: {
      ...NOBODY,
      name: 'Pat Rowe',
      account_number: 'DE8937',
      correspondent_bank: { identifier_code: 'COBADEFFXXX', name: '', address: ADDRESS },
    },
    object: REFERENCES,
    settled: ['wire.received.credit', 'account.credit'],
  },
] as const;

describe.each(INCOMING.map((row) => [row.name, row] as const))(
  'POST /v2/simulate/incoming/%s',
  (name, row) => {
    const path = `${COMING}/${name}`;
    const order = (caller: Caller, change: object = {}) => ({
      sub_account_id: caller.seed('sub_account_id'),
      amount: '75.00',
      description: 'Seed funds',
      counterparty: row.sender,
      ...change,
    });

    it('is received, in both ledgers at once, and settles on schedule', async () => {
      const caller = http.caller();
      await caller.listen();
      const answer = await caller.v2('POST', path, order(caller));
      expectRecord(answer, operationOf(path), TRANSACTION);
      expect(answer.body).toMatchObject({
        sub_account_id: caller.seed('sub_account_id'),
        status: 'received',
        amount: '75.00',
        currency: 'usd',
        direction: row.direction,
        method: row.method,
        type: row.type,
        message: 'incoming',
        description: 'Seed funds',
        counterparty: row.side,
        parent_transaction_id: '',
        external_reference_id: '',
        metadata: null,
        reconciliation: {
          status: 'reconciled',
          master_account: [{ id: caller.seed('master_account_id'), amount: '75.00' }],
          sub_account: [{ id: caller.seed('sub_account_id'), transaction_id: answer.id(), amount: '75.00' }],
        },
        timestamps: { settled_at: '' },
      });
      expect(answer.at(row.method)).toEqual(row.object);
      const credit = row.direction === 'credit';
      expect(figures(answer)).toEqual(credit ? ['5000.00', '75.00', '0.00'] : ['4925.00', '0.00', '75.00']);
      await pass(caller);
      const settled = await retrieve(caller, answer.id());
      expect(settled.at('status')).toBe('settled');
      expect(figures(settled)).toEqual([credit ? '5075.00' : '4925.00', '0.00', '0.00']);
      const { v1, v2 } = await caller.receivedEvents();
      expect(kindsOf(v2)).toEqual([
        'transaction.created',
        'transaction.status.received',
        'transaction.status.settled',
      ]);
      expect(kindsOf(v1)).toEqual(credit ? row.settled : ['ach.received.debit', 'account.debit']);
    });

    it('may have the master account beside the sub account, and requires one of them', async () => {
      const caller = http.caller();
      const both = await caller.v2(
        'POST',
        path,
        order(caller, { master_account_id: caller.seed('master_account_id') }),
      );
      expect(both.at('sub_account_id')).toBe(caller.seed('sub_account_id'));
      const before = digestOf(caller.sandbox);
      const neither = await caller.v2('POST', path, order(caller, { sub_account_id: '' }));
      expectRefusedV2(neither, {
        status: 400,
        code: 'ERROR_CODE_REQUIRED_FIELD_MISSING',
        field: 'sub_account_id',
      });
      for (const change of [
        { master_account_id: `mas_${'0'.repeat(32)}` },
        { sub_account_id: `sub_${'0'.repeat(32)}` },
        { sub_account_id: caller.seed('card_holder_id') },
      ]) {
        expectRefusedV2(await caller.v2('POST', path, order(caller, change)), {
          status: 404,
          code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
          message: 'cannot find account by id in qldb',
        });
      }
      expect(digestOf(caller.sandbox)).toBe(before);
    });

    it('stores the sent fields of the other side', async () => {
      const caller = http.caller();
      const answer = await caller.v2(
        'POST',
        path,
        order(caller, { counterparty: {}, description: undefined }),
      );
      expect(answer.status, answer.text).toBe(201);
      expect(answer.at('counterparty')).toMatchObject({ name: '', correspondent_bank: null });
      expect(answer.at('description')).toBe('');
    });
  },
);

describe('an incoming debit', () => {
  it('beyond the balance is received, and returned with R01', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', `${COMING}/ach/pull`, {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '5000.01',
    });
    expect(answer.at('status')).toBe('received');
    expect(figures(answer)).toEqual(['5000.00', '0.00', '0.00']);
    await pass(caller);
    const returned = await retrieve(caller, answer.id());
    expect([returned.at('status'), returned.at('ach.return_code')]).toEqual(['returned', 'R01']);
  });

  it('with only the master account is returned with R20', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', `${COMING}/ach/pull`, {
      master_account_id: caller.seed('master_account_id'),
      amount: '10.00',
    });
    expect(answer.body).toMatchObject({ status: 'received', sub_account_id: '' });
    expect(figures(answer)).toEqual(['7500.00', '0.00', '0.00']);
    await pass(caller);
    const returned = await retrieve(caller, answer.id());
    expect([returned.at('status'), returned.at('ach.return_code')]).toEqual(['returned', 'R20']);
  });
});

describe('an impossible bank', () => {
  it.each([
    ['ach/push', { routing_number: '12345678' }, 'counterparty.routing_number'],
    ['domestic_wire', { routing_number: '12345678x' }, 'counterparty.routing_number'],
    ['international_wire', { identifier_code: 'COBA' }, 'counterparty.identifier_code'],
    ['international_wire', { address: { country: 'Germany' } }, 'counterparty.address.country'],
  ])('is refused by %s', async (name, counterparty, field) => {
    const caller = http.caller();
    const answer = await caller.v2('POST', `${COMING}/${name}`, {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '1.00',
      counterparty,
    });
    expectRefusedV2(answer, { status: 400, code: INVALID, field });
  });
});

describe('a merchant', () => {
  const PATH = `${COMING}/card_issuing`;
  const LIMIT = { period: 'daily', max_spend_amount: '500.00', max_spend_count: '10' };

  /** A card with a limit of 500.00 and 10 uses a day. */
  async function withCard(): Promise<{
    caller: Caller;
    card: string;
    act: (type: string, status: string, amount: string, parent?: string) => Promise<Answer>;
  }> {
    const caller = http.caller();
    const card = caller.seed('virtual_card_id');
    const changed = await caller.v2('PATCH', `/v2/issuing/card/${card}`, { controls: { limit: LIMIT } });
    expect(changed.status).toBe(200);
    return {
      caller,
      card,
      act: (type, status, amount, parent) =>
        caller.v2('POST', PATH, {
          card_id: card,
          amount,
          type,
          status,
          ...(parent !== undefined && { parent_transaction_id: parent }),
        }),
    };
  }
  const left = (answer: Answer) =>
    ['max_spend_amount', 'max_spend_count'].map((field) => answer.at(`card.available_limit.${field}`));

  it('authorizes: the amount is held, limit and count decrease', async () => {
    const { caller, card, act } = await withCard();
    await caller.listen();
    const auth = await act('auth', 'pending', '93.50');
    expectRecord(auth, operationOf(PATH), TRANSACTION);
    expect(auth.body).toMatchObject({
      status: 'pending',
      amount: '93.50',
      direction: 'debit',
      method: 'card_issuing',
      type: 'auth',
      message: 'incoming',
      description: 'Corner Market',
      counterparty: null,
      ach: null,
      card: {
        id: card,
        card_holder_id: caller.seed('card_holder_id'),
        cardholder_id: caller.seed('card_holder_id'),
        merchant: 'Corner Market',
        auth_method: 'online',
        wallet: '',
        rta_id: '',
        local_transaction: { amount: '93.50', currency: 'usd', conversion_rate: '1.00' },
        network_settlement_at: '',
      },
      parent_transaction_id: '',
      reconciliation: { status: 'reconciled' },
    });
    expect(figures(auth)).toEqual(['4906.50', '0.00', '93.50']);
    expect(left(auth)).toEqual(['406.50', '9']);
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual(['transaction.created', 'transaction.status.pending']);
    expect(kindsOf(v1)).toEqual(['card.spend', 'account.debit']);
    expect(v1[0]?.record).toMatchObject({ description: 'Spent Online at Corner Market' });
  });

  it('authorizes and settles in one step: nothing is pending', async () => {
    const { caller, act } = await withCard();
    const spent = await act('auth', 'settled', '120.00');
    expect(spent.body).toMatchObject({
      type: 'auth',
      status: 'settled',
      direction: 'debit',
      amount: '120.00',
    });
    expect(figures(spent)).toEqual(['4880.00', '0.00', '0.00']);
    expect(left(spent)).toEqual(['380.00', '9']);
    expect(spent.at('card.network_settlement_at')).toBe(spent.at('timestamps.settled_at'));
    expect(spent.at('timestamps.settled_at')).not.toBe('');
    expect((await retrieve(caller, spent.id())).body).toEqual(spent.body);
  });

  it.each([
    ['more', '120.00', 'debit', '26.50', '4880.00', '380.00'],
    ['less', '80.00', 'credit', '13.50', '4920.00', '420.00'],
  ])(
    'settles for %s: the response has the difference',
    async (_, final, direction, difference, balance, limit) => {
      const { caller, act } = await withCard();
      const auth = await act('auth', 'pending', '93.50');
      const settled = await act('adjust', 'settled', final, auth.id());
      expectRecord(settled, operationOf(PATH), TRANSACTION);
      expect(settled.body).toMatchObject({
        type: 'adjust',
        status: 'settled',
        amount: difference,
        direction,
        description: 'Corner Market',
        parent_transaction_id: auth.id(),
      });
      expect(figures(settled)).toEqual([balance, '0.00', '0.00']);
      expect(left(settled)).toEqual([limit, '9']);
      expect(settled.at('card.network_settlement_at')).toBe(settled.at('timestamps.settled_at'));
      const original = await retrieve(caller, auth.id());
      expect(original.body).toMatchObject({ type: 'auth', status: 'settled', amount: '93.50' });
    },
  );

  it('settles for the held amount: the response is the authorization', async () => {
    const { act } = await withCard();
    const auth = await act('auth', 'pending', '93.50');
    const settled = await act('adjust', 'settled', '93.50', auth.id());
    expect(settled.body).toMatchObject({ id: auth.id(), type: 'auth', status: 'settled', amount: '93.50' });
  });

  it('settles for more than the balance, because the network guarantees it', async () => {
    const { act } = await withCard();
    const auth = await act('auth', 'pending', '93.50');
    const settled = await act('adjust', 'settled', '5100.00', auth.id());
    expect(settled.at('available_balance')).toBe('-100.00');
  });

  it('reverses: the amount is released, limit and count are restored', async () => {
    const { caller, act } = await withCard();
    const auth = await act('auth', 'pending', '93.50');
    const reversed = await act('reverse', 'settled', '93.50', auth.id());
    expectRecord(reversed, operationOf(PATH), TRANSACTION);
    expect(reversed.body).toMatchObject({
      type: 'reverse',
      status: 'settled',
      direction: 'credit',
      amount: '93.50',
      description: 'Corner Market',
      parent_transaction_id: auth.id(),
      reconciliation: { status: 'reconciled' },
    });
    expect(figures(reversed)).toEqual(['5000.00', '0.00', '0.00']);
    expect(reversed.at('card.network_settlement_at')).toBe('');
    expect(left(reversed)).toEqual(['500.00', '10']);
    expect((await retrieve(caller, auth.id())).at('status')).toBe('reversed');
  });

  it('reverses a part: the rest stays on hold', async () => {
    const { caller, act } = await withCard();
    const auth = await act('auth', 'pending', '93.50');
    const part = await act('reverse', 'settled', '43.50', auth.id());
    expect(figures(part)).toEqual(['4950.00', '0.00', '50.00']);
    expect(left(part)).toEqual(['450.00', '9']);
    expect(part.at('card.network_settlement_at')).toBe('');
    // A refund is a separate row, and that of the authorization does not change.
    expect((await retrieve(caller, auth.id())).body).toMatchObject({
      status: 'pending',
      amount: '93.50',
      pending_debits: '50.00',
    });
  });

  it('refunds in two steps: pending, then settled with the id of the first', async () => {
    const { caller, act } = await withCard();
    const spent = await act('auth', 'settled', '93.50');
    await caller.listen();
    const promised = await act('refund', 'pending', '93.50', spent.id());
    expectRecord(promised, operationOf(PATH), TRANSACTION);
    expect(promised.body).toMatchObject({
      type: 'refund',
      status: 'pending',
      direction: 'credit',
      parent_transaction_id: spent.id(),
      card: { network_settlement_at: '', auth_method: 'online' },
      timestamps: { settled_at: '' },
    });
    // It is part of the balance immediately, as in every published sample.
    expect(figures(promised)).toEqual(['5000.00', '0.00', '0.00']);
    expect(kindsOf((await caller.receivedEvents()).v1)).toEqual(['card.refund', 'account.credit']);
    expect(left(promised)).toEqual(['500.00', '10']);
    const settled = await act('refund', 'settled', '93.50', promised.id());
    expect(settled.body).toMatchObject({
      id: promised.id(),
      type: 'refund',
      status: 'settled',
      amount: '93.50',
    });
    expect(settled.at('card.network_settlement_at')).not.toBe('');
    expect(figures(settled)).toEqual(['5000.00', '0.00', '0.00']);
    expect((await retrieve(caller, spent.id())).at('status')).toBe('refunded');
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual(['transaction.status.settled', 'transaction.status.refunded']);
    expect(kindsOf(v1)).toEqual([]);
  });

  it('refunds in one step, a part of a purchase that was settled for more', async () => {
    const { caller, act } = await withCard();
    const auth = await act('auth', 'pending', '93.50');
    const adjusted = await act('adjust', 'settled', '120.00', auth.id());
    const refund = await act('refund', 'settled', '100.00', adjusted.id());
    expect(refund.body).toMatchObject({
      type: 'refund',
      status: 'settled',
      direction: 'credit',
      amount: '100.00',
      parent_transaction_id: auth.id(),
    });
    expect(figures(refund)).toEqual(['4980.00', '0.00', '0.00']);
    expect(left(refund)).toEqual(['480.00', '9']);
    expect((await retrieve(caller, auth.id())).at('status')).toBe('settled');
  });

  it('is declined in the response: nothing moves, and both versions publish an event', async () => {
    const { caller, act } = await withCard();
    await caller.listen();
    for (const status of ['pending', 'settled']) {
      const declined = await act('auth', status, '500.01');
      expectRecord(declined, operationOf(PATH), TRANSACTION);
      expect(declined.body).toMatchObject({
        type: 'decline',
        status: 'declined',
        direction: 'debit',
        amount: '500.01',
      });
      expect(figures(declined)).toEqual(['5000.00', '0.00', '0.00']);
      expect(left(declined)).toEqual(['500.00', '10']);
    }
    const { v1, v2 } = await caller.receivedEvents();
    expect(kindsOf(v2)).toEqual([
      'transaction.created',
      'transaction.status.declined',
      'transaction.created',
      'transaction.status.declined',
    ]);
    expect(kindsOf(v1)).toEqual(['card.declined', 'card.declined']);
  });

  it.each([
    [
      'the card is blocked',
      'cardInactive',
      async (caller: Caller) => {
        await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { status: 'blocked' });
      },
    ],
    [
      'the available balance is lower',
      'lowBalance',
      async (caller: Caller) => {
        await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, {
          controls: { limit: { max_spend_amount: '' } },
        });
      },
    ],
  ])('is declined when %s', async (_, reason, arrange) => {
    const { caller, act } = await withCard();
    await arrange(caller);
    const declined = await act('auth', 'pending', '5000.01');
    expect(declined.at('status')).toBe('declined');
    const { payments } = caller.sandbox.bank;
    expect(payments.byId(declined.id().slice(4)).reason?.code).toBe(reason);
  });

  it.each([
    ['adjust', 'pending'],
    ['reverse', 'pending'],
  ])('is refused with an invalid %s: %s', async (type, status) => {
    const { act } = await withCard();
    const auth = await act('auth', 'pending', '10.00');
    expectRefusedV2(await act(type, status, '10.00', auth.id()), {
      status: 400,
      code: INVALID,
      field: 'status',
    });
  });

  it.each(['adjust', 'reverse', 'refund'])('needs a matching authorization for type %s', async (type) => {
    const { caller, act } = await withCard();
    const field = 'parent_transaction_id';
    const auth = await act('auth', 'pending', '10.00');
    const before = digestOf(caller.sandbox);
    for (const parent of [undefined, '']) {
      expectRefusedV2(await act(type, 'settled', '10.00', parent), { status: 400, code: INVALID, field });
    }
    for (const parent of ['nonsense', `txn_${'0'.repeat(32)}`]) {
      expectRefusedV2(await act(type, 'settled', '10.00', parent), {
        status: 404,
        code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
        message: 'cannot find transaction by id in qldb',
      });
    }
    const wrong = type === 'reverse' ? 'ERROR_CODE_TRANSACTION_REVERSAL_NOT_ALLOWED' : INVALID;
    expectRefusedV2(await act(type, 'settled', '10.00', caller.seed('transaction_id')), {
      status: 400,
      code: wrong,
      field,
    });
    const foreign = await caller.v2('POST', PATH, {
      card_id: caller.seed('physical_card_id'),
      amount: '10.00',
      type,
      status: 'settled',
      parent_transaction_id: auth.id(),
    });
    expectRefusedV2(foreign, { status: 400, code: wrong, field });
    expect(digestOf(caller.sandbox)).toBe(before);
    await act('reverse', 'settled', '10.00', auth.id());
    expectRefusedV2(await act(type, 'settled', '10.00', auth.id()), { status: 400, code: wrong, field });
  });

  it('cannot refund more than the purchase', async () => {
    const { act } = await withCard();
    const auth = await act('auth', 'pending', '10.00');
    const refused = { status: 400, code: INVALID, field: 'amount' };
    expectRefusedV2(await act('reverse', 'settled', '10.01', auth.id()), {
      ...refused,
      code: 'ERROR_CODE_TRANSACTION_REVERSAL_NOT_ALLOWED',
    });
    // A hold is reversed, not refunded.
    expectRefusedV2(await act('refund', 'settled', '10.00', auth.id()), refused);
    await act('adjust', 'settled', '10.00', auth.id());
    expectRefusedV2(await act('refund', 'settled', '10.01', auth.id()), refused);
    const promised = await act('refund', 'pending', '4.00', auth.id());
    expectRefusedV2(await act('refund', 'settled', '3.00', promised.id()), refused);
    expectRefusedV2(await act('refund', 'settled', '6.01', auth.id()), refused);
    expect((await act('refund', 'settled', '6.00', auth.id())).status).toBe(201);
  });

  it('requires an existing card', async () => {
    const { caller } = await withCard();
    const body = { card_id: `crd_${'0'.repeat(32)}`, amount: '1.00', type: 'auth', status: 'pending' };
    expectRefusedV2(await caller.v2('POST', PATH, body), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
    });
  });
});

describe('real-time authorization', () => {
  const requested: Record<string, unknown>[] = [];
  let status = 'approved';
  let url = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requested.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      response.writeHead(200).end(JSON.stringify({ status }));
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rta`;
  });
  beforeEach(() => {
    requested.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const configured = async (answer: string): Promise<Caller> => {
    status = answer;
    const caller = http.caller();
    expect((await caller.v2('PUT', '/_sandbox/rta', { url, timeout_ms: 30_000 })).status).toBe(200);
    return caller;
  };
  const swipe = (caller: Caller, type: string, more: object = {}) =>
    caller.v2('POST', `${COMING}/card_issuing`, {
      card_id: caller.seed('virtual_card_id'),
      amount: '10.00',
      type,
      status: 'pending',
      ...more,
    });
  const pull = (caller: Caller, amount = '10.00') =>
    caller.v2('POST', `${COMING}/ach/pull`, {
      sub_account_id: caller.seed('sub_account_id'),
      amount,
      counterparty: ACH_SENDER,
    });

  it.each([
    ['approved', 'pending', 'auth'],
    ['declined', 'declined', 'decline'],
  ])('with the response %s makes an authorization %s', async (answer, became, type) => {
    const caller = await configured(answer);
    const auth = await swipe(caller, 'auth');
    expect(auth.body).toMatchObject({
      status: became,
      type,
      card: { rta_id: expect.stringMatching(/^rta_[0-9a-f]{32}$/) },
    });
    expect(requested).toHaveLength(1);
    expect(requested[0]).toMatchObject({ eventType: 'card.auth.request', data: { amount: '10.00' } });
  });

  it('is requested only for purchases', async () => {
    const caller = await configured('approved');
    const auth = await swipe(caller, 'auth', { status: 'settled' });
    await swipe(caller, 'refund', { parent_transaction_id: auth.id() });
    expect(requested).toHaveLength(1);
  });

  it.each([
    ['approved', 'settled', ''],
    ['declined', 'returned', 'R10'],
  ])('with the response %s makes an ACH debit %s', async (answer, became, code) => {
    const caller = await configured(answer);
    const debit = await pull(caller);
    expect(requested[0]).toMatchObject({ eventType: 'ach.auth.request' });
    expect(debit.at('ach.rta_id')).toMatch(/^rta_[0-9a-f]{32}$/);
    await pass(caller);
    const after = await retrieve(caller, debit.id());
    expect([after.at('status'), after.at('ach.return_code')]).toEqual([became, code]);
  });

  it('is not requested for payments that are returned anyway', async () => {
    const caller = await configured('approved');
    await pull(caller, '5000.01');
    await caller.v2('POST', `${COMING}/ach/pull`, {
      master_account_id: caller.seed('master_account_id'),
      amount: '1.00',
    });
    await caller.v2('POST', `${COMING}/ach/push`, {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '1.00',
    });
    expect(requested).toHaveLength(0);
  });
});
