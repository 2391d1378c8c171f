/**
 * The webhooks of v2: created with the secret shown once, retrieved, listed page by page, deleted. Decisions
 * `v2-success-status`, `unset-values`, `has-more-words`, `list-paging`, `id-format` and `deleted-things` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { V2_KINDS } from '../../../src/bank/model/facts.ts';
import { contradictions } from '../../contract/rows.ts';
import { LIST_V2, WEBHOOK_V2, WEBHOOK_WITH_SECRET } from '../../contract/v2/others.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const PATH = '/v2/webhook';
const http = useHttp();
const BODY = { url: 'http://hooks.example/v2', events: ['transaction.created'], description: 'Ledger feed' };
const create = (caller: Caller, change: object = {}) => caller.v2('POST', PATH, { ...BODY, ...change });
const idsOf = (page: Answer) => (page.at('data') as { id: string }[]).map(({ id }) => id);

describe('creating a webhook in v2 (v2_create_webhook)', () => {
  it('returns the record with its secret', async () => {
    const caller = http.caller();
    const answer = await create(caller);
    expectRecord(answer, 'v2_create_webhook', WEBHOOK_WITH_SECRET);
    expect(answer.body).toMatchObject({
      ...BODY,
      id: expect.stringMatching(/^whk_[0-9a-f]{32}$/),
      client_id: caller.seed('client_id'),
      status: 'active',
      secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      timestamps: { deleted_at: '' },
    });
  });

  it('accepts all 78 kinds', async () => {
    expect(V2_KINDS).toHaveLength(78);
    expect((await create(http.caller(), { events: V2_KINDS })).at('events')).toEqual(V2_KINDS);
  });

  const invalid = (field: string, code = 'INVALID_FIELD') => ({
    status: 400,
    code: `ERROR_CODE_${code}`,
    field,
  });
  it.each([
    ['no address', { url: undefined }, invalid('url', 'REQUIRED_FIELD_MISSING')],
    ['no events', { events: undefined }, invalid('events', 'REQUIRED_FIELD_MISSING')],
    ['an empty list', { events: [] }, invalid('events')],
    ['an unknown kind', { events: ['transaction.status.originated'] }, invalid('events')],
    ['a kind of v1', { events: ['card.spend'] }, invalid('events')],
    ['a kind that is a number', { events: [1] }, invalid('events')],
    ['an invalid URL', { url: 'nowhere' }, invalid('url')],
    ['a mailto URL', { url: 'mailto:a@b.example' }, invalid('url')],
    ['a description that is a number', { description: 1 }, invalid('description')],
  ])('refuses %s', async (_, change, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await create(caller, change), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });
});

describe('retrieving a webhook in v2 (v2_retrieve_webhook)', () => {
  it('returns the created record, without the secret', async () => {
    const caller = http.caller();
    const made = await create(caller);
    const answer = await caller.v2('GET', `${PATH}/${made.id()}`);
    expectRecord(answer, 'v2_retrieve_webhook', WEBHOOK_V2);
    const { secret: _, ...record } = made.body as { secret: string };
    expect(answer.body).toEqual(record);
  });

  it('returns one of v1 with its v1 id', async () => {
    const caller = http.caller();
    const answer = await caller.v2('GET', `${PATH}/${caller.seed('webhook_id')}`);
    expect(answer.body).toMatchObject({ id: expect.stringMatching(/^whk_/), status: 'inactive' });
  });

  it.each([`whk_${'0'.repeat(32)}`, 'whk_1', `sub_${'0'.repeat(32)}`])('of %s is 404', async (id) => {
    expectRefusedV2(await http.caller().v2('GET', `${PATH}/${id}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
    });
  });
});

describe('deleting a webhook (v2_delete_webhook)', () => {
  it('returns no body, and the webhook is then 404', async () => {
    const caller = http.caller();
    const made = await create(caller);
    const answer = await caller.v2('DELETE', `${PATH}/${made.id()}`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    const missing = { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' };
    expectRefusedV2(await caller.v2('GET', `${PATH}/${made.id()}`), missing);
    expectRefusedV2(await caller.v2('DELETE', `${PATH}/${made.id()}`), missing);
    expect(idsOf(await caller.v2('GET', PATH))).not.toContain(made.id());
    expect((await caller.v1('GET', `/v1/webhook/${made.id()}`)).at('status')).toBe('deleted');
  });

  it('ends its deliveries', async () => {
    const caller = http.caller();
    await caller.listen();
    const [newest] = idsOf(await caller.v2('GET', PATH));
    await caller.v2('DELETE', `${PATH}/${newest}`);
    await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount: '1.00' });
    const { v1, v2 } = await caller.receivedEvents();
    expect([v1.length, v2.length]).toEqual([2, 0]);
  });

  it('accepts an empty body with a JSON content type', async () => {
    const caller = http.caller();
    const made = await create(caller);
    const headers = { 'content-type': 'application/json' };
    expect((await caller.v2('DELETE', `${PATH}/${made.id()}`, undefined, headers)).status).toBe(204);
  });
});

describe('listing webhooks (v2_list_webhooks)', () => {
  it('is sorted newest first, without secrets', async () => {
    const caller = http.caller();
    const made = [(await create(caller)).id(), (await create(caller)).id()];
    const page = await caller.v2('GET', PATH);
    expectRecord(page, 'v2_list_webhooks', LIST_V2);
    for (const webhook of page.at('data') as unknown[]) {
      expect(contradictions(webhook, WEBHOOK_V2)).toEqual([]);
    }
    expect(page.body).toMatchObject({ total: 2, has_more: 'false', starting_after: '', ending_before: '' });
    expect(idsOf(page)).toEqual(made.reverse());
    expect(page.text).not.toContain('secret');
  });

  it('uses cursors in both directions, which are ids in base64', async () => {
    const caller = http.caller();
    for (let made = 0; made < 5; made += 1) await create(caller);
    const all = idsOf(await caller.v2('GET', PATH));
    const page = (query: string) => caller.v2('GET', `${PATH}?limit=2${query}`);

    const first = await page('');
    expect(first.body).toMatchObject({ total: 5, has_more: 'true' });
    expect(Buffer.from(first.id('starting_after'), 'base64').toString()).toBe(all[1]);
    const second = await page(`&starting_after=${encodeURIComponent(first.id('starting_after'))}`);
    const third = await page(`&starting_after=${encodeURIComponent(second.id('starting_after'))}`);
    expect([first, second, third].flatMap(idsOf)).toEqual(all);
    expect(third.body).toMatchObject({ total: 5, has_more: 'false', starting_after: '' });
    const back = await page(`&ending_before=${encodeURIComponent(third.id('ending_before'))}`);
    expect(idsOf(back)).toEqual(idsOf(second));
  });

  it('returns 25 by default, and 100 at most', async () => {
    const caller = http.caller();
    for (let made = 0; made < 99; made += 1) await create(caller);
    expect(idsOf(await caller.v2('GET', PATH))).toHaveLength(25);
    expect(idsOf(await caller.v2('GET', `${PATH}?limit=100`))).toHaveLength(99);
    expect((await caller.v2('GET', PATH)).at('total')).toBe(99);
  });

  it.each(['0', '101', '-1', '1.5', 'many', '1e1', ' ', ' 5'])('refuses the limit %j', async (limit) => {
    const answer = await http.caller().v2('GET', `${PATH}?limit=${encodeURIComponent(limit)}`);
    expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'limit' });
  });

  it.each([
    'starting_after=nowhere',
    `starting_after=${Buffer.from(`sub_${'0'.repeat(32)}`).toString('base64')}`,
    'ending_before=%00',
    'starting_after=a&ending_before=b',
    `starting_after=${'a'.repeat(201)}`,
  ])('refuses the cursors of %s', async (query) => {
    const answer = await http.caller().v2('GET', `${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.at('error.field_name')).toMatch(/^(starting_after|ending_before)$/);
  });
});

describe('listing the kinds of v2 (v2_list_webhook_events)', () => {
  it('returns all 78 of them on one page', async () => {
    const answer = await http.caller().v2('GET', `${PATH}/events?limit=10`);
    expectRecord(answer, 'v2_list_webhook_events', [
      'total',
      'data',
      'has_more',
      'starting_after',
      'ending_before',
    ]);
    expect(answer.body).toEqual({
      total: 78,
      data: V2_KINDS,
      has_more: 'false',
      starting_after: '',
      ending_before: '',
    });
  });
});
