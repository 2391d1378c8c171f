/**
 * The webhook operations of v1 other than the update: create, list, retrieve, delete, the kinds of events, and the
 * secret, which no record contains. Decisions `v1-success-status`, `deleted-things`, `delivery-signature` and
 * `v1-webhook-lists` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { V1_KINDS } from '../../../src/bank/model/facts.ts';
import { WEBHOOK_V1 } from '../../contract/v1/others.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, useHttp } from './support.ts';

const http = useHttp();
const BODY = { url: 'https://hooks.example/v1', events: ['card.spend'], description: 'Mine' };

describe('creating a webhook in v1 (createWebhook)', () => {
  it('returns the record without the secret', async () => {
    const caller = http.caller();
    const answer = await caller.v1('POST', '/v1/webhook', BODY);
    expectRecord(answer, 'createWebhook', WEBHOOK_V1);
    expect(answer.body).toMatchObject({ ...BODY, status: 'active', programId: caller.seed('program_id') });
    expect(answer.text).not.toContain('secret');
  });

  it('may create a paused one, for all kinds or none', async () => {
    const caller = http.caller();
    const all = await caller.v1('POST', '/v1/webhook', { url: BODY.url, events: V1_KINDS, status: 'paused' });
    expect(all.body).toMatchObject({ status: 'paused', description: '', events: V1_KINDS });
    expect((await caller.v1('POST', '/v1/webhook', { url: BODY.url, events: [] })).status).toBe(201);
  });

  const invalid = { status: 400, code: 'EC_WEBHOOK_INVALID_REQUEST' };
  it.each([
    ['no address', { url: undefined }, { ...invalid, message: /url/ }],
    ['no events', { events: undefined }, { ...invalid, message: /events/ }],
    ['an unknown status', { status: 'deactivated' }, { ...invalid, message: /status/ }],
    [
      'an address that is too long',
      { url: `https://x.example/${'x'.repeat(2048)}` },
      { ...invalid, message: /url/ },
    ],
    ['an address without a host', { url: 'https://' }, { status: 400, code: 'EC_WEBHOOK_INVALID_URL' }],
    ['an unknown kind', { events: ['__proto__'] }, { status: 400, code: 'EC_WEBHOOK_INVALID_EVENT' }],
  ])('refuses %s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await caller.v1('POST', '/v1/webhook', { ...BODY, ...change }), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('retrieving a webhook in v1 (retrieveWebhook)', () => {
  it('returns the created record', async () => {
    const caller = http.caller();
    const made = await caller.v1('POST', '/v1/webhook', BODY);
    const answer = await caller.v1('GET', `/v1/webhook/${made.id()}`);
    expectRecord(answer, 'retrieveWebhook', WEBHOOK_V1);
    expect(answer.body).toEqual(made.body);
  });

  it('also returns a deleted one, with its status', async () => {
    const caller = http.caller();
    const { body, id } = await caller.v1('POST', '/v1/webhook', BODY);
    await caller.v2('DELETE', `/v2/webhook/${id()}`);
    expect((await caller.v1('GET', `/v1/webhook/${id()}`)).body).toEqual({
      ...(body as object),
      status: 'deleted',
    });
  });

  it('is 404 for an unknown id', async () => {
    const caller = http.caller();
    for (const path of [`/v1/webhook/wbh-${crypto.randomUUID()}`, '/v1/webhook/1', '/v1/webhook/1/secret']) {
      expectRefusedV1(await caller.v1('GET', path), { status: 404, code: 'EC_WEBHOOK_NOT_FOUND' });
    }
  });
});

describe('retrieving a secret (retrieveWebhookSecret)', () => {
  it('returns the id and the secret, the same every time', async () => {
    const caller = http.caller();
    const path = `/v1/webhook/${caller.seed('webhook_id')}/secret`;
    const answer = await caller.v1('GET', path);
    expectRecord(answer, 'retrieveWebhookSecret', ['id', 'secret']);
    expect(answer.body).toEqual({ id: caller.seed('webhook_id'), secret: caller.seed('webhook_secret') });
    expect(answer.at('secret')).toMatch(/^sk_test_[0-9a-f]{32}$/);
    expect((await caller.v1('GET', path)).body).toEqual(answer.body);
  });

  it('returns a different secret for each webhook', async () => {
    const caller = http.caller();
    const ids = [await caller.v1('POST', '/v1/webhook', BODY), await caller.v1('POST', '/v1/webhook', BODY)];
    const secrets = await Promise.all(ids.map((made) => caller.v1('GET', `/v1/webhook/${made.id()}/secret`)));
    expect(new Set(secrets.map((answer) => answer.at('secret'))).size).toBe(2);
  });
});

describe('listing webhooks in v1 (listWebhooks)', () => {
  const idsOf = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);

  it('is sorted newest first and paginated, and contains none of v2', async () => {
    const caller = http.caller();
    const first = (await caller.v1('POST', '/v1/webhook', BODY)).id();
    await caller.v2('POST', '/v2/webhook', { url: BODY.url, events: ['card.updated'] });
    const answer = await caller.v1('GET', '/v1/webhook');
    expectRecord(answer, 'listWebhooks', ['total', 'data']);
    expect(answer.at('total')).toBe(2);
    expect(idsOf(answer)).toEqual([first, caller.seed('webhook_id')]);
    const page = await caller.v1('GET', '/v1/webhook?offset=1&limit=1');
    expect([page.at('total'), idsOf(page)]).toEqual([2, [caller.seed('webhook_id')]]);
    expect(answer.text).not.toContain('secret');
  });

  it('contains deleted ones on request', async () => {
    const caller = http.caller();
    const id = (await caller.v1('POST', '/v1/webhook', BODY)).id();
    await caller.v1('DELETE', `/v1/webhook/${id}`);
    expect(idsOf(await caller.v1('GET', '/v1/webhook'))).toEqual([caller.seed('webhook_id')]);
    const deleted = await caller.v1('GET', '/v1/webhook?status=deleted');
    expect(deleted.body).toMatchObject({ total: 1, data: [{ id, status: 'deleted' }] });
  });

  it('is filtered by status', async () => {
    const caller = http.caller();
    const id = (await caller.v1('POST', '/v1/webhook', BODY)).id();
    expect(idsOf(await caller.v1('GET', '/v1/webhook?status=active'))).toEqual([id]);
    expect(idsOf(await caller.v1('GET', '/v1/webhook?status=paused'))).toEqual([caller.seed('webhook_id')]);
    expect((await caller.v1('GET', '/v1/webhook?status=deactivated')).body).toEqual({ total: 0, data: [] });
  });

  it('refuses an invalid status and an invalid page', async () => {
    const caller = http.caller();
    for (const query of ['status=gone', 'limit=0', 'offset=x']) {
      const answer = await caller.v1('GET', `/v1/webhook?${query}`);
      expectRefusedV1(answer, { status: 400, code: 'EC_WEBHOOK_INVALID_REQUEST' });
    }
  });
});

describe('listing the kinds of v1 (listWebhookEvents)', () => {
  it('returns all 73 of them', async () => {
    const answer = await http.caller().v1('GET', '/v1/webhook/events');
    expectRecord(answer, 'listWebhookEvents', ['total', 'data']);
    expect(answer.body).toEqual({ total: 73, data: V1_KINDS });
  });
});

describe('deleting a webhook in v1 (deleteWebhook)', () => {
  it('returns its id and its status, and succeeds once', async () => {
    const caller = http.caller();
    const id = (await caller.v1('POST', '/v1/webhook', BODY)).id();
    const answer = await caller.v1('DELETE', `/v1/webhook/${id}`);
    expectRecord(answer, 'deleteWebhook', ['id', 'status']);
    expect(answer.body).toEqual({ id, status: 'deleted' });
    const missing = { status: 404, code: 'EC_WEBHOOK_NOT_FOUND' };
    expectRefusedV1(await caller.v1('DELETE', `/v1/webhook/${id}`), missing);
    expectRefusedV1(await caller.v1('DELETE', '/v1/webhook/events'), missing);
    expect((await caller.v2('GET', `/v2/webhook/${id}`)).status).toBe(404);
  });

  it('ends its deliveries', async () => {
    const caller = http.caller();
    await caller.listen();
    const change = (label: string) =>
      caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label });
    await change('one');
    const before = await caller.receivedEvents();
    const { v1: received } = before;
    const mine = (await caller.v1('GET', '/v1/webhook?status=active')).at('data') as Record<string, string>[];
    for (const { id, url } of mine) if (url?.endsWith('/v1')) await caller.v1('DELETE', `/v1/webhook/${id}`);
    await change('two');
    const after = await caller.receivedEvents();
    expect([received.length, before.v2.length]).toEqual([1, 1]);
    expect([after.v1.length, after.v2.length]).toEqual([0, 1]);
  });
});
