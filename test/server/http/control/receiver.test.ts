/** The built-in receiver over HTTP: the deliveries of webhooks of both versions. */
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../../src/kit/client/webhook.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();
/** The real time of the server. */
const NOW = IS_WORKERD ? new Date() : new Date('2026-11-20T18:00:00Z');

interface Delivery {
  webhook_id: string;
  api_version: string;
  event_id: string;
  type: string;
  headers: Record<string, string>;
  body: { data: { id: string } };
  raw_body: string;
  signature_problem: string;
  status: number;
}
interface Shown {
  url: string;
  answers: object;
  kept: number;
  dropped: number;
  deliveries: Delivery[];
}

const receiver = async (caller: Caller, query = ''): Promise<Shown> =>
  (await caller.v2('GET', `/_sandbox/receiver${query}`)).body as Shown;
const subscribe = async (caller: Caller, apiVersion: string) => {
  const answer = await caller.v2('POST', '/_sandbox/webhooks', {
    api_version: apiVersion,
    receiver: true,
    events: ['*'],
  });
  expect(answer.status).toBe(201);
  return answer;
};
const happen = async (caller: Caller) => {
  const card = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
  expect((await caller.v2('PATCH', card, { label: 'Fuel' })).status).toBe(200);
  expect((await caller.v2('POST', '/_sandbox/drain', {})).at('quiescent')).toBe(true);
};

describe('the built-in receiver', () => {
  it('stores the deliveries of both versions, with valid signatures', async () => {
    const caller = http.caller();
    const [v1, v2] = [await subscribe(caller, 'v1'), await subscribe(caller, 'v2')];
    expect(v2.body).toMatchObject({ url: 'http://receiver.sandbank.invalid/', receiver: true });
    await happen(caller);
    for (const [apiVersion, hook] of [
      ['v1', v1],
      ['v2', v2],
    ] as const) {
      const { deliveries } = await receiver(caller, `?webhook_id=${hook.id()}`);
      expect(deliveries.length, apiVersion).toBeGreaterThan(0);
      for (const one of deliveries) {
        expect(one).toMatchObject({
          webhook_id: hook.id(),
          api_version: apiVersion,
          status: 200,
          signature_problem: '',
        });
        expect(verifyWebhook(one.raw_body, one.headers, hook.id('secret'), { now: NOW })).toEqual(one.body);
        const { body: event } = await caller.v2('GET', `/_sandbox/events/${one.event_id}`);
        expect(event).toMatchObject({ type: one.type, data: one.body.data });
      }
    }
    const first = (await receiver(caller, '?limit=1')).deliveries;
    expect(first).toHaveLength(1);
    const ofEvent = await receiver(caller, `?event_id=${first[0]?.event_id}`);
    expect(ofEvent.deliveries).toEqual(first);
  });

  it('accepts deliveries of a webhook that a client created with its URL', async () => {
    const caller = http.caller();
    const { url } = await receiver(caller);
    const hook = await caller.v2('POST', '/v2/webhook', { url, events: ['card.updated'] });
    expect(hook.status).toBe(201);
    await happen(caller);
    expect((await receiver(caller)).deliveries.map(({ webhook_id: id }) => id)).toEqual([hook.id()]);
  });

  it('can be made to fail, which the queue handles like any failure', async () => {
    const caller = http.caller();
    const hook = await subscribe(caller, 'v2');
    const answers = await caller.v2('PUT', '/_sandbox/receiver', { status: 410 });
    expect(answers.body).toEqual({ status: 410, times: null, retry_after: null });
    await happen(caller);
    const { webhooks } = (await caller.v2('GET', '/_sandbox/webhooks')).body as {
      webhooks: { id: string; status: string }[];
    };
    expect(webhooks.find(({ id }) => id === hook.id())).toMatchObject({ status: 'deactivated' });
    expect((await caller.v2('PUT', '/_sandbox/receiver', { status: 100 })).status).toBe(400);
    expect((await caller.v2('PUT', '/_sandbox/receiver', { retry_after: -1 })).status).toBe(400);
  });

  it('keeps its deliveries after a reset, responds with 200 again, and removes them when it is emptied', async () => {
    const caller = http.caller();
    await subscribe(caller, 'v2');
    await happen(caller);
    await caller.v2('PUT', '/_sandbox/receiver', { status: 500 });
    await caller.v2('POST', '/_sandbox/reset', {});
    const after = await receiver(caller);
    expect(after.kept).toBeGreaterThan(0);
    expect(after.answers).toEqual({ status: 200, times: null, retry_after: null });
    expect((await caller.v2('DELETE', '/_sandbox/receiver')).status).toBe(204);
    expect(await receiver(caller)).toMatchObject({ kept: 0, dropped: 0, deliveries: [] });
  });

  it('reports the invalid signatures of chaos', async () => {
    const caller = http.caller();
    const hook = await subscribe(caller, 'v2');
    await caller.v2('PUT', `/_sandbox/webhooks/${hook.id()}/chaos`, { bad_signature: {} });
    await happen(caller);
    const { deliveries } = await receiver(caller);
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { signature_problem: problem } of deliveries) expect(problem).toMatch(/does not match/);
  });

  it('requires either a URL or the receiver', async () => {
    const caller = http.caller();
    const body = { api_version: 'v2', events: ['*'] };
    for (const more of [{}, { receiver: false }, { receiver: true, url: 'http://127.0.0.1:9/' }]) {
      const answer = await caller.v2('POST', '/_sandbox/webhooks', { ...body, ...more });
      expect(answer.status, JSON.stringify(more)).toBe(400);
      expect(answer.text).toContain('but not both');
    }
    expect((await receiver(caller)).deliveries).toEqual([]);
  });

  it('belongs to one sandbox', async () => {
    const [one, other] = [http.caller(), http.caller()];
    await subscribe(one, 'v2');
    await happen(one);
    expect((await receiver(one)).kept).toBeGreaterThan(0);
    expect((await receiver(other)).kept).toBe(0);
  });
});
