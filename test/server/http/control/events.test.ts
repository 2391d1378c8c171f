/**
 * The log of events: every kind of every fact in both versions, as for a webhook; searched, paged and retrieved by
 * ids; and the delivery attempts of an event, its resend, and the drain that waits for all deliveries.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { V1_KINDS, V2_KINDS } from '../../../../src/bank/model/facts.ts';
import { openReceiver, type Receiver, signaturesOf } from '../receiver.ts';
import { type Answer, type Caller, type Method, useHttp } from '../support.ts';
import { freezeAt } from './calls.ts';

const http = useHttp({ realSender: true });
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

interface Event {
  id: string;
  type: string;
  api_version: 'v1' | 'v2';
  at: string;
  resource: string;
  resource_id: string;
  data: Record<string, unknown>;
  deliveries: Record<string, number>;
}

const control = (caller: Caller, method: Method, path: string, body?: unknown): Promise<Answer> =>
  http.call(method, `/_sandbox${path}`, { body, headers: { 'api-key': caller.key } });
const eventsOf = (answer: Answer): Event[] => {
  expect(answer.status, answer.text).toBe(200);
  return answer.at('events') as Event[];
};
const list = async (caller: Caller, query = ''): Promise<Event[]> =>
  eventsOf(await control(caller, 'GET', `/events${query}`));
const typesOf = (events: Event[]) => events.map(({ type }) => type);
const cursorOf = async (caller: Caller): Promise<string> =>
  (await control(caller, 'GET', '/events?limit=1')).id('cursor');
const intra = (caller: Caller, amount = '10.00') =>
  caller.v2('POST', '/v2/payments/intra_account/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('intra_counterparty_id'),
    amount,
  });
const label = (caller: Caller, text: string) =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label: text });
const subscribe = async (caller: Caller, apiVersion: 'v1' | 'v2', events: readonly string[] = ['*']) => {
  const made = await control(caller, 'POST', '/webhooks', {
    api_version: apiVersion,
    url: `${receiver.url}/${apiVersion}`,
    events,
  });
  expect(made.status, made.text).toBe(201);
  return { id: made.id(), secret: made.id('secret') };
};
const drain = (caller: Caller, body: object = {}) => control(caller, 'POST', '/drain', body);

describe('the event log', () => {
  it('has every event in both versions, even without webhooks', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    const payment = await intra(caller);
    const events = await list(caller, `?since=${since}`);
    expect(typesOf(events)).toEqual([
      'transfer.created',
      'intrabank.originated.credit',
      'account.credit',
      'transaction.created',
      'transaction.status.settled',
      'intrabank.received.debit',
      'account.debit',
      'transaction.created',
      'transaction.status.settled',
    ]);
    expect(events[3]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'transaction.created',
      api_version: 'v2',
      at: payment.at('timestamps.created_at') ?? payment.at('created_at'),
      resource: 'transaction',
      resource_id: payment.id(),
      data: payment.body,
      deliveries: { waiting: 0, delivered: 0, exhausted: 0, dropped: 0 },
    });
    expect(events[0]?.resource_id).toMatch(/^tra-/);
    expect(events[1]?.resource_id).toMatch(/^txn-/);
  });

  it('has what webhooks receive, with the same ids', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v1');
    await subscribe(caller, 'v2');
    const since = await cursorOf(caller);
    await label(caller, 'Fuel');
    await intra(caller);
    expect((await drain(caller)).at('quiescent')).toBe(true);
    for (const apiVersion of ['v1', 'v2'] as const) {
      const events = await list(caller, `?since=${since}&api_version=${apiVersion}`);
      const arrived = receiver.arrivals.filter(({ path }) => path === `/${apiVersion}`);
      expect(events.map(({ id, type, data }) => ({ id, type, data }))).toEqual(
        arrived.map(({ headers, json }) => ({
          id: headers['webhook-id'],
          type: json.eventType ?? json.event_type,
          data: json.data,
        })),
      );
      for (const { deliveries } of events)
        expect(deliveries).toEqual({ waiting: 0, delivered: 1, exhausted: 0, dropped: 0 });
    }
  });

  it('is sorted newest first, or oldest first after an event', async () => {
    const caller = http.caller();
    await intra(caller);
    const all = await list(caller, '?since=&limit=1000');
    expect(await list(caller, '?limit=1000')).toEqual(all.toReversed());
    expect(await list(caller, '?limit=3')).toEqual(all.toReversed().slice(0, 3));
    const [, , third] = all;
    expect(await list(caller, `?since=${third?.id}&limit=5`)).toEqual(all.slice(3, 8));
  });

  it('starts with the events of the seed, which have no request', async () => {
    const caller = http.caller();
    expect((await list(caller, '?limit=1')).length).toBe(1);
    expect(await list(caller, '?since=seeded')).toEqual([]);
    const since = await cursorOf(caller);
    await intra(caller);
    expect(await list(caller, '?since=seeded')).toEqual(await list(caller, `?since=${since}`));
    expect(await control(caller, 'POST', '/reset')).toMatchObject({ status: 200 });
    expect(await list(caller, '?since=seeded')).toEqual([]);
  });

  it('is paginated without gaps and repetitions', async () => {
    const caller = http.caller();
    await intra(caller);
    const all = await list(caller, '?since=&limit=1000');
    for (const limit of [1, 2, 7]) {
      const read: Event[] = [];
      let cursor = '';
      for (;;) {
        const page = await control(caller, 'GET', `/events?since=${cursor}&limit=${limit}`);
        read.push(...eventsOf(page));
        cursor = page.id('cursor');
        if (eventsOf(page).length < limit) break;
      }
      expect(read).toEqual(all);
      expect(await list(caller, `?since=${cursor}`)).toEqual([]);
    }
  });

  it('is filtered by kind, by a prefix of kinds, by record and by version', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    await label(caller, 'Fuel');
    const payment = await intra(caller);
    const search = (query: string) => list(caller, `?since=${since}&${query}`);
    expect(typesOf(await search('type=account.credit'))).toEqual(['account.credit']);
    // Both versions have this one.
    expect((await search('type=card.updated')).map(({ api_version: apiVersion }) => apiVersion)).toEqual([
      'v1',
      'v2',
    ]);
    expect(
      (await search('type=card.updated&api_version=v1')).map(({ api_version: apiVersion }) => apiVersion),
    ).toEqual(['v1']);
    expect(typesOf(await search('type=transaction.status.*'))).toEqual([
      'transaction.status.settled',
      'transaction.status.settled',
    ]);
    expect(typesOf(await search('resource=card'))).toEqual(['card.updated', 'card.updated']);
    const suffix = payment.id().slice(4);
    const dashed = suffix.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const own = ['transaction.created', 'transaction.status.settled'];
    for (const id of [`txn_${suffix}`, `txn-${dashed}`, `tra-${dashed}`])
      expect(typesOf(await search(`api_version=v2&resource=${id}`))).toEqual(own);
    expect(await search(`resource=sub_${suffix}`)).toEqual([]);
  });

  it.each([
    ['?type=card.update', 400, 'event_unknown'],
    ['?type=cart.*', 400, 'event_unknown'],
    ['?typ=card.updated', 400, 'field_unknown'],
    ['?resource=nothing', 400, 'field_invalid'],
    ['?api_version=v3', 400, 'field_invalid'],
    ['?limit=0', 400, 'field_invalid'],
    ['?limit=1001', 400, 'field_invalid'],
    ['?limit=ten', 400, 'field_invalid'],
    ['?wait=soon', 400, 'field_invalid'],
    ['?since=evt_00000000000070008100000000000001', 404, 'event_not_found'],
    ['?since=newest', 404, 'event_not_found'],
  ])('refuses %s', async (query, status, code) => {
    const answer = await control(http.caller(), 'GET', `/events${query}`);
    expect([answer.status, answer.at('error.code')]).toEqual([status, code]);
  });
});

describe('one event', () => {
  it('is found by its id in either format', async () => {
    const caller = http.caller();
    await label(caller, 'Fuel');
    for (const event of await list(caller, '?limit=2')) {
      const dashed = event.id.replace(/^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/, 'evt-$1-$2-$3-$4-$5');
      for (const id of [event.id, dashed])
        expect((await control(caller, 'GET', `/events/${id}`)).body).toEqual(event);
    }
  });

  it('is not found by an id of another sandbox, position or time', async () => {
    const caller = http.caller();
    await label(caller, 'Fuel');
    const [{ id }] = (await list(caller, '?limit=1')) as [Event];
    const wrong = [
      `${id.slice(0, 20)}8109${id.slice(24)}`,
      `${id.slice(0, 15)}${id[15] === '0' ? '1' : '0'}${id.slice(16)}`,
      `${id.slice(0, -4)}ffff`,
      `req${id.slice(3)}`,
      'evt_',
    ];
    for (const other of wrong) {
      const answer = await control(caller, 'GET', `/events/${other}`);
      expect([other, answer.status, answer.at('error.code')]).toEqual([other, 404, 'event_not_found']);
    }
    expect((await control(http.caller(), 'GET', `/events/${id}`)).status).toBe(404);
  });

  it('lists every attempt, and when the next is due', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v2', ['card.updated']);
    receiver.answer = () => 503;
    await label(caller, 'Fuel');
    await drain(caller);
    const [event] = (await list(caller, '?type=card.updated&api_version=v2')) as [Event];
    expect(event.deliveries).toMatchObject({ waiting: 1, delivered: 0 });
    const attempts = async () =>
      (await control(caller, 'GET', `/events/${event.id}/attempts`)).at('attempts') as object[];
    const first = {
      webhook_id: id,
      delivery: expect.any(Number),
      number: 1,
      at: '2026-11-20T18:00:00Z',
      status: 503,
      duration_ms: expect.any(Number),
      error: '',
      answer: { headers: expect.objectContaining({ connection: 'keep-alive' }), body: '' },
    };
    expect(await attempts()).toEqual([
      { ...first, state: 'waiting', next_due_at: expect.stringMatching(/^2026-11-20T18:00:0[45]Z$/) },
    ]);
    // The other event of the same fact had no subscriber.
    const [other] = (await list(caller, '?type=card.updated&api_version=v1')) as [Event];
    expect((await control(caller, 'GET', `/events/${other.id}/attempts`)).at('attempts')).toEqual([]);

    receiver.answer = () => 204;
    await freezeAt(caller, http.clock.now() + 6_000);
    expect((await drain(caller)).body).toMatchObject({ delivered: 1, failed: 1, waiting: 0 });
    const done = { state: 'delivered', next_due_at: '' };
    expect(await attempts()).toEqual([
      { ...first, ...done },
      { ...first, ...done, number: 2, status: 204, at: '2026-11-20T18:00:06Z' },
    ]);
  });
});

describe('a redelivery', () => {
  it('is a new delivery of the same event, with a new signature', async () => {
    const caller = http.caller();
    const { id, secret } = await subscribe(caller, 'v1', ['card.updated']);
    await label(caller, 'Fuel');
    await drain(caller);
    const [event] = (await list(caller, '?type=card.updated&api_version=v1')) as [Event];
    const answer = await control(caller, 'POST', `/events/${event.id}/resend`, {});
    expect([answer.status, answer.body]).toEqual([
      202,
      { event_id: event.id, deliveries: [{ delivery: expect.any(Number), webhook_id: id }] },
    ]);
    await drain(caller);
    const [first, second] = receiver.arrivals;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(event.id);
    expect(second && signaturesOf(second, secret).own).toBe(second?.headers['sd-webhook-sha256-signature']);
    expect((await control(caller, 'GET', `/events/${event.id}`)).at('deliveries.delivered')).toBe(2);
    const attempts = (await control(caller, 'GET', `/events/${event.id}/attempts`)).at('attempts') as {
      delivery: number;
    }[];
    expect(new Set(attempts.map(({ delivery }) => delivery)).size).toBe(2);
  });

  it('goes to the requested webhook, even if it does not subscribe to the kind', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v2', ['card.updated']);
    const quiet = await subscribe(caller, 'v2', []);
    await label(caller, 'Fuel');
    await drain(caller);
    const [event] = (await list(caller, '?type=card.updated&api_version=v2')) as [Event];
    await control(caller, 'POST', `/events/${event.id}/resend`, { webhook_id: quiet.id });
    await drain(caller);
    expect(receiver.arrivals).toHaveLength(2);
  });

  it('is refused if no webhook would receive it', async () => {
    const caller = http.caller();
    await label(caller, 'Fuel');
    const [v2, v1] = (await list(caller, '?type=card.updated')) as [Event, Event];
    const resend = async (id: string, body: object = {}) => {
      const answer = await control(caller, 'POST', `/events/${id}/resend`, body);
      return [answer.status, answer.at('error.code')];
    };
    expect(await resend(v2.id)).toEqual([409, 'webhook_not_active']);
    const { id } = await subscribe(caller, 'v2', []);
    expect(await resend(v2.id)).toEqual([409, 'webhook_not_active']);
    expect(await resend(v1.id, { webhook_id: id })).toEqual([400, 'field_invalid']);
    expect(await resend(v2.id, { webhook_id: `whk_${'0'.repeat(32)}` })).toEqual([404, 'webhook_not_found']);
    expect(await resend(v2.id, { webhook: id })).toEqual([400, 'field_unknown']);
    expect(await resend('evt_nothing')).toEqual([404, 'event_not_found']);
    await caller.v2('DELETE', `/v2/webhook/${id}`);
    expect(await resend(v2.id, { webhook_id: id })).toEqual([404, 'webhook_not_found']);
  });
});

describe('a drain', () => {
  it('waits until all events are delivered, and returns their number', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v1', V1_KINDS);
    await subscribe(caller, 'v2', V2_KINDS);
    await intra(caller);
    const answer = await drain(caller);
    expect(receiver.arrivals).toHaveLength(9);
    expect(answer.body).toMatchObject({
      quiescent: true,
      delivered: 9,
      failed: 0,
      waiting: 0,
      in_flight: 0,
      next_due_at: '',
    });
  });

  it('does not wait for a retry that is not due', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v2', ['card.updated']);
    receiver.answer = () => 500;
    await label(caller, 'Fuel');
    const answer = await drain(caller);
    expect(answer.body).toMatchObject({ quiescent: true, delivered: 0, waiting: 1 });
    expect(answer.at('next_due_at')).toMatch(/^2026-11-20T18:00:0/);
  });

  it('ends at its deadline', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v2', ['card.updated']);
    let answerNow = (_: number): void => {};
    const answered = new Promise<number>((resolve) => {
      answerNow = resolve;
    });
    receiver.answer = () => answered;
    await label(caller, 'Fuel');
    expect((await drain(caller, { deadline_ms: 20 })).body).toMatchObject({
      quiescent: false,
      delivered: 0,
      waiting: 1,
      in_flight: 1,
    });
    answerNow(200);
    expect((await drain(caller)).body).toMatchObject({ quiescent: true, delivered: 1, waiting: 0 });
  });

  it('waits for events that a receiver causes by calling the bank', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v2', ['card.updated']);
    let calls = 0;
    receiver.answer = async () => {
      calls += 1;
      if (calls < 4) expect((await label(caller, `after ${calls}`)).status).toBe(200);
      return 200;
    };
    await label(caller, 'first');
    expect((await drain(caller)).body).toMatchObject({ quiescent: true, delivered: 4, waiting: 0 });
    expect(receiver.arrivals.map(({ json }) => (json.data as { label: string }).label)).toEqual([
      'first',
      'after 1',
      'after 2',
      'after 3',
    ]);
  });

  it('refuses an invalid deadline', async () => {
    expect((await drain(http.caller(), { deadline_ms: 0 })).status).toBe(400);
    expect((await drain(http.caller(), { deadline: 5 })).at('error.code')).toBe('field_unknown');
  });
});
