/**
 * Rows of the register about webhooks and the control plane, with real receivers if a row is about the delivery
 * itself.
 */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { V1_KINDS, V2_KINDS } from '../../../src/bank/model/facts.ts';
import { openReceiver, type Receiver, signaturesOf } from '../../server/http/receiver.ts';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  expectAnswer,
  figures,
  holdRows,
  kindsReceived,
  ok,
  originate,
  receive,
  refusalOf,
  rows,
  setClock,
  simulate,
  testCard,
} from './checks.ts';

const http = useHttp();
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const card = (caller: Caller) => `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
const HOOK = { url: 'http://hooks.example', events: ['card.updated'] };
const seeded = (caller: Caller) => `/v1/webhook/${caller.seed('webhook_id')}`;

holdRows(http, 'webhooks', {
  'inactive-webhook-queue': [
    "The events stay in the bank's log, and a replay through the control plane queues the missed ones.",
    async (caller) => {
      const hook = await ok(caller.v2('POST', '/_sandbox/webhooks', { api_version: 'v2', ...HOOK }));
      const v1 = await ok(caller.v1('POST', '/v1/webhook', { url: HOOK.url, events: ['card.updated'] }));
      await ok(caller.v1('PATCH', `/v1/webhook/${v1.id()}`, { status: 'paused' }));
      await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
      const waiting = async (id: string) => {
        const { webhooks } = (await ok(caller.v2('GET', '/_sandbox/webhooks'))).body as {
          webhooks: { id: string; deliveries: { waiting: number; delivered: number } }[];
        };
        const { waiting: left = 0, delivered = 0 } = webhooks.find((row) => row.id === id)?.deliveries ?? {};
        return left + delivered;
      };
      expect([await waiting(hook.id()), await waiting(v1.id())]).toEqual([1, 0]);
      await ok(caller.v1('PATCH', `/v1/webhook/${v1.id()}`, { status: 'active' }));
      expectAnswer(await caller.v2('POST', `/_sandbox/webhooks/${v1.id()}/replay`, {}), 202);
      expect(await waiting(v1.id())).toBe(1);
    },
  ],
  'event-record-version': [
    "The record as it was right after the change, in the format of the webhook's API version.",
    async (caller) => {
      await caller.listen();
      for (const label of ['One', 'Two']) await ok(caller.v2('PATCH', card(caller), { label }));
      const { v1, v2 } = await caller.receivedEvents();
      expect([...v1, ...v2].map(({ record }) => record.label)).toEqual(['One', 'Two', 'One', 'Two']);
    },
  ],
  'event-kinds-told': [
    'A transaction sends `account.credit` or `account.debit` when it changes the available balance.',
    async (caller) => {
      const incoming = await ok(receive(caller, 'ach_push'));
      await caller.listen();
      await ok(simulate(caller, incoming.id('transaction.id'), 'settle'));
      expect((await kindsReceived(caller)).v1).toEqual(['ach.received.credit', 'account.credit']);
      const push = await ok(originate(caller));
      expect((await kindsReceived(caller)).v1).toContain('account.debit');
      await ok(simulate(caller, push.id(), 'settle'));
      expect((await kindsReceived(caller)).v1).not.toContain('account.debit');
    },
  ],
  'creation-status-event': [
    '`sub_account.created` comes with `sub_account.status.open`',
    async (caller) => {
      await caller.listen();
      const body = { sub_account_holder_id: caller.seed('person_holder_id'), type: 'cash' };
      await ok(caller.v2('POST', '/v2/accounts/sub_account', body));
      expect((await kindsReceived(caller)).v2).toEqual(['sub_account.created', 'sub_account.status.open']);
      await ok(originate(caller));
      expect((await kindsReceived(caller)).v2).toEqual(['transaction.created']);
    },
  ],
  'waiting-card-event': [
    '`card.status.locked`, the word under which v2 shows it',
    async (caller) => {
      await caller.listen();
      await ok(
        caller.v2('POST', '/v2/issuing/card', {
          card_holder_id: caller.seed('card_holder_id'),
          type: 'physical',
          card_fulfilment: {
            shipping_address: { line1: '1 A', city: 'B', state: 'OR', country: 'US', postal_code: '97103' },
          },
        }),
      );
      expect((await kindsReceived(caller)).v2).toEqual(['card.created', 'card.status.locked']);
    },
  ],
  'taken-back-account-event': [
    'The second transaction, so each change of the balance is reported once.',
    async (caller) => {
      const made = await ok(originate(caller));
      await caller.listen();
      await ok(simulate(caller, made.id(), 'cancel'));
      const credit = (await caller.receivedEvents()).v1.find(({ kind }) => kind === 'account.credit');
      expect(credit?.record).toMatchObject({ id: (await rows(caller))[0]?.id, subType: 'reversal' });
    },
  ],
  'webhook-secret-format': [
    '`sk_test_` and 32 hexadecimal digits for a webhook of v1, 32 letters and digits for one of v2',
    async (caller) => {
      const { body } = await ok(caller.v1('GET', `${seeded(caller)}/secret`));
      expect(JSON.stringify(body)).toMatch(/"sk_test_[0-9a-f]{32}"/);
      expect((await ok(caller.v2('POST', '/v2/webhook', HOOK))).at('secret')).toMatch(/^[A-Za-z0-9]{32}$/);
    },
  ],
  'webhook-secret-shown': [
    'In v2 only in the response to the creation; in v1 only in `GET /v1/webhook/{id}/secret`, at any time. Ours: `GET /_sandbox` shows the secret of the seeded webhook, `GET /_sandbox/webhooks` all secrets.',
    async (caller) => {
      const made = await ok(caller.v2('POST', '/v2/webhook', HOOK));
      const secret = made.id('secret');
      for (const path of [`/v2/webhook/${made.id()}`, '/v2/webhook']) {
        expect((await ok(caller.v2('GET', path))).text).not.toContain(secret);
      }
      const own = caller.seed('webhook_secret');
      expect((await ok(caller.v1('GET', seeded(caller)))).text).not.toContain(own);
      expect((await ok(caller.v1('GET', `${seeded(caller)}/secret`))).text).toContain(own);
      expectAnswer(await caller.v2('GET', '/_sandbox'), 200, { seeded: { webhook_secret: own } });
      expect((await ok(caller.v2('GET', '/_sandbox/webhooks'))).text).toContain(secret);
    },
  ],
  'webhooks-across-generations': [
    'Each version lists the webhooks that it created, because its document does not contain the kinds of the other. Both versions retrieve a webhook by its id, and the OpenAPI documents say that its kinds may be those of the other version. A webhook gets the kinds, envelopes and records of the version that created it.',
    async (caller) => {
      expectAnswer(await caller.v2('GET', '/v2/webhook'), 200, { total: 0 });
      const made = await ok(caller.v2('POST', '/v2/webhook', HOOK));
      expectAnswer(await caller.v1('GET', `/v1/webhook/${made.id()}`), 200, { status: 'active' });
      expectAnswer(await caller.v2('GET', `/v2/webhook/${caller.seed('webhook_id')}`), 200, {
        status: 'inactive',
      });
    },
  ],
  'seeded-webhook': [
    'One v1 webhook for all kinds. It is active if `SANDBANK_WEBHOOK_URL` is set and paused otherwise, and gets no events of the seed.',
    async (caller) => {
      const { body } = await ok(caller.v1('GET', '/v1/webhook'));
      expect(body).toMatchObject({ total: 1, data: [{ status: 'paused', events: V1_KINDS }] });
    },
  ],
  'webhook-subscriptions': [
    "Any `http` or `https` URL, also on this machine. The kinds must belong to the webhook's version, otherwise 400. v2 requires at least one kind, v1 accepts an empty list",
    async (caller) => {
      const v2 = (body: object) => caller.v2('POST', '/v2/webhook', { ...HOOK, ...body });
      const v1 = (body: object) => caller.v1('POST', '/v1/webhook', { ...HOOK, ...body });
      expectAnswer(await v2({ url: 'http://127.0.0.1:9' }), 201);
      expect(refusalOf(await v2({ url: 'ftp://a.example' }))).toBe('400 ERROR_CODE_INVALID_FIELD url');
      expectAnswer(await v2({ events: ['card.spend'] }), 400);
      expectAnswer(await v1({ events: ['transaction.created'] }), 400);
      expectAnswer(await v2({ events: [] }), 400);
      expectAnswer(await v1({ events: [] }), 201);
    },
  ],
  'v1-webhook-lists': [
    '`GET /v1/webhook/events` returns all 73 kinds without pages. `DELETE` answers `{id, status: "deleted"}`, and the second time 404.',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/webhook/events'), 200, { total: 73, data: V1_KINDS });
      const id = caller.seed('webhook_id');
      expect((await caller.v1('DELETE', seeded(caller))).body).toEqual({ id, status: 'deleted' });
      expectAnswer(await caller.v1('DELETE', seeded(caller)), 404);
      expectAnswer(await caller.v1('GET', '/v1/webhook'), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', '/v1/webhook?status=deleted'), 200, { total: 1 });
    },
  ],
  'account-events': [
    'An update of a purchase changes an existing transaction, so these events contain the difference',
    async (caller) => {
      await ok(testCard(caller, { amount: '20.00' }));
      const parentTxnId = (await rows(caller))[0]?.id;
      await caller.listen();
      await ok(testCard(caller, { amount: '15.00', txnType: 'authUpdate', parentTxnId }));
      const { v1 } = await caller.receivedEvents();
      const received = v1.map(({ kind, record }) => [kind, record.subType, record.amount]);
      expect(received).toEqual([
        ['card.spend.update', 'authUpdate', '-15.00'],
        ['account.credit', 'authUpdate', '5.00'],
      ]);
    },
  ],
});

describe('with receivers', () => {
  const real = useHttp({ realSender: true, webhookConcurrency: 16 });
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());
  const subscribe = (caller: Caller, apiVersion: 'v1' | 'v2', events: readonly string[]) =>
    ok(caller.v2('POST', '/_sandbox/webhooks', { api_version: apiVersion, url: receiver.url, events }));
  const drain = (caller: Caller) => ok(caller.v2('POST', '/_sandbox/drain', {}));

  holdRows(real, 'rails', {
    'real-time-stand-in': [
      'decline, unless you set it to approve. These count as no answer: no connection, a status other than 2xx, a body without `approved` or `declined`',
      async (caller) => {
        const declined = async (settings: object) => {
          await ok(caller.v2('PUT', '/_sandbox/rta', { url: receiver.url, ...settings }));
          return (await ok(authorize(caller))).at('transaction.status') === 'declined';
        };
        // The receiver responds without a body.
        expect(await declined({})).toBe(true);
        expect(await declined({ stand_in: 'approve' })).toBe(false);
        receiver.answer = () => 500;
        expect(await declined({})).toBe(true);
        expect((await ok(caller.v2('GET', '/_sandbox/rta'))).at('timeout_ms')).toBe(2000);
      },
    ],
  });

  holdRows(real, 'webhooks', {
    'v1-event-envelope': [
      '`{eventType, programId, env: "test", data}`, where `data` is the v1 record.',
      async (caller) => {
        await subscribe(caller, 'v1', ['card.updated']);
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        expect(receiver.arrivals[0]?.json).toEqual({
          eventType: 'card.updated',
          programId: caller.seed('program_id'),
          env: 'test',
          data: (await ok(caller.v1('GET', `/v1/card/${caller.seed('card_id')}`))).body,
        });
      },
    ],
    'v2-event-envelope': [
      '`{id: "evt_...", event_type, client_id, env: "sandbox", created_at, data}`',
      async (caller) => {
        await subscribe(caller, 'v2', ['card.updated']);
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        expect(receiver.arrivals[0]?.json).toEqual({
          id: expect.stringMatching(/^evt_/),
          event_type: 'card.updated',
          client_id: caller.seed('client_id'),
          env: 'sandbox',
          created_at: expect.any(String),
          data: (await ok(caller.v2('GET', card(caller)))).body,
        });
      },
    ],
    'delivery-signature': [
      "Header `sd-webhook-sha256-signature`: HMAC-SHA256 of the raw body under the webhook's secret",
      async (caller) => {
        const hook = await subscribe(caller, 'v2', ['card.updated']);
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        const [arrival] = receiver.arrivals;
        if (arrival === undefined) throw new Error('nothing arrived');
        const own = createHmac('sha256', hook.id('secret')).update(arrival.body).digest('hex');
        expect(arrival.headers['sd-webhook-sha256-signature']).toBe(own);
        expect(arrival.headers['webhook-signature']).toBe(signaturesOf(arrival, hook.id('secret')).standard);
      },
    ],
    'delivery-success': [
      'When the receiver answers with 2xx within 10 seconds. Redirects are not followed',
      async (caller) => {
        await subscribe(caller, 'v2', ['card.updated']);
        receiver.answer = () => 302;
        receiver.headers = { location: `${receiver.url}/elsewhere` };
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        const counts = async () =>
          (await ok(caller.v2('GET', '/_sandbox/webhooks'))).at('webhooks.0.deliveries');
        expect(await counts()).toMatchObject({ waiting: 1, delivered: 0 });
        expect(receiver.arrivals.map(({ path }) => path)).toEqual(['/']);
        receiver.answer = () => 299;
        await ok(caller.v2('PATCH', card(caller), { label: 'y' }));
        await drain(caller);
        expect(await counts()).toMatchObject({ delivered: 1 });
      },
    ],
    'delivery-retries': [
      '`Retry-After` can only make a wait longer, up to 6 hours. 410 deactivates the webhook, and so do failures for days (`failing-webhook`). A client can activate it again; a deleted webhook stays deleted.',
      async (caller) => {
        const hook = await subscribe(caller, 'v1', ['card.updated']);
        receiver.answer = () => 410;
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        const path = `/v1/webhook/${hook.id()}`;
        expectAnswer(await caller.v1('GET', path), 200, { status: 'deactivated' });
        expectAnswer(await caller.v1('PATCH', path, { status: 'active' }), 200, { status: 'active' });
        await ok(caller.v1('DELETE', path));
        expect((await caller.v1('PATCH', path, { status: 'active' })).status).toBeGreaterThanOrEqual(400);
      },
    ],
    'event-examples': [
      'An example is the newest event of its kind in the sandbox, otherwise an event of a separate history that contains every kind that can occur here',
      async (caller) => {
        const hook = await subscribe(caller, 'v1', V1_KINDS);
        const example = async (type: string) => {
          const sent = await ok(caller.v2('POST', `/_sandbox/webhooks/${hook.id()}/send_example`, { type }));
          return [sent.at('delivered'), sent.at('made_from') === ''];
        };
        expect(await example('card.refund')).toEqual([true, true]);
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        expect(await example('card.updated')).toEqual([true, false]);
        expect(await example('wallet.updated')).toEqual([true, true]);
        const record = receiver.arrivals.find(({ json }) => json.eventType === 'card.refund')?.json.data;
        expect(record).toMatchObject({ txnType: 'credit', subType: 'refund' });
      },
    ],
    'delivery-order': [
      'Events of one record never overlap: each waits for the response to the previous one.',
      async (caller) => {
        await subscribe(caller, 'v2', ['card.updated']);
        receiver.answer = ({ json }) => ((json.data as { label: string }).label === 'One' ? 500 : 200);
        for (const label of ['One', 'Two', 'Three']) await ok(caller.v2('PATCH', card(caller), { label }));
        await drain(caller);
        expect(receiver.arrivals.map(({ json }) => (json.data as { label: string }).label)).toEqual([
          'One',
          'Two',
          'Three',
        ]);
      },
    ],
    'webhook-limit': [
      '100 that are not deleted, in both versions together; no page has a limit, so this one is ours. A further webhook is refused with 400, in v1 as `EC_WEBHOOK_LIMIT_REACHED`',
      async (caller) => {
        const { webhooks } = (await ok(caller.v2('GET', '/_sandbox/webhooks'))).body as {
          webhooks: unknown[];
        };
        const v1 = () => caller.v1('POST', '/v1/webhook', { url: receiver.url, events: ['card.updated'] });
        const v2 = () => caller.v2('POST', '/v2/webhook', { url: receiver.url, events: ['card.updated'] });
        const control = () =>
          caller.v2('POST', '/_sandbox/webhooks', { api_version: 'v2', url: receiver.url, events: ['*'] });
        const made = [];
        for (let count = webhooks.length; count < 100; count += 1)
          made.push(await ok(count % 2 ? v1() : v2()));
        expectAnswer(await v1(), 400, { code: 'EC_WEBHOOK_LIMIT_REACHED' });
        expectAnswer(await v2(), 400, {
          error: { message: 'a sandbox can have at most 100 webhooks; delete one that you do not need' },
        });
        expectAnswer(await control(), 400);
        await ok(caller.v2('DELETE', `/v2/webhook/${made[0]?.id()}`));
        expectAnswer(await control(), 201);
      },
    ],
    'failing-webhook': [
      'the webhook becomes `deactivated`, its pending deliveries are dropped',
      async (caller) => {
        const hook = await subscribe(caller, 'v1', ['card.updated']);
        await ok(caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen' }));
        receiver.answer = () => 500;
        const shown = async () => (await ok(caller.v2('GET', '/_sandbox/webhooks'))).at('webhooks.0');
        expect(await shown()).toMatchObject({ failing_since: '' });
        for (let day = 0; day < 5; day += 1) {
          await ok(caller.v2('PATCH', card(caller), { label: `${day}` }));
          await ok(caller.v2('POST', '/_sandbox/clock/advance', { by: 'P1D' }));
        }
        expect(await shown()).toMatchObject({ status: 'active', failing_since: expect.stringMatching(/Z$/) });
        await ok(caller.v2('PATCH', card(caller), { label: 'last' }));
        await ok(caller.v2('POST', '/_sandbox/clock/advance', { by: 'P1D' }));
        expect(await shown()).toMatchObject({ status: 'deactivated', failing_since: '' });
        expectAnswer(await caller.v1('GET', `/v1/webhook/${hook.id()}`), 200, { status: 'deactivated' });
        expect(real.failures.splice(0).map(String)).toEqual([
          expect.stringContaining('no delivery has succeeded for five days'),
        ]);
      },
    ],
    'waiting-deliveries': [
      'Pausing keeps them, and resuming sends them. Deactivating and deleting drop them; a delivery that is in flight can still succeed.',
      async (caller) => {
        const hook = await subscribe(caller, 'v1', ['card.updated']);
        const change = (status: string) => ok(caller.v1('PATCH', `/v1/webhook/${hook.id()}`, { status }));
        const counts = async () =>
          (await ok(caller.v2('GET', '/_sandbox/webhooks'))).at('webhooks.0.deliveries');
        receiver.answer = () => 500;
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        await change('paused');
        expect(await counts()).toMatchObject({ waiting: 1, dropped: 0 });
        await change('active');
        expect(await counts()).toMatchObject({ waiting: 1, dropped: 0 });
        await change('deactivated');
        expect(await counts()).toMatchObject({ waiting: 0, dropped: 1 });
      },
    ],
    'event-id': [
      'The envelope of v1 has no field for it, so v1 receivers find it only in `webhook-id`.',
      async (caller) => {
        await subscribe(caller, 'v1', ['card.updated']);
        await subscribe(caller, 'v2', ['card.updated']);
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        const [first, second] = receiver.arrivals.map(({ headers, json }) => [
          headers['webhook-id'],
          json.id,
        ]);
        expect([first, second].filter((pair) => pair?.[1] === undefined)).toHaveLength(1);
        expect([first, second].filter((pair) => pair?.[0] === pair?.[1])).toHaveLength(1);
      },
    ],
    'delivery-chaos': [
      'A dropped delivery counts as delivered and is never sent',
      async (caller) => {
        const hook = await subscribe(caller, 'v2', ['card.updated']);
        await ok(caller.v2('PUT', `/_sandbox/webhooks/${hook.id()}/chaos`, { drop: {} }));
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        expect(receiver.arrivals).toHaveLength(0);
        const [shown] = (await ok(caller.v2('GET', '/_sandbox/webhooks'))).at('webhooks') as object[];
        expect(shown).toMatchObject({ id: hook.id(), deliveries: { waiting: 0, dropped: 0, delivered: 1 } });
      },
    ],
    'built-in-receiver': [
      'Its deliveries work as usual, with retries, signatures and chaos, and the sandbox keeps the last 1000',
      async (caller) => {
        const body = { api_version: 'v2', receiver: true, events: ['card.updated'] };
        const hook = await ok(caller.v2('POST', '/_sandbox/webhooks', body));
        expect(hook.at('url')).toBe('http://receiver.sandbank.invalid/');
        await ok(caller.v2('PUT', '/_sandbox/receiver', { status: 503, times: 1 }));
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        await ok(caller.v2('POST', '/_sandbox/clock/advance', { by: 'PT10S' }));
        const { deliveries } = (await ok(caller.v2('GET', '/_sandbox/receiver'))).body as {
          deliveries: { status: number; signature_problem: string; event_id: string }[];
        };
        expect(deliveries.map(({ status }) => status)).toEqual([200, 503]);
        expect(new Set(deliveries.map(({ event_id: id }) => id)).size).toBe(1);
        expect(deliveries.map(({ signature_problem: problem }) => problem)).toEqual(['', '']);
      },
    ],
    'secret-rotation': [
      "The platform's header has one signature, with the new secret. `webhook-signature` has both until the overlap ends on the sandbox's clock.",
      async (caller) => {
        const hook = await subscribe(caller, 'v2', ['card.updated']);
        const path = `/_sandbox/webhooks/${hook.id()}/rotate_secret`;
        const rotated = await ok(caller.v2('POST', path, {}));
        await ok(caller.v2('PATCH', card(caller), { label: 'x' }));
        await drain(caller);
        const [arrival] = receiver.arrivals;
        if (arrival === undefined) throw new Error('nothing arrived');
        const given = String(arrival.headers['webhook-signature']).split(' ');
        expect(given).toHaveLength(2);
        expect(given).toContain(signaturesOf(arrival, hook.id('secret')).standard);
        expect(arrival.headers['sd-webhook-sha256-signature']).toBe(
          signaturesOf(arrival, rotated.id('secret')).own,
        );
      },
    ],
  });
});

describe('the control plane', () => {
  holdRows(http, 'control', {
    'seeded-chance': [
      'the same seed and the same requests at the same times get the same answers, except for secrets (`random-secrets`). Every request takes its id from the sequence, including reads.',
      async (caller) => {
        const other = http.caller();
        for (const { v2 } of [caller, other]) {
          expectAnswer(
            await v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-11-20T19:00:00Z' }),
            200,
          );
        }
        const [one, same] = [await originate(caller), await originate(other)];
        expect(same.body).toEqual(one.body);
        await ok(caller.v2('GET', account(caller)));
        expect((await originate(other)).id()).not.toBe((await originate(caller)).id());
      },
    ],
    'observer-header': [
      'It is not in the journal, the stream or the coverage, and no fault or rate limit applies to it.',
      async (caller) => {
        const look = () =>
          http.call('GET', account(caller), {
            headers: { 'api-key': caller.key, 'x-sandbox-observer': '' },
          });
        await ok(caller.v2('POST', '/_sandbox/faults', { error: { status: 503 } }));
        expect((await look()).status).toBe(200);
        const { requests } = (await ok(caller.v2('GET', '/_sandbox/requests'))).body as { requests: [] };
        expect(requests).toEqual([]);
        expect((await caller.v2('GET', account(caller))).status).toBe(503);
      },
    ],
    'seeded-records': [
      'Two persons, a business that waits for its KYB, two accounts with 5000.00 and 2500.00',
      async (caller) => {
        const list = async (path: string) =>
          (await ok(caller.v2('GET', path))).at('data') as Record<string, unknown>[];
        const holders = await list('/v2/accounts/sub_account_holder');
        expect(holders.map(({ type, status }) => `${type} ${status}`).sort()).toEqual([
          'business pending_activation',
          'business pending_activation',
          'person activated',
          'person activated',
          'person activated',
          'person activated',
          'person pending_activation',
        ]);
        const accounts = await list('/v2/accounts/sub_account');
        const balances = accounts.map((own) => own.available_balance);
        expect(balances).toEqual(expect.arrayContaining(['2500.00', '5000.00']));
        const cards = (await list('/v2/issuing/card')).map(({ type }) => type);
        expect(cards).toEqual(expect.arrayContaining(['physical', 'virtual']));
        const rails = (await list('/v2/payments/counterparty')).map(
          ({ ach, fednow, intra_account }) => [ach, fednow, intra_account].filter(Boolean).length,
        );
        expect(rails.sort()).toEqual([1, 1, 3, 3]);
        const settled = await list('/v2/payments/transaction?limit=100');
        expect(settled.filter(({ status }) => status !== 'settled').map(({ amount }) => amount)).toEqual([
          '28.00',
        ]);
        const { body } = await ok(caller.v2('POST', '/_sandbox/clock/settle', {}));
        expect(body).toMatchObject({ quiescent: true, left: [] });
        expect(http.caller().seed('sub_account_id')).toBe(caller.seed('sub_account_id'));
      },
    ],
    'control-errors': [
      '`{error: {code, message, hint}}`',
      async (caller) => {
        const { body, status } = await caller.v2('GET', '/_sandbox/explain/x');
        expect(status).toBe(400);
        expect(Object.keys((body as { error: object }).error)).toEqual(['code', 'message', 'hint']);
      },
    ],
    'uploaded-files': [
      'Any type up to 10 MB; an empty file is 400. A second upload replaces the first. A download is always an attachment, so browsers do not run it.',
      async (caller) => {
        const made = await ok(
          caller.v2('POST', '/v2/attachment', { reference_id: caller.seed('sub_account_id') }),
        );
        const link = new URL(made.id('url'));
        const url = link.pathname + link.search;
        const put = async (bytes: number, type: string) =>
          (
            await http.app.server.inject({
              method: 'PUT',
              url,
              payload: Buffer.alloc(bytes, 'x'),
              headers: { 'content-type': type },
            })
          ).statusCode;
        expect(await put(10, 'text/html')).toBeLessThan(300);
        expect(await put(20, 'text/html')).toBeLessThan(300);
        expect(await put(10 * 1024 * 1024 + 1, 'text/html')).toBe(413);
        expect(await put(0, 'text/html')).toBe(400);
        const got = await http.app.server.inject({ method: 'GET', url });
        expect([got.rawPayload.length, got.headers['content-disposition']]).toEqual([
          20,
          expect.stringMatching(/^attachment/),
        ]);
      },
    ],
    'reset-and-restore': [
      'A reset restores the clock of the process settings and the original ids.',
      async (caller) => {
        await ok(originate(caller));
        await setClock(caller, '2027-01-01T00:00:00Z');
        await ok(caller.v2('PUT', '/_sandbox/snapshots/one'));
        await ok(caller.v2('POST', '/_sandbox/faults', { match: {}, error: { status: 500 }, times: 1 }));
        const reset = await ok(caller.v2('POST', '/_sandbox/reset'));
        expect(reset.at('clock.mode')).toBe('live');
        expect(await figures(caller)).toEqual(['5000.00', '0.00', '0.00']);
        expect((await ok(caller.v2('GET', '/_sandbox/snapshots'))).text).toContain('one');
        expect((await ok(caller.v2('GET', '/_sandbox/requests'))).text).toContain('/v2/payments/ach/push');
        expectAnswer(await caller.v2('GET', '/_sandbox/faults'), 200, { faults: [] });
      },
    ],
    'fault-effects': [
      "If the fault's error is one that a key stores (`idempotency-kept-answers`), like 409, it is stored instead",
      async (caller) => {
        const label = (key: string) =>
          caller.v2('PATCH', account(caller), { label: key }, { 'idempotency-key': key });
        const fault = (status: number) =>
          ok(
            caller.v2('POST', '/_sandbox/faults', {
              match: { method: 'PATCH' },
              error: { status },
              times: 1,
            }),
          );
        await fault(409);
        const first = await label('one');
        expectAnswer(first, 409);
        expect((await label('one')).text).toBe(first.text);
        expectAnswer(await label('two'), 200, { label: 'two' });
        await fault(500);
        expectAnswer(await label('three'), 500);
        expectAnswer(await label('three'), 200, { label: 'three' });
      },
    ],
    'control-plane-access': [
      'A foreign `Origin` is 403 everywhere. On loopback a `Host` that is not of this machine is 403 too',
      async (caller) => {
        const request = (headers: Record<string, string>) =>
          http.call('GET', '/_sandbox', { headers: { 'api-key': caller.key, ...headers } });
        expectAnswer(await request({}), 200);
        expectAnswer(await request({ origin: 'https://page.example' }), 403, {
          error: { code: 'origin_foreign' },
        });
        expectAnswer(await request({ host: 'bank.example' }), 403, { error: { code: 'host_foreign' } });
      },
    ],
  });
});

describe('kinds that nothing causes', () => {
  holdRows(http, 'webhooks', {
    'v2-uncaused-kinds': [
      'A test exists for each of the other 44.',
      async (caller) => {
        const idle =
          /^(client|client_member|master_account_holder|master_account)\.|^(card_holder|counterparty)\.status\.(pending_activation|locked)$|^card\.status\.(credit|debit)_blocked$/;
        expect(V2_KINDS.filter((kind) => !idle.test(kind))).toHaveLength(44);
        expectAnswer(await caller.v2('POST', '/v2/webhook', { ...HOOK, events: V2_KINDS }), 201);
      },
    ],
    'v1-uncaused-kinds': [
      'A test exists for each of the other 59.',
      async (caller) => {
        const idle =
          /^wallet\.(?!created)|^solidcard\.topup$|^card\.(deposit|enriched|reward\..*|wallet\.updated)$|^(ach|card)\.auth\.request$/;
        expect(V1_KINDS.filter((kind) => !idle.test(kind))).toHaveLength(59);
        expectAnswer(await caller.v1('POST', '/v1/webhook', { ...HOOK, events: V1_KINDS }), 201);
      },
    ],
  });
});

describe('on the banking calendar', () => {
  const timed = useHttp({ rails: 'calendar' });
  holdRows(timed, 'control', {
    'missed-steps': [
      'and records have the scheduled time of each step. A step that is not possible is logged and skipped.',
      async (caller) => {
        const pull = await ok(originate(caller, {}, 'ach/pull'));
        await setClock(caller, '2027-01-01T00:00:00Z');
        const settled = await ok(caller.v2('GET', `/v2/payments/transaction/${pull.id()}`));
        expect(settled.at('timestamps.settled_at')).toBe('2026-11-25T13:30:00Z');
      },
    ],
  });
});
