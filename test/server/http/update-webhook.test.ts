/**
 * PATCH /v1/webhook/{webhookId}: pauses, resumes, deactivates and renames; a paused webhook keeps its list of events.
 * Decisions `v1-error-codes`, `deleted-things`, `delivery-retries` and `inactive-webhook-queue` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { WEBHOOK_V1 } from '../../contract/v1/others.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const change = (caller: Caller, body: unknown, id = caller.seed('webhook_id')) =>
  caller.v1('PATCH', `/v1/webhook/${id}`, body);

async function makeWebhook(caller: Caller): Promise<string> {
  const body = {
    url: 'https://hooks.example/v1',
    events: ['card.spend', 'account.debit'],
    description: 'Mine',
  };
  return (await caller.v1('POST', '/v1/webhook', body)).id();
}

describe('a change (updateWebhook)', () => {
  it('of status and description returns the whole webhook', async () => {
    const caller = http.caller();
    const id = await makeWebhook(caller);
    http.clock.advance(60_000);
    const answer = await change(caller, { description: 'Ledger feed', status: 'paused' }, id);
    expectRecord(answer, 'updateWebhook', WEBHOOK_V1);
    expect(answer.body).toEqual({
      id,
      programId: caller.seed('program_id'),
      url: 'https://hooks.example/v1',
      description: 'Ledger feed',
      status: 'paused',
      events: ['card.spend', 'account.debit'],
      createdAt: '2026-11-20T18:00:00Z',
      modifiedAt: '2026-11-20T18:01:00Z',
    });
    expect((await caller.v1('GET', `/v1/webhook/${id}`)).body).toEqual(answer.body);
    expect((await caller.v2('GET', `/v2/webhook/${id}`)).body).toMatchObject({
      description: 'Ledger feed',
      status: 'inactive',
      events: ['card.spend', 'account.debit'],
    });
  });

  it('of URL and events is stored', async () => {
    const caller = http.caller();
    const id = await makeWebhook(caller);
    const answer = await change(caller, { url: 'http://other.example/', events: ['card.refund'] }, id);
    expect(answer.body).toMatchObject({
      url: 'http://other.example/',
      events: ['card.refund'],
      status: 'active',
    });
  });

  it('keeps the secret, and publishes no event', async () => {
    const caller = http.caller();
    const secret = () => caller.v1('GET', `/v1/webhook/${caller.seed('webhook_id')}/secret`);
    const before = (await secret()).body;
    await caller.listen();
    await change(caller, { description: 'x', status: 'active' });
    expect((await secret()).body).toEqual(before);
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
  });

  it('accepts the present values', async () => {
    const caller = http.caller();
    const id = await makeWebhook(caller);
    expect((await change(caller, { status: 'active' }, id)).at('status')).toBe('active');
    expect((await change(caller, {}, id)).at('description')).toBe('Mine');
  });

  it.each([
    [['paused', 'active', 'deactivated', 'active']],
    [['deactivated', 'paused', 'deactivated']],
    [['paused', 'paused']],
  ])('of the status follows %j', async (requests) => {
    const caller = http.caller();
    const id = await makeWebhook(caller);
    for (const status of requests) expect((await change(caller, { status }, id)).at('status')).toBe(status);
  });

  it('accepts an id in the format of v2', async () => {
    const caller = http.caller();
    const made = await caller.v2('POST', '/v2/webhook', {
      url: 'https://hooks.example/v2',
      events: ['card.created'],
    });
    const answer = await change(caller, { description: 'from v1' }, made.id());
    expect({ status: answer.status, description: answer.at('description') }).toEqual({
      status: 200,
      description: 'from v1',
    });
    expect((await caller.v2('GET', `/v2/webhook/${made.id()}`)).at('description')).toBe('from v1');
  });
});

describe('an error (updateWebhook)', () => {
  const invalid = { status: 400, code: 'EC_WEBHOOK_INVALID_REQUEST' };
  it.each([
    ['an unknown status', { status: 'stopped' }, { ...invalid, message: /status/ }],
    ['a deletion', { status: 'deleted' }, { ...invalid, message: /status/ }],
    ['a status of v2', { status: 'inactive' }, { ...invalid, message: /status/ }],
    ['a status that is a number', { status: 1 }, { ...invalid, message: /status/ }],
    ['a description that is a number', { description: 5 }, { ...invalid, message: /description/ }],
    [
      'a description that is too long',
      { description: 'x'.repeat(501) },
      { ...invalid, message: /description/ },
    ],
    ['events that are a string', { events: 'card.spend' }, { ...invalid, message: /events/ }],
    [
      'an unknown kind',
      { events: ['card.spend', 'card.lost'] },
      { status: 400, code: 'EC_WEBHOOK_INVALID_EVENT', message: /card\.lost/ },
    ],
    ['a kind of v2', { events: ['transaction.created'] }, { status: 400, code: 'EC_WEBHOOK_INVALID_EVENT' }],
    ['an invalid URL', { url: 'hooks.example' }, { status: 400, code: 'EC_WEBHOOK_INVALID_URL' }],
    ['a URL of a file', { url: 'file:///etc/passwd' }, { status: 400, code: 'EC_WEBHOOK_INVALID_URL' }],
  ])('%s', async (_, body, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await change(caller, { description: 'never', ...body }), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([`wbh-${crypto.randomUUID()}`, 'wbh-1', `con-${crypto.randomUUID()}`])(
    'for an unknown webhook %s',
    async (id) => {
      expectRefusedV1(await change(http.caller(), { status: 'paused' }, id), {
        status: 404,
        code: 'EC_WEBHOOK_NOT_FOUND',
      });
    },
  );

  it('for a deleted webhook', async () => {
    const caller = http.caller();
    const id = await makeWebhook(caller);
    expect((await caller.v2('DELETE', `/v2/webhook/${id}`)).status).toBe(204);
    expectRefusedV1(await change(caller, { status: 'active' }, id), {
      status: 409,
      code: 'EC_WEBHOOK_DELETED',
    });
  });
});
