/**
 * Webhooks in the control plane: both versions in one list; examples, replays, rotations and chaos, with real
 * receivers, and signatures that the library of clients verifies.
 */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventShape } from '../../../../src/bank/api/events.ts';
import { V1_KINDS, V2_KINDS } from '../../../../src/bank/model/facts.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { problemsWith } from '../expectations.ts';
import { type Arrival, openReceiver, type Receiver, signaturesOf } from '../receiver.ts';
import { type Answer, type Caller, type Method, useHttp } from '../support.ts';
import { freezeAt } from './calls.ts';

const http = useHttp({ realSender: true });
const HOUR_MS = 3_600_000;
let receiver: Receiver;
beforeEach(async () => {
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

const control = (caller: Caller, method: Method, path: string, body?: unknown): Promise<Answer> =>
  http.call(method, `/_sandbox${path}`, { body, headers: { 'api-key': caller.key } });
const post = (caller: Caller, path: string, body: object = {}) => control(caller, 'POST', path, body);
const label = (caller: Caller, text: string) =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label: text });
const subscribe = async (
  caller: Caller,
  apiVersion: 'v1' | 'v2',
  events: readonly string[] = ['card.updated'],
) => {
  const made = await post(caller, '/webhooks', {
    api_version: apiVersion,
    url: `${receiver.url}/${apiVersion}`,
    events,
  });
  expect(made.status, made.text).toBe(201);
  return { id: made.id(), secret: made.id('secret') };
};
const drain = async (caller: Caller) => {
  const drained = await post(caller, '/drain');
  expect(drained.at('quiescent'), drained.text).toBe(true);
  return drained;
};
const webhooks = async (caller: Caller) =>
  (await control(caller, 'GET', '/webhooks')).at('webhooks') as Record<string, unknown>[];
const countsOf = async (caller: Caller, id?: string) =>
  (await webhooks(caller)).find((webhook) => id === undefined || webhook.id === id)?.deliveries;
const labels = () => receiver.arrivals.map(({ json }) => (json.data as { label: string }).label);
const outcome = (answer: Answer) => [answer.status, answer.at('error.code')];

/** Whether the library accepts an arrival as signed with this secret. */
const isAccepted = ({ body, headers }: Arrival, secret: string): boolean => {
  const library = new StandardWebhook(`whsec_${Buffer.from(secret, 'utf8').toString('base64')}`);
  try {
    library.verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};
const last = (): Arrival => receiver.arrivals.at(-1) as Arrival;

describe('the list of webhooks', () => {
  it('contains those of both versions, with their secrets and the state of their deliveries', async () => {
    const caller = http.caller();
    const made = await post(caller, '/webhooks', {
      api_version: 'v2',
      url: `${receiver.url}/v2`,
      events: ['card.updated'],
      description: 'mine',
    });
    const viaV1 = await caller.v1('POST', '/v1/webhook', { url: receiver.url, events: ['card.spend'] });
    await label(caller, 'Fuel');
    await drain(caller);
    receiver.answer = () => 500;
    await label(caller, 'Food');
    await drain(caller);
    const [newest, own, seeded] = await webhooks(caller);
    const secret = await caller.v1('GET', `/v1/webhook/${viaV1.id()}/secret`);
    expect(newest).toMatchObject({ id: viaV1.id(), api_version: 'v1', secret: secret.id('secret') });
    expect(own).toEqual({
      ...(made.body as object),
      failing_since: '2026-11-20T18:00:00Z',
      deliveries: { waiting: 1, delivered: 1, exhausted: 0, dropped: 0 },
    });
    expect(own).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-f]{32}$/),
      api_version: 'v2',
      url: `${receiver.url}/v2`,
      receiver: false,
      description: 'mine',
      events: ['card.updated'],
      status: 'active',
      secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      previous_secret: '',
      previous_secret_until: '',
      failing_since: '2026-11-20T18:00:00Z',
      deliveries: expect.anything(),
      last_dropped_at: '',
      chaos: false,
      created_at: '2026-11-20T18:00:00Z',
      updated_at: '2026-11-20T18:00:00Z',
    });
    expect(seeded).toMatchObject({ id: caller.seed('webhook_id'), status: 'paused' });
    expect(await webhooks(caller)).toHaveLength(3);
    await caller.v2('DELETE', `/v2/webhook/${own?.id}`);
    expect(await webhooks(caller)).toHaveLength(2);
  });

  it('shows no user and password of an address, nor does the journal or a search', async () => {
    const { v1, v2 } = http.caller();
    const url = 'http://ada:hidden-word@hooks.example/v2';
    const made = await v2('POST', '/v2/webhook', { url, events: ['card.created'] });
    expect(made.at('url')).toBe(url);
    await v1('POST', '/v1/webhook', { url, events: ['card.created'] });
    await v2('PUT', '/_sandbox/rta', { url, stand_in: 'approve', timeout_ms: 2000, card: true, ach: true });
    const shown = await Promise.all([
      v2('GET', '/_sandbox/webhooks'),
      v2('GET', '/_sandbox/rta'),
      v2('GET', '/_sandbox/requests'),
      v2('GET', '/_sandbox/activity'),
      v2('GET', '/_sandbox/search?q=hooks.example'),
    ]);
    for (const { status, text } of shown) {
      expect(status, text).toBe(200);
      expect(text).not.toContain('hidden-word');
    }
    expect(shown[0]?.text).toContain('http://***@hooks.example/v2');
  });

  it('accepts a webhook of either version for all kinds, some or none', async () => {
    const caller = http.caller();
    const make = (apiVersion: string, events: string[]) =>
      post(caller, '/webhooks', { api_version: apiVersion, url: receiver.url, events });
    expect((await make('v1', ['*'])).at('events')).toEqual(V1_KINDS);
    expect((await make('v2', ['*'])).at('events')).toEqual(V2_KINDS);
    expect((await make('v2', [])).at('events')).toEqual([]);
    expect(outcome(await make('v2', ['card.spend']))).toEqual([400, 'event_unknown']);
    expect(outcome(await make('v3', []))).toEqual([400, 'field_invalid']);
    const where = (url: string) => post(caller, '/webhooks', { api_version: 'v1', url, events: [] });
    expect(outcome(await where('receiver'))).toEqual([400, 'url_invalid']);
  });
});

describe('a deletion', () => {
  it('of a webhook of either version can be requested here, once', async () => {
    const caller = http.caller();
    for (const apiVersion of ['v1', 'v2'] as const) {
      const { id } = await subscribe(caller, apiVersion);
      expect((await control(caller, 'DELETE', `/webhooks/${id}`)).status).toBe(204);
      expect(outcome(await control(caller, 'DELETE', `/webhooks/${id}`))).toEqual([404, 'webhook_not_found']);
      expect((await caller.v1('GET', `/v1/webhook/${id}`)).at('status')).toBe('deleted');
    }
    expect(outcome(await control(caller, 'DELETE', '/webhooks/whk_1'))).toEqual([404, 'webhook_not_found']);
  });

  it('of a webhook drops its waiting deliveries immediately, and the log stays', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    receiver.answer = () => 500;
    await label(caller, 'Fuel');
    await drain(caller);
    expect(await countsOf(caller, id)).toMatchObject({ waiting: 1 });
    await caller.v1('PATCH', `/v1/webhook/${id}`, { status: 'deactivated' });
    if (!IS_WORKERD) expect(caller.sandbox.queue.waiting()).toEqual({ first: 0, retry: 0 });
    expect(await countsOf(caller, id)).toMatchObject({ waiting: 0, dropped: 1 });
    expect((await drain(caller)).at('next_due_at')).toBe('');

    const other = await subscribe(caller, 'v2');
    await label(caller, 'Food');
    await drain(caller);
    await caller.v2('DELETE', `/v2/webhook/${other.id}`);
    if (!IS_WORKERD) expect(caller.sandbox.queue.waiting()).toEqual({ first: 0, retry: 0 });
    const events = await control(caller, 'GET', '/events?type=card.updated&limit=2');
    expect(events.at('events.0.deliveries')).toEqual({ waiting: 0, delivered: 0, exhausted: 0, dropped: 1 });
  });
});

it('a delivery in flight when the bank is replaced belongs to the past, and is not a failure', async () => {
  const caller = http.caller();
  await subscribe(caller, 'v1');
  const before = caller.sandbox.image();
  let arrived = (): void => {};
  let answerNow = (_: number): void => {};
  const inFlight = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  receiver.answer = () => {
    arrived();
    return new Promise((resolve) => {
      answerNow = resolve;
    });
  };
  await label(caller, 'old');
  await inFlight;
  const { courier } = caller.sandbox;
  caller.sandbox.replaceWith(before);
  answerNow(200);
  await courier?.idle();
  expect(await countsOf(caller)).toEqual({ waiting: 0, delivered: 0, exhausted: 0, dropped: 0 });
  receiver.answer = () => 200;
  await label(caller, 'new');
  await drain(caller);
  expect(labels()).toEqual(['old', 'new']);
});

describe('an example', () => {
  const send = async (caller: Caller, id: string, type: string) =>
    post(caller, `/webhooks/${id}/send_example`, { type });

  it('is the newest event of its kind with an id of its own, signed and marked', async () => {
    const caller = http.caller();
    for (const apiVersion of ['v1', 'v2'] as const) {
      const { id, secret } = await subscribe(caller, apiVersion, []);
      await label(caller, `for ${apiVersion}`);
      const answer = await send(caller, id, 'card.updated');
      const arrival = last();
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          webhook_id: id,
          event_id: arrival.headers['webhook-id'],
          type: 'card.updated',
          made_from: expect.stringMatching(/^evt_/),
          delivered: true,
          status: 200,
          duration_ms: expect.any(Number),
          error: '',
        },
      ]);
      const source = await control(caller, 'GET', `/events/${answer.id('made_from')}`);
      expect(arrival.json.data).toEqual(source.at('data'));
      expect(arrival.json.eventType ?? arrival.json.event_type).toBe('card.updated');
      expect(answer.id('event_id')).not.toBe(answer.id('made_from'));
      expect(arrival.json.id ?? answer.id('event_id')).toBe(answer.id('event_id'));
      expect(arrival.headers['x-sandbox-example']).toBe('true');
      expect(isAccepted(arrival, secret)).toBe(true);
      expect(arrival.headers['sd-webhook-sha256-signature']).toBe(signaturesOf(arrival, secret).own);
    }
    // An example never occurred, so no log has it.
    const known = await control(caller, 'GET', `/events/${last().headers['webhook-id']}`);
    expect(known.status).toBe(404);
  });

  it('is created from a separate history if there is no such event, with the status of the event', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v2', []);
    const answer = await send(caller, id, 'transaction.status.returned');
    expect(answer.at('delivered'), answer.text).toBe(true);
    expect(last().json).toMatchObject({
      event_type: 'transaction.status.returned',
      data: { status: 'returned', id: expect.stringMatching(/^txn_/) },
    });
    const v1 = await subscribe(caller, 'v1', []);
    await send(caller, v1.id, 'business.kyb.review');
    expect(last().json).toMatchObject({
      eventType: 'business.kyb.review',
      data: { businessId: expect.stringMatching(/^bus-/) },
    });
  });

  it.each([['v1', V1_KINDS] as const, ['v2', V2_KINDS] as const])(
    'of %s exists for every kind in a new sandbox, and has that kind',
    async (apiVersion, kinds) => {
      const caller = http.caller();
      const { id } = await subscribe(caller, apiVersion, []);
      for (const kind of kinds) {
        const answer = await send(caller, id, kind);
        expect([answer.status, answer.at('delivered')], `${kind} ${answer.text}`).toEqual([200, true]);
        const { json } = last();
        expect(json.eventType ?? json.event_type).toBe(kind);
        expect(problemsWith(eventShape(apiVersion, kind), json), kind).toEqual([]);
      }
    },
  );

  it('bypasses the queue and is sent once, whatever the response', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    receiver.answer = () => 500;
    const answer = await send(caller, id, 'card.updated');
    expect([answer.at('delivered'), answer.at('status')]).toEqual([false, 500]);
    expect((await drain(caller)).body).toMatchObject({ delivered: 0, failed: 0, waiting: 0 });
    await receiver.close();
    expect((await send(caller, id, 'card.updated')).body).toMatchObject({ delivered: false, status: null });
  });

  it('is refused for a kind that the version does not have, and for an unknown webhook', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v2');
    expect(outcome(await send(caller, id, 'card.spend'))).toEqual([400, 'event_unknown']);
    expect(outcome(await send(caller, `whk_${'1'.repeat(32)}`, 'card.updated'))).toEqual([
      404,
      'webhook_not_found',
    ]);
    expect(outcome(await send(caller, 'mine', 'card.updated'))).toEqual([404, 'webhook_not_found']);
  });
});

describe('a replay', () => {
  const replay = async (caller: Caller, id: string, body: object = {}) => {
    const answer = await post(caller, `/webhooks/${id}/replay`, body);
    expect(answer.status, answer.text).toBe(202);
    await drain(caller);
    return answer.at('queued');
  };
  const setStatus = (caller: Caller, id: string, status: string) =>
    caller.v1('PATCH', `/v1/webhook/${id}`, { status });

  it('delivers events that were missed while the webhook was paused, in order and once', async () => {
    const caller = http.caller();
    await label(caller, 'before it was made');
    const { id } = await subscribe(caller, 'v1');
    await label(caller, 'one');
    await drain(caller);
    await setStatus(caller, id, 'paused');
    for (const text of ['two', 'three', 'four']) await label(caller, text);
    await setStatus(caller, id, 'active');
    await label(caller, 'five');
    await drain(caller);
    expect(labels()).toEqual(['one', 'five']);
    expect(await replay(caller, id)).toBe(3);
    expect(labels()).toEqual(['one', 'five', 'two', 'three', 'four']);
    expect(await replay(caller, id)).toBe(0);
    expect(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
  });

  it('waits for a paused webhook, and is not queued twice', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    await setStatus(caller, id, 'paused');
    await label(caller, 'one');
    expect(await replay(caller, id)).toBe(1);
    expect(await replay(caller, id)).toBe(0);
    expect(labels()).toEqual([]);
    await setStatus(caller, id, 'active');
    await drain(caller);
    expect(labels()).toEqual(['one']);
  });

  it('delivers events that were dropped when the webhook was deactivated by 410', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    receiver.answer = () => 410;
    await label(caller, 'one');
    await drain(caller);
    await label(caller, 'two');
    expect(outcome(await post(caller, `/webhooks/${id}/replay`))).toEqual([409, 'webhook_not_active']);
    receiver.answer = () => 200;
    await setStatus(caller, id, 'active');
    expect(await replay(caller, id)).toBe(2);
    expect(labels()).toEqual(['one', 'one', 'two']);
  });

  it('is limited to a range of events or instants', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    await setStatus(caller, id, 'paused');
    const noon = Date.parse('2026-11-21T12:00:00Z');
    for (const hour of [0, 1, 2, 3]) {
      await freezeAt(caller, noon + hour * HOUR_MS);
      await label(caller, `${12 + hour}:00`);
    }
    const events = (await control(caller, 'GET', '/events?since=&type=card.updated&api_version=v1')).at(
      'events',
    ) as {
      id: string;
    }[];
    const [, second, third] = events.slice(-4).map((event) => event.id);
    await setStatus(caller, id, 'active');
    expect(await replay(caller, id, { since: second, until: third })).toBe(1);
    expect(labels()).toEqual(['14:00']);
    expect(
      await replay(caller, id, { since: '2026-11-21T13:00:00Z', until: '2026-11-21T15:00:00+00:00' }),
    ).toBe(2);
    expect(labels()).toEqual(['14:00', '13:00', '15:00']);
    const seedSources = (await control(caller, 'GET', '/events?since=&limit=1')).id('events.0.id');
    expect(await replay(caller, id, { since: seedSources })).toBe(1);
  });

  it.each([
    [{ since: 'yesterday' }, 400, 'field_invalid'],
    [{ until: '2026-13-01T00:00:00Z' }, 400, 'field_invalid'],
    [{ since: 'evt_nothing' }, 404, 'event_not_found'],
    [{ from: '2026-11-21T13:00:00Z' }, 400, 'field_unknown'],
  ])('refuses %j', async (body, status, code) => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    expect(outcome(await post(caller, `/webhooks/${id}/replay`, body))).toEqual([status, code]);
  });
});

describe('a rotation', () => {
  const rotate = (caller: Caller, id: string, body: object = {}) =>
    post(caller, `/webhooks/${id}/rotate_secret`, body);

  it('signs with both secrets for a day of the clock, and then only with the new one', async () => {
    const caller = http.caller();
    await freezeAt(caller, Date.parse('2026-11-20T18:00:00Z'));
    const { id, secret: before } = await subscribe(caller, 'v1');
    const rotated = await rotate(caller, id);
    const secret = rotated.id('secret');
    expect(secret).toMatch(/^sk_test_[0-9a-f]{32}$/);
    expect(secret).not.toBe(before);
    expect(rotated.body).toMatchObject({
      previous_secret: before,
      previous_secret_until: '2026-11-21T18:00:00Z',
    });
    expect((await caller.v1('GET', `/v1/webhook/${id}/secret`)).at('secret')).toBe(secret);

    await label(caller, 'during');
    await drain(caller);
    expect([isAccepted(last(), before), isAccepted(last(), secret)]).toEqual([true, true]);
    expect(String(last().headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(last().headers['sd-webhook-sha256-signature']).toBe(signaturesOf(last(), secret).own);

    await freezeAt(caller, Date.parse('2026-11-21T18:00:00Z'));
    await label(caller, 'after');
    await drain(caller);
    expect([isAccepted(last(), before), isAccepted(last(), secret)]).toEqual([false, true]);
    expect((await webhooks(caller))[0]).toMatchObject({ previous_secret: '', previous_secret_until: '' });
  });

  it('may have no overlap, and a second one ends the first', async () => {
    const caller = http.caller();
    const { id, secret: first } = await subscribe(caller, 'v2');
    const second = (await rotate(caller, id, { overlap: 'PT1H' })).id('secret');
    const third = (await rotate(caller, id, { overlap: 'PT1H' })).id('secret');
    await label(caller, 'one');
    await drain(caller);
    expect([first, second, third].map((secret) => isAccepted(last(), secret))).toEqual([false, true, true]);
    const fourth = (await rotate(caller, id, { overlap: 'PT0S' })).id('secret');
    await label(caller, 'two');
    await drain(caller);
    expect([third, fourth].map((secret) => isAccepted(last(), secret))).toEqual([false, true]);
    expect(outcome(await rotate(caller, id, { overlap: 'a day' }))).toEqual([400, 'field_invalid']);
  });
});

describe('chaos', () => {
  const set = (caller: Caller, id: string, body: object) =>
    control(caller, 'PUT', `/webhooks/${id}/chaos`, body);

  it('is shown as it was set, with its counts, until it ends', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    const none = {
      active: false,
      hits: { duplicate: 0, drop: 0, delay: 0, bad_signature: 0, stale_timestamp: 0 },
    };
    expect((await control(caller, 'GET', `/webhooks/${id}/chaos`)).body).toEqual(none);
    const request = {
      duplicate: { every: 2, skip_first: 1 },
      delay: { times: 1, by: 'PT10M' },
      stale_timestamp: { probability: 0.5 },
      shuffle_window: 2,
      seed: 'mine',
    };
    expect((await set(caller, id, request)).body).toEqual({ active: true, ...request, hits: none.hits });
    await label(caller, 'one');
    await drain(caller);
    const shown = await control(caller, 'GET', `/webhooks/${id}/chaos`);
    expect(shown.at('hits')).toMatchObject({ delay: 1 });
    expect((await webhooks(caller))[0]).toMatchObject({ chaos: true });
    expect((await control(caller, 'DELETE', `/webhooks/${id}/chaos`)).status).toBe(204);
    expect((await control(caller, 'GET', `/webhooks/${id}/chaos`)).body).toEqual(none);
  });

  it('of a signature is rejected by the library, and the retry is accepted', async () => {
    const caller = http.caller();
    const { id, secret } = await subscribe(caller, 'v1');
    receiver.answer = (arrival) => (isAccepted(arrival, secret) ? 200 : 401);
    await set(caller, id, { bad_signature: { times: 1 }, stale_timestamp: { skip_first: 1, times: 1 } });
    await label(caller, 'bad');
    await label(caller, 'stale');
    await label(caller, 'good');
    expect((await drain(caller)).body).toMatchObject({ delivered: 1, failed: 2, waiting: 2 });
    expect(receiver.arrivals.map((arrival) => isAccepted(arrival, secret))).toEqual([false, false, true]);
    await freezeAt(caller, http.clock.now() + 10_000);
    expect((await drain(caller)).body).toMatchObject({ delivered: 3, waiting: 0 });
    expect(receiver.arrivals.slice(3).map((arrival) => isAccepted(arrival, secret))).toEqual([true, true]);
  });

  it('is the same for the same seed in every sandbox', async () => {
    const received = [];
    for (let time = 0; time < 2; time += 1) {
      receiver.arrivals.length = 0;
      const caller = http.caller();
      const { id } = await subscribe(caller, 'v2');
      const some = { probability: 0.4 };
      await set(caller, id, { duplicate: some, drop: some, shuffle_window: 3, seed: 'mine' });
      for (let count = 1; count <= 12; count += 1) await label(caller, `label ${count}`);
      await drain(caller);
      received.push(labels());
    }
    expect(received[0]).toEqual(received[1]);
    expect(new Set(received[0]).size).toBeLessThan(12);
    expect(received[0]).not.toEqual(received[0]?.toSorted());
  });

  it('does not hold deliveries back during a drain', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    await set(caller, id, { shuffle_window: 10 });
    for (const text of ['one', 'two', 'three']) await label(caller, text);
    expect(labels()).toEqual([]);
    expect((await drain(caller)).body).toMatchObject({ delivered: 3, waiting: 0 });
    expect(labels()).not.toEqual(['one', 'two', 'three']);
    expect(labels().toSorted()).toEqual(['one', 'three', 'two']);
  });

  it('ends when the bank is replaced', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    await set(caller, id, { drop: {} });
    caller.sandbox.replaceWith(caller.sandbox.image());
    expect((await control(caller, 'GET', `/webhooks/${id}/chaos`)).at('active')).toBe(false);
  });

  it.each([
    [{}, 'field_invalid'],
    [{ seed: 'alone' }, 'field_invalid'],
    [{ duplicates: {} }, 'field_unknown'],
    [{ duplicate: { time: 1 } }, 'field_unknown'],
    [{ duplicate: { times: 0 } }, 'field_invalid'],
    [{ duplicate: { every: 1.5 } }, 'field_invalid'],
    [{ drop: { probability: 2 } }, 'field_invalid'],
    [{ drop: { skip_first: -1 } }, 'field_invalid'],
    [{ delay: { by: 'a while' } }, 'field_invalid'],
    [{ shuffle_window: 1 }, 'field_invalid'],
    [{ drop: true }, 'field_invalid'],
  ])('is refused as %j', async (body, code) => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v1');
    expect(outcome(await set(caller, id, body))).toEqual([400, code]);
    expect((await control(caller, 'GET', `/webhooks/${id}/chaos`)).at('active')).toBe(false);
  });
});

describe('the attempts of a webhook', () => {
  const attempts = async (caller: Caller, id: string, query = '') => {
    const answer = await control(caller, 'GET', `/webhooks/${id}/attempts${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as { attempts: Record<string, unknown>[]; cursor: string };
  };

  it('are only its own, with the responses, filtered and paginated', async () => {
    const caller = http.caller();
    receiver.headers = { 'x-trace': 'abc' };
    receiver.text = `{"problem":"${'x'.repeat(5_000)}"}`;
    receiver.answer = ({ path }) => (path === '/v1' ? 200 : 500);
    const mine = await subscribe(caller, 'v2');
    const other = await subscribe(caller, 'v1');
    await label(caller, 'Fuel');
    await drain(caller);
    await label(caller, 'Food');
    await drain(caller);
    const { attempts: own } = await attempts(caller, mine.id);
    expect(own).toHaveLength(2);
    expect(own[0]).toMatchObject({
      webhook_id: mine.id,
      type: 'card.updated',
      number: 1,
      status: 500,
      state: 'waiting',
      next_due_at: expect.stringMatching(/^2026-/),
      answer: { headers: { 'x-trace': 'abc' }, body: receiver.text.slice(0, 4096) },
    });
    expect((await attempts(caller, mine.id, '?outcome=delivered')).attempts).toEqual([]);
    expect((await attempts(caller, mine.id, '?outcome=failed')).attempts).toEqual(own);
    expect((await attempts(caller, other.id)).attempts.map(({ status }) => status)).toEqual([200, 200]);
    const first = await attempts(caller, mine.id, '?limit=1');
    const second = await attempts(caller, mine.id, `?limit=1&cursor=${first.cursor}`);
    expect([...first.attempts, ...second.attempts]).toEqual(own);
    expect(second.cursor).toBe('');
    expect(outcome(await control(caller, 'GET', `/webhooks/${mine.id}/attempts?cursor=x`))).toEqual([
      400,
      'field_invalid',
    ]);
    const ofEvent = await control(caller, 'GET', `/events/${own[0]?.event_id}/attempts`);
    expect(ofEvent.at('attempts.0.answer')).toEqual(own[0]?.answer);
  });

  it('that failed are sent again immediately, whether they wait for a retry or were dropped', async () => {
    const caller = http.caller();
    const { id } = await subscribe(caller, 'v2');
    receiver.answer = () => 500;
    await label(caller, 'Fuel');
    await post(caller, '/clock/advance', { by: 'P2D' });
    await label(caller, 'Food');
    await drain(caller);
    expect(await countsOf(caller, id)).toMatchObject({ exhausted: 1, waiting: 1 });
    receiver.answer = () => 200;
    const resent = await post(caller, `/webhooks/${id}/resend_failed`);
    expect([resent.status, resent.body]).toEqual([202, { webhook_id: id, queued: 1, retried: 1 }]);
    await drain(caller);
    expect(await countsOf(caller, id)).toMatchObject({ exhausted: 1, waiting: 0, delivered: 2 });
    expect((await post(caller, `/webhooks/${id}/resend_failed`)).body).toMatchObject({
      queued: 0,
      retried: 0,
    });
  });
});
