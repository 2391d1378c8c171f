/**
 * Waiting for an event: the response is sent with the event, at once if it exists, and empty if none is published. No
 * test polls or sleeps: it waits until the sandbox has a listener. In another process nobody sees that, and an event
 * may come before the waiting has begun, which changes no response.
 */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { latestSeqOf } from '../../../support/tables.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';

const http = useHttp();

const list = (caller: Caller, query: string): Promise<Answer> =>
  http.call('GET', `/_sandbox/events?${query}`, { headers: { 'api-key': caller.key } });
const cursorOf = async (caller: Caller): Promise<string> => (await list(caller, 'limit=1')).id('cursor');
const typesOf = (answer: Answer) => (answer.at('events') as { type: string }[]).map(({ type }) => type);
const label = (caller: Caller, text: string) =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label: text });
const block = (caller: Caller) =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { status: 'blocked' });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const somebodyWaits = async ({ sandbox }: Caller, does = true): Promise<void> => {
  while (!IS_WORKERD && sandbox.listeners.hasListeners() !== does) await nextTurn();
};
const expectWaiting = ({ sandbox }: Caller, does: boolean): void => {
  if (!IS_WORKERD) expect(sandbox.listeners.hasListeners()).toBe(does);
};

describe('a waiting caller', () => {
  it('gets a response immediately if there is such an event', async () => {
    const caller = http.caller();
    await label(caller, 'Fuel');
    expect(typesOf(await list(caller, 'type=card.updated&wait=60'))).toEqual([
      'card.updated',
      'card.updated',
    ]);
    expectWaiting(caller, false);
  });

  it('gets a response when the event is published, with all others of its commit', async () => {
    const caller = http.caller();
    const waiting = list(caller, `since=${await cursorOf(caller)}&wait=60s`);
    await somebodyWaits(caller);
    await block(caller);
    expect(typesOf(await waiting)).toEqual(['card.updated', 'card.status.blocked']);
    expectWaiting(caller, false);
  });

  it('gets events that are published before the wait begins', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    const [answer] = await Promise.all([list(caller, `since=${since}&wait=60`), label(caller, 'Fuel')]);
    expect(typesOf(answer)).toHaveLength(2);
  });

  it('continues to wait during other events', async () => {
    const caller = http.caller();
    const waiting = list(caller, `since=${await cursorOf(caller)}&type=card.status.*&wait=PT60S`);
    await somebodyWaits(caller);
    await label(caller, 'Fuel');
    await label(caller, 'Food');
    expectWaiting(caller, true);
    await block(caller);
    expect(typesOf(await waiting)).toEqual(['card.status.blocked']);
  });

  it('waits for one record only', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    const id = caller.seed('physical_card_id');
    const waiting = list(caller, `since=${since}&resource=${id}&api_version=v2&wait=60`);
    await somebodyWaits(caller);
    await label(caller, 'another card');
    expectWaiting(caller, true);
    await caller.v2('PATCH', `/v2/issuing/card/${id}`, { label: 'this card' });
    expect((await waiting).at('events.0.resource_id')).toBe(id);
  });

  it('is not affected by callers that wait for other events', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    const [one, other] = [
      list(caller, `since=${since}&type=card.updated&api_version=v2&wait=60`),
      list(caller, `since=${since}&type=card.status.blocked&wait=60`),
    ];
    await somebodyWaits(caller);
    await label(caller, 'Fuel');
    expect(typesOf(await one)).toEqual(['card.updated']);
    await block(caller);
    expect(typesOf(await other)).toEqual(['card.status.blocked']);
  });

  it('gets an empty response at the timeout, and can continue from there', async () => {
    const caller = http.caller();
    const since = await cursorOf(caller);
    const answer = await list(caller, `since=${since}&wait=0.01`);
    expect([answer.status, answer.at('events'), answer.at('cursor')]).toEqual([200, [], since]);
    const elsewhere = await list(caller, `since=${since}&type=card.status.open&wait=PT0.01S`);
    expect(elsewhere.at('events')).toEqual([]);
  });

  it('gets an empty response if the bank is replaced, and then an error for its position', async () => {
    const caller = http.caller();
    const before = caller.sandbox.image();
    await label(caller, 'Fuel');
    const since = await cursorOf(caller);
    const waiting = list(caller, `since=${since}&wait=60`);
    await somebodyWaits(caller);
    caller.sandbox.replaceWith(before);
    const answer = await waiting;
    // In another process, the bank may be replaced before the waiting has begun.
    if (!IS_WORKERD || answer.status === 200) expect(answer.at('events')).toEqual([]);
    expect((await list(caller, `since=${since}&wait=60`)).status).toBe(404);
  });

  it('that disconnects leaves no state', async () => {
    const caller = http.caller();
    await http.app.server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = http.app.server.server.address() as AddressInfo;
    const gone = new Promise<void>((resolve) => {
      const waiting = request(
        { port, path: `/_sandbox/events?type=card.canceled&wait=60`, headers: { 'api-key': caller.key } },
        () => {},
      );
      waiting.on('error', () => resolve());
      waiting.end();
      void somebodyWaits(caller).then(() => waiting.destroy(new Error('enough')));
    });
    await gone;
    await somebodyWaits(caller, false);
  });
});

it('that starts between two commits gets both', async () => {
  const caller = http.caller();
  const since = await cursorOf(caller);
  await label(caller, 'one');
  const events: number[] = [];
  const stop = caller.sandbox.listeners.listen((item) => {
    if (item.type === 'fact') events.push(item.fact.seq);
  });
  await label(caller, 'two');
  await label(caller, 'three');
  stop();
  const latest = latestSeqOf(caller.sandbox);
  expect(events).toEqual([latest - 1, latest]);
  expect(typesOf(await list(caller, `since=${since}&wait=60`))).toHaveLength(6);
});
