/**
 * Real-time authorization with a receiver on a separate port: the requests and their signatures, the effect of
 * responses, the default decision, and that no request is sent twice or if the bank decides anyway.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IS_WORKERD } from '../../process/support.ts';
import { type Arrival, signaturesOf } from '../receiver.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';

const http = useHttp({ rails: 'fast' });

/** Responds with a body, unlike a receiver of webhooks. */
const arrivals: Arrival[] = [];
let respond: (response: ServerResponse) => void = () => {};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    arrivals.push({
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: JSON.parse(body) as Record<string, unknown>,
    });
    respond(response);
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rta`;
});
beforeEach(() => {
  arrivals.length = 0;
  answer('approved');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answer = (status: string, httpStatus = 200): void => {
  respond = (response) => response.writeHead(httpStatus).end(JSON.stringify({ status }));
};

/** Enough for a receiver that responds, on any machine. */
const LONG_MS = 30_000;

async function configure(caller: Caller, more: object = {}): Promise<Answer> {
  const set = await caller.v2('PUT', '/_sandbox/rta', {
    url,
    secret: 'shared-secret',
    timeout_ms: LONG_MS,
    ...more,
  });
  expect(set.status, set.text).toBe(200);
  return set;
}

const authorize = (caller: Caller, amount = '10.00', more: object = {}) =>
  caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`, {
    amount,
    merchant: { name: 'Harbor Books', mcc: '5942' },
    ...more,
  });
const debit = (caller: Caller, amount = '10.00', account = caller.seed('sub_account_id')) =>
  caller.v2('POST', '/_sandbox/simulate/incoming/ach_pull', {
    sub_account_id: account,
    amount,
    description: 'dues',
    sender: { name: 'Mill', routing_number: '121042882' },
  });
const testCard = (caller: Caller, amount: string, headers = {}) =>
  caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount }, headers);
const decisions = async (caller: Caller) =>
  (await caller.v2('GET', '/_sandbox/rta/decisions')).at('decisions') as Record<string, unknown>[];

describe('a card authorization', () => {
  it('sends a request in the envelope of v1, with both signatures', async () => {
    const caller = http.caller();
    await configure(caller);
    const approved = await authorize(caller);
    expect(approved.at('transaction.status')).toBe('pending');
    expect(arrivals).toHaveLength(1);
    const [requested] = arrivals as [Arrival];
    expect(requested.path).toBe('/rta');
    const { own, standard } = signaturesOf(requested, 'shared-secret');
    expect(requested.headers['sd-webhook-sha256-signature']).toBe(own);
    expect(requested.headers['webhook-signature']).toBe(standard);
    expect(signaturesOf(requested, 'another').own).not.toBe(own);
    // Real time, which another process takes from the machine.
    const sentAt = Number(requested.headers['webhook-timestamp']) * 1000;
    if (IS_WORKERD) expect(Math.abs(sentAt - Date.now())).toBeLessThan(60_000);
    else expect(sentAt).toBe(Math.floor(caller.sandbox.wallClock.now() / 1000) * 1000);
    expect(requested.json).toEqual({
      eventType: 'card.auth.request',
      programId: caller.seed('program_id'),
      env: 'test',
      data: {
        id: expect.stringMatching(/^car-[0-9a-f-]{36}$/),
        amount: '10.00',
        status: 'pending',
        merchant: expect.objectContaining({ merchantName: 'Harbor Books', merchantCategoryCode: '5942' }),
        Account: {
          id: caller.seed('account_id'),
          label: expect.any(String),
          type: expect.any(String),
          balance: '5000.00',
          currency: 'USD',
          metadata: null,
        },
        Card: expect.objectContaining({
          id: caller.seed('card_id'),
          label: 'Online',
          bin: 'debit',
          type: 'virtual',
          theme: '',
          limitAmount: '',
        }),
      },
    });
    const rtaId = approved.id('transaction.card.rta_id');
    expect(requested.headers['webhook-id']).toBe(rtaId);
    expect(await decisions(caller)).toEqual([
      {
        id: rtaId,
        kind: 'card',
        sub_account_id: caller.seed('sub_account_id'),
        card_id: caller.seed('virtual_card_id'),
        transaction_id: approved.id('transaction.id'),
        amount: '10.00',
        answer: 'approved',
        decided_by: 'receiver',
        http_status: 200,
        duration_ms: expect.any(Number),
        error: '',
        asked_at: expect.stringMatching(/^2026-11-20T18:0/),
      },
    ]);
  });

  it('can be declined by the client', async () => {
    const caller = http.caller();
    await configure(caller);
    answer('declined');
    await caller.listen();
    const declined = await authorize(caller);
    expect(declined.at('transaction')).toMatchObject({ type: 'decline', status: 'declined' });
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['card.declined']);
    expect(v1[0]?.record).toMatchObject({
      reason: 'doNotHonor',
      rtaAuthId: expect.stringMatching(/^car-/),
    });
    const why = await caller.v2('GET', `/_sandbox/explain/${declined.id('transaction.id')}`);
    expect(why.at('decisions')).toEqual([
      expect.objectContaining({
        source: 'real_time_authorization',
        name: 'card.auth.request',
        effect: 'declined',
        message: 'the receiver answered declined',
        numbers: { http_status: '200' },
      }),
    ]);
  });

  it('by the card test of v1 also sends a request', async () => {
    const caller = http.caller();
    await configure(caller);
    answer('declined');
    expect((await testCard(caller, '10.00')).body).toEqual({
      status: 'declined',
      declineReason: 'doNotHonor',
    });
    answer('approved');
    expect((await testCard(caller, '10.00')).body).toEqual({ status: 'approved', declineReason: '' });
    expect(arrivals).toHaveLength(2);
  });

  it('sends one request under one idempotency key', async () => {
    const caller = http.caller();
    await configure(caller);
    const headers = { 'sd-idempotency-key': 'one' };
    const first = await testCard(caller, '10.00', headers);
    answer('declined');
    expect((await testCard(caller, '10.00', headers)).body).toEqual(first.body);
    expect(arrivals).toHaveLength(1);
  });

  it.each([
    ['the balance', {}, '5000.01'],
    ['a control', { controls: { blocked: { categories: ['5942'] } } }, '10.00'],
    ['the card', { status: 'blocked' }, '10.00'],
  ])('that is decided by %s sends no request', async (_, change, amount) => {
    const caller = http.caller();
    await configure(caller);
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, change);
    expect((await authorize(caller, amount)).at('transaction.status')).toBe('declined');
    expect(arrivals).toEqual([]);
  });

  it('that is decided by a rule sends no request', async () => {
    const caller = http.caller();
    await configure(caller);
    const rule = { match: { name: 'Harbor Books' }, outcome: { decline_reason: 'stolen' } };
    await caller.v2('PUT', '/_sandbox/rules', { rules: [rule] });
    expect((await authorize(caller)).at('transaction.status')).toBe('declined');
    expect(arrivals).toEqual([]);
  });

  it('with a rule without outcome sends a request', async () => {
    const caller = http.caller();
    await configure(caller);
    await caller.v2('PUT', '/_sandbox/rules', { rules: [{ match: {}, outcome: {} }] });
    answer('declined');
    expect((await authorize(caller)).at('transaction.status')).toBe('declined');
    await debit(caller);
    expect(arrivals).toHaveLength(2);
  });

  it('is checked again after the response: what was spent meanwhile is unavailable', async () => {
    const caller = http.caller();
    await configure(caller);
    const gate = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    respond = (response) => {
      requested.resolve();
      void gate.promise.then(() => response.end('{"status":"approved"}'));
    };
    const late = authorize(caller, '3000.00');
    await requested.promise;
    respond = (response) => response.end('{"status":"approved"}');
    expect((await authorize(caller, '4000.00')).at('transaction.status')).toBe('pending');
    gate.resolve();
    const declined = await late;
    expect(declined.at('transaction')).toMatchObject({ status: 'declined' });
    const why = await caller.v2('GET', `/_sandbox/explain/${declined.id('transaction.id')}`);
    expect(why.at('reason.code')).toBe('lowBalance');
  });

  it('continues if the sandbox is restored during the request', async () => {
    const caller = http.caller();
    await configure(caller);
    const image = caller.sandbox.image();
    respond = (response) => {
      caller.sandbox.replaceWith(image);
      response.end('{"status":"approved"}');
    };
    expect((await testCard(caller, '10.00')).at('status')).toBe('approved');
    expect(await decisions(caller)).toHaveLength(1);
  });
});

describe('an incoming ACH debit', () => {
  it('sends a request, and is approved', async () => {
    const caller = http.caller();
    await configure(caller);
    const answered = await debit(caller);
    expect(answered.at('transaction.status')).toBe('received');
    const [requested] = arrivals as [Arrival];
    expect(requested.json).toEqual({
      eventType: 'ach.auth.request',
      programId: caller.seed('program_id'),
      env: 'test',
      data: {
        id: expect.stringMatching(/^aar-/),
        amount: '10.00',
        status: 'pending',
        createdAt: expect.stringMatching(/^2026-11-20T18:0/),
        personId: expect.any(String),
        programId: caller.seed('program_id'),
        Account: expect.objectContaining({ id: caller.seed('account_id'), balance: '5000.00' }),
        Ach: {
          id: expect.stringMatching(/^act-/),
          senderName: 'Mill',
          senderRoutingNumber: '121042882',
          traceNumber: answered.at('transaction.ach.trace_number'),
          description: 'dues',
          addenda: '',
          createdAt: expect.stringMatching(/^2026-11-20T18:0/),
        },
      },
    });
    expect((await decisions(caller))[0]).toMatchObject({
      id: answered.id('transaction.ach.rta_id'),
      kind: 'ach',
      answer: 'approved',
    });
    const settled = await caller.v2(
      'POST',
      `/_sandbox/simulate/transactions/${answered.id('transaction.id')}/settle`,
    );
    expect(settled.at('transaction.status')).toBe('settled');
  });

  it.each([
    ['a person', 'person', 'R10'],
    ['a business', 'business', 'R29'],
  ])('of %s that the client declines is returned as not authorized', async (_, owner, code) => {
    const caller = http.caller();
    const sub_account_holder_id = caller.seed(`${owner}_holder_id`);
    await caller.v2('POST', `/_sandbox/simulate/holders/${sub_account_holder_id}/pass`, {});
    const opened = { sub_account_holder_id, type: 'checking' };
    const sub_account_id = (await caller.v2('POST', '/v2/accounts/sub_account', opened)).id();
    const funding = { sub_account_id, amount: '50.00' };
    const received = await caller.v2('POST', '/_sandbox/simulate/incoming/rtp', funding);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${received.id('transaction.id')}/settle`, {});
    await configure(caller);
    answer('declined');
    const answered = await debit(caller, '10.00', sub_account_id);
    expect(answered.at('transaction.status')).toBe('received');
    http.clock.advance(1000);
    await caller.sandbox.agenda.runDue();
    const back = await caller.v2('GET', `/v2/payments/transaction/${answered.id('transaction.id')}`);
    expect(back.body).toMatchObject({
      status: 'returned',
      ach: { return_code: code, rta_id: answered.id('transaction.ach.rta_id') },
    });
  });

  it('beyond the balance sends no request, and neither does a credit', async () => {
    const caller = http.caller();
    await configure(caller);
    await debit(caller, '5000.01');
    await caller.v2('POST', '/_sandbox/simulate/incoming/ach_push', {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '1.00',
    });
    expect(arrivals).toEqual([]);
  });
});

describe('the default decision', () => {
  /** A receiver that never responds is awaited until the time limit. */
  const SHORT_MS = 60;
  const silences: [string, (response: ServerResponse) => void, string, number | null][] = [
    [
      '500',
      (response) => response.writeHead(500).end('{"status":"approved"}'),
      'the receiver answered 500',
      500,
    ],
    ['a redirect', (response) => response.writeHead(302, { location: '/' }).end(), 'answered 302', 302],
    ['silence', () => {}, `no response within ${SHORT_MS} ms`, null],
    [
      'half an answer',
      (response) => void response.writeHead(200).write('{'),
      `no response within ${SHORT_MS} ms`,
      null,
    ],
    [
      'a broken connection',
      (response) => void response.destroy(),
      IS_WORKERD ? 'connection lost' : 'socket hang up',
      null,
    ],
    ['no JSON', (response) => response.end('approved'), 'has no status', 200],
    ['another word', (response) => response.end('{"status":"yes"}'), 'has no status', 200],
    ['a flood', (response) => response.end('x'.repeat(100_000)), 'longer than', null],
  ];

  it.each(silences)('for %s is that of the setting', async (_, behave, error, status) => {
    const caller = http.caller();
    for (const [standIn, outcome, stored] of [
      ['approve', 'pending', 'approved'],
      ['decline', 'declined', 'declined'],
    ] as const) {
      const timeout_ms = error.startsWith('no response') ? SHORT_MS : LONG_MS;
      await configure(caller, { stand_in: standIn, timeout_ms });
      respond = behave;
      expect((await authorize(caller)).at('transaction.status')).toBe(outcome);
      expect((await decisions(caller))[0]).toMatchObject({
        answer: stored,
        decided_by: 'stand_in',
        http_status: status,
        error: expect.stringContaining(error),
      });
    }
  });

  it('also applies to a receiver that does not exist', async () => {
    const caller = http.caller();
    await configure(caller, { url: 'http://127.0.0.1:9/', stand_in: 'approve' });
    expect((await authorize(caller)).at('transaction.status')).toBe('pending');
    expect((await decisions(caller))[0]).toMatchObject({ decided_by: 'stand_in', http_status: null });
    await configure(caller, { url: 'https://127.0.0.1:9/', stand_in: 'decline' });
    expect((await debit(caller)).at('transaction.ach.rta_id')).toMatch(/^rta_/);
    expect((await decisions(caller))[0]).toMatchObject({ kind: 'ach', answer: 'declined' });
  });
});

describe('the setting', () => {
  it('is empty at first, has usual values, and can be removed', async () => {
    const caller = http.caller();
    expect((await caller.v2('GET', '/_sandbox/rta')).at('configured')).toBe(false);
    const set = await caller.v2('PUT', '/_sandbox/rta', { url });
    expect(set.body).toEqual({
      configured: true,
      url,
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      stand_in: 'decline',
      timeout_ms: 2000,
      card: true,
      ach: true,
    });
    const again = await caller.v2('PUT', '/_sandbox/rta', { url, timeout_ms: 500 });
    expect(again.at('secret')).toBe(set.at('secret'));
    expect((await caller.v2('GET', '/_sandbox/rta')).body).toEqual(again.body);
    const removed = await caller.v2('DELETE', '/_sandbox/rta');
    expect([removed.status, removed.text]).toEqual([204, '']);
    await authorize(caller);
    expect(arrivals).toEqual([]);
    expect((await caller.v2('GET', '/_sandbox/rta')).at('configured')).toBe(false);
  });

  it('may apply only to cards or only to ACH', async () => {
    const caller = http.caller();
    await configure(caller, { card: false });
    await authorize(caller);
    expect(arrivals).toEqual([]);
    await configure(caller, { ach: false });
    await debit(caller);
    expect(arrivals).toEqual([]);
    await authorize(caller);
    expect(arrivals).toHaveLength(1);
  });

  it.each([[{}], [{ url: 'ftp://there' }], [{ url: 'there' }], [{ url: 'http://a', stand_in: 'maybe' }]])(
    'that is invalid is refused: %j',
    async (body) => {
      const caller = http.caller();
      expect((await caller.v2('PUT', '/_sandbox/rta', body)).status).toBe(400);
      expect((await caller.v2('GET', '/_sandbox/rta')).at('configured')).toBe(false);
    },
  );

  it('lists past requests, newest first and paginated', async () => {
    const caller = http.caller();
    await configure(caller);
    for (const amount of ['1.00', '2.00', '3.00']) await authorize(caller, amount);
    const page = await caller.v2('GET', '/_sandbox/rta/decisions?limit=1&offset=1');
    expect(page.at('total')).toBe(3);
    expect(page.at('decisions.0.amount')).toBe('2.00');
    expect((await caller.v2('GET', '/_sandbox/rta/decisions?limit=0')).status).toBe(400);
  });
});
